{ Flies straight on as long as there is a way out, and shoots whenever it can. }
program Beginner;
{$mode objfpc}
uses SysUtils;
type
  TCell = array[0..2] of Integer;
var
  size, no, d, turn, i: Integer;
  line, alive, letters: String;
  at: TCell;

{ Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none. }
function Part(d, axis: Integer): Integer;
begin
  case axis of
    0: Result := d div 9 - 1;
    1: Result := d div 3 mod 3 - 1;
  else Result := d mod 3 - 1;
  end;
end;

function MayTurn(a, b: Integer): Boolean; { they touch, and lie on one face of the cube of 27 }
var i: Integer; touch, face: Boolean;
begin
  touch := b <> 13; face := False;
  for i := 0 to 2 do begin
    touch := touch and (Abs(Part(a, i) - Part(b, i)) < 2);
    face := face or ((Part(a, i) = Part(b, i)) and (Part(a, i) <> 0));
  end;
  Result := touch and face;
end;

{ The first turn after which a plane can fly so many rounds, or -1. }
function WayOut(at: TCell; heading: Integer; reverse: Boolean; rounds: Integer): Integer;
var i, j, d: Integer; to_: TCell; inside: Boolean;
begin
  if rounds = 0 then Exit(heading);
  for i := -1 to 26 do begin
    if i < 0 then d := heading else if reverse then d := 26 - i else d := i;
    inside := True;
    for j := 0 to 2 do begin
      to_[j] := at[j] + Part(d, j);
      inside := inside and (to_[j] >= 0) and (to_[j] < size);
    end;
    if inside and MayTurn(heading, d) and (WayOut(to_, d, reverse, rounds - 1) >= 0) then Exit(d);
  end;
  Result := -1;
end;

function Word(line: String; no: Integer): String;
begin
  for no := no downto 1 do Delete(line, 1, Pos(' ', line));
  Result := Copy(line + ' ', 1, Pos(' ', line + ' ') - 1);
end;

const
  Names = 'NSWEDU';
  Steps: array[1..6] of Integer = (-9, 9, -3, 3, -1, 1);
begin
  size := StrToIntDef(ParamStr(1), 14); { ParamStr(2) is the rounds of a fight }
  while not EOF do begin
    ReadLn(line);
    if line <> 'NEW TURN' then continue;
    for no := 0 to 3 do begin { own planes first, then the enemy's }
      ReadLn(line);
      if no > 1 then continue;
      alive := Word(line, 0); letters := Word(line, 4);
      d := 13;
      for i := 1 to Length(letters) do d := d + Steps[Pos(letters[i], Names)];
      for i := 0 to 2 do at[i] := StrToInt(Word(line, i + 1));
      { The second plane tries turns the other way round, so that they part. }
      turn := -1;
      if alive = 'alive' then turn := WayOut(at, d, no = 1, 4);
      if turn >= 0 then d := turn;
      for i := 0 to 2 do if Part(d, i) <> 0 then Write(Names[2 * i + 1 + (Part(d, i) + 1) div 2]);
      WriteLn(' 1 ', 1 - StrToInt(Word(line, 5)));
      Flush(Output);
    end;
  end;
end.
