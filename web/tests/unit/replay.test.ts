// Replays are read with every part checked, and refused in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readReplay, ReplayError } from "../../viewer/replay";
import { sample, type SampleName } from "../support/samples";

const NAMES: SampleName[] = ["small", "dark", "large", "longest", "crashed", "hidden"];

const good = () => ({
  game: "g",
  rules: 1,
  setup: {},
  seats: [{ role: "a", name: "b", bot: "019ad0c2-0000-7000-8000-000000000000", version: 2 }],
  frames: [{ view: {}, events: [], ply: null, spent: null, remarks: [] }],
  outcome: null,
});

test("replays as the rules tell them are read", () => {
  for (const name of NAMES) {
    const replay = readReplay(sample(name));
    assert.equal(replay.seats.length, 2, name);
    assert.notEqual(replay.outcome, null, name);
  }
});

test("what is missing or of the wrong kind is named", () => {
  const table: [object | null | string, RegExp][] = [
    [null, /the replay should be an object, found null/],
    ["[]", /the replay should be an object, found a string/],
    [[], /the replay should be an object, found a list/],
    [{ ...good(), game: 3 }, /game should be text, found a number/],
    [{ ...good(), rules: "1" }, /rules should be a number, found a string/],
    [{ ...good(), frames: [] }, /frames is empty/],
    [{ ...good(), frames: undefined }, /frames should be a list, found nothing/],
    [{ ...good(), frames: [{ events: [] }] }, /frames\[0\]\.view is missing/],
    [{ ...good(), frames: [{ view: 1, remarks: [{ seat: 1, kind: "log", text: "" }] }] }, /remarks\[0\]\.seat is 1, but there are 1/],
    [{ ...good(), frames: [{ view: 1, spent: [{ wall_ms: 1 }] }] }, /spent\[0\]\.cpu_ms should be a number/],
    [{ ...good(), seats: [{ role: "a" }] }, /seats\[0\]\.name should be text/],
    [{ ...good(), outcome: { places: [1] } }, /outcome\.why should be text/],
  ];
  for (const [json, words] of table) {
    assert.throws(() => readReplay(json), (error) => error instanceof ReplayError && words.test(error.message), String(words));
  }
});

test("links of seats lead to bots of this site or nowhere", () => {
  const table: [unknown, string | null][] = [
    ["019ad0c2-0000-7000-8000-000000000000", "/bots/019ad0c2-0000-7000-8000-000000000000"],
    ["/evil.example/019ad0c2-0000-7000-8000", null],
    ["javascript:alert(1)", null],
    [undefined, null],
    [null, null],
    [7, null],
  ];
  for (const [bot, href] of table) {
    const replay = readReplay({ ...good(), seats: [{ role: "a", name: "b", bot }] });
    assert.equal(replay.seats[0]?.href, href, String(bot));
  }
});
