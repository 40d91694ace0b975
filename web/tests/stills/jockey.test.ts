// Makes the stills of docs/stills from the sample replays: `npm run stills`
// after the viewer has changed. Each is what a spectator sees at that moment.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Match } from "../../games/jockey/match";
import { readReplay } from "../../viewer/replay";
import { startBrowser } from "../support/browser";
import { WEB } from "../support/folders";
import { sample, type SampleName } from "../support/samples";
import { setStage, stands } from "../support/stage";

const DESK = { width: 1100, height: 1000 };
const PHONE = { width: 390, height: 844 };

/** A still: of which replay, at which moment, on which screen. */
interface Still {
  name: string;
  of: SampleName;
  /** A frame, or what its mark says. */
  at: number | RegExp;
  on?: { width: number; height: number };
  dark?: true;
}

const STILLS: Still[] = [
  { name: "start", of: "jockey-sprint", at: 0 },
  { name: "collision", of: "jockey-stops", at: /lines meet/ },
  { name: "disqualified", of: "jockey-stops", at: /disqualified/ },
  { name: "second-race", of: "jockey-sprint", at: 15 },
  { name: "sum", of: "jockey-stops", at: Infinity },
  { name: "long-by-night", of: "jockey-marathon", at: 50, dark: true },
  { name: "final-2019", of: "jockey-final", at: 60 },
  { name: "phone", of: "jockey-marathon", at: 50, on: PHONE },
];

const FOLDER = join(WEB, "../docs/stills");

const stage = setStage();

test("stills of races", async () => {
  const words = readFileSync(join(FOLDER, "README.md"), "utf8");
  for (const { name, of, at, on = DESK, dark } of STILLS) {
    assert.ok(words.includes(`(jockey-${name}.png)`), `${name} is told of in docs/stills/README.md`);
    const replay = readReplay(sample(of));
    const moments = new Match(replay).moments();
    const frame = typeof at === "number" ? Math.min(at, replay.frames.length - 1) : moments.find((it) => at.test(it.label))?.frame;
    assert.notEqual(frame, undefined, `${name}: nothing is marked so`);
    const browser = await startBrowser({ viewport: on, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
    const page = await stage.open(of, `#t=${frame}`, browser);
    await stands(page, frame!);
    await page.waitForTimeout(200);
    const clip = (await page.locator("agon-replay").boundingBox())!;
    await page.screenshot({ path: join(FOLDER, `jockey-${name}.png`), fullPage: true, clip });
    assert.deepEqual(browser.errors, [], name);
    await browser.close();
  }
});
