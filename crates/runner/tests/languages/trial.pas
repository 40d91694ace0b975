{ Uses too much of what it is told to. }
program trial;

var
  all: pointer;
  what: string;

function deeper(depth: longint): longint;
begin
  deeper := deeper(depth + 1) + 1;
end;

begin
  what := paramstr(1);
  if what = 'heap' then
    while true do
    begin
      all := getmem(65536);
      fillchar(all^, 65536, 1);
    end;
  if what = 'stack' then halt(deeper(0));
  while true do;
end.
