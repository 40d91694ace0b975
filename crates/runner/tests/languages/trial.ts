// Uses too much of what it is told to.
function deeper(depth: number): number {
  return deeper(depth + 1) + 1;
}

const all: number[][] = [];
switch (process.argv[2]) {
  case "heap":
    while (true) all.push(new Array<number>(1 << 16).fill(0.5));
  case "stack":
    deeper(0);
  default:
    while (true);
}
