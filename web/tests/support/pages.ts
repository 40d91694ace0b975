// What a contestant does on the pages, in the words a contestant reads there.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import type { Program } from "./bots";

/** Longest wait for a build and a first match, in ms. */
export const RESULT_MS_MAX = 90_000;

/** Signs up as `name`, and is then signed in. */
export async function signUp(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(`${name} likes long passwords`);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Signs in as `name`, who has signed up before. */
export async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(`${name} likes long passwords`);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name, exact: true }).first().waitFor();
}

/** Uploads `program` as a new bot through the form; the page is then the bot's. */
export async function upload(page: Page, url: string, role: "Architect" | "Adventurer", name: string, program: Program): Promise<void> {
  await page.goto(`${url}/upload`);
  await page.getByRole("radio", { name: new RegExp(`^Labyrinth: ${role}`, "i") }).check();
  await page.getByLabel("Name of the bot").fill(name);
  await page.getByLabel("Source file").setInputFiles({
    name: program.file_name,
    mimeType: "text/plain",
    buffer: Buffer.from(program.source),
  });
  await page.getByRole("main").getByRole("button", { name: "Upload" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Marks the page, so that `isSamePage` can tell whether it was loaded anew. */
export async function markPage(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { marked: true }));
}

/** Whether the page is still the one that was marked. */
export async function assertSamePage(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => "marked" in globalThis), true, "the page was not loaded anew");
}

/** Starts a match of two bots on a board of `size`; the page is then the match's. */
export async function chooseBots(page: Page, url: string, architect: string, adventurer: string, size: number): Promise<void> {
  await page.goto(`${url}/matches/new`);
  await page.getByLabel("Architect", { exact: true }).selectOption({ label: await optionWith(page, "Architect", architect) });
  await page.getByLabel("Adventurer", { exact: true }).selectOption({ label: await optionWith(page, "Adventurer", adventurer) });
  await page.getByLabel(/size|side/i).fill(String(size));
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.waitForURL(/\/matches\/[0-9a-f-]{36}/);
}

/** The whole label of the option that begins with `name`. */
async function optionWith(page: Page, field: string, name: string): Promise<string> {
  const labels = await page.getByLabel(field, { exact: true }).locator("option").allTextContents();
  const found = labels.find((it) => it.startsWith(name));
  assert.ok(found, `${name} can be chosen as ${field}; found ${labels.join(", ")}`);
  return found;
}
