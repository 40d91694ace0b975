// Time moves the playhead as the words of its methods say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Playhead } from "../../viewer/playhead";

/** Lets `seconds` pass in screen refreshes of a sixtieth. */
function pass(playhead: Playhead, seconds: number): void {
  for (let k = 0; k < Math.round(seconds * 60); k++) playhead.tick(1 / 60);
}

test("playing goes on at the pace of the game times the speed", () => {
  for (const [speed, after_2_s] of [[0.5, 2], [1, 4], [2, 8], [16, 64]] as const) {
    const playhead = new Playhead(100, 2);
    playhead.speed = speed;
    playhead.play();
    pass(playhead, 2.001);
    assert.equal(Math.round(playhead.frame + playhead.fraction), after_2_s, `speed ${speed}`);
  }
});

test("playing stops at the end, and starts over from there", () => {
  const playhead = new Playhead(3, 2);
  playhead.play();
  pass(playhead, 3);
  assert.deepEqual([playhead.frame, playhead.fraction, playhead.playing, playhead.moving], [3, 0, false, false]);
  playhead.play();
  assert.deepEqual([playhead.frame, playhead.playing], [0, true]);
});

test("a step glides to the neighbour, ends playing, and stays on the board", () => {
  const playhead = new Playhead(5, 2);
  playhead.play();
  pass(playhead, 0.75);
  playhead.step(1);
  assert.deepEqual([playhead.meant, playhead.playing], [2, false]);
  pass(playhead, 1);
  assert.deepEqual([playhead.frame, playhead.fraction], [2, 0]);
  playhead.step(-1);
  assert.equal(playhead.meant, 1);
  pass(playhead, 0.1);
  assert.ok(playhead.fraction > 0, "it is on its way");
  pass(playhead, 1);
  playhead.step(-1);
  playhead.step(-1);
  playhead.step(-1);
  assert.equal(playhead.meant, 0);
});

test("steps that come faster than they are shown add up", () => {
  const playhead = new Playhead(50, 2);
  for (let k = 0; k < 7; k++) playhead.step(1);
  assert.equal(playhead.meant, 7);
  pass(playhead, 2);
  assert.equal(playhead.frame, 7);
});

test("without motion a step is there at once", () => {
  const playhead = new Playhead(50, 2);
  playhead.motion = false;
  playhead.step(1);
  assert.deepEqual([playhead.frame, playhead.fraction, playhead.moving], [1, 0, false]);
});

test("seeking keeps to the frames there are", () => {
  const playhead = new Playhead(50, 2);
  for (const [to, at] of [[-5, 0], [7.4, 7], [51, 50], [1e9, 50]] as const) {
    playhead.seek(to);
    assert.equal(playhead.frame, at, `${to}`);
  }
});

test("pausing stops on a whole frame", () => {
  const playhead = new Playhead(50, 2);
  playhead.play();
  pass(playhead, 0.8);
  playhead.pause();
  assert.deepEqual([playhead.fraction, playhead.moving], [0, false]);
});

test("a live match is followed until the person goes back, and again from the end", () => {
  const playhead = new Playhead(4, 2);
  playhead.follow();
  playhead.grow(6);
  pass(playhead, 3);
  assert.deepEqual([playhead.frame, playhead.following, playhead.playing], [6, true, true]);

  playhead.step(-1);
  pass(playhead, 1);
  playhead.grow(9);
  pass(playhead, 3);
  assert.deepEqual([playhead.frame, playhead.following], [5, false]);

  playhead.seek(9);
  assert.equal(playhead.following, true);
  playhead.grow(12);
  pass(playhead, 3);
  assert.equal(playhead.frame, 12);

  playhead.finish();
  assert.deepEqual([playhead.playing, playhead.following], [false, false]);
});

test("a live match that runs ahead is caught up with", () => {
  const playhead = new Playhead(0, 2);
  playhead.follow();
  for (let k = 1; k <= 300; k++) {
    playhead.grow(k * 10);
    playhead.tick(1 / 60);
  }
  pass(playhead, 6);
  assert.ok(playhead.last - playhead.frame <= 2, `${playhead.frame} of ${playhead.last}`);
});

test("who follows a live match sees its last plies even when it is over before", () => {
  const playhead = new Playhead(4, 2);
  playhead.follow();
  playhead.grow(20);
  playhead.finish();
  assert.equal(playhead.following, true);
  pass(playhead, 6);
  assert.deepEqual([playhead.frame, playhead.playing, playhead.following], [20, false, false]);
});
