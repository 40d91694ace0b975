// An adventurer for Labyrinth: straight on until a hedge is in the way.
//
// Then it turns into a random open direction, and back only where nothing else
// is open. It plays with and without map, because it never looks at the map.
//
// A better adventurer would remember what it has seen, and head for the
// treasure in column 1 of row 1.
//
// Build with: tsc --target es2022 --module commonjs adventurer.ts

import { createInterface } from "readline";

// What we see: view[row][column], we are view[2][2].
type View = string[][];

// The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
// For each of them: where it leads, counted from the middle of what we see.
const STEPS: [number, number][] = [[0, -1], [1, 0], [0, 1], [-1, 0]];

const lines: AsyncIterator<string> = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function askFieldOfView(): Promise<View> {
  console.log("FieldOfView"); // What is logged is sent at once.
  const view: View = [];
  while (view.length < 5) {
    const line = await lines.next();
    if (line.done) process.exit(); // The judge has gone: the match is over.
    view.push(line.value.trim().split(" "));
  }
  return view;
}

// Returns where to go next. `direction` is where we went last.
function choose(view: View, direction: number | undefined): number {
  let open = [0, 1, 2, 3].filter((way) => {
    const [dx, dy] = STEPS[way];
    return view[2 + dy][2 + dx] !== "O"; // `O` is a hedge.
  });
  if (direction !== undefined) {
    if (open.includes(direction)) return direction;
    const back = (direction + 2) % 4;
    if (open.length > 1) open = open.filter((way) => way !== back);
  }
  // Never empty: the architect must not wall us in.
  return open[Math.floor(Math.random() * open.length)];
}

async function main(): Promise<void> {
  let direction: number | undefined;
  while (true) {
    direction = choose(await askFieldOfView(), direction);
    console.log(`MakeStep ${direction}\n#END`);
  }
}

main();
