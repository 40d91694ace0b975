// The board of who flies Planes, in front of a server that a test plays: what
// is sent, what a refusal leaves, rounds that pass unanswered, a fight that
// begins without its player, a plane that is down, a seat that is asked no more.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { Match } from "../../games/planes/match";
import { readReplay } from "../../viewer/replay";
import { WITHOUT_3D } from "../support/browser";
import { sample } from "../support/samples";
import { setStage } from "../support/stage";
import { type Stream, type Streaming, streaming } from "../support/streaming";

const stage = setStage(WITHOUT_3D);
const LEFT_MS = 60_000;

/** A board, and what stands behind it. */
interface Board extends Streaming {
  page: Page;
  pad: Locator;
  live: Stream;
  /** What was sent so far. */
  deeds: { ply: number; action: string }[];
  /** How the next deed is answered. */
  answer: { status: number; body: object };
}

/** Sits down at `seat` of a sample, after `frame` plies. */
async function sit(name: "planes-leaves" | "planes-hundred", seat: 0 | 1, frame: number): Promise<Board> {
  const path = `/live-${name}-${seat}-${frame}`;
  const parts = streaming(stage, path, readReplay(sample(name)));
  const board = { ...parts, deeds: [], answer: { status: 200, body: { taken: true, replies: "", remarks: [], refused: null } } } as unknown as Board;
  stage.site.answer(`${path}/deeds`, (request, response) => {
    let text = "";
    request.on("data", (it) => (text += String(it)));
    request.on("end", () => {
      board.deeds.push(JSON.parse(text) as Board["deeds"][number]);
      response.writeHead(board.answer.status, { "content-type": "application/json" }).end(JSON.stringify(board.answer.body));
    });
  });
  board.page = await stage.browser.page();
  await board.page.goto(`${stage.site.url}/board?game=planes&seat=${seat}&live=${path}&deeds=${path}/deeds`);
  board.pad = board.page.locator("agon-play .planes-pad");
  board.live = await parts.stream(1);
  board.live.send(parts.plies(1, frame) + parts.asked(frame, LEFT_MS));
  await board.page.getByText(/^Your turn/).waitFor();
  return board;
}

const send = (it: Board) => it.pad.getByRole("button", { name: "Send" });
const standing = (it: Board, words: string) => it.pad.getByText(words, { exact: false }).waitFor();
const chosen = (it: Board) => it.pad.locator(".way[aria-checked=true] .letters").textContent();
const alert = (it: Board) => it.page.locator("agon-play").getByRole("alert");

test("an order is sent once, as the judge reads it, and a refusal leaves it to be changed", async () => {
  const it = await sit("planes-hundred", 0, 18);
  await standing(it, "Fight 3 of 100, round 7 of 100.");
  await it.pad.locator(".way", { has: it.page.locator('.letters:text-is("NEU")') }).click();
  await it.pad.getByRole("checkbox", { name: /^Shoot/ }).check();
  it.answer = { status: 422, body: { status: 422, detail: "The judge has a headache." } };
  await send(it).click();
  await alert(it).getByText("The judge has a headache.").waitFor();
  assert.equal(await chosen(it), "NEU");
  it.answer = { status: 200, body: { taken: true, replies: "", remarks: [], refused: null } };
  await send(it).click();
  await it.page.getByText(/^Sent; waiting/).waitFor();
  await send(it).click({ force: true });
  await it.page.keyboard.press("Enter");
  assert.deepEqual(it.deeds.map(({ ply, action }) => [ply, action]), [[18, "NEU! SU"], [18, "NEU! SU"]]);
  await it.page.close();
});

test("of a plane that is down nothing is asked, and the other one is flown", async () => {
  const it = await sit("planes-hundred", 0, 940);
  const crafts = it.pad.locator(".crafts button");
  assert.equal(await crafts.nth(1).isDisabled(), true);
  assert.match((await crafts.nth(1).textContent()) ?? "", /down/);
  await it.page.keyboard.press("p");
  await it.page.keyboard.press("Enter");
  await it.page.getByText(/^Sent; waiting/).waitFor();
  assert.deepEqual(it.deeds.map((deed) => deed.action), ["SWU ?"]);
  await it.page.close();
});

test("a round that passes unanswered is told, and the next one begins with what is usual", async () => {
  const whole = readReplay(sample("planes-leaves"));
  const it = await sit("planes-leaves", 1, 5);
  await standing(it, "round 6 of 100");
  await it.page.keyboard.press("u");
  await it.page.keyboard.press("f");
  assert.equal(await chosen(it), "NU");
  const late = { ...whole.frames[6]!, events: [{ event: "late", seat: 1, turns: 2 }, ...whole.frames[6]!.events], remarks: [] };
  it.live.send(`event: ply\nid: 1-6\ndata: ${JSON.stringify(late)}\n\n${it.asked(6, LEFT_MS)}`);
  await standing(it, "round 7 of 100");
  await it.page.getByText("Grey Goose is late: its planes fly straight on (late turn 2)").first().waitFor();
  assert.equal(await chosen(it), "N");
  assert.equal(await it.pad.getByRole("checkbox", { name: /^Shoot/ }).isChecked(), false);
  assert.deepEqual(it.deeds, []);
  await it.page.close();
});

test("a fight whose beginning its player has let pass is gone on with where it is", async () => {
  const match = new Match(readReplay(sample("planes-leaves")));
  const end = match.frame_of(1, 1000);
  const it = await sit("planes-leaves", 1, end);
  await it.pad.getByRole("heading", { name: "Fight 1 is over" }).waitFor();
  await standing(it, "Red Fox wins it in round 14. ✚1 flies into the wall, ✚2 flies into the wall.");
  it.live.send(it.plies(end + 1, end + 1) + it.asked(end + 1, LEFT_MS));
  await standing(it, "Fight 2 of 100, round 2 of 100. Fights: you 0, Red Fox 1, drawn 0.");
  assert.equal(await it.pad.getByRole("heading", { name: "Fight 1 is over" }).isVisible(), false);
  // Who goes on by Enter does not send an order by it.
  const next = match.frame_of(2, 1000);
  it.live.send(it.plies(end + 2, next) + it.asked(next, LEFT_MS));
  await it.pad.getByRole("heading", { name: "Fight 2 is over" }).waitFor();
  await it.page.keyboard.press("Enter");
  await standing(it, "Fight 3 of 100, round 1 of 100.");
  assert.deepEqual(it.deeds, []);
  await it.page.close();
});

test("who is asked no more is told so, and sees the fight to its end", async () => {
  const it = await sit("planes-leaves", 1, 31);
  it.live.send(it.plies(32, 33));
  await standing(it, "You are asked no more in this match.");
  await it.page.keyboard.press("Enter");
  await send(it).click({ force: true });
  assert.deepEqual(it.deeds, []);
  it.live.send(`${it.plies(34, 42)}event: over\ndata: {}\n\n`);
  await it.page.getByText("The match is over.").waitFor();
  await it.page.getByText(/97 more fights are not fought, and won by Red Fox/).first().waitFor();
  await it.page.close();
});
