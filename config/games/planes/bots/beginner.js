// Flies straight on as long as there is a way out, and shoots whenever it can.
const size = Number(process.argv[2] || 14); // process.argv[3] is the rounds of a fight
const signs = [-1, 0, 1];
const directions = [];
for (const x of signs) for (const y of signs) for (const z of signs) if (x || y || z) directions.push([x, y, z]);
const reversed = directions.slice().reverse();

const letters = (d) => d.map((it, i) => (it ? "NSWEDU"[2 * i + (it > 0)] : "")).join("");
// They touch, and lie on one face of the cube that all directions make.
const mayTurn = (a, b) => a.every((it, i) => Math.abs(it - b[i]) < 2) && a.some((it, i) => it && it === b[i]);

// The first turn after which a plane can fly so many rounds, this one counted.
function wayOut(at, heading, order, rounds) {
  if (rounds === 0) return heading;
  return [heading, ...order].find((d) => {
    const to = at.map((it, i) => it + d[i]);
    const inside = to.every((it) => it >= 0 && it < size);
    return inside && mayTurn(heading, d) && wayOut(to, d, order, rounds - 1);
  });
}

let rows = 0; // of the planes, still to come
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "NEW TURN") return (rows = 4);
  if (rows === 0 || rows-- < 3) return; // own planes come first, then the enemy's
  const [alive, x, y, z, name, cooldown] = line.split(" ");
  const heading = directions.find((d) => letters(d) === name);
  // The second plane tries turns the other way round, so that they part.
  const order = rows === 3 ? directions : reversed;
  const turn = alive === "alive" && wayOut([x, y, z].map(Number), heading, order, 4);
  process.stdout.write(`${letters(turn || heading)} 1 ${1 - cooldown}\n`);
});
