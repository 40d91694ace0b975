// The arena of Planes reads whole matches, and says what happened in them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../games/planes/camera";
import { layout } from "../../games/planes/flat";
import { Match, TRAIL_MAX } from "../../games/planes/match";
import { isFast, pictureOf, toWall } from "../../games/planes/picture";
import { text } from "../../games/planes/text";
import { cellOf, letters, PLANES, readEvents, readView, SEATS, signs, type View } from "../../games/planes/view";
import { readReplay } from "../../viewer/replay";
import { sample, type SampleName } from "../support/samples";

const NAMES = ["planes-hundred", "planes-leaves"] as const;
const match = (name: SampleName) => new Match(readReplay(sample(name)));
const CALM = { playing: false, frames_per_s: 2, motion: true };

test("planes are where the position has them, and died where it has them no more", () => {
  for (const name of NAMES) {
    const it = match(name);
    it.scenes.forEach((scene, frame) => {
      const view = it.views[frame]!;
      if (scene.over !== null) return;
      assert.equal(scene.fight, view.fight, `${name}, frame ${frame}`);
      assert.equal(scene.round, view.round, `${name}, frame ${frame}`);
      for (const seat of SEATS) {
        for (const no of PLANES) {
          const plane = scene.planes[seat]![no]!;
          const sight = view.planes[seat]![no]!;
          assert.equal(plane.alive, sight !== null, `${name}, frame ${frame}, ${seat} ${no}`);
          if (sight !== null) assert.deepEqual([...plane.at, plane.heading, plane.cooldown], [...sight], `${name}, frame ${frame}`);
        }
      }
    });
  }
});

test("fights end with the planes and the standing that the judge told", () => {
  for (const name of NAMES) {
    const it = match(name);
    const won = [0, 0];
    for (const scene of it.scenes) {
      if (scene.over === null) continue;
      const left = scene.planes.map((of) => of.filter((plane) => plane.alive).length);
      assert.deepEqual(left, scene.over.left, `${name}, fight ${scene.fight + 1}`);
      assert.equal(scene.round, scene.over.rounds, `${name}, fight ${scene.fight + 1}`);
      if (scene.over.winner !== null) won[scene.over.winner]!++;
      if (!scene.end) assert.deepEqual(scene.won, won, `${name}, fight ${scene.fight + 1}`);
    }
    const last = it.scenes.at(-1)!;
    assert.ok(last.end, name);
    assert.equal(last.won[0] + last.won[1] + last.drawn, it.views[0]!.fights, `${name}: every fight is counted`);
  }
});

test("a plane flies to a neighbouring cell, on its heading, to a new one, or aside with the old one", () => {
  const seen = new Set<string>();
  for (const name of NAMES) {
    for (const [frame, scene] of match(name).scenes.entries()) {
      for (const plane of scene.planes.flat()) {
        if (plane.from === null) continue;
        const by = plane.at.map((it, axis) => it - plane.from![axis]!);
        assert.deepEqual(by, signs(plane.went), `${name}, frame ${frame}`);
        seen.add(plane.flight);
        if (plane.flight === "straight") assert.equal(plane.went, plane.heading);
        if (plane.flight === "turn") assert.equal(plane.went, plane.heading);
        if (plane.flight === "lane") assert.ok(plane.went !== plane.heading && plane.heading === plane.heading_before);
      }
    }
  }
  assert.deepEqual([...seen].sort(), ["lane", "straight", "turn"], "the samples have all of them");
});

test("every death has its cause, and leaves a wreck until the fight is over", () => {
  const causes = new Set<string>();
  for (const name of NAMES) {
    const it = match(name);
    for (const [frame, scene] of it.scenes.entries()) {
      const dead = scene.planes.flat().filter((plane) => !plane.alive);
      assert.equal(scene.wrecks.length, dead.length, `${name}, frame ${frame}`);
      for (const { death } of dead) if (death !== null) causes.add(death);
      assert.equal(text.deaths(scene).length, scene.wrecks.filter((wreck) => wreck.fresh).length, `${name}, frame ${frame}`);
    }
  }
  assert.deepEqual([...causes].sort(), ["crash", "shot", "wall"], "the samples have all of them");
});

test("any fight and round is found, and the nearest where there is none", () => {
  const it = match("planes-hundred");
  const table: [number, number, number, number][] = [
    [1, 0, 1, 0],
    [57, 9, 57, 9],
    [57, 0, 57, 1],
    [57, 400, 57, 16],
    [900, 1, 100, 1],
  ];
  for (const [fight, round, found_fight, found_round] of table) {
    const scene = it.scenes[it.frame_of(fight, round)]!;
    assert.deepEqual([scene.fight + 1, scene.round], [found_fight, found_round], `fight ${fight}, round ${round}`);
  }
  assert.equal(it.fights.length, 100);
});

test("a fight after the first one begins at its start, whatever the position before it shows", () => {
  const it = match("planes-hundred");
  for (const { first_frame } of it.fights.slice(1)) {
    const before = it.before(first_frame);
    assert.equal(before.round, 0);
    for (const plane of it.scenes[first_frame]!.planes.flat()) assert.notEqual(plane.from, null);
  }
});

test("planes move between frames without a jump, and stand on a frame as the position has them", () => {
  const it = match("planes-hundred");
  const frame = it.frame_of(57, 9);
  const at = (fraction: number) => pictureOf(it, frame, fraction, CALM).poses.map((pose) => pose.at);
  assert.deepEqual(at(0), it.scenes[frame]!.planes.flat().filter((plane) => plane.alive).map((plane) => plane.at));
  for (let k = 0; k < 20; k++) {
    const [now, then] = [at(k / 20), at((k + 1) / 20 - 1e-9)];
    now.forEach((point, no) => assert.ok(Math.hypot(...point.map((it, axis) => it - then[no]![axis]!)) < 0.1, `${k}`));
  }
});

test("shots are seen where they were fired, end where they hit, and fade", () => {
  const it = match("planes-hundred");
  const frame = it.scenes.findIndex((scene) => scene.shots.some((shot) => shot.hit.length > 0) && scene.over === null);
  const [first, later, last] = [0, 0.2, 0.9].map((fraction) => pictureOf(it, frame, fraction, CALM));
  assert.equal(first!.rays.length, it.scenes[frame]!.shots.length);
  for (const shot of it.scenes[frame]!.shots) {
    for (const [seat, no] of shot.hit) assert.deepEqual(it.scenes[frame]!.planes[seat]![no]!.at, shot.to, "prose: a bullet ends where it hits");
  }
  assert.equal(first!.rays[0]!.strength, 1);
  assert.ok(later!.rays[0]!.strength < 1 && later!.rays[0]!.strength > 0);
  assert.equal(last!.rays.length, 0);
  assert.ok(first!.bursts.length > 0 && last!.bursts.length === 0);
});

test("while frames go by fast nothing flashes, and what is lost is still marked", () => {
  const it = match("planes-hundred");
  const fast = { playing: true, frames_per_s: 16, motion: true };
  assert.ok(isFast(fast) && !isFast({ ...fast, playing: false }) && !isFast({ ...fast, frames_per_s: 2 }));
  const frame = it.scenes.findIndex((scene) => scene.wrecks.length > 0);
  const picture = pictureOf(it, frame, 0.1, fast);
  assert.deepEqual([picture.rays, picture.bursts], [[], []]);
  assert.equal(picture.wrecks.length, it.scenes[frame]!.wrecks.length);
});

test("trails are no longer than they may be, and end at the plane", () => {
  const it = match("planes-hundred");
  for (const frame of it.scenes.keys()) {
    for (const { of, points } of pictureOf(it, frame, 0, CALM).trails) {
      assert.ok(points.length <= TRAIL_MAX + 1);
      const pose = pictureOf(it, frame, 0, CALM).poses.find((one) => one.name[0] === of[0] && one.name[1] === of[1]);
      if (pose !== undefined) assert.deepEqual(points.at(-1), pose.at);
    }
  }
});

test("letters and signs of a heading are each other's", () => {
  const table: [string, [number, number, number]][] = [
    ["N", [-1, 0, 0]],
    ["S", [1, 0, 0]],
    ["NWU", [-1, -1, 1]],
    ["SED", [1, 1, -1]],
    ["WU", [0, -1, 1]],
  ];
  for (const [heading, by] of table) {
    assert.deepEqual(signs(heading), by);
    assert.equal(letters([5, 5, 5], [5 + by[0], 5 + by[1], 5 + by[2]]), heading);
  }
  assert.deepEqual(cellOf([1, 2, 3, "N", 0]), [1, 2, 3]);
});

test("a line of fire ends at the wall", () => {
  const table: [[number, number, number], [number, number, number], [number, number, number]][] = [
    [[3, 3, 3], [1, 0, 0], [13.5, 3, 3]],
    [[3, 3, 3], [-1, 0, 0], [-0.5, 3, 3]],
    [[3, 3, 13], [0, 1, 0], [3, 13.5, 13]],
  ];
  for (const [at, nose, end] of table) assert.deepEqual(toWall(at, nose, 14), end);
});

test("what is told of a round says who shot whom, who is down, and how the fight stands", () => {
  const it = match("planes-hundred");
  const names = ["Red Fox", "Grey Goose"];
  const frame = it.fights[56]!.last_frame;
  const words = text.describe(it.scenes[frame]!, names, 100);
  assert.match(words, /^Fight 57 of 100, round 16\. Red Fox: plane 1 /);
  assert.match(words, /Fights won: Red Fox \d+, Grey Goose \d+, drawn \d+\./);
  assert.match(words, /wins the fight after 16 rounds\.$/);
  const leaves = match("planes-leaves");
  const all = leaves.scenes.map((scene) => text.lines(scene, names)).join("\n");
  for (const said of [
    "Grey Goose is asked no more: the program ended by itself with exit code 3",
    "97 more fights are not fought, and won by Red Fox",
    "✚1 got no move that can be read, and flies straight on",
    "✚1 may not turn U, and flies straight on",
    "flies into the wall",
    "Red Fox wins the match: 100 fights against 0",
  ]) {
    assert.ok(all.includes(said), said);
  }
});

test("moments are in order, and every fight's end is one", () => {
  const it = match("planes-hundred");
  const moments = it.moments();
  assert.deepEqual(moments.map((one) => one.frame), moments.map((one) => one.frame).sort((one, other) => one - other));
  assert.equal(moments.filter((one) => one.kind === "end").length, 100);
  assert.match(moments.at(-1)!.label, /wins the match: 29 fights against 27, 44 drawn$/);
});

test("what is no position of this game is refused with where and what", () => {
  const good = () => structuredClone(sample("planes-leaves").frames[0]!);
  const table: [(view: Record<string, unknown>) => void, RegExp][] = [
    [(it) => (it.size = 3), /frames\[0\]\.view: size is 3, allowed are 4 to 20/],
    [(it) => (it.fights = 501), /fights is 501, allowed are 1 to 500/],
    [(it) => (it.fight = 100), /fight is 100, allowed are 0 to 99/],
    [(it) => (it.first = 2), /first is 2, allowed are 0 and 1/],
    [(it) => (it.planes = [[null, null]]), /planes should be two of each of two seats/],
    [(it) => (it.planes = [[[1, 2, 3, "X", 0], null], [null, null]]), /planes should be two/],
    [(it) => (it.planes = [[[1, 2, 99, "N", 0], null], [null, null]]), /planes should be two/],
    [(it) => (it.won = [1]), /won and late should be two whole numbers each/],
  ];
  for (const [spoil, words] of table) {
    const frame = good();
    spoil(frame.view as Record<string, unknown>);
    assert.throws(() => readView(frame, 0), words);
  }
  const frame = good();
  frame.events = [{ event: "shot", plane: [0, 2], from: [0, 0, 0], to: [0, 0, 0], hit: [] }];
  assert.throws(() => readEvents(frame, 0), /frames\[0\]\.events\[0\] is no event `shot` of this game/);
  frame.events = [{ event: "unheard_of" }, { event: "toString" }];
  assert.deepEqual(readEvents(frame, 0), [], "what is not known is left out");
  const resized = readReplay(sample("planes-leaves"));
  (resized.frames[2]!.view as View).size = 13;
  assert.throws(() => new Match(resized), /frames\[2\]\.view: size is 13, it was 14/);
});

test("the camera stands where its name says, follows a plane, and stays within bounds", () => {
  const it = match("planes-hundred");
  const picture = pictureOf(it, it.frame_of(57, 9), 0, CALM);
  const camera = new Camera(14);
  const stand = () => camera.stand(picture, 0, 1.5);
  camera.go("above", 0, false);
  assert.ok(stand().at[2] > 14 && Math.abs(stand().at[1] - 6.5) < 0.1);
  camera.go("side", 0, false);
  assert.ok(stand().at[1] > 14 && Math.abs(stand().at[0] - 6.5) < 0.1);
  const pose = picture.poses[0]!;
  camera.go(pose.name, 0, false);
  assert.deepEqual(stand().target, pose.at);
  const ahead = stand().at.reduce((sum, it, axis) => sum + (it - pose.at[axis]!) * (axis < 2 ? pose.nose[axis]! : 0), 0);
  assert.ok(ahead <= 0, "it stands behind the plane");
  camera.go("whole", 0, false);
  const distance = () => Math.hypot(...stand().at.map((it, axis) => it - stand().target[axis]!));
  const before = stand();
  for (let k = 0; k < 100; k++) assert.ok(camera.press("+"));
  assert.ok(distance() > 3);
  for (let k = 0; k < 100; k++) camera.press("-");
  assert.ok(distance() < 14 * 5);
  for (let k = 0; k < 100; k++) camera.press("ArrowUp");
  assert.ok(stand().at[2] > 14);
  assert.ok(camera.press("0") && !camera.press("x"));
  assert.deepEqual(stand(), before, "0 puts it back");
});

test("a camera on its way arrives, and is there at once where motion is off", () => {
  const it = match("planes-hundred");
  const picture = pictureOf(it, 0, 0, CALM);
  const [gliding, jumping] = [new Camera(14), new Camera(14)];
  gliding.stand(picture, 0, 1);
  gliding.go("above", 1000, true);
  jumping.go("above", 1000, false);
  const there = jumping.stand(picture, 1000, 1);
  assert.ok(!jumping.gliding && gliding.gliding);
  assert.notDeepEqual(gliding.stand(picture, 1100, 1), there);
  const arrived = gliding.stand(picture, 2000, 1);
  assert.ok(!gliding.gliding);
  arrived.at.forEach((it, axis) => assert.ok(Math.abs(it - there.at[axis]!) < 1e-6));
});

test("three sides fit any width, in a row or two above one", () => {
  for (const width of [280, 360, 500, 659, 660, 1200]) {
    const { frames, height } = layout(width, 500);
    assert.equal(frames.length, 3);
    for (const { left, top, edge } of frames) {
      assert.ok(edge > 60 && left >= 20 && left + edge <= width - 20 && top + edge <= height - 20, `${width}: ${left} ${edge}`);
    }
  }
});
