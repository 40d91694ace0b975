// The Labyrinth's board reads whole matches, and says what happened in them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Course, steps } from "../../games/labyrinth/course";
import { text } from "../../games/labyrinth/text";
import { readView, type View } from "../../games/labyrinth/view";
import { readReplay } from "../../viewer/replay";
import { sample, type SampleName } from "../support/samples";

const course = (name: SampleName) => new Course(readReplay(sample(name)));

/** A position of size 5, of rows as drawn. */
function position(rows: string[], adventurer: [number, number] = [5, 5]): View {
  return { size: 5, fields: rows.join(""), adventurer } as View;
}

test("the path begins in the lower right corner and goes field by field", () => {
  for (const name of ["small", "dark", "large", "longest", "crashed", "hidden"] as const) {
    const { path, size } = course(name);
    assert.deepEqual([path[0]!.x, path[0]!.y, path[0]!.frame], [size, size, 0], name);
    for (let at = 1; at < path.length; at++) {
      const [from, to] = [path[at - 1]!, path[at]!];
      assert.equal(Math.abs(from.x - to.x) + Math.abs(from.y - to.y), 1, `${name}, frame ${to.frame}`);
      assert.ok(to.frame > from.frame, name);
    }
  }
});

test("what has been walked up to a frame is found", () => {
  const it = course("small");
  for (let frame = 0; frame < it.views.length; frame++) {
    assert.equal(it.walked(frame), it.path.filter((step) => step.frame <= frame).length, `frame ${frame}`);
  }
});

test("steps are counted along the shortest way", () => {
  const table: [string[], [number, number], number][] = [
    [[".....", ".....", ".....", ".....", "....."], [5, 5], 8],
    [[".....", ".....", ".....", ".....", "....."], [1, 1], 0],
    [[".....", "hhhh.", ".....", ".hhhh", "....."], [5, 5], 16],
    [["..a..", "tt.p.", ".....", ".....", "....."], [5, 5], 8],
    [["...h.", "..h..", ".....", ".....", "....h"], [5, 1], 8],
    [[".h...", "h....", ".....", ".....", "....."], [5, 5], -1],
    [["?....", ".....", ".....", ".....", "....."], [5, 5], -1],
  ];
  for (const [rows, adventurer, way] of table) assert.equal(steps(position(rows, adventurer)), way, rows.join("/"));
});

test("the way changes by a step of the adventurer or a hedge alone", () => {
  for (const name of ["small", "dark", "large", "longest"] as const) {
    const it = course(name);
    it.views.forEach((view, frame) => assert.equal(it.way[frame], steps(view), `${name}, frame ${frame}`));
  }
});

test("each hedge has the round in which it was planted", () => {
  const it = course("small");
  const last = it.views[it.views.length - 1]!;
  for (let place = 0; place < last.fields.length; place++) {
    assert.equal(it.planted_in[place]! > 0, last.fields[place] === "h", `field ${place}`);
  }
});

test("the end is marked, and no mistake more than three times", () => {
  for (const name of ["small", "dark", "large", "longest", "crashed"] as const) {
    const it = course(name);
    const moments = it.moments();
    const ends = moments.filter((moment) => moment.kind === "end");
    assert.deepEqual(ends.map((end) => end.frame), [it.views.length - 1], name);
    assert.ok(moments.filter((moment) => moment.kind === "bad").length <= 3 * 10, name);
    assert.ok(moments.every((moment, at) => at === 0 || moment.frame >= moments[at - 1]!.frame), `${name}: in order`);
  }
});

test("positions that are none are refused in words", () => {
  const view = course("small").views[0]!;
  const table: [unknown, RegExp][] = [
    [null, /frames\[4\]\.view: is no position/],
    [{ ...view, size: 99 }, /size is 99, allowed are 5 to 25/],
    [{ ...view, fields: "..." }, /fields should be 100 letters/],
    [{ ...view, adventurer: [0, 1] }, /adventurer should be \[column, row\] on the board/],
    [{ ...view, adventurer: "5 5" }, /adventurer should be/],
    [{ ...view, points: [1] }, /points should be two numbers/],
  ];
  for (const [bad, words] of table) {
    assert.throws(() => readView({ view: bad, events: [], ply: null, spent: [], remarks: [] }, 4), words);
  }
});

test("every decision is said in words", () => {
  const table: [Parameters<typeof text.what_happened>[0], string][] = [
    [{ seat: 0, action: { plant: [3, 4] }, reason: null }, "The architect plants a hedge on 3, 4."],
    [{ seat: 0, action: { plant: [9, 5] }, reason: "occupied" }, "The architect wants a hedge on 9, 5: a hedge grows there already."],
    [{ seat: 1, action: { step: 0 }, reason: null }, "The adventurer steps north."],
    [{ seat: 1, action: { step: 7 }, reason: "bad_direction" }, "The adventurer wants to step in direction 7: there is no such direction."],
    [{ seat: 1, action: { step: 3 }, reason: "hedge" }, "The adventurer wants to step west: a hedge is in the way."],
    [{ seat: 1, action: "pass", reason: "no_command" }, "The adventurer does nothing."],
    [{ seat: 0, action: "malformed", reason: "malformed" }, "The architect says what cannot be understood."],
    [{ seat: 1, action: { plant: [3, 4] }, reason: "no_command" }, "The adventurer does nothing."],
  ];
  for (const [decided, words] of table) assert.equal(text.what_happened(decided), words);
});
