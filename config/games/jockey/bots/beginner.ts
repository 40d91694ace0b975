// Walks: one cell a step, on a shortest way to the goal as far as it can see.
import * as readline from "readline";

declare const process: any;

type Cell = [number, number];

const lines = (readline as any).createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const numbers = async (): Promise<number[]> => ((await lines.next()).value ?? "").split(" ").filter(Boolean).map(Number);
const clamp = (it: number): number => Math.max(-1, Math.min(1, it));
const around = ([c, r]: Cell): Cell[] => [[c, r + 1], [c + 1, r], [c - 1, r], [c, r - 1]];

async function main(): Promise<void> {
  const [, , [width, length]] = [await numbers(), await numbers(), await numbers(), await numbers()];
  process.stdout.write("0\n");
  while ((await numbers()).length > 0) { // the number of the step; nothing when the judge has gone
    const [, [x, y, vx, vy], [ox, oy]] = [await numbers(), await numbers(), await numbers()];
    const cell: number[][] = [];
    for (let r = 0; r < length; r++) cell.push(await numbers());
    if (oy >= 0 && oy < length) cell[oy][ox] = 1; // around the opponent, not through it
    // far[r][c]: how many cells it is to the goal.
    const far: number[][] = cell.map((row) => row.map(() => Infinity)).concat([Array(width).fill(0)]);
    const queue: Cell[] = Array.from({ length: width }, (_, c): Cell => [c, length]);
    for (const at of queue) {
      for (const [c, r] of around(at)) {
        if (cell[r]?.[c] === undefined || cell[r][c] === 1 || far[r][c] < Infinity) continue;
        far[r][c] = far[at[1]][at[0]] + 1;
        queue.push([c, r]);
      }
    }
    const better = ([c, r]: Cell): boolean => far[r]?.[c] < far[y][x];
    const [gx, gy]: Cell = y < 0 ? [x, y + 1] : around([x, y]).find(better) ?? [x, y];
    process.stdout.write(`${clamp(gx - x - vx)} ${clamp(gy - y - vy)}\n`);
  }
}
main();
