// Replays of the samples on a small site of their own, and a browser in front of them.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import type { Locator, Page } from "playwright-core";

import { startBrowser, type Browser } from "./browser";
import { SAMPLES, sampleText } from "./samples";
import { json, startSite, type Site } from "./site";

/** The site and the browser of a file of tests; there from the first test on. */
export interface Stage {
  site: Site;
  browser: Browser;
  /** What all browsers of the file are started with besides. */
  flags: readonly string[];
  /** Opens a replay and waits for its board. */
  open(name: string, more?: string, from?: Browser): Promise<Page>;
}

/** Sets the stage before the first test of a file, and clears it after the last. */
export function setStage(flags: readonly string[] = []): Stage {
  const stage = {
    flags,
    async open(name: string, more = "", from = stage.browser): Promise<Page> {
      const page = await from.page();
      await page.goto(`${stage.site.url}/replay?src=/${name}.json${more}`);
      await page.locator("canvas").last().waitFor();
      return page;
    },
  } as Stage;
  before(async () => {
    stage.site = await startSite();
    for (const name of SAMPLES) stage.site.answer(`/${name}.json`, json(sampleText(name)));
    stage.browser = await startBrowser({}, flags);
    await stage.browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  after(async () => {
    assert.deepEqual(stage.browser.errors, [], "no script failed and no policy was broken");
    await stage.browser.close();
    await stage.site.close();
  });
  return stage;
}

/** The slider of the replay. */
export const slider = (page: Page): Locator => page.getByRole("slider");

/** The board, which takes the keys. */
export const board = (page: Page): Locator => page.getByRole("group", { name: /^Board/ });

/** Waits until the address ends in `hash`. */
export const address = (page: Page, hash: string) => page.waitForFunction((wanted) => location.hash === wanted, hash);

/** Waits until the slider stands at `frame`. */
export async function stands(page: Page, frame: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector("agon-replay")?.shadowRoot?.querySelector<HTMLInputElement>("input[type=range]")?.value === wanted,
    String(frame),
  );
}
