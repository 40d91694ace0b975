{ An adventurer for Labyrinth: straight on until a hedge is in the way.

  Then it turns into a random open direction, and back only where nothing else
  is open. It plays with and without map, because it never looks at the map.

  A better adventurer would remember what it has seen, and head for the
  treasure in column 1 of row 1.

  Build with: fpc -O2 adventurer.pas }
program adventurer;

const
  Nowhere = -1;
  { The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
    For each of them: what it adds to our column and row. }
  Columns: array[0..3] of integer = (0, 1, 0, -1);
  Rows: array[0..3] of integer = (-1, 0, 1, 0);

type
  { What we see: five lines of five fields with blanks between them. We are view[3][5]. }
  TView = array[1..5] of string;

var
  view: TView;
  direction: integer;

procedure AskFieldOfView;
var
  row: integer;
begin
  writeln('FieldOfView');
  { This sends what we have written so far. Without it the question would wait
    in our own memory, and we for its answer. }
  flush(output);
  for row := 1 to 5 do
  begin
    if eof then halt; { The judge has gone: the match is over. }
    readln(view[row]);
  end;
end;

function IsOpen(way: integer): boolean;
begin
  { `O` is a hedge. }
  IsOpen := view[3 + Rows[way]][5 + 2 * Columns[way]] <> 'O';
end;

{ Returns where to go next. }
function Choose: integer;
var
  ways: array[0..3] of integer;
  way, back, count: integer;
begin
  if (direction <> Nowhere) and IsOpen(direction) then exit(direction);
  back := Nowhere;
  if direction <> Nowhere then back := (direction + 2) mod 4;
  count := 0;
  for way := 0 to 3 do
    if IsOpen(way) and (way <> back) then
    begin
      ways[count] := way;
      count := count + 1;
    end;
  { Where even the way back is none, the architect has walled us in, which it must not. }
  if count = 0 then exit(back);
  Choose := ways[random(count)];
end;

begin
  randomize;
  direction := Nowhere;
  while true do
  begin
    AskFieldOfView;
    direction := Choose;
    writeln('MakeStep ', direction);
    writeln('#END');
    flush(output);
  end;
end.
