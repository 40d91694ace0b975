// Makes the stills of fights in docs/stills from the sample replays, in 3D by
// the processor alone. Each is what a spectator, or who flies, sees at that moment.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Match } from "../../games/planes/match";
import { readReplay } from "../../viewer/replay";
import { IN_3D, startBrowser, WITHOUT_3D } from "../support/browser";
import { WEB } from "../support/folders";
import { sample, type SampleName } from "../support/samples";
import { setStage, stands } from "../support/stage";
import { streaming } from "../support/streaming";

const DESK = { width: 1100, height: 1000 };
const PHONE = { width: 390, height: 844 };

/** A still: of which replay, at which moment, on which screen, by which camera. */
interface Still {
  name: string;
  of: SampleName;
  /** Fight and round. */
  at: readonly [number, number];
  camera?: string;
  on?: { width: number; height: number };
  dark?: true;
  flat?: true;
}

const STILLS: Still[] = [
  { name: "start", of: "planes-hundred", at: [1, 0] },
  { name: "fight-57", of: "planes-hundred", at: [57, 9] },
  { name: "hit", of: "planes-hundred", at: [1, 5], camera: "From the side" },
  { name: "above", of: "planes-hundred", at: [4, 12], camera: "From above" },
  { name: "three-sides", of: "planes-hundred", at: [4, 12], flat: true },
  { name: "by-night", of: "planes-hundred", at: [1, 9], dark: true },
  { name: "end", of: "planes-leaves", at: [3, 99] },
  { name: "phone", of: "planes-hundred", at: [57, 9], on: PHONE },
];

/** A still of the board of who flies the first side: at which moment, with which order for the first plane. */
interface HandStill {
  name: string;
  at: readonly [number, number];
  order?: string;
  on?: { width: number; height: number };
  dark?: true;
  flat?: true;
}

const HAND_STILLS: HandStill[] = [
  { name: "hand", at: [3, 6], order: "NEU", on: { width: 1280, height: 1000 } },
  { name: "hand-phone", at: [3, 6], order: "NEU", on: PHONE },
  { name: "hand-three-sides", at: [3, 6], order: "NEU", on: PHONE, dark: true, flat: true },
  { name: "hand-between", at: [3, 1000], on: PHONE },
];

const FOLDER = join(WEB, "../docs/stills");

const stage = setStage();

test("stills of fights", async () => {
  const words = readFileSync(join(FOLDER, "README.md"), "utf8");
  for (const { name, of, at, camera, on = DESK, dark, flat } of STILLS) {
    assert.ok(words.includes(`(planes-${name}.png)`), `${name} is told of in docs/stills/README.md`);
    const frame = new Match(readReplay(sample(of))).frame_of(...at);
    const browser = await startBrowser({ viewport: on, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" }, flat ? WITHOUT_3D : IN_3D);
    const page = await stage.open(of, `#t=${frame}`, browser);
    await stands(page, frame);
    if (camera !== undefined) await page.getByRole("button", { name: camera, exact: true }).click();
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    const clip = (await page.locator("agon-replay").boundingBox())!;
    await page.screenshot({ path: join(FOLDER, `planes-${name}.png`), fullPage: true, clip });
    assert.deepEqual(browser.errors, [], name);
    await browser.close();
  }
});

test("stills of the board of who flies", async () => {
  const words = readFileSync(join(FOLDER, "README.md"), "utf8");
  const whole = readReplay(sample("planes-hundred"));
  const match = new Match(whole);
  for (const { name, at, order, on = DESK, dark, flat } of HAND_STILLS) {
    assert.ok(words.includes(`(planes-${name}.png)`), `${name} is told of in docs/stills/README.md`);
    const frame = match.frame_of(...at);
    const path = `/live-${name}`;
    const { stream, plies, asked } = streaming(stage, path, whole);
    const browser = await startBrowser({ viewport: on, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" }, flat ? WITHOUT_3D : IN_3D);
    const page = await browser.page();
    await page.goto(`${stage.site.url}/board?game=planes&seat=0&live=${path}&deeds=/deeds`);
    (await stream(1)).send(plies(1, frame) + asked(frame, 52_000));
    const board = page.locator("agon-play");
    await board.getByText(/^Your turn/).waitFor();
    if (order !== undefined) {
      await board.locator(".way", { has: page.locator(`.letters:text-is("${order}")`) }).click();
      const shoot = board.getByRole("checkbox", { name: /^Shoot/ });
      if (await shoot.isEnabled()) await shoot.check();
    }
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    if (on === PHONE) {
      await board.locator(".stage").evaluate((it) => it.scrollIntoView());
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(FOLDER, `planes-${name}.png`) });
    } else {
      const clip = (await board.boundingBox())!;
      await page.screenshot({ path: join(FOLDER, `planes-${name}.png`), fullPage: true, clip });
    }
    assert.deepEqual(browser.errors, [], name);
    await browser.close();
  }
});
