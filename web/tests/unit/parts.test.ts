// Keys, links to a moment, marks: small tables.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Moment } from "../../viewer/game";
import { commandOf, type Command } from "../../viewer/keys";
import { marksOf, momentBeside } from "../../viewer/marks";
import { momentOf, withMoment } from "../../viewer/moment";

const bare = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

test("each key has its command", () => {
  const table: [Partial<typeof bare> & { key: string }, Command | null][] = [
    [{ key: " " }, { do: "toggle" }],
    [{ key: "k" }, { do: "toggle" }],
    [{ key: "ArrowRight" }, { do: "step", n: 1 }],
    [{ key: "ArrowLeft" }, { do: "step", n: -1 }],
    [{ key: "ArrowRight", shiftKey: true }, { do: "step", n: 10 }],
    [{ key: "ArrowLeft", shiftKey: true }, { do: "step", n: -10 }],
    [{ key: "Home" }, { do: "start" }],
    [{ key: "End" }, { do: "end" }],
    [{ key: "?", shiftKey: true }, { do: "help" }],
    [{ key: "7" }, { do: "tenth", n: 7 }],
    [{ key: "n" }, { do: "moment", n: 1 }],
    [{ key: "+" }, { do: "faster" }],
    // What belongs to the browser stays the browser's.
    [{ key: "ArrowLeft", altKey: true }, null],
    [{ key: "f", ctrlKey: true }, null],
    [{ key: "c", metaKey: true }, null],
    [{ key: "Tab" }, null],
    [{ key: "ArrowDown" }, null],
    [{ key: "x" }, null],
    [{ key: "F1" }, null],
  ];
  for (const [key, command] of table) {
    assert.deepEqual(commandOf({ ...bare, ...key }), command, JSON.stringify(key));
  }
});

test("a link names a moment, and keeps what else it names", () => {
  const table: [string, number | null][] = [
    ["", null],
    ["#t=37", 37],
    ["#a=1&t=5", 5],
    ["#t=5&a=1", 5],
    ["#xt=5", null],
    ["#t=", null],
    ["#t=-3", null],
    ["#t=1e3", null],
    ["#t=99999999999", null],
  ];
  for (const [hash, frame] of table) assert.equal(momentOf(hash), frame, hash);
  assert.equal(withMoment("", 37), "#t=37");
  assert.equal(withMoment("#t=5", 37), "#t=37");
  assert.equal(withMoment("#t=5", 0), "");
  assert.equal(withMoment("#a=1&t=5", 6), "#a=1&t=6");
  assert.equal(withMoment("#about", 0), "#about");
});

test("where marks crowd, the heaviest stands for all", () => {
  const moment = (frame: number, weight: number): Moment => ({ frame, weight, label: "", kind: "note" });
  const moments = [moment(0, 1), moment(3, 2), moment(5, 1), moment(500, 1), moment(1000, 9)];
  assert.deepEqual(marksOf(moments, 1000).map((it) => it.frame), [3, 500, 1000]);
  assert.deepEqual(marksOf(moments, 10).map((it) => it.frame), [0, 3, 5, 500, 1000]);
  assert.equal(momentBeside(moments, 3, 1)?.frame, 5);
  assert.equal(momentBeside(moments, 3, -1)?.frame, 0);
  assert.equal(momentBeside(moments, 1000, 1), null);
});

test("a thousand marks in a row leave no more than fit", () => {
  const moments = Array.from({ length: 1000 }, (_, frame): Moment => ({ frame, weight: 1, label: "", kind: "bad" }));
  assert.ok(marksOf(moments, 1000).length <= 70);
});
