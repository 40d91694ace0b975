// The editor of courses, and the pools that it saves to: by mouse, by
// keyboard, by touch, for organisers and for everybody else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { startAgon, type Agon } from "../support/agon";
import { picture, sideways, startBrowser, startPhone, violations, type Browser } from "../support/browser";
import { WEB } from "../support/folders";
import { signUp } from "../support/pages";

const SCREENS = [
  { name: "phone", width: 390, height: 844 },
  { name: "desktop", width: 1280, height: 900 },
];
const COURSES = join(WEB, "../config/games/jockey/courses");
/** Room for the numbers of rows, and rows beyond the goal; see the editor's sheet. */
const MARGIN = 36;
const BEYOND = 2;

let agon: Agon;
let organiser: Browser;
let visitor: Browser;

before(async () => {
  agon = await startAgon();
  organiser = await startBrowser();
  visitor = await startBrowser();
  const link = /\/setup\/[0-9a-f]+/.exec(agon.said())?.[0];
  assert.ok(link, "the server has printed the link of the first admin");
  const page = await organiser.page();
  await page.goto(`${agon.url}${link}`);
  await page.getByLabel("New password").fill("an organiser needs one too");
  await page.getByRole("button", { name: "Set it and sign in" }).click();
  await page.getByText("You are signed in.").waitFor();
  await page.goto(`${agon.url}/games/jockey/setups`);
  await page.getByLabel("What it is called").fill("Spring");
  await page.getByRole("button", { name: "Make the pool" }).click();
  await page.getByText("The pool is there, and empty.").waitFor();
  await page.close();
});

after(async () => {
  await organiser?.close();
  await visitor?.close();
  await agon?.stop();
  assert.deepEqual([...(organiser?.errors ?? []), ...(visitor?.errors ?? [])], [], "no script failed and no policy was broken");
});

async function openEditor(browser: Browser, query = ""): Promise<Page> {
  const page = await browser.page();
  await page.goto(`${agon.url}/games/jockey/editor${query}`);
  await sheet(page).waitFor();
  return page;
}

const sheet = (page: Page) => page.locator("canvas[aria-label=Course]");
const verdict = (page: Page) => page.locator(".verdict");
const tool = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isGood = (page: Page) => verdict(page).getByText("This course is good.").waitFor();

/** The middle of a cell on the screen, after it was brought into sight. */
async function at(page: Page, x: number, y: number): Promise<[number, number]> {
  const length = Number(await page.getByLabel("Length", { exact: true }).first().inputValue());
  const width = Number(await page.getByLabel("Width", { exact: true }).first().inputValue());
  return sheet(page).evaluate(
    async (canvas, { x, y, length, width, MARGIN, BEYOND }) => {
      const window = canvas.closest(".sheet")!;
      const cell = (canvas.parentElement!.clientWidth - MARGIN) / width;
      const top = (length + BEYOND - y - 0.5) * cell;
      if (top < window.scrollTop + 20 || top > window.scrollTop + window.clientHeight - 20) window.scrollTop = top - window.clientHeight / 2;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      canvas.scrollIntoView({ block: "center" });
      const box = canvas.getBoundingClientRect();
      return [box.left + MARGIN + (x + 0.5) * cell - window.scrollLeft, box.top + top - window.scrollTop];
    },
    { x, y, length, width, MARGIN, BEYOND },
  ) as Promise<[number, number]>;
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const start = await at(page, ...from);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(...(await at(page, ...to)), { steps: 6 });
  await page.mouse.up();
}

/** The course as the editor writes it. */
async function written(page: Page, button: RegExp): Promise<{ name: string; value: Record<string, unknown> }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), value: JSON.parse(readFileSync(await download.path(), "utf8")) as Record<string, unknown> };
}

async function rows(page: Page): Promise<string[]> {
  return (await written(page, /as .json/)).value.rows as string[];
}

async function openFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByLabel("Open a file").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
}

test("a course is painted by mouse, checked on the way, and saved to a pool", async () => {
  const page = await openEditor(organiser);
  await isGood(page);
  const below = await page.locator(".sheet").evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
  assert.ok(below < 1, "it is shown from its start");
  await page.getByLabel("Width", { exact: true }).first().fill("7");
  await page.getByLabel("Length", { exact: true }).first().fill("12");
  await page.keyboard.press("Tab");
  await isGood(page);

  // A wall from side to side.
  await tool(page, "Rock").click();
  await tool(page, "Rectangle").click();
  await drag(page, [0, 5], [6, 5]);
  await verdict(page).getByText("found no way from the start to the goal beyond cell 0 4", { exact: false }).waitFor().catch(async () => {
    assert.fail((await verdict(page).textContent()) ?? "");
  });
  await picture(page, "editor-flaw");
  await tool(page, "Show the cell").click();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Course");

  // And a gate in it.
  await tool(page, "Grass").click();
  await tool(page, "Brush").click();
  await drag(page, [3, 5], [3, 5]);
  await isGood(page);
  await tool(page, "Pond").click();
  await drag(page, [0, 8], [2, 9]);
  await tool(page, "Undo").click();
  await tool(page, "Redo").click();
  // The second player starts elsewhere.
  await drag(page, [4, -1], [6, -1]);
  assert.equal(await page.getByLabel("Start column, second player").inputValue(), "6");
  await tool(page, "Usual step limit and time").click();
  assert.equal(await page.getByLabel("Step limit").inputValue(), "15");
  assert.equal(await page.getByLabel(/^Thinking time/).inputValue(), "4");
  await isGood(page);

  await page.getByLabel("Name of the course").fill("gate");
  await tool(page, "Save to the pool").click();
  await page.getByRole("link", { name: "spring/gate" }).click();
  await page.getByRole("heading", { level: 1, name: "gate" }).waitFor();
  await page.getByAltText("The course from above").waitFor();
  const file = await page.request.get(`${agon.url}/games/jockey/setups/spring/gate/file`);
  const saved = (await file.json()) as { rows: string[]; x1: number; step_limit: number };
  assert.equal(saved.rows[5], "1110111");
  assert.deepEqual([saved.rows[8], saved.rows[9]].map((it) => it!.slice(0, 3).includes("2")), [true, true], "the brush left no gap");
  assert.deepEqual([saved.x1, saved.step_limit], [6, 15]);

  // It is opened again, and saved over itself only where that is wanted.
  await page.getByRole("link", { name: "Open it in the editor" }).click();
  await isGood(page);
  assert.equal(await page.getByLabel("Name of the course").inputValue(), "gate");
  await page.getByLabel("Rows seen ahead", { exact: true }).fill("6");
  await page.keyboard.press("Tab");
  await tool(page, "Save to the pool").click();
  await page.getByText("The pool has one called gate already; choose another name, or replace it.").waitFor();
  await page.getByLabel("Replace one of this name").check();
  await tool(page, "Save to the pool").click();
  await page.getByText("It is in the pool:").waitFor();
  await page.close();
});

test("a course is painted by keyboard alone", async () => {
  const page = await openEditor(organiser);
  await page.getByLabel("Width", { exact: true }).first().fill("5");
  await page.keyboard.press("Tab");
  await sheet(page).focus();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("Home", "ArrowUp", "ArrowUp", "2", "Shift+ArrowRight", "Shift+ArrowRight", "ArrowRight", "3");
  await page.getByText("Column 3, row 2: pond.").waitFor();
  assert.equal((await rows(page))[2], "11120");
  await sheet(page).focus();
  await press("Control+z", "Control+z");
  assert.equal((await rows(page))[2], "11000");
  await sheet(page).focus();
  await press("Control+Shift+z");
  assert.equal((await rows(page))[2], "11100");

  // A rectangle by its corners, and a patch.
  await tool(page, "Rectangle").click();
  await tool(page, "Rock").click();
  await sheet(page).focus();
  await press("End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", " ", "ArrowRight", "ArrowDown", " ");
  const painted = await rows(page);
  assert.deepEqual(painted.slice(-2), ["11000", "11000"]);
  await tool(page, "Fill").click();
  await tool(page, "Pond").click();
  await sheet(page).focus();
  await press(" ");
  assert.deepEqual((await rows(page)).slice(-2), ["22000", "22000"]);
  await page.close();
});

test("files are opened and written, and a broken one says what is wrong with it", async () => {
  const page = await openEditor(visitor);
  const file = readFileSync(join(COURSES, "official-07.crs"), "utf8");
  await openFile(page, "official-07.crs", file);
  await page.getByText("official-07.crs is open.").waitFor();
  await isGood(page);
  const { name, value } = await written(page, /as .crs/);
  assert.equal(name, "course.crs");
  assert.deepEqual(value, JSON.parse(file));

  await openFile(page, "broken.crs", file.replace(/"width":\s*(\d+)/, '"width": 999'));
  await page.getByText("This file cannot be used: width: found 999, allowed is a whole number from 2 to 100.").waitFor();
  await openFile(page, "none.crs", "hello");
  await page.getByText("This file cannot be used: file: found what is not JSON", { exact: false }).waitFor();
  assert.deepEqual((await written(page, /as .crs/)).value, JSON.parse(file), "the course is still there");

  // Dropped on the sheet.
  const dropped = readFileSync(join(COURSES, "official-11.crs"), "utf8");
  await sheet(page).evaluate((canvas, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "official-11.crs"));
    canvas.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
  }, dropped);
  await page.getByText("official-11.crs is open.").waitFor();
  assert.deepEqual((await written(page, /as .crs/)).value, JSON.parse(dropped));
  await page.close();
});

test("a course is made by lot, and numbers out of bounds are told beside their fields", async () => {
  const page = await openEditor(visitor);
  await page.getByText("By lot", { exact: true }).click();
  await page.getByLabel("Number of the course").fill("42");
  await page.locator("#lot-length").fill("200");
  await tool(page, "Make it").click();
  await page.getByText("A course was made by lot.").waitFor();
  await isGood(page);
  const drawn = await rows(page);
  assert.equal(drawn.length, 200);
  await page.locator("#lot-length").fill("201");
  await tool(page, "Make it").click();
  await page.getByText("Length: found 201, allowed is a whole number from 5 to 200.").waitFor();

  // All of its 200 rows can be reached.
  await sheet(page).focus();
  await page.keyboard.press("End");
  await page.getByText("Column 0, row 199:", { exact: false }).waitFor();
  await picture(page, "editor-long");
  const scrolled = () => page.locator(".sheet").evaluate((it) => it.scrollTop);
  assert.equal(await scrolled(), 0);
  await tool(page, "Move").click();
  const [x, y] = await at(page, 7, 190);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 120, { steps: 4 });
  await page.mouse.up();
  assert.equal(await scrolled(), 120, "the sheet is moved by hand");
  await tool(page, "Larger").click();
  assert.deepEqual(await rows(page), drawn, "and nothing is painted");

  const vision = page.getByLabel("Rows seen ahead", { exact: true });
  await vision.fill("0");
  await page.keyboard.press("Tab");
  await page.getByText("“0” was given; a whole number from 1 to 1000 is allowed.").waitFor();
  assert.equal(await vision.getAttribute("aria-invalid"), "true");
  await page.getByLabel("Start column, first player").fill(await page.getByLabel("Start column, second player").inputValue());
  await page.keyboard.press("Tab");
  await page.getByText("Both players would start in one column.").waitFor();
  assert.deepEqual(await rows(page), drawn);
  await page.close();
});

test("the largest course there may be can be painted", async () => {
  const page = await openEditor(visitor);
  await page.getByLabel("Width", { exact: true }).first().fill("100");
  await page.getByLabel("Length", { exact: true }).first().fill("1000");
  await page.keyboard.press("Tab");
  await isGood(page);
  await sheet(page).focus();
  await page.keyboard.press("End");
  const began_ms = Date.now();
  for (let k = 0; k < 40; k++) await page.keyboard.press("Shift+ArrowRight");
  const each_ms = (Date.now() - began_ms) / 40;
  console.log(`100 x 1000 cells: ${each_ms.toFixed(1)} ms for each cell painted by key`);
  assert.ok(each_ms < 150, `${each_ms} ms`);
  await isGood(page);
  assert.equal((await rows(page))[999], "1".repeat(41) + "0".repeat(59));
  await picture(page, "editor-largest");
  await page.close();
});

test("only organisers save; everybody else takes the course to a match", async () => {
  const page = await openEditor(visitor);
  assert.equal(await tool(page, "Save to the pool").count(), 0);
  await page.getByText("Only organisers save to pools.", { exact: false }).waitFor();
  const member = await visitor.page();
  await signUp(member, agon.url, "Painter");
  const refused = await member.evaluate(async () => {
    const answer = await fetch("/games/jockey/pools/spring/save?setup=mine", { method: "POST", body: "{}", headers: { accept: "application/json" } });
    return { status: answer.status, detail: ((await answer.json()) as { detail: string }).detail };
  });
  assert.equal(refused.status, 403);
  assert.match(refused.detail, /^Pools are changed by organisers alone\./);
  await member.close();

  await page.reload();
  await tool(page, "Rock").click();
  await drag(page, [2, 3], [4, 3]);
  const painted = await rows(page);
  await tool(page, "Start a match on it").click();
  await page.getByRole("heading", { level: 1, name: "Start a match" }).waitFor();
  const brought = JSON.parse(await page.getByLabel("Its text").inputValue()) as { rows: string[] };
  assert.deepEqual(brought.rows, painted);
  await picture(page, "editor-match", true);
  // Whoever comes back finds the course again.
  await page.goto(`${agon.url}/games/jockey/editor`);
  await page.getByText("The course you were working on is here again.").waitFor();
  assert.deepEqual(await rows(page), painted);
  await page.close();
});

test("what is not saved is not lost without a word", async () => {
  const page = await openEditor(visitor);
  await isGood(page);
  await sheet(page).focus();
  await page.keyboard.press("2");
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await closing;
  // Once it is a file, it may go.
  await rows(page);
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
});

test("a finger paints, or moves the sheet where that is chosen", async () => {
  const phone = await startPhone();
  const page = await openEditor(phone);
  await isGood(page);
  await tool(page, "Pond").tap();
  await page.touchscreen.tap(...(await at(page, 4, 2)));
  assert.equal((await rows(page))[2]![4], "2");
  await tool(page, "Move").tap();
  await page.touchscreen.tap(...(await at(page, 5, 2)));
  assert.equal((await rows(page))[2]![5], "0");
  assert.equal(await sheet(page).evaluate((it) => getComputedStyle(it).touchAction), "auto");
  await phone.close();
  assert.deepEqual(phone.errors, []);
});

test("the pages of pools and the editor are for every screen, by day and by night", async () => {
  const page = await organiser.page();
  const sights: [string, string][] = [
    ["setups", "/games/jockey/setups"],
    ["pool", "/games/jockey/setups/spring"],
    ["pool-shipped", "/games/jockey/setups/courses"],
    ["one-setup", "/games/jockey/setups/courses/official-07"],
    ["editor", "/games/jockey/editor?from=courses/official-07"],
    ["editor-own", "/games/jockey/editor?from=spring/gate"],
  ];
  for (const [name, path] of sights) {
    await page.goto(`${agon.url}${path}`);
    if (name.startsWith("editor")) await isGood(page);
    for (const { name: screen, width, height } of SCREENS) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(100);
        await picture(page, `${name}-${screen}-${colorScheme}`, true);
        assert.equal(await sideways(page), 0, `${name} on a ${screen} is no wider than that`);
        assert.deepEqual(await violations(page), [], `${name} on a ${screen}, ${colorScheme}`);
      }
    }
  }
  await page.close();
});

test("an organiser fills a pool with files, and takes them out again", async () => {
  const page = await organiser.page();
  await page.goto(`${agon.url}/games/jockey/setups/spring`);
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  const good = ["official-01.crs", "official-02.crs"].map((it) => file(it, readFileSync(join(COURSES, it))));
  await page.getByLabel("Files", { exact: true }).setInputFiles([...good, file("bad.crs", Buffer.from("{}"))]);
  await page.getByRole("button", { name: "Add them" }).click();
  await page.getByText("bad.crs: Filetype: found nothing", { exact: false }).waitFor();
  await page.getByLabel("Files", { exact: true }).setInputFiles(good);
  await page.getByRole("button", { name: "Add them" }).click();
  await page.getByRole("link", { name: "official-02" }).waitFor();
  await page.getByLabel("Weight in the ladder").fill("3");
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByText("The ladder plays each of its courses with weight 3.").waitFor();
  await page.getByRole("link", { name: "official-02" }).click();
  await page.getByText("Remove it from the pool").click();
  await page.getByRole("button", { name: "Remove it", exact: true }).click();
  await page.getByText("It is out of the pool.").waitFor();
  assert.equal(await page.getByRole("link", { name: "official-02" }).count(), 0);
  await page.getByText("Delete the pool").click();
  await page.getByRole("button", { name: "Delete it for good" }).click();
  await page.getByText("The pool is deleted.").waitFor();
  await page.close();
});

test("without a script the pools can be used, and the editor says that it needs one", async () => {
  const plain = await startBrowser({ javaScriptEnabled: false });
  const page = await plain.context.newPage();
  await page.goto(`${agon.url}/games/jockey/editor`);
  await page.getByText("The editor needs JavaScript.").waitFor();
  await page.getByRole("link", { name: "a pool" }).click();
  await page.getByRole("link", { name: "Sample courses of 2018-19" }).click();
  await page.getByRole("link", { name: "official-03" }).click();
  await page.getByRole("link", { name: "Download .crs" }).first().waitFor();
  await plain.close();
});
