// What is asked of every viewer that draws a board on a canvas: how light it
// is, what it has drawn, whether it keeps still, and how long a frame takes.
// The board is the last canvas of the replay.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { startBrowser } from "./browser";
import { board, stands, type Stage } from "./stage";

/** Of the 16.7 ms of a frame, what our own code may take; the rest is for drawing it. */
const FRAME_MS_MAX = 12;

/** Steps of the slider from one end to the other. */
const SCRUBS = 150;

/** The picture on the board, as text to compare. */
export function drawn(page: Page): Promise<string> {
  return page.locator("canvas").last().evaluate((it) => (it as HTMLCanvasElement).toDataURL());
}

/** How light the board is, from 0 to 255. */
export function lightness(page: Page): Promise<number> {
  return page
    .locator("canvas")
    .last()
    .evaluate((it) => {
      const canvas = it as HTMLCanvasElement;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) sum += data[at]! + data[at + 1]! + data[at + 2]!;
      return sum / (data.length / 4) / 3;
    });
}

/** Where motion is unwelcome, a replay does not begin by itself, and a step is there at once. */
export async function keepsStill(stage: Stage, name: string): Promise<void> {
  const calm = await startBrowser({ reducedMotion: "reduce" }, stage.flags);
  const page = await stage.open(name, "&autoplay=", calm);
  await page.waitForTimeout(300);
  await stands(page, 0);
  const before = await drawn(page);
  await board(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await stands(page, 2);
  // With the next frame of the screen at the latest.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const at_once = await drawn(page);
  assert.ok(at_once !== before, "the steps are drawn");
  await page.waitForTimeout(300);
  assert.ok((await drawn(page)) === at_once, "nothing has moved since");
  assert.deepEqual(calm.errors, []);
  await calm.close();
}

/** Where colours are forced, what each swatch of the legend stands for can still be told, and the slider and `gauges` still say how far it is. */
export async function tellsWithoutColours(stage: Stage, name: string, frames: [number, number], gauges: string): Promise<void> {
  const page = await stage.open(name, `#t=${frames[0]}`);
  await page.emulateMedia({ forcedColors: "active" });
  const looks = async (selector: string) => {
    const found = page.locator("agon-replay").locator(selector);
    const all: string[] = [];
    for (const it of await found.all()) all.push((await it.screenshot()).toString("base64"));
    assert.ok(all.length > 0, `${name} has ${selector}`);
    return all;
  };
  const swatches = await looks(".legend .swatch");
  assert.equal(new Set(swatches).size, swatches.length, `${name}: no two swatches look alike`);
  // Between where the slider stood and where it stands now, what is behind it looks otherwise than what is before it.
  const slid = async () => {
    const slider = page.getByRole("slider");
    await slider.scrollIntoViewIfNeeded();
    const box = (await slider.boundingBox())!;
    const part = (frames[0] + frames[1]) / 2 / Number(await slider.getAttribute("max"));
    return (await page.screenshot({ clip: { ...box, x: box.x + box.width * part, width: 4 } })).toString("base64");
  };
  const before = { gauges: await looks(gauges), slid: await slid() };
  await page.evaluate((frame) => (location.hash = `#t=${frame}`), frames[1]);
  await stands(page, frames[1]);
  await page.waitForTimeout(300);
  for (const [no, it] of (await looks(gauges)).entries()) assert.ok(it !== before.gauges[no], `${name}: ${gauges} ${no} says how far it is`);
  assert.ok((await slid()) !== before.slid, `${name}: the slider says how far it is`);
  await page.close();
}

/** Notes what our own code takes of each frame of the screen: drawing by software, as in tests, is not its doing. */
export async function timeFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ours_ms: number[] = [];
    Object.assign(globalThis, { ours_ms });
    const real = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) =>
      real((now) => {
        const began = performance.now();
        callback(now);
        ours_ms.push(performance.now() - began);
      });
  });
}

/** The slider goes from end to end, and frames are not late for it; the page's frames are timed. The one in the middle counts: of the slowest it is told, but they may be somebody else's fault. */
export async function scrubsWell(page: Page): Promise<void> {
  // The best of three: somebody else may have had the processor.
  const [half_ms, most_ms] = await page.evaluate(async (scrubs) => {
    const { ours_ms } = globalThis as unknown as { ours_ms: number[] };
    const slider = document.querySelector("agon-replay")!.shadowRoot!.querySelector<HTMLInputElement>("input[type=range]")!;
    const best: [number, number] = [Infinity, Infinity];
    for (let run = 0; run < 3; run++) {
      ours_ms.length = 0;
      for (let k = 0; k <= scrubs; k++) {
        slider.value = String(Math.round((Number(slider.max) * k) / scrubs));
        slider.dispatchEvent(new Event("input"));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      ours_ms.sort((a, b) => a - b);
      const of = (part: number) => ours_ms[Math.floor(ours_ms.length * part)]!;
      best[0] = Math.min(best[0], of(0.5));
      best[1] = Math.min(best[1], of(0.95));
    }
    return best;
  }, SCRUBS);
  console.log(`scrubbing: our code ${half_ms.toFixed(1)} ms a frame, ${most_ms.toFixed(1)} ms at worst of 95 %`);
  assert.ok(half_ms < FRAME_MS_MAX, `${half_ms} ms of the 16.7 ms of a frame`);
}
