// A bot of several files, from the form to its version's page, on every screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { startAgon, type Agon } from "../support/agon";
import { archived, documented } from "../support/bots";
import { picture, sideways, startBrowser, violations, type Browser } from "../support/browser";
import { RESULT_MS_MAX, signUp, upload } from "../support/pages";

const SCREENS = [
  { name: "phone", width: 360, height: 740 },
  { name: "desktop", width: 1280, height: 900 },
];

let agon: Agon;
let browser: Browser;

before(async () => {
  agon = await startAgon();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await agon?.stop();
  assert.deepEqual(browser?.errors ?? [], [], "no script failed and no policy was broken");
});

test("an archive is uploaded, shown by its files, given back, and plays", async () => {
  const page = await browser.page();
  await signUp(page, agon.url, "Packer");
  await upload(page, agon.url, "Architect", "Hedge", documented("architect.py"));
  const bot = archived();

  await page.goto(`${agon.url}/upload`);
  const file = { name: bot.file_name, mimeType: "application/gzip", buffer: Buffer.from(bot.source) };
  await page.getByLabel("Source file").setInputFiles(file);
  await page.getByText("because it holds main.py").waitFor();
  assert.match(await page.getByLabel("Language", { exact: true }).inputValue(), /^(python3|pypy3)$/);
  const broken = { ...file, buffer: file.buffer.subarray(0, 100) };
  await page.reload();
  await page.getByLabel("Source file").setInputFiles(broken);
  await page.getByText("This upload will not be taken: ").waitFor();
  await page.reload();
  // Larger than what is sent to be looked at.
  await page.getByLabel("Source file").setInputFiles({ ...file, buffer: Buffer.concat([file.buffer, Buffer.alloc(70_000)]) });
  await page.getByText("is told when it is uploaded").waitFor();

  await upload(page, agon.url, "Adventurer", "Packed", bot);
  await page.getByRole("region", { name: "Matches" }).getByText(/treasure/).first().waitFor({ timeout: RESULT_MS_MAX });
  await page.goto(`${page.url().split("?")[0]}/versions/1`);
  const files = page.getByRole("region", { name: "Files in my adventurer.tar.gz" });
  for (const path of ["data/openings.txt", "main.py", "walker.py"]) await files.getByText(path, { exact: true }).waitFor();
  await look("version-of-an-archive");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the source" }).click();
  assert.deepEqual(readFileSync(await (await downloading).path()), Buffer.from(bot.source));

  await page.goto(`${agon.url}/upload`);
  await look("upload");
  await page.getByRole("radio", { name: /^Labyrinth: Architect/i }).check();
  await page.getByLabel("Name of the bot").fill("Broken");
  await page.getByLabel("Source file").setInputFiles(broken);
  await page.getByRole("main").getByRole("button", { name: "Upload" }).click();
  await page.getByText("This upload is not taken: ").waitFor();
  await look("upload-refused");
  await page.close();

  /** On every screen, in both colour schemes. */
  async function look(name: string): Promise<void> {
    for (const { name: screen, width, height } of SCREENS) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await picture(page, `${name}-${screen}-${colorScheme}`, true);
        assert.equal(await sideways(page), 0, `${name} on a ${screen} is no wider than that`);
        assert.deepEqual(await violations(page), [], `${name} on a ${screen}, ${colorScheme}`);
      }
    }
  }
});
