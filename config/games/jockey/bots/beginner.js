// Walks: one cell a step, on a shortest way to the goal as far as it can see.
const lines = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const numbers = async () => ((await lines.next()).value ?? "").split(" ").filter(Boolean).map(Number);
const clamp = (it) => Math.max(-1, Math.min(1, it));

async function main() {
  const [, , [width, length]] = [await numbers(), await numbers(), await numbers(), await numbers()];
  console.log("0");
  while ((await numbers()).length) { // the number of the step; nothing when the judge has gone
    const [, [x, y, vx, vy], [ox, oy]] = [await numbers(), await numbers(), await numbers()];
    const cell = [];
    for (let r = 0; r < length; r++) cell.push(await numbers());
    if (oy >= 0 && oy < length) cell[oy][ox] = 1; // around the opponent, not through it
    // far[r][c]: how many cells it is to the goal.
    const far = cell.map((row) => row.map(() => Infinity)).concat([Array(width).fill(0)]);
    const queue = Array.from({ length: width }, (_, c) => [c, length]);
    const around = ([c, r]) => [[c, r + 1], [c + 1, r], [c - 1, r], [c, r - 1]];
    for (const at of queue) {
      for (const [c, r] of around(at)) {
        if (cell[r]?.[c] === undefined || cell[r][c] === 1 || far[r][c] < Infinity) continue;
        far[r][c] = far[at[1]][at[0]] + 1;
        queue.push([c, r]);
      }
    }
    const better = ([c, r]) => far[r]?.[c] < far[y][x];
    const [gx, gy] = y < 0 ? [x, y + 1] : around([x, y]).find(better) ?? [x, y];
    console.log(`${clamp(gx - x - vx)} ${clamp(gy - y - vy)}`);
  }
}
main();
