// Fights in a real browser: any fight and round jumped to, cameras by click,
// key and hand, the picture from three sides where there is no 3D, without
// motion, in a hand, by night.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { Match } from "../../games/planes/match";
import { readReplay } from "../../viewer/replay";
import { type Browser, IN_3D, picture, sideways, startBrowser, startPhone, violations, WITHOUT_3D } from "../support/browser";
import { sample, sampleText } from "../support/samples";
import { json } from "../support/site";
import { board, setStage, stands } from "../support/stage";
import { streaming } from "../support/streaming";
import { drawn, keepsStill, lightness, scrubsWell, tellsWithoutColours, timeFrames } from "../support/viewing";

const stage = setStage(WITHOUT_3D);
const match = new Match(readReplay(sample("planes-hundred")));

/** A browser that draws in 3D; that of the stage does not. */
let deep: Browser;
before(async () => {
  deep = await startBrowser({}, IN_3D);
});
after(async () => {
  assert.deepEqual(deep.errors, [], "no script failed and no policy was broken");
  await deep.close();
});

const space = (page: Page) => page.locator("canvas.space");
const sides = (page: Page) => page.locator("canvas.sides");
const camera = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** What is seen, letters and all. */
async function seen(page: Page): Promise<string> {
  // Drawn with the next frame of the screen; a camera is on its way for a while.
  await page.waitForTimeout(600);
  return (await page.locator(".place").screenshot()).toString("base64");
}

async function open3d(more = "", from = deep): Promise<Page> {
  const page = await from.page();
  await page.goto(`${stage.site.url}/replay?src=/planes-hundred.json${more}`);
  await space(page).waitFor();
  return page;
}

test("fight 57, round 9 is two choices away, and is told in words", async () => {
  const page = await open3d();
  await page.getByRole("combobox", { name: "Fight" }).selectOption("57");
  await stands(page, match.frame_of(57, 0));
  await page.getByRole("combobox", { name: "Round" }).selectOption({ label: "9" });
  const frame = match.frame_of(57, 9);
  await stands(page, frame);
  await page.getByRole("list", { name: "What happened" }).getByText("Fight 57, round 9", { exact: true }).waitFor();
  for (const [seat, name] of ["Red Fox", "Grey Goose"].entries()) {
    const { won, planes } = match.scenes[frame]!;
    const words = (await card(page, name).textContent()) ?? "";
    assert.ok(words.includes(`Fights won${won[seat]}`), words);
    for (const { at, heading, alive } of planes[seat]!) assert.ok(words.includes(alive ? `${at.join(" ")} ${heading}` : "down"), words);
  }
  // The address leads back here.
  await page.waitForFunction((wanted) => location.hash === wanted, `#t=${frame}`);
  await picture(page, "planes-fight-57");
  await board(page).focus();
  await page.keyboard.press("]");
  await stands(page, match.frame_of(58, 0));
  await page.keyboard.press("[");
  await page.getByRole("button", { name: "Previous fight" }).click();
  await stands(page, match.frame_of(56, 0));
  await page.close();
});

test("the strip of fights tells who won what so far, and leads to any of them", async () => {
  const page = await open3d(`#t=${match.frame_of(57, 9)}`);
  const strip = page.locator(".strip");
  const bout = strip.locator(".bout");
  const { won, drawn } = match.scenes[match.frame_of(57, 9)]!;
  assert.equal(await bout.count(), 100);
  assert.equal(await strip.locator(".seat-0").count(), won[0]);
  assert.equal(await strip.locator(".seat-1").count(), won[1]);
  assert.equal(await strip.locator(".drawn").count(), drawn);
  assert.equal(await strip.getAttribute("aria-label"), `Fight 57: ▲ has won ${won[0]}, ✚ has won ${won[1]}, ${drawn} drawn`);
  await bout.nth(2).click();
  await stands(page, match.frame_of(3, 0));
  assert.equal(await bout.nth(2).getAttribute("class"), "bout now");
  assert.equal((await strip.textContent())?.length, 2, "what comes later is not given away");
  await page.close();
});

test("cameras go where their names say, by click, by key and by hand", async () => {
  // Without motion the picture is as sharp at the end as it was, however slow this machine is.
  const calm = await startBrowser({ reducedMotion: "reduce" }, IN_3D);
  const page = await open3d(`#t=${match.frame_of(57, 9)}`, calm);
  const whole = await seen(page);
  const looks = new Map([["whole", whole]]);
  const took = async (name: string, button: string) => {
    await page.waitForFunction(
      (wanted) => [...document.querySelector("agon-replay")!.shadowRoot!.querySelectorAll(".cameras [aria-pressed=true]")].map((it) => it.getAttribute("aria-label")).join() === wanted,
      button,
    );
    const now = await seen(page);
    for (const [other, look] of looks) assert.ok(look !== now, `${name} looks otherwise than ${other}`);
    looks.set(name, now);
  };
  await camera(page, "From above").click();
  await took("above", "From above");
  await board(page).focus();
  await page.keyboard.press("s");
  await took("side", "From the side");
  await page.keyboard.press("l");
  await took("first", "Follow Red Fox 1");
  await page.keyboard.press("l");
  await took("second", "Follow Red Fox 2");
  await camera(page, "Follow Grey Goose 1").click();
  await took("third", "Follow Grey Goose 1");
  await camera(page, "Three sides").click();
  await sides(page).waitFor();
  await took("flat", "Three sides");
  await board(page).focus();
  await page.keyboard.press("w");
  await space(page).waitFor();
  await page.mouse.move(0, 0);
  assert.ok((await seen(page)) === whole, "back where it was");

  // By hand: a drag turns, keys on the arena turn and come nearer, and steps stay with the board.
  const box = (await space(page).boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 160, { steps: 4 });
  await page.mouse.up();
  const dragged = await seen(page);
  assert.ok(dragged !== whole);
  await space(page).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("+");
  assert.ok((await seen(page)) !== dragged);
  await stands(page, match.frame_of(57, 9));
  await page.mouse.wheel(0, -300);
  const nearer = await seen(page);
  await page.keyboard.press("0");
  await board(page).focus();
  assert.ok((await seen(page)) !== nearer);
  await page.keyboard.press("ArrowRight");
  await stands(page, match.frame_of(57, 10));
  assert.deepEqual(calm.errors, []);
  await calm.close();
});

test("planes fly between rounds, and stand still when time does", async () => {
  const page = await open3d(`#t=${match.frame_of(57, 2)}`);
  await board(page).focus();
  const looks = new Set<string>();
  await page.keyboard.press(" ");
  for (let k = 0; k < 5; k++) looks.add((await page.locator(".place").screenshot()).toString("base64"));
  await page.keyboard.press(" ");
  assert.ok(looks.size >= 4, `${looks.size} of 5 pictures differ`);
  const now = await seen(page);
  assert.ok((await seen(page)) === now, "nothing moves");
  await page.close();
});

test("the picture in 3D comes only where it can be shown, and only for this game", async () => {
  const fetched = async (from: Browser, name: string) => {
    const page = await from.page();
    const files: string[] = [];
    page.on("request", (it) => files.push(it.url()));
    await page.goto(`${stage.site.url}/replay?src=/${name}.json`);
    await page.locator("canvas").last().waitFor();
    await page.close();
    return files.filter((it) => /\/arena-\w+\.js$/.test(it)).length;
  };
  assert.equal(await fetched(deep, "planes-leaves"), 1);
  assert.equal(await fetched(deep, "jockey-sprint"), 0);
  assert.equal(await fetched(stage.browser, "planes-leaves"), 0);
});

test("without WebGL the arena is drawn from three sides, and says why", async () => {
  const page = await stage.open("planes-hundred", `#t=${match.frame_of(57, 9)}`);
  await sides(page).waitFor();
  await page.getByText("This browser shows no 3D here, so the arena is drawn from three sides.").waitFor();
  const before = await drawn(page);
  await page.getByRole("button", { name: "One step on" }).click();
  for (let k = 0; k < 50 && (await drawn(page)) === before; k++) await page.waitForTimeout(100);
  assert.ok((await drawn(page)) !== before);
  // Who asks for 3D all the same is told again, and keeps the three sides.
  await camera(page, "From above").click();
  await sides(page).waitFor();
  assert.equal(await camera(page, "Three sides").getAttribute("aria-pressed"), "true");
  await picture(page, "planes-flat");
  await page.close();
});

test("a picture that the browser takes away is replaced by three sides, and can be had again", async () => {
  const page = await open3d(`#t=${match.frame_of(57, 9)}`);
  await space(page).evaluate((it) => (it as HTMLCanvasElement).getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext());
  await sides(page).waitFor();
  await page.getByText(/^The 3D picture was lost/).waitFor();
  await camera(page, "Whole arena").click();
  await space(page).waitFor();
  assert.equal(await page.getByText(/^The 3D picture was lost/).count(), 0);
  await page.close();
});

test("a replay that leaves the page takes its picture with it", async () => {
  const page = await deep.page();
  // A browser has room for few pictures in 3D, and takes one away for another.
  await page.addInitScript(() => {
    const made: WebGL2RenderingContext[] = [];
    Object.assign(globalThis, { alive: () => made.filter((it) => !it.isContextLost()).length });
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: Parameters<typeof real>) {
      const context = real.apply(this, given);
      if (context instanceof WebGL2RenderingContext && !made.includes(context)) made.push(context);
      return context;
    } as typeof real;
  });
  await page.goto(`${stage.site.url}/replay?src=/planes-leaves.json`);
  const alive = () => page.evaluate(() => (globalThis as unknown as { alive(): number }).alive());
  for (let k = 0; k < 4; k++) {
    await space(page).waitFor();
    assert.equal(await alive(), 1, `after ${k} others`);
    await page.evaluate(() => {
      const replay = document.querySelector("agon-replay")!;
      const { parentElement } = replay;
      replay.remove();
      replay.shadowRoot!.replaceChildren();
      parentElement!.append(replay);
    });
  }
  await page.close();
});

test("a picture made coarse by a slow machine is sharp again once it is still", async () => {
  const page = await open3d(`#t=${match.frame_of(57, 2)}`);
  const width = () => space(page).evaluate((it) => (it as HTMLCanvasElement).width);
  const sharp = await width();
  // Nothing is slower than a processor that has something else to do with every frame.
  await page.evaluate(() => {
    const busy = () => {
      const until = performance.now() + 60;
      while (performance.now() < until);
      if (!(globalThis as { rest?: boolean }).rest) requestAnimationFrame(busy);
    };
    requestAnimationFrame(busy);
  });
  await board(page).focus();
  await page.keyboard.press(" ");
  for (let k = 0; k < 100 && (await width()) === sharp; k++) await page.waitForTimeout(100);
  assert.ok((await width()) < sharp, "coarser");
  await page.evaluate(() => Object.assign(globalThis, { rest: true }));
  await page.keyboard.press(" ");
  for (let k = 0; k < 50 && (await width()) !== sharp; k++) await page.waitForTimeout(100);
  assert.equal(await width(), sharp);
  await page.close();
});

test("who leaves, why, and what it costs is told", async () => {
  const page = await stage.open("planes-leaves");
  await board(page).focus();
  await page.keyboard.press("End");
  await page.getByText(/Red Fox wins the match: 100 fights against 0\.$/).first().waitFor();
  await page.getByText(/Grey Goose is asked no more: the program ended by itself with exit code 3/).first().waitFor();
  await card(page, "Red Fox").getByText(/2 match points/).waitFor();
  await page.close();
});

test("it fits a phone, by touch", async () => {
  for (const flags of [IN_3D, WITHOUT_3D]) {
    const phone = await startPhone(flags);
    const page = await stage.open("planes-hundred", "#t=30", phone);
    assert.equal(await sideways(page), 0, "it scrolls sideways");
    await page.getByRole("button", { name: "One step on" }).tap();
    await stands(page, 31);
    if (flags === IN_3D) {
      await camera(page, "Follow Red Fox 1").tap();
      await page.waitForTimeout(600);
    }
    await picture(page, `phone-planes-${flags === IN_3D ? "3d" : "flat"}`, true);
    await page.setViewportSize({ width: 320, height: 560 });
    // The arena takes its new size with the next frame of the screen.
    for (let k = 0; k < 50 && (await sideways(page)) !== 0; k++) await page.waitForTimeout(100);
    assert.equal(await sideways(page), 0, "320 pixels are enough");
    assert.deepEqual(phone.errors, []);
    await phone.close();
  }
});

test("by night it is dark, and nothing serious stands in anybody's way", async () => {
  const page = await stage.open("planes-hundred", "#t=30");
  const day = await lightness(page);
  assert.deepEqual(await violations(page), [], "by day");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(250);
  assert.ok((await lightness(page)) < day * 0.75);
  assert.deepEqual(await violations(page), [], "by night");
  await page.close();
  const in_3d = await open3d("#t=30");
  assert.deepEqual(await violations(in_3d), [], "in 3D");
  await in_3d.close();
});

test("where colours are forced, everything can still be told", () => tellsWithoutColours(stage, "planes-hundred", [30, 1600], ".cards .won"));

test("where motion is unwelcome, nothing moves between frames", async () => {
  await keepsStill(stage, "planes-hundred");
  const calm = await startBrowser({ reducedMotion: "reduce" }, IN_3D);
  const page = await open3d("&autoplay=#t=30", calm);
  // Where the letters of the axes stand is where the camera does.
  const look = () => page.locator(".letter").evaluateAll((all) => all.map((it) => (it as HTMLElement).style.transform).join());
  const before = await look();
  await camera(page, "From above").click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const at_once = await look();
  assert.ok(at_once !== before);
  await page.waitForTimeout(300);
  assert.ok((await look()) === at_once, "the camera is there at once");
  await calm.close();
});

test("a match under way is followed from fight to fight, left for one that is over, and found again", async () => {
  const whole = readReplay(sample("planes-hundred"));
  stage.site.answer("/live.json", (_, response) => response.writeHead(409).end());
  const { stream, plies } = streaming(stage, "/live", whole);
  const page = await stage.open("live", "&live=/live");
  const live = await stream(1);
  const options = async (name: string) => (await page.getByRole("combobox", { name }).locator("option").allTextContents()).length;
  const chosen = (name: string) => page.getByRole("combobox", { name }).inputValue();
  const end = (fight: number) => match.frame_of(fight, 1000);

  live.send(plies(1, end(1) - 1));
  await stands(page, end(1) - 1);
  assert.deepEqual([await options("Fight"), await options("Round")], [1, end(1)]);
  // The last round of a fight is seen as its end; the next fight is there with its first round.
  live.send(plies(end(1), end(1)));
  await stands(page, end(1));
  assert.equal(await options("Fight"), 1);
  live.send(plies(end(1) + 1, end(3) + 2));
  await stands(page, end(3) + 2);
  assert.deepEqual([await options("Fight"), await chosen("Fight")], [4, "4"]);
  await page.locator(".chooser").filter({ hasText: "of 100" }).waitFor();

  // Who looks back is left in peace.
  await page.getByRole("combobox", { name: "Fight" }).selectOption("2");
  await stands(page, match.frame_of(2, 0));
  live.send(plies(end(3) + 3, end(5) + 1));
  await page.getByText(/^\d+ behind live$/).waitFor();
  await page.waitForFunction(() => [...document.querySelector("agon-replay")!.shadowRoot!.querySelectorAll("select")].some((it) => it.options.length === 6));
  assert.equal(await chosen("Fight"), "2");
  await stands(page, match.frame_of(2, 0));
  await page.getByRole("button", { name: "To the live end" }).click();
  await stands(page, end(5) + 1);
  assert.equal(await chosen("Fight"), "6");
  live.send(plies(end(5) + 2, end(6) + 1));
  await stands(page, end(6) + 1);
  assert.equal(await chosen("Fight"), "7");
  assert.equal(await options("Fight"), 7);

  stage.site.answer("/live.json", json(sampleText("planes-hundred")));
  live.send("event: over\ndata: {}\n\n");
  await page.waitForFunction(() => [...document.querySelector("agon-replay")!.shadowRoot!.querySelectorAll("select")].some((it) => it.options.length === 100));
  await page.close();
});

test("keys of the arena are told beside those of every replay", async () => {
  const page = await stage.open("planes-leaves");
  await board(page).focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await help.getByText("follow the next plane").waitFor();
  await help.getByText("previous, next fight").waitFor();
  await help.getByText("play or pause").waitFor();
  await page.close();
});

test("a hundred fights scrub without a stumble", async () => {
  const page = await stage.browser.page();
  await timeFrames(page);
  await page.goto(`${stage.site.url}/replay?src=/planes-hundred.json`);
  await page.locator("canvas").last().waitFor();
  await scrubsWell(page);
  await page.close();
});
