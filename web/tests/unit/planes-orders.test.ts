// What a person is told of orders before they are sent is what the judge of
// 2014 and the rules make of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { actionOf, DIRECTIONS, isTrapped, nudged, type Order, outlook, type Pair, turnsOf, usual, ways } from "../../games/planes/orders";
import { type Cell, cellOf, PLANES, SEATS, type Sight, type View } from "../../games/planes/view";
import { WEB } from "../support/folders";

const GOLDEN = join(WEB, "../crates/planes/tests/golden");
const unzipped = (name: string) => gunzipSync(readFileSync(join(GOLDEN, name))).toString("utf8");

interface Helpers {
  directions: Record<string, { possible: string[] }>;
  suicidal: Record<string, Record<string, string>>;
}
const HELPERS = JSON.parse(unzipped("helpers.json.gz")) as Helpers;

type Four = readonly [string, string, string, string];
interface Game {
  size: number;
  r: [[string, string], [string, string], Four, string[]][];
}

/** All cells of an arena, as the tables have them. */
function cells(size: number): Cell[] {
  const along = Array.from({ length: size }, (_, it) => it);
  return along.flatMap((x) => along.flatMap((y) => along.map((z) => [x, y, z] as const)));
}

function viewOf(size: number, planes: readonly (Sight | null)[]): View {
  return {
    size,
    rounds: 100,
    fights: 1,
    fight: 0,
    round: 0,
    first: 0,
    planes: [planes.slice(0, 2), planes.slice(2)],
    won: [0, 0],
    drawn: 0,
    late: [0, 0],
    out: [false, false],
    end: null,
  };
}

/** The start of a fight: two planes low in the north, two high in the south. */
function start(size: number): (Sight | null)[] {
  const [west, east, last] = [Math.floor(size / 2) - 2, Math.floor(size / 2) + 1, size - 1];
  return [[0, west, 0, "S", 0], [0, east, 0, "S", 0], [last, east, last, "N", 0], [last, west, last, "N", 0]];
}

function sightOf(line: string): Sight | null {
  const [state, x, y, z, heading, cooldown] = line.split(" ");
  return state === "dead" ? null : [Number(x), Number(y), Number(z), heading!, Number(cooldown)];
}

/** A golden move, if it is one: of letters that contradict each other the first wins by the judge of 2014. */
function orderOf(line: string | undefined, first_wins: boolean): Order | null {
  const [said = "", change, shoot] = line?.split(" ") ?? [];
  const to = ["NS", "WE", "DU"].map((axis) => [...axis].filter((it) => said.includes(it)).slice(0, first_wins ? 1 : 2).join("")).join("");
  return DIRECTIONS.includes(to) ? { to, aside: change === "0", shoots: shoot === "1" } : null;
}

test("the turns that can be chosen are those of the original", () => {
  assert.deepEqual([...DIRECTIONS].sort(), Object.keys(HELPERS.directions).sort());
  for (const from of DIRECTIONS) assert.deepEqual(turnsOf(from), HELPERS.directions[from]!.possible, from);
});

test("a plane without a way on is one that the original calls suicidal, and nobody else dies of the walls alone", () => {
  let n_trapped = 0;
  for (const [edge, table] of Object.entries(HELPERS.suicidal)) {
    const size = Number(edge);
    // No arena is smaller.
    if (size < 4) continue;
    for (const [heading, bits] of Object.entries(table)) {
      for (const [no, at] of cells(size).entries()) {
        const trapped = isTrapped(at, heading, size);
        n_trapped += Number(trapped);
        assert.equal(trapped, isTrapped(at, heading, size, 6), `${size}: ${at.join()} ${heading}, looked farther ahead`);
        assert.equal(trapped, bits[no] === "1", `${size}: ${at.join()} ${heading}`);
      }
    }
  }
  assert.ok(n_trapped > 1000, `${n_trapped}`);
});

test("in golden fights planes go where they were foretold to, head there, and die of what was foretold", () => {
  const counted = { flown: 0, aside: 0, wall: 0, crash: 0, fired: 0, cooling: 0 };
  for (const name of ["prose.jsonl.gz", "controller.jsonl.gz"]) {
    const by_judge = name.startsWith("controller");
    for (const line of unzipped(name).trim().split("\n").slice(0, 300)) {
      const game = JSON.parse(line) as Game;
      let planes = start(game.size);
      for (const [round, [one, other, after, events]] of game.r.entries()) {
        const view = viewOf(game.size, planes);
        for (const [seat, moves] of [one, other].entries()) {
          const orders = PLANES.map((no) => {
            const sight = view.planes[seat]![no]!;
            const order = sight === null ? null : orderOf(moves[no], by_judge);
            // Who may not turn flies straight on; a person cannot order that.
            if (sight === null || (order !== null && turnsOf(sight[3]).includes(order.to))) return order;
            return { to: sight[3], aside: false, shoots: by_judge && order?.shoots === true };
          }) as unknown as Pair<Order>;
          const foretold = outlook(view, seat, orders);
          for (const no of PLANES) {
            const it = foretold[no];
            if (it === null) continue;
            const plane = 2 * seat + no;
            const words = `${name}, fight ${JSON.stringify(game).slice(0, 12)}, round ${round}, plane ${plane}`;
            const told = (what: string) => events.some((it) => it === `${what} ${plane}` || it.startsWith(`${what} ${plane} `));
            const now = sightOf(after[plane]!);
            counted.flown++;
            if (orders[no]!.aside) counted.aside++;
            assert.equal(it.fate === "wall", told("wall"), words);
            if (it.fate === "wall") counted.wall++;
            if (it.fate === "crash") {
              counted.crash++;
              assert.ok(told("crash"), words);
            }
            if (now !== null) assert.deepEqual([cellOf(now), now[3]], [it.at, it.heading], words);
            // An enemy that comes to the same cell is not foretold.
            if (!told("crash")) assert.equal(it.fires, told("fire"), words);
            if (it.fires) counted.fired++;
            if (orders[no]!.shoots && view.planes[seat]![no]![4] > 0) counted.cooling++;
          }
        }
        planes = after.map(sightOf);
      }
    }
  }
  for (const [what, n] of Object.entries(counted)) assert.ok(n > 20, `${what}: ${n}`);
});

test("nobody who sends what is filled in loses a plane to a wall, a trap or the other plane while there is another way", () => {
  const place = [...cells(5)];
  for (const size of [5, 14]) {
    for (const seat of SEATS) {
      let planes: (Sight | null)[] = start(size);
      for (let round = 0; round < 60; round++) {
        const view = viewOf(size, planes);
        const foretold = outlook(view, seat, usual(view, seat));
        for (const it of foretold) assert.equal(it?.fate, null, `size ${size}, seat ${seat}, round ${round}`);
        planes = planes.map((it, no) => {
          const now = Math.floor(no / 2) === seat ? foretold[no % 2]! : null;
          return now === null ? it : [...now.at, now.heading, 0];
        });
      }
    }
  }
  // Where there is none it is still an order that the judge takes.
  for (const at of place) {
    const view = viewOf(5, [[...at, "NWU", 0], null, null, null]);
    assert.ok(turnsOf("NWU").includes(usual(view, 0)[0]!.to));
  }
});

test("the own other plane is minded: its cell, and the line of fire", () => {
  const view = viewOf(14, [[5, 5, 5, "E", 0], [5, 7, 5, "W", 1], null, null]);
  const both = (one: Order, other: Order) => outlook(view, 0, [one, other]);
  const on = (to: string, more: Partial<Order> = {}): Order => ({ to, aside: false, shoots: false, ...more });
  assert.deepEqual(both(on("E"), on("W")).map((it) => it?.fate), ["crash", "crash"]);
  assert.deepEqual(both(on("E"), on("NW")).map((it) => it?.fate), [null, null]);
  // Crossing is harmless.
  assert.deepEqual(outlook(viewOf(14, [[5, 5, 5, "E", 0], [5, 6, 5, "W", 0], null, null]), 0, [on("E"), on("W")]).map((it) => it?.fate), [null, null]);
  const shot = both(on("E", { shoots: true }), on("NW", { shoots: true }));
  assert.deepEqual(shot.map((it) => it?.fires), [true, false], "a gun that cools does not fire");
  assert.equal(both(on("EU", { aside: true, shoots: true }), on("WU", { aside: true }))[0]?.fate, "crash");
  const far = viewOf(14, [[5, 5, 5, "E", 0], [5, 9, 5, "W", 1], null, null]);
  assert.equal(outlook(far, 0, [on("E", { shoots: true }), on("W")])[0]?.endangers, true);
  assert.equal(outlook(far, 0, [on("E", { shoots: true }), on("WU")])[0]?.endangers, false);
  assert.equal(ways(view, 0, 0, [on("E"), on("W")]).find((it) => it.to === "E")?.outlook.fate, "crash");
});

test("orders are written as the judge reads them", () => {
  const table: [Pair<Order>, string][] = [
    [[{ to: "SU", aside: false, shoots: true }, { to: "N", aside: true, shoots: false }], "SU! N~"],
    [[null, { to: "NWD", aside: true, shoots: true }], "? NWD~!"],
    [[{ to: "E", aside: false, shoots: false }, null], "E ?"],
  ];
  for (const [orders, text] of table) assert.equal(actionOf(orders), text);
});

test("a step on the pad leads to the direction beside, and nowhere where there is none", () => {
  const table = [
    ["S", 1, -1, "SW"],
    ["SW", 1, -1, "SW"],
    ["SW", 1, 1, "S"],
    ["S", 2, 1, "SU"],
    ["S", 0, -1, null],
    ["U", 2, -1, null],
    ["WU", 2, -1, "W"],
  ] as const;
  for (const [to, axis, by, found] of table) assert.equal(nudged(to, axis, by), found, `${to} ${axis} ${by}`);
});
