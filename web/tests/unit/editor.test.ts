// The editor's course and history: what a change makes of a course.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import {
  between,
  blank,
  bounds,
  byFormula,
  type Cell,
  type Course,
  groundAt,
  isCourse,
  mirrored,
  paint,
  patch,
  readSeconds,
  rectangle,
  stepLimitOf,
  thinkMsOf,
  withField,
} from "../../games/jockey/editor/course";
import { History } from "../../games/jockey/editor/history";
import { text } from "../../games/jockey/editor/text";
import { WEB } from "../support/folders";

const course = (...rows: string[]): Course => ({ ...blank(rows[0]!.length, rows.length), rows: rows.reverse() });
/** As it is seen: the goal above. */
const seen = (it: Course) => [...it.rows].reverse();

test("painting changes the cells that are on the course, and only those", () => {
  const grass = course("000", "000");
  const painted = paint(grass, [[0, 0], [2, 1], [3, 0], [0, -1]], "1");
  assert.deepEqual(seen(painted), ["001", "100"]);
  assert.deepEqual(seen(grass), ["000", "000"], "the course before is as it was");
  assert.equal(paint(painted, [[0, 0]], "1"), painted, "what changes nothing is the same course");
  assert.equal(groundAt(painted, [2, 1]), "1");
  assert.equal(groundAt(painted, [9, 9]), "0");
});

test("a brush leaves no gaps", () => {
  const ways: [Cell, Cell][] = [[[0, 0], [0, 0]], [[0, 0], [7, 2]], [[5, 9], [1, 1]], [[3, 3], [3, -4]]];
  for (const [from, to] of ways) {
    const cells = between(from, to);
    assert.deepEqual([cells[0], cells[cells.length - 1]], [from, to]);
    for (let k = 1; k < cells.length; k++) {
      const [a, b] = [cells[k - 1]!, cells[k]!];
      assert.ok(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) <= 1, `${a} ${b}`);
    }
  }
});

test("rectangles have all their cells, whichever corner comes first", () => {
  const cells = rectangle([2, 1], [0, 0]);
  assert.equal(cells.length, 6);
  assert.deepEqual(seen(paint(course("0000", "0000"), cells, "2")), ["2220", "2220"]);
});

test("a patch hangs together by sides, not by corners", () => {
  const it = course("0010", "0110", "1000");
  assert.deepEqual(seen(paint(it, patch(it, [0, 2]), "2")), ["2210", "2110", "1000"]);
  assert.deepEqual(patch(it, [9, 9]), []);
  const large = blank(100, 1000);
  assert.equal(patch(large, [0, 0]).length, 100_000);
});

test("left and right can be painted alike", () => {
  const it = course("00000");
  assert.deepEqual(seen(paint(it, mirrored(it, [[0, 0], [2, 0]]), "1")), ["10101"]);
});

test("another width or length keeps what there is room for", () => {
  const it = { ...course("012", "210"), x0: 0, x1: 2 };
  assert.deepEqual(seen(withField(it, "width", 4)!), ["0120", "2100"]);
  assert.deepEqual(seen(withField(it, "length", 3)!), ["000", "012", "210"]);
  assert.deepEqual(seen(withField(it, "length", 1)!), ["210"]);
  const narrow = withField(it, "width", 2)!;
  assert.deepEqual(seen(narrow), ["01", "21"]);
  assert.deepEqual([narrow.x0, narrow.x1], [0, 1]);
  const both = withField({ ...it, x0: 1, x1: 2 }, "width", 2)!;
  assert.deepEqual([both.x0, both.x1], [0, 1], "the players keep columns of their own");
});

test("numbers out of their bounds make no course", () => {
  const it = blank(15, 50);
  const table = [
    ["width", 1], ["width", 101], ["length", 0], ["length", 1001], ["vision", 0], ["vision", 1001], ["step_limit", 0], ["step_limit", 10_001],
    ["think_ms", 0], ["think_ms", 3_600_001], ["x0", -1], ["x0", 15], ["x1", 15], ["vision", 1.5],
  ] as const;
  for (const [field, value] of table) assert.equal(withField(it, field, value), null, `${field} ${value}`);
  for (const field of ["width", "length", "vision", "step_limit", "think_ms", "x0", "x1"] as const) {
    for (const value of bounds(it, field)) assert.ok(isCourse(withField(it, field, value)), `${field} ${value}`);
  }
});

test("the formulas give the limits of the official courses", () => {
  const folder = join(WEB, "../config/games/jockey/courses");
  const files = readdirSync(folder).filter((it) => it.endsWith(".crs"));
  assert.equal(files.length, 50);
  for (const file of files) {
    const it = JSON.parse(readFileSync(join(folder, file), "utf8")) as { width: number; length: number; squares: number[]; stepLimit: number; thinkTime: number };
    const rows = Array.from({ length: it.length }, (_, y) => it.squares.slice(y * it.width, (y + 1) * it.width).join(""));
    const read: Course = { ...blank(it.width, it.length), rows };
    assert.equal(stepLimitOf(read), it.stepLimit, file);
    assert.equal(thinkMsOf(it.stepLimit), it.thinkTime * 1000, file);
    const { step_limit, think_ms } = byFormula(read);
    assert.deepEqual([step_limit, think_ms], [it.stepLimit, it.thinkTime * 1000], file);
  }
});

test("seconds are read to the millisecond", () => {
  const table: [string, number | null][] = [
    ["3", 3000], [" 1.25 ", 1250], ["1,5", 1500], ["0.001", 1], ["0.0010", 1], ["", null], ["1.2345", null], ["-1", null], ["1e3", null], ["x", null],
  ];
  for (const [given, ms] of table) assert.equal(readSeconds(given), ms, given);
});

test("what comes from elsewhere is a course or none", () => {
  const it = blank(3, 2);
  assert.ok(isCourse(it));
  for (const wrong of [null, "x", {}, { ...it, rows: ["000"] }, { ...it, rows: ["000", "00"] }, { ...it, rows: ["000", "003"] }, { ...it, x0: "1" }, { ...it, width: 2 }]) {
    assert.equal(isCourse(wrong), false, JSON.stringify(wrong));
  }
});

test("what was done is undone and done again, until something else is done", () => {
  const it = new History("a");
  const steps: [() => boolean, boolean, string][] = [
    [() => it.do("a"), false, "a"],
    [() => it.do("b"), true, "b"],
    [() => it.do("c"), true, "c"],
    [() => it.redo(), false, "c"],
    [() => it.undo(), true, "b"],
    [() => it.redo(), true, "c"],
    [() => it.undo(), true, "b"],
    [() => it.undo(), true, "a"],
    [() => it.undo(), false, "a"],
    [() => it.do("d"), true, "d"],
    [() => it.redo(), false, "d"],
    [() => it.undo(), true, "a"],
  ];
  for (const [at, [step, changes, now]] of steps.entries()) assert.deepEqual([step(), it.now], [changes, now], `step ${at}`);
});

test("flaws are told in the words of the page", () => {
  const table = [
    ["Rows: found cell 2 3", "Found cell 2 3"],
    ["X1: found 4, where row 0 has an obstacle.", "Start column, second player: found 4, where row 0 has an obstacle."],
    ["Step_limit: found 0", "Step limit: found 0"],
    ["This is odd.", "This is odd."],
  ] as const;
  for (const [why, words] of table) assert.equal(text.flaw(why), words);
});
