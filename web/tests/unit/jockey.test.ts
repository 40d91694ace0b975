// The course of Jockey reads whole matches, and says what happened in them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { baseOf, cellFor, Lens } from "../../games/jockey/lens";
import { Match, type Scene } from "../../games/jockey/match";
import { text } from "../../games/jockey/text";
import { mixed, readEvents, readView, SEATS, type View } from "../../games/jockey/view";
import { readReplay } from "../../viewer/replay";
import { sample, type SampleName } from "../support/samples";

const NAMES = ["jockey-sprint", "jockey-stops", "jockey-marathon", "jockey-final"] as const;
const match = (name: SampleName) => new Match(readReplay(sample(name)));

test("ways go from the start, step by step, to where the position has the players", () => {
  for (const name of NAMES) {
    const it = match(name);
    it.scenes.forEach((scene, frame) => {
      for (const seat of SEATS) {
        const way = it.ways[scene.race]![seat]!;
        const last = way[it.walked(frame, seat) - 1]!;
        assert.deepEqual(last.at, scene.racers[seat].at, `${name}, frame ${frame}, seat ${seat}`);
        // The position after the last step of a race is the start of the next one.
        const { race, players } = it.views[frame]!;
        if (race === scene.race) assert.deepEqual(scene.racers[seat].at, players[seat]!.at, `${name}, frame ${frame}`);
      }
    });
    for (const [race, of] of it.ways.entries()) {
      const starts = of.map((way) => way[0]!.at);
      assert.deepEqual(starts.map(([, y]) => y), [0, 0], `${name}, race ${race + 1}`);
    }
    const [first, second] = it.ways.map((of) => of.map((way) => way[0]!.at[0]));
    assert.deepEqual(first, second!.reverse(), `${name}: the starts are swapped`);
  }
});

test("the limit of sight is that of the position, and never falls", () => {
  for (const name of NAMES) {
    const it = match(name);
    it.scenes.forEach((scene, frame) => {
      const view = it.views[frame]!;
      if (view.race === scene.race && !scene.over) assert.equal(scene.sees, view.sees, `${name}, frame ${frame}`);
      assert.equal(scene.sees, Math.max(...scene.racers.map((racer) => racer.sees)), `${name}, frame ${frame}`);
      const before = it.scenes[frame - 1];
      if (before?.race === scene.race) assert.ok(scene.sees >= before.sees, `${name}, frame ${frame}`);
    });
  }
});

test("goal times are told as soon as they are known, and add up", () => {
  for (const name of NAMES) {
    const it = match(name);
    const last = it.scenes[it.scenes.length - 1]!;
    for (const seat of SEATS) {
      const sum = last.times.reduce((total, of) => total + of[seat]![0] / of[seat]![1], 0);
      assert.ok(Math.abs(sum - last.sums![seat][0] / last.sums![seat][1]) < 1e-9, name);
    }
    const finish = it.scenes.find((scene) => scene.racers[1].move?.how === "finished")!;
    assert.deepEqual(finish.times[0]![1], finish.racers[1].time, `${name}: before the race is over`);
  }
});

test("thinking time is what is left of the bank, and none is made up", () => {
  const it = match("jockey-stops");
  const replay = readReplay(sample("jockey-stops"));
  let left = it.views[0]!.think_ms;
  for (let frame = 1; it.scenes[frame]!.race === 0; frame++) {
    left -= replay.frames[frame]!.spent[0]?.charged_ms ?? 0;
    assert.ok(Math.abs(it.scenes[frame]!.racers[0].left_ms! - left) < 1e-6, `frame ${frame}`);
  }
  assert.deepEqual(SEATS.map((seat) => it.is_timed(seat)), [true, true]);
  const final = match("jockey-final");
  assert.deepEqual(SEATS.map((seat) => final.is_timed(seat)), [false, false], "nobody noted times in the final");
});

test("stops, goals and ends are marked, and no mistake without end", () => {
  const kinds = (name: SampleName) => match(name).moments().map((it) => it.kind);
  assert.deepEqual(kinds("jockey-sprint"), ["good", "good", "end", "good", "good", "end"]);
  const stops = match("jockey-stops").moments();
  assert.match(stops[0]!.label, /Grey Goose: stays at .*: the lines meet, and the other one has priority, being farther left/);
  assert.ok(stops.some((it) => /Red Fox: is disqualified: against the protocol: found `a`/.test(it.label)));
  assert.match(stops[stops.length - 1]!.label, /^Grey Goose wins: 36 1\/6 against 180 steps$/);
  for (const name of NAMES) {
    const moments = match(name).moments();
    assert.ok(moments.every((moment, at) => at === 0 || moment.frame >= moments[at - 1]!.frame), `${name}: in order`);
    assert.ok(moments.filter((it) => it.kind === "bad").length <= 2 * 2 * 2 * 4 + 4, name);
  }
});

test("a match that grows is read as one that was there", () => {
  const whole = match("jockey-stops");
  const replay = readReplay(sample("jockey-stops"));
  const frames = replay.frames.splice(3);
  const it = new Match(replay);
  for (const frame of frames) {
    replay.frames.push(frame);
    it.read_on();
  }
  assert.deepEqual(it.scenes, whole.scenes);
  assert.deepEqual(it.ways, whole.ways);
});

test("who knows a part of the course keeps what was seen", () => {
  const replay = readReplay(sample("jockey-stops"));
  for (const frame of replay.frames) {
    const view = frame.view as View;
    frame.view = { ...view, rows: view.rows.slice(0, view.sees) };
  }
  const it = new Match(replay);
  it.scenes.forEach((scene, frame) => {
    const seen = Math.max(...it.views.slice(0, frame + 1).map((view) => Math.min(view.sees, view.length)));
    assert.equal(scene.rows.length, seen, `frame ${frame}`);
  });
});

test("the picture holds whoever races, and what they see", () => {
  for (const name of NAMES) {
    const it = match(name);
    const { width, length, vision } = it.views[0]!;
    for (const [room_width, room_height] of [[420, 520], [300, 480]] as const) {
      const cell = cellFor(width, length, vision, room_width, room_height);
      assert.ok(cell * width <= room_width, name);
      const lens = new Lens(cell, width, length, Math.min(room_height / cell, length + 5), 0, 0);
      it.scenes.forEach((scene, frame) => {
        for (const [no, follow] of (["first", "second"] as const).entries()) {
          const racer = scene.racers[no as 0 | 1];
          const at = lens.at(baseOf(scene, lens, vision, follow));
          const row = Math.min(racer.at[1], length);
          assert.ok(row >= at.base && row < at.base + at.rows, `${name}, frame ${frame}: row ${row} from ${at.base} on`);
        }
        const racing = scene.racers.filter((racer) => racer.time === null && racer.cause === null).map((racer) => racer.at[1]);
        const [front, back] = [Math.max(...racing), Math.min(...racing)];
        const at = lens.at(baseOf(scene, lens, vision, "both"));
        if (racing.length > 0) assert.ok(front >= at.base && front < at.base + at.rows, `${name}, frame ${frame}: the first one`);
        if (racing.length > 0 && front - back < lens.rows * 0.4) assert.ok(back >= at.base, `${name}, frame ${frame}: the last one`);
      });
    }
  }
  assert.ok(cellFor(8, 20, 6, 400, 520) * 25 <= 520, "a short course is shown whole");
});

test("positions and events that are none are refused in words", () => {
  const view = match("jockey-sprint").views[0]!;
  const frame = (view: unknown, events: unknown[] = []) => ({ view, events, ply: null, spent: [], remarks: [] });
  const table: [unknown, RegExp][] = [
    [null, /frames\[4\]\.view: is no position/],
    [{ ...view, width: 101 }, /width is 101, allowed are 2 to 100/],
    [{ ...view, length: 0 }, /length is 0, allowed are 1 to 1000/],
    [{ ...view, race: 2 }, /race is 2, allowed are 0 and 1/],
    [{ ...view, sees: "6" }, /vision, step_limit, think_ms and sees should be whole numbers/],
    [{ ...view, rows: ["0"] }, /each of rows should be 8 letters/],
    [{ ...view, rows: Array(21).fill("0".repeat(8)) }, /rows should be at most 20 texts/],
    [{ ...view, players: [] }, /players should be 2/],
    [{ ...view, players: [{ at: [1] }, {}] }, /players should have a place and a velocity/],
    [{ ...view, times: [] }, /times should be those of 2 races/],
  ];
  for (const [bad, words] of table) assert.throws(() => readView(frame(bad), 4), words);
  assert.throws(() => readEvents(frame(view, [null]), 4), /frames\[4\]\.events\[0\] is no event/);
  assert.throws(() => readEvents(frame(view, [{ event: "stepped", moves: [null] }]), 4), /frames\[4\]\.events\[0\]\.moves should be 2/);
  assert.deepEqual(readEvents(frame(view, [{ event: "sneezed" }]), 4), [], "what is not known is left out");
});

test("every reason is said in words", () => {
  const base = match("jockey-stops").scenes[6]!;
  const tell = (own: object, other: object = {}, seat: 0 | 1 = 0): string => {
    const moves = [0, 1].map((no) => ({ from: [3, 4], planned: [4, 6], to: [3, 4], velocity: [0, 0], how: "moved", ...(no === seat ? own : other) }));
    const racers = [0, 1].map((no) => ({ ...base.racers[no as 0 | 1], move: moves[no] }));
    return text.caption({ ...base, events: [], missed: [], racers } as unknown as Scene, seat);
  };
  const table: [string, string][] = [
    [tell({ to: [4, 6] }), "goes to 4, 6"],
    [tell({}), "stays at 3, 4"],
    [tell({ how: "splashed", to: [4, 6] }), "lands in the pond at 4, 6 and stands"],
    [tell({ how: "finished", to: [4, 6], time: [70, 3] }), "is at the goal after 23 1/3 steps"],
    [tell({ how: "off_course", over: "side" }), "stays at 3, 4: the line to 4, 6 leads over the side"],
    [tell({ how: "off_course", over: "obstacle" }), "stays at 3, 4: the line to 4, 6 touches an obstacle"],
    [tell({ how: "collided", touched_cell: true }), "stays at 3, 4: its line touches the cell in which the other one started the step"],
    [
      tell({ how: "collided", touched_cell: false }, { from: [5, 3] }),
      "stays at 3, 4: the lines meet, and the other one has priority, being farther behind",
    ],
    [
      tell({ how: "collided", touched_cell: false }, { from: [2, 4] }, 1),
      "stays at 3, 4: the lines meet, and the other one has priority, being farther left",
    ],
    [text.cause({ kind: "clock" }), "the thinking time was used up"],
    [text.cause({ kind: "gone", end: { exited: 3 } }), "the program ended by itself with exit code 3"],
    [text.cause({ kind: "gone", end: { signalled: 11 } }), "the program was ended by signal 11"],
    [text.cause({ kind: "gone", end: "out_of_memory" }), "the program used more memory than it may"],
    [text.cause({ kind: "steps" }), "the goal was not reached within the step limit"],
    [text.cause({ kind: "absent" }), "three steps in a row were missed"],
    [text.sums(["a", "b"], [[30, 1], [30, 1]]), "A draw: 30 against 30 steps"],
    [text.sums(["a", "b"], [[61, 2], [30, 1]]), "b wins: 30 against 30 1/2 steps"],
    [mixed([1, 3]), "1/3"],
  ];
  for (const [found, words] of table) assert.equal(found, words);
});
