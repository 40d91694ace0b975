{ Walks: one cell a step, on a shortest way to the goal as far as it can see. }
program Beginner;
{$mode objfpc}
uses Math;
const
  Ways: array[0..3, 0..1] of Integer = ((0, 1), (1, 0), (-1, 0), (0, -1));
var
  think, limit, w, l, vision, step, left, x, y, vx, vy, ox, oy, ovx, ovy: Integer;
  c, r, k, i, n, gx, gy: Integer;
  cell, far: array of array of Integer;
  queue: array of array[0..1] of Integer;
begin
  ReadLn(think); ReadLn(limit); ReadLn(w, l); ReadLn(vision);
  WriteLn(0); Flush(Output);
  SetLength(cell, l + 1, w); SetLength(far, l + 1, w); SetLength(queue, (l + 1) * w);
  while not SeekEof do begin
    ReadLn(step); ReadLn(left); ReadLn(x, y, vx, vy); ReadLn(ox, oy, ovx, ovy);
    for r := 0 to l - 1 do begin
      for c := 0 to w - 1 do begin Read(cell[r][c]); far[r][c] := 9999; end;
      ReadLn;
    end;
    if (oy >= 0) and (oy < l) then cell[oy][ox] := 1; { around the opponent, not through it }
    { far: how many cells it is to the goal. }
    n := 0;
    for c := 0 to w - 1 do begin far[l][c] := 0; queue[n][0] := c; queue[n][1] := l; Inc(n); end;
    i := 0;
    while i < n do begin
      for k := 0 to 3 do begin
        c := queue[i][0] + Ways[k][0]; r := queue[i][1] + Ways[k][1];
        if (c < 0) or (c >= w) or (r < 0) or (r >= l) then continue;
        if (cell[r][c] = 1) or (far[r][c] < 9999) then continue;
        far[r][c] := far[queue[i][1]][queue[i][0]] + 1;
        queue[n][0] := c; queue[n][1] := r; Inc(n);
      end;
      Inc(i);
    end;
    gx := 0; gy := IfThen(y < 0, 1, 0); { from before the start: straight on }
    for k := 0 to 3 do begin
      c := x + Ways[k][0]; r := y + Ways[k][1];
      if (y < 0) or (c < 0) or (c >= w) or (r < 0) then continue;
      if far[r][c] < far[y][x] then begin gx := Ways[k][0]; gy := Ways[k][1]; break; end;
    end;
    WriteLn(EnsureRange(gx - vx, -1, 1), ' ', EnsureRange(gy - vy, -1, 1)); Flush(Output);
  end;
end.
