// People at the board: a race by keyboard, both roles of Labyrinth by mouse,
// keyboard and console, and what others may see meanwhile, byte for byte.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { startAgon, type Agon } from "../support/agon";
import { documented } from "../support/bots";
import { picture, sideways, startBrowser, violations, type Browser } from "../support/browser";
import { signUp, upload } from "../support/pages";
import { framesIn, myTurn, nextTurn, overhear, PLAY_MS_MAX, plyOf, startMatch, table, uploadReady } from "../support/playing";

let agon: Agon;
let browser: Browser;
let watcher: Browser;

before(async () => {
  agon = await startAgon();
  browser = await startBrowser();
  watcher = await startBrowser();
  const page = await browser.page();
  await signUp(page, agon.url, "Hand Player");
  await upload(page, agon.url, "Architect", "Box hedge", documented("architect.py"));
  await upload(page, agon.url, "Adventurer", "Lost sheep", documented("adventurer.py"));
  await uploadReady(page, agon.url, "jockey", "Slow horse", "beginner.py");
  await page.close();
});

after(async () => {
  await browser?.close();
  await watcher?.close();
  await agon?.stop();
  assert.deepEqual([...(browser?.errors ?? []), ...(watcher?.errors ?? [])], [], "no script failed and no policy was broken");
});

/** Keeps pictures of the page on a desk and in a hand, by day and by night; nowhere can it be scrolled sideways. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const [where, width, height] of [["desk", 1280, 800], ["phone", 390, 844]] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(100);
      await picture(page, `${name}-${where}-${colorScheme}`, true);
    }
    assert.equal(await sideways(page), 0, `${name} on a ${where}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The choices of the pad: by key, where each leads and what is there. */
async function choices(page: Page): Promise<{ key: string; row: number; column: number; ground: string }[]> {
  const labels = await table(page).locator(".jockey-pad button").evaluateAll((all) => all.map((it) => it.getAttribute("aria-label") ?? ""));
  const keys = ["7", "8", "9", "4", "5", "6", "1", "2", "3"];
  return labels.map((label, at) => {
    const found = /to column (-?\d+), row (-?\d+), (.*)$/.exec(label);
    assert.ok(found, label);
    return { key: keys[at]!, column: Number(found[1]), row: Number(found[2]), ground: found[3]! };
  });
}

test("a race is ridden by keyboard against a bot to the goal, on what the rider sees", async () => {
  const page = await browser.page();
  await startMatch(page, agon.url, "jockey", ["Me", "Slow horse"], { seed: "3", width: "5", length: "12", vision: "5", symmetry: "all" });
  await myTurn(page);
  const other = await watcher.page();
  await other.goto(page.url());
  const heard = await overhear(other, `${new URL(page.url()).pathname}/live`);
  assert.deepEqual(await violations(page), []);
  await pictures(page, "race-by-hand");
  await table(page).getByRole("group", { name: /^Board/ }).focus();
  let steps = 0;
  for (let at = ""; (await nextTurn(page, at)) === "turn"; steps++) {
    assert.ok(steps < 200, "the goal is reached");
    at = await plyOf(page);
    // One row at a time, straight ahead where nothing is in the way.
    const all = await choices(page);
    const here = all.find((it) => it.key === "5")!;
    const slow = all.filter((it) => it.ground === "grass" || it.ground === "a pond" || it.ground === "beyond the goal");
    const rows = slow.map((it) => it.row);
    const wanted = slow.filter((it) => it.row === Math.max(...rows)).sort((a, b) => Math.abs(a.column - here.column) - Math.abs(b.column - here.column))[0] ?? here;
    await page.keyboard.press(wanted.key);
  }
  await table(page).getByText("The match is over.").waitFor();
  const seen = framesIn(await heard.text());
  assert.ok(seen.length > 2, "the other browser has followed");
  for (const { view, ply } of seen) {
    const { rows, sees, length, end } = view as { rows: string[]; sees: number; length: number; end: unknown };
    assert.ok(end !== null || rows.length <= Math.min(sees, length), "no row beyond the sight of the players");
    assert.ok(!JSON.stringify(ply ?? null).includes("squares"));
  }
  assert.ok(!(await heard.text()).includes('"setup":{"rows"'), "the course is not in the set-up");
  await table(page).getByRole("button", { name: "Watch the whole replay" }).click();
  await page.locator("agon-replay canvas:not([hidden])").first().waitFor();
  await page.getByText(/both races took/i).first().waitFor();
  await other.close();
  await page.close();
});

test("a match by hand outlives a page that is loaded anew, a server and a worker", async () => {
  const page = await browser.page();
  await startMatch(page, agon.url, "labyrinth", ["Box hedge", "Me"], { size: "9", mode: "map" });
  const step = async (key: string) => {
    await myTurn(page);
    const at = await plyOf(page);
    await press(page, key, at);
    assert.equal(await nextTurn(page, at), "turn");
    assert.equal(await plyOf(page), String(Number(at) + 2));
  };
  await step("ArrowUp");
  await page.reload();
  await step("ArrowUp");
  await agon.kill("server");
  await step("ArrowLeft");
  const at = await plyOf(page);
  await agon.kill("worker");
  // The next one asks its bots once more what they have answered, and goes on.
  await step("ArrowLeft");
  assert.equal(Number(await plyOf(page)), Number(at) + 2);
  await keptUntilItGetsThrough(page);
  await sentByANewBoard(page);
  await page.close();
});

/** What is decided while the judge or the way to it is interrupted is sent until it gets through. */
async function keptUntilItGetsThrough(page: Page): Promise<void> {
  const at = await plyOf(page);
  let tries = 0;
  await page.route("**/deeds", async (route) => {
    tries++;
    if (tries === 1) await route.abort();
    else if (tries === 2) await route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" });
    else await route.continue();
  });
  await table(page).getByRole("group", { name: /^Board/ }).focus();
  await page.keyboard.press("ArrowUp");
  await table(page).getByText("It is kept, and sent again until it has.").waitFor();
  assert.equal(await nextTurn(page, at), "turn");
  assert.equal(tries, 3);
  assert.equal(await table(page).locator(".told").textContent(), "");
  await page.unroute("**/deeds");
}

/** A board that is set up anew sends what the one before it could not. */
async function sentByANewBoard(page: Page): Promise<void> {
  const at = await plyOf(page);
  await page.route("**/deeds", (route) => route.abort());
  await table(page).getByRole("group", { name: /^Board/ }).focus();
  await page.keyboard.press("ArrowUp");
  await table(page).getByText("It is kept, and sent again until it has.").waitFor();
  // The old board sends nothing any more from here on.
  await page.evaluate(() => (document.querySelector("agon-play") as unknown as { load(): Promise<void> }).load());
  await page.unroute("**/deeds");
  assert.equal(await nextTurn(page, at), "turn");
  assert.equal(await plyOf(page), String(Number(at) + 2));
}

/** Presses a key where it is the person's turn, until the board has taken it: one that is being set up anew hears nothing. */
async function press(page: Page, key: string, at: string): Promise<void> {
  for (const until = Date.now() + PLAY_MS_MAX; Date.now() < until; await page.waitForTimeout(300)) {
    const words = (await table(page).locator(".turn-words").textContent()) ?? "";
    if ((await plyOf(page)) !== at || words.startsWith("Sent")) return;
    if (!words.startsWith("Your turn")) continue;
    await table(page).getByRole("group", { name: /^Board/ }).focus();
    await page.keyboard.press(key);
  }
  assert.fail("the board takes a key in time");
}

/** On a phone a large course stands beside its overview, above the pad and within reach of it. */
async function fitsInAHand(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const play = table(page);
  await play.locator(".stage").evaluate((it) => it.scrollIntoView());
  // The board takes its new size with the next frame of the screen.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const boxOf = async (selector: string) => (await play.locator(selector).boundingBox())!;
  const [strip, course, pad, cards, bar] = [
    await boxOf("canvas.strip"),
    await boxOf(".place canvas"),
    await boxOf(".jockey-pad"),
    await boxOf(".cards"),
    await boxOf(".turn-bar"),
  ];
  assert.ok(strip.x + strip.width < course.x && Math.abs(strip.y - course.y) < 4, "side by side");
  assert.ok(course.x + course.width <= 390, "not cut off");
  assert.ok(cards.y >= course.y + course.height, "the course comes first");
  assert.ok(bar.y >= 0 && bar.y + bar.height <= course.y, "the clock is in sight, above the course");
  assert.ok(course.y + course.height <= pad.y, `the course ends at ${course.y + course.height}, the pad begins at ${pad.y}`);
  assert.ok(pad.y + pad.height <= 844, "the pad is in sight");
  await picture(page, "race-of-two-phone");
}

test("somebody is invited by name, declines once and accepts once, and both sit down at the board", async () => {
  const page = await browser.page();
  const guest = await startBrowser();
  const other = await guest.page();
  await signUp(other, agon.url, "Invited Guest");
  const invite = async () => {
    await page.goto(`${agon.url}/matches/new?game=jockey`);
    await page.locator("#seat-0").selectOption("me");
    assert.equal(await page.getByLabel(/^Name of whom to invite/).first().isVisible(), false);
    await page.locator("#seat-1").selectOption("guest");
    await page.locator("#guest-1").fill("invited guest");
    // The largest course, for the sake of the phone below.
    await page.locator("#setup-width").fill("20");
    await page.locator("#setup-length").fill("200");
    await page.getByRole("button", { name: "Start the match" }).click();
    await page.getByText("The invitation is out.", { exact: false }).waitFor();
  };
  await other.goto(`${agon.url}/invitations`);
  await other.getByText("This page follows by itself.").waitFor();
  await invite();
  // It comes without loading the page anew.
  await other.getByRole("button", { name: "Decline" }).click();
  await other.getByText("You have declined", { exact: false }).waitFor();
  await page.getByText(/: declined/).waitFor();
  await invite();
  assert.deepEqual(await violations(page), []);
  await pictures(page, "invitations");
  await other.getByRole("button", { name: "Accept" }).click();
  await other.waitForURL(/\/matches\/[0-9a-f-]{36}/);
  await page.getByRole("link", { name: "To the board" }).first().waitFor();
  await page.goto(other.url());
  // Both are asked at once; neither waits for the other to be seen.
  await Promise.all([myTurn(page), myTurn(other)]);
  const at = await plyOf(page);
  await page.keyboard.press("8");
  await table(page).getByText("Sent; waiting", { exact: false }).waitFor();
  await other.keyboard.press("8");
  assert.deepEqual(await Promise.all([nextTurn(page, at), nextTurn(other, at)]), ["turn", "turn"]);
  await picture(other, "race-of-two", true);
  await fitsInAHand(other);
  assert.deepEqual(guest.errors, []);
  await guest.close();
  await page.close();
});

/** Clicks the middle of a field. */
async function clickField(page: Page, x: number, y: number, size: number): Promise<void> {
  const canvas = table(page).locator("canvas").first();
  const box = (await canvas.boundingBox())!;
  // The numbers take a margin at the left and at the top; fields are squares up to the far edge.
  const margin = await canvas.evaluate((it: HTMLCanvasElement, n) => it.width - n * Math.floor(it.width / n), size + 2);
  const scale = box.width / (await canvas.evaluate((it: HTMLCanvasElement) => it.width));
  const cell = (box.width - margin * scale) / (size + 2);
  await canvas.click({ position: { x: margin * scale + (x + 0.5) * cell, y: margin * scale + (y + 0.5) * cell } });
}

test("the architect plants by mouse, by keyboard and by console, is told what is forbidden, and passes by the hourglass", async () => {
  const page = await browser.page();
  await startMatch(page, agon.url, "labyrinth", ["Me", "Lost sheep"], { size: "6", mode: "map" });
  await myTurn(page);
  const play = table(page);
  assert.deepEqual(await violations(page), []);
  await pictures(page, "architect-by-hand");
  await clickField(page, 6, 6, 6);
  await play.getByRole("alert").getByText("No hedge on 6 6: the adventurer stands there", { exact: false }).waitFor();
  await myTurn(page);
  let at = await plyOf(page);
  await clickField(page, 3, 3, 6);
  assert.equal(await nextTurn(page, at), "turn");
  await play.getByText("Round 2 of 36", { exact: true }).waitFor();

  const line = play.getByLabel("A line of the protocol");
  const say = async (words: string) => {
    await line.fill(words);
    await line.press("Enter");
  };
  await say("MazeSize");
  await play.locator(".lines .reply").getByText("8", { exact: true }).waitFor();
  await say("MakeStep 0");
  await play.locator(".lines .system").getByText("command of the other role").waitFor();
  await say("PlaceObstacle 3 3");
  await say("#END");
  await play.locator(".lines .error").getByText("a hedge grows there already", { exact: false }).waitFor();
  at = await plyOf(page);
  // Loaded anew, the page knows what is played, and what was said in this turn.
  await say("PlaceObstacle 2 4");
  await play.locator(".lines .command").last().waitFor();
  await page.waitForTimeout(300);
  await page.reload();
  await myTurn(page);
  assert.equal(await plyOf(page), at);
  await say("#END");
  assert.equal(await nextTurn(page, at), "turn");
  await picture(page, "console", true);

  at = await plyOf(page);
  await play.getByRole("group", { name: /^Board/ }).focus();
  for (const key of ["ArrowUp", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await page.waitForTimeout(200);
  if ((await plyOf(page)) === at) await play.getByRole("button", { name: /^Pass/ }).click();
  for (let turns = 0; (await nextTurn(page, at)) === "turn"; turns++) {
    assert.ok(turns < 60, "the match ends");
    at = await plyOf(page);
    await play.getByRole("button", { name: /^Pass/ }).click();
  }
  await play.getByText("The match is over.").waitFor();
  await page.close();
});

test("the adventurer walks without a map by arrow keys, mouse and console, and nobody is told more than they see", async () => {
  const page = await browser.page();
  await startMatch(page, agon.url, "labyrinth", ["Box hedge", "Me"], { size: "9", mode: "nomap" });
  await myTurn(page);
  const play = table(page);
  const path = new URL(page.url()).pathname;
  const other = await watcher.page();
  await other.goto(page.url());
  await other.locator("agon-replay canvas").waitFor();
  const heard = await overhear(other, `${path}/live`);
  const own = await page.context().newPage();
  await own.goto(`${agon.url}/`);
  const heard_own = await overhear(own, `${path}/live?as=player`);
  assert.equal(await other.evaluate(async (it) => (await fetch(it)).status, `${path}/live?as=player`), 401, "only who plays is told as one");
  assert.equal(await other.evaluate(async (it) => (await fetch(it)).status, `${path}/replay.json`), 409);
  assert.equal(await other.evaluate(async (it) => (await fetch(it)).status, `${path}/record`), 409);
  await picture(page, "adventurer-by-hand", true);

  let at = await plyOf(page);
  await play.getByRole("group", { name: /^Board/ }).focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await nextTurn(page, at), "turn");
  at = await plyOf(page);
  await clickField(page, 9, 7, 9);
  assert.equal(await nextTurn(page, at), "turn");
  const line = play.getByLabel("A line of the protocol");
  await line.fill("MazeMap");
  await line.press("Enter");
  await play.locator(".lines .system").getByText("MazeMap not available").waitFor();
  await line.fill("FieldOfView");
  await line.press("Enter");
  await play.locator(".lines .reply").nth(5).waitFor();
  at = await plyOf(page);
  await line.fill("MakeStep 3");
  await line.press("Enter");
  await page.waitForTimeout(200);
  await line.fill("#END");
  await line.press("Enter");
  assert.equal(await nextTurn(page, at), "turn");
  await play.getByRole("group", { name: /^Board/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForTimeout(500);

  for (const text of [await heard.text(), await heard_own.text()]) {
    const frames = framesIn(text);
    assert.ok(frames.length >= 5, `frames have come: ${frames.length}`);
    for (const { view, events, ply } of frames) {
      const { fields, adventurer } = view as { fields: string; adventurer: [number, number] };
      for (let place = 0; place < fields.length; place++) {
        const far = Math.abs((place % 9) + 1 - adventurer[0]) > 2 || Math.abs(Math.floor(place / 9) + 1 - adventurer[1]) > 2;
        assert.equal(far && fields[place] !== "?", false, `field ${place} of ${fields}`);
      }
      assert.deepEqual(events.filter((it) => it.event === "planted"), []);
      assert.equal((ply as unknown[] | null)?.[0] ?? null, null, "what the architect decides is not told");
    }
    assert.ok(!text.includes('"plant"'), "no planting in any byte");
  }
  await own.close();
  await other.close();
  await page.close();
});
