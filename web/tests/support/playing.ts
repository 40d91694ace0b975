// What a person does at a board, and what others are told meanwhile.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";

import { WEB } from "./folders";
import { RESULT_MS_MAX } from "./pages";

/** Longest wait for a match to begin, or to go on, in ms. */
export const PLAY_MS_MAX = 60_000;

/** Uploads a documented bot of `game`, which has one role, and waits until it can play. */
export async function uploadReady(page: Page, url: string, game: string, name: string, file_name: string): Promise<void> {
  await page.goto(`${url}/upload`);
  await page.getByRole("radio", { name: new RegExp(`^${game}`, "i") }).first().check();
  await page.getByLabel("Name of the bot").fill(name);
  const buffer = readFileSync(join(WEB, "../config/games", game, "bots", file_name));
  await page.getByLabel("Source file").setInputFiles({ name: file_name, mimeType: "text/plain", buffer });
  await page.getByRole("main").getByRole("button", { name: "Upload" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  // Until it is compiled, nobody can choose it.
  for (let tries = 0; ; tries++) {
    await page.goto(`${url}/matches/new?game=${game}`);
    if ((await page.locator("#seat-1 option").allTextContents()).some((it) => it.startsWith(name))) return;
    assert.ok(tries < RESULT_MS_MAX / 500, `${name} is ready in time`);
    await page.waitForTimeout(500);
  }
}

/** Starts a match; `seats` are values of the form, or the beginnings of what bots are called. The page is then the match's. */
export async function startMatch(page: Page, url: string, game: string, seats: string[], setup: Record<string, string>): Promise<void> {
  await page.goto(`${url}/matches/new?game=${game}`);
  for (const [no, who] of seats.entries()) {
    const field = page.locator(`#seat-${no}`);
    const labels = await field.locator("option").allTextContents();
    const label = labels.find((it) => it.startsWith(who));
    assert.ok(label, `${who} can be chosen for seat ${no}; found ${labels.join(", ")}`);
    await field.selectOption({ label });
  }
  for (const [name, value] of Object.entries(setup)) {
    const field = page.locator(`#setup-${name}`);
    if ((await field.evaluate((it) => it.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.waitForURL(/\/matches\/[0-9a-f-]{36}/);
}

/** The board of the page. */
export const table = (page: Page): Locator => page.locator("agon-play");

/** Waits until it is the person's turn. */
export async function myTurn(page: Page): Promise<void> {
  await table(page).getByText(/^Your turn/).waitFor({ timeout: PLAY_MS_MAX });
}

/** Waits until it is the person's turn in a later position than `frame`, or until the match is over; says which. */
export async function nextTurn(page: Page, before: string): Promise<"turn" | "over"> {
  const waiting = page.waitForFunction(
    (was) => {
      const root = document.querySelector("agon-play")?.shadowRoot;
      if (!root) return null;
      const words = root.querySelector(".turn-words")?.textContent ?? "";
      if (words.startsWith("The match is over")) return "over";
      const at = root.querySelector(".play")?.getAttribute("data-ply") ?? "";
      return words.startsWith("Your turn") && at !== was ? "turn" : null;
    },
    before,
    { timeout: PLAY_MS_MAX },
  );
  const found = await waiting.catch(async (why: unknown) => {
    throw new Error(`after ${before} came no turn; the board says: ${await table(page).evaluate((it) => it.shadowRoot?.textContent ?? "")}`, { cause: why });
  });
  return (await found.jsonValue()) as "turn" | "over";
}

/** Which ply comes next. */
export async function plyOf(page: Page): Promise<string> {
  return (await page.locator("agon-play").evaluate((it) => it.shadowRoot?.querySelector(".play")?.getAttribute("data-ply"))) ?? "";
}

/** Everything that a stream sends to a page, from now on. */
export interface Overheard {
  text(): Promise<string>;
}

/** Has `page` listen to a stream, byte for byte. */
export async function overhear(page: Page, path: string): Promise<Overheard> {
  await page.evaluate(async (address) => {
    const heard = globalThis as unknown as { heard: string };
    heard.heard = "";
    const answer = await fetch(address, { credentials: "same-origin" });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    void (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        heard.heard += value;
      }
    })().catch(() => {});
  }, path);
  return { text: () => page.evaluate(() => (globalThis as unknown as { heard: string }).heard) };
}

/** The frames in what was overheard. */
export function framesIn(text: string): { view: Record<string, unknown>; events: { event: string }[]; ply: unknown }[] {
  const data = (kind: string) => [...text.matchAll(new RegExp(`event: ?${kind}\\ndata: ?(.*)`, "g"))].map((it) => JSON.parse(it[1]!));
  const frames = data("start").flatMap((it) => it.frames as unknown[]).concat(data("ply"));
  return frames as { view: Record<string, unknown>; events: { event: string }[]; ply: unknown }[];
}
