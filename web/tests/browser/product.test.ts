// A whole judge and a person in front of it: from signing up to the
// leaderboard, and what becomes of bots that fail.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { startAgon, type Agon } from "../support/agon";
import { babbling, broken, crashing, documented, dreaming, flooding, remarkable, sleeping, type Program } from "../support/bots";
import { picture, sideways, startBrowser, type Browser } from "../support/browser";
import { assertSamePage, chooseBots, markPage, RESULT_MS_MAX, signUp, upload } from "../support/pages";

let agon: Agon;
let browser: Browser;

before(async () => {
  agon = await startAgon();
  browser = await startBrowser();
  // Somebody has to be there to play against.
  const other = await startBrowser();
  const page = await other.page();
  await signUp(page, agon.url, "First Gardener");
  await upload(page, agon.url, "Architect", "Box hedge", documented("architect.py"));
  await upload(page, agon.url, "Adventurer", "Lost sheep", documented("adventurer.py"));
  await other.close();
});

after(async () => {
  await browser?.close();
  await agon?.stop();
  assert.deepEqual(browser?.errors ?? [], [], "no script failed and no policy was broken");
});

const slider = (page: Page) => page.getByRole("slider");

async function stands(page: Page, frame: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector("agon-replay")?.shadowRoot?.querySelector<HTMLInputElement>("input[type=range]")?.value === wanted,
    String(frame),
  );
}

test("a bot goes from the upload form to the leaderboard", async () => {
  const page = await browser.page();
  await signUp(page, agon.url, "Second Gardener");
  await upload(page, agon.url, "Architect", "Remarkable", remarkable());
  const uploaded_ms = Date.now();

  // Everything that follows comes by itself.
  await markPage(page);
  await page.getByLabel("What the compiler said").getByText("hedges wanted").waitFor({ timeout: RESULT_MS_MAX });
  const matches = page.getByRole("region", { name: "Matches" });
  await matches.getByText(/treasure/).first().waitFor({ timeout: RESULT_MS_MAX });
  console.log(`from the upload to the first result: ${((Date.now() - uploaded_ms) / 1000).toFixed(1)} s`);
  await assertSamePage(page);
  await picture(page, "bot", true);

  await matches.getByRole("link", { name: "Replay and details" }).first().click();
  await page.locator("agon-replay canvas").waitFor();
  await page.getByRole("group", { name: /^Board/ }).focus();
  await page.keyboard.press("ArrowRight");
  await stands(page, 1);
  await page.getByText("The architect plants a hedge on", { exact: false }).first().waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await stands(page, 11);
  await page.keyboard.press("ArrowLeft");
  await stands(page, 10);
  await page.waitForFunction(() => location.hash === "#t=10");
  await page.keyboard.press("End");
  await stands(page, Number(await slider(page).getAttribute("max")));
  await picture(page, "match", true);
  assert.equal(await sideways(page), 0);

  await page.goto(`${agon.url}/games/labyrinth/leaderboard?role=architect`);
  const row = page.getByRole("row", { name: /Remarkable/ });
  await row.waitFor();
  assert.match((await row.textContent()) ?? "", /Second Gardener/);
  await picture(page, "leaderboard", true);
  await page.close();
});

test("a bot that does not compile shows what its compiler says", async () => {
  const page = await browser.page();
  await upload(page, agon.url, "Adventurer", "Unfinished", broken);
  await page.getByLabel("What the compiler said").getByText(/undeclared_treasure.*was not declared/).waitFor({ timeout: RESULT_MS_MAX });
  await page.getByText(/does not compile|no version yet/i).first().waitFor();
  await page.close();
});

/** The page of the bot that crashed. */
let crasher = "";

test("a bot that fails loses by the rule that applies, and its owner sees which and why", async () => {
  const table: { name: string; program: Program; why: RegExp; stderr?: RegExp }[] = [
    { name: "Crasher", program: crashing, why: /ended by itself with exit code 1/i, stderr: /KeyError: 'treasure'/ },
    { name: "Flooder", program: flooding, why: /against the protocol: a line of more than 65536 bytes/i },
    { name: "Babbler", program: babbling, why: /against the protocol: more than 100 warnings/i },
    { name: "Sleeper", program: sleeping, why: /no answer within the time of the turn/i },
  ];
  const page = await browser.page();
  for (const { name, program, why, stderr } of table) {
    await upload(page, agon.url, "Adventurer", name, program);
    if (program === crashing) crasher = page.url();
    await markPage(page);
    await page.getByText(why).first().waitFor({ timeout: RESULT_MS_MAX });
    await page.getByText(/took it off the ladder/).first().waitFor({ timeout: RESULT_MS_MAX });
    await assertSamePage(page);
    await picture(page, name.toLowerCase(), true);
    const lost = page.getByRole("region", { name: "Matches" }).getByRole("link", { name: "Replay and details" });
    await lost.first().click();
    await page.getByText(why).first().waitFor();
    if (stderr) await page.getByLabel("Standard error").getByText(stderr).waitFor();
    await page.locator("agon-replay canvas").waitFor();
    await picture(page, `${name.toLowerCase()}-match`, true);
  }
  await page.close();
});

test("what a bot wrote to its standard error is its owner's alone", async () => {
  const visitor = await startBrowser();
  const page = await visitor.page();
  await page.goto(crasher);
  await page.getByRole("link", { name: "Replay and details" }).first().click();
  await page.locator("agon-replay canvas").waitFor();
  assert.equal(await page.getByText("about to look for the treasure").count(), 0);
  assert.equal(await page.getByText("KeyError").count(), 0);
  await visitor.close();
});

test("a match is started by choosing bots, size and mode, and can be watched", async () => {
  const page = await browser.page();
  await chooseBots(page, agon.url, "Box hedge", "Lost sheep", 7);
  await page.locator("agon-replay canvas").waitFor({ timeout: RESULT_MS_MAX });
  await page.getByText(/7 × 7/).first().waitFor();
  await page.getByText(/The adventurer (reached|did not reach) the treasure/i).first().waitFor({ timeout: RESULT_MS_MAX });
  await page.close();
});

test("a match under way is followed as it is played", async () => {
  const page = await browser.page();
  await upload(page, agon.url, "Adventurer", "Dreamer", dreaming);
  await page.getByText("with version 1").or(page.getByText("version 1", { exact: true })).first().waitFor({ timeout: RESULT_MS_MAX });
  await chooseBots(page, agon.url, "Box hedge", "Dreamer", 6);
  await page.getByText("Live", { exact: true }).waitFor({ timeout: RESULT_MS_MAX });
  await markPage(page);
  const at = async () => Number(await slider(page).inputValue());
  const before = await at();
  for (let k = 0; k < 100 && (await at()) < before + 4; k++) await page.waitForTimeout(100);
  assert.ok((await at()) >= before + 4, "the board follows");
  assert.equal(await page.getByText("dreaming of gold").count(), 0, "log lines are told afterwards");
  await page.getByText(/The adventurer (reached|did not reach) the treasure/i).first().waitFor({ timeout: RESULT_MS_MAX });
  // The finished replay stands where the live one was: at the end.
  await page.locator("agon-replay").getByRole("button", { name: "Play", exact: true }).waitFor();
  assert.equal(await at(), Number(await slider(page).getAttribute("max")));
  await page.getByText(/dreaming of gold in turn \d+/).first().waitFor();
  await assertSamePage(page);
  await page.close();
});
