// Races in a real browser: a collision and a disqualification watched, who had
// priority, both races and their sum; in a hand, by night, without motion.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { Match } from "../../games/jockey/match";
import { readReplay } from "../../viewer/replay";
import { picture, sideways, startPhone, violations } from "../support/browser";
import { sample } from "../support/samples";
import { board, setStage, stands } from "../support/stage";
import { drawn, keepsStill, lightness, scrubsWell, tellsWithoutColours, timeFrames } from "../support/viewing";

const stage = setStage();

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a collision and a disqualification are watched, and say who, why, and what it cost", async () => {
  const page = await stage.open("jockey-stops");
  await board(page).focus();
  const moments = new Match(readReplay(sample("jockey-stops"))).moments();
  const collision = moments.find((it) => /lines meet/.test(it.label))!.frame;
  const out = moments.find((it) => /disqualified/.test(it.label))!.frame;
  // The first marked moment is the collision.
  await page.keyboard.press("n");
  await stands(page, collision);
  await page.getByText("Red Fox goes to 2, 8. Grey Goose stays at 3, 5: the lines meet, and the other one has priority, being farther left.", { exact: true }).waitFor();
  await page.getByRole("list", { name: "What happened" }).getByText(/● stays at 3, 5: the lines meet/).waitFor();
  await picture(page, "jockey-collision");
  await page.goto(`${stage.site.url}/replay?src=/jockey-stops.json#t=${out}`);
  await stands(page, out);
  await page.getByText(/Red Fox is disqualified: against the protocol: found `a`, allowed are whole numbers\. Grey Goose goes to/).first().waitFor();
  await card(page, "Red Fox").getByText("disqualified", { exact: true }).waitFor();
  await card(page, "Grey Goose").getByText("racing", { exact: true }).waitFor();
  assert.match((await card(page, "Grey Goose").textContent()) ?? "", /Thinking time left9\.\d s/);
  await picture(page, "jockey-disqualified");
  // The end of the first race is one of that race: the next frame is the start of the second.
  const ends = moments.filter((it) => it.kind === "end").map((it) => it.frame);
  await board(page).focus();
  await page.evaluate((frame) => (location.hash = `#t=${frame}`), ends[0]);
  await stands(page, ends[0]!);
  await page.getByText("Race 1", { exact: true }).first().waitFor();
  await card(page, "Grey Goose").getByText("19 2/3", { exact: true }).waitFor();
  await card(page, "Red Fox").getByText("90", { exact: true }).waitFor();
  await page.keyboard.press("ArrowRight");
  await stands(page, ends[0]! + 1);
  await page.getByText("Red Fox is ready. Grey Goose is ready.", { exact: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByText(/Grey Goose wins: 36 1\/6 against 180 steps\.$/).first().waitFor();
  await card(page, "Grey Goose").getByText("36 1/6", { exact: true }).waitFor();
  await card(page, "Red Fox").getByText("180", { exact: true }).waitFor();
  await page.close();
});

test("cells are told to who points at them, and the picture follows whom one wants", async () => {
  const page = await stage.open("jockey-marathon", "#t=50");
  const canvas = page.locator("canvas").last();
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByText(/^\d+, \d+: (flat|pond|obstacle)$/).waitFor();
  await page.mouse.move(box.x + box.width / 2, box.y + 6);
  await page.getByText(/^\d+, \d+: \w+, not yet in sight$/).waitFor();
  await page.mouse.move(0, 0);
  const both = await drawn(page);
  await page.getByRole("combobox", { name: "Follow" }).selectOption({ label: "Rival Racer with a longer name!" });
  assert.ok((await drawn(page)) !== both);
  await page.getByRole("combobox", { name: "Follow" }).selectOption({ label: "both players" });
  assert.ok((await drawn(page)) === both);
  // The overview leads anywhere, until time goes on.
  const strip = (await page.locator("canvas").first().boundingBox())!;
  await page.mouse.click(strip.x + strip.width / 2, strip.y + strip.height - 8);
  const led = await drawn(page);
  assert.ok(led !== both);
  await board(page).focus();
  await page.keyboard.press("ArrowRight");
  // Two steps within one frame of the screen are none.
  for (let k = 0; k < 50 && (await drawn(page)) === led; k++) await page.waitForTimeout(100);
  await page.keyboard.press("ArrowLeft");
  await page.mouse.move(0, 0);
  await stands(page, 50);
  for (let k = 0; k < 50 && (await drawn(page)) !== both; k++) await page.waitForTimeout(100);
  assert.ok((await drawn(page)) === both, "back where the players are");
  const layer = page.getByRole("checkbox", { name: "Not yet in sight of the players" });
  await layer.uncheck();
  assert.ok((await drawn(page)) !== both);
  await page.close();
});

test("races without times say so, and make none up", async () => {
  const page = await stage.open("jockey-final", "#t=60");
  const bars = page.getByTitle("Thinking time was not noted");
  assert.equal(await bars.count(), 2);
  assert.equal(await page.getByText(/\d (s|ms) *$/).count(), 0);
  await page.close();
});

test("it fits a phone at any length, by touch", async () => {
  const phone = await startPhone();
  for (const name of ["jockey-sprint", "jockey-marathon"]) {
    const page = await stage.open(name, "#t=7", phone);
    assert.equal(await sideways(page), 0, `${name} scrolls sideways`);
    await page.getByRole("button", { name: "One step on" }).tap();
    await stands(page, 8);
    await page.locator("canvas").last().tap({ position: { x: 120, y: 120 } });
    await page.getByText(/^\d+, \d+: /).waitFor();
    const box = (await page.locator("canvas").last().boundingBox())!;
    assert.ok(box.height >= 340 && box.height <= 600, `${name} is ${box.height} pixels high`);
    await picture(page, `phone-${name}`, true);
    await page.setViewportSize({ width: 320, height: 560 });
    // The board takes its new size with the next frame of the screen.
    for (let k = 0; k < 50 && (await sideways(page)) !== 0; k++) await page.waitForTimeout(100);
    assert.equal(await sideways(page), 0, `${name}: 320 pixels are enough`);
    await page.close();
  }
  assert.deepEqual(phone.errors, []);
  await phone.close();
});

test("by night it is dark, and nothing serious stands in anybody's way", async () => {
  const page = await stage.open("jockey-stops", "#t=6");
  const day = await lightness(page);
  assert.deepEqual(await violations(page), [], "by day");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(250);
  assert.ok((await lightness(page)) < day * 0.75);
  assert.deepEqual(await violations(page), [], "by night");
  await page.close();
});

test("where colours are forced, everything can still be told", () => tellsWithoutColours(stage, "jockey-stops", [1, 30], ".bank"));

test("where motion is unwelcome, nothing moves between frames", () => keepsStill(stage, "jockey-stops"));

test("20 x 200 cells scrub without a stumble", async () => {
  const page = await stage.browser.page();
  await timeFrames(page);
  await page.goto(`${stage.site.url}/replay?src=/jockey-final.json`);
  await page.locator("canvas").last().waitFor();
  await scrubsWell(page);
  await page.close();
});
