// The replay in a real browser, without a server of ours: every control, by
// keyboard and by pointer, and what a link keeps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Course } from "../../games/labyrinth/course";
import { readReplay } from "../../viewer/replay";
import { sample } from "../support/samples";
import { address, board, setStage, slider, stands } from "../support/stage";

const stage = setStage();

test("the keyboard goes everywhere", async () => {
  const page = await stage.open("small");
  await board(page).focus();
  const moments = new Course(readReplay(sample("small"))).moments().map((it) => it.frame);
  const table: [string, number][] = [
    ["ArrowRight", 1],
    ["ArrowRight", 2],
    ["ArrowLeft", 1],
    ["Shift+ArrowRight", 11],
    ["PageDown", 21],
    ["Shift+ArrowLeft", 11],
    ["End", 198],
    ["ArrowRight", 198],
    ["Home", 0],
    ["ArrowLeft", 0],
    ["5", 99],
    ["p", moments.filter((it) => it < 99).pop()!],
    ["5", 99],
    ["n", moments.find((it) => it > 99)!],
  ];
  for (const [key, frame] of table) {
    await page.keyboard.press(key);
    await stands(page, frame);
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  await page.close();
});

test("keys work from wherever the focus is in the replay, and leave the page alone elsewhere", async () => {
  const page = await stage.open("small");
  await slider(page).focus();
  await page.keyboard.press("ArrowRight");
  await stands(page, 1);
  await page.getByRole("button", { name: "Keyboard help" }).focus();
  await page.keyboard.press("ArrowRight");
  await stands(page, 2);
  // With the focus nowhere only the arrows are heard: space still scrolls the page.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("ArrowRight");
  await stands(page, 3);
  await page.keyboard.press("End");
  await page.keyboard.press("5");
  await page.waitForTimeout(200);
  await stands(page, 3);
  // The list of speeds keeps its own keys.
  await page.getByRole("combobox", { name: "Speed" }).focus();
  await page.keyboard.press("End");
  await stands(page, 3);
  await page.close();
});

test("space plays and pauses, and the end stops", async () => {
  const page = await stage.open("crashed");
  await board(page).focus();
  await page.getByRole("combobox", { name: "Speed" }).selectOption("8");
  await board(page).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.keyboard.press("Space");
  await stands(page, 22);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.getByText("The adventurer lost: the program crashed (segmentation fault).", { exact: true }).waitFor();
  await page.close();
});

test("the buttons and the slider do what they say", async () => {
  const page = await stage.open("small");
  await page.getByRole("button", { name: "One step on" }).click();
  await stands(page, 1);
  await page.getByRole("button", { name: "To the end" }).click();
  await stands(page, 198);
  await page.getByRole("button", { name: "One step back" }).click();
  await stands(page, 197);
  await page.getByRole("button", { name: "To the start" }).click();
  await stands(page, 0);
  await slider(page).fill("61");
  await page.getByText("Round 31 of 100", { exact: true }).waitFor();
  assert.match((await slider(page).getAttribute("aria-valuetext")) ?? "", /^Round 31 of 100\. The architect plants a hedge on column 3, row 1\./);
  const box = (await slider(page).boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await stands(page, 99);
  await page.close();
});

test("a link leads to its moment, and the address follows", async () => {
  const page = await stage.open("small", "#t=61");
  await stands(page, 61);
  await board(page).focus();
  await page.keyboard.press("ArrowRight");
  await address(page, "#t=62");
  await page.evaluate(() => (location.hash = "#t=100"));
  await stands(page, 100);
  await page.getByRole("button", { name: "Copy a link to this moment" }).click();
  await page.getByText("Link copied").first().waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${stage.site.url}/replay?src=/small.json#t=100`);
  await page.keyboard.press("Home");
  await address(page, "");
  for (const [hash, frame] of [["#t=999999", 198], ["#t=nonsense", 198], ["#t=0", 0]] as const) {
    await page.evaluate((it) => (location.hash = it), hash);
    await stands(page, frame);
  }
  await page.close();
});

test("where a page may not copy, the link is shown instead", async () => {
  const page = await stage.open("small", "#t=61");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await board(page).focus();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Copy this link:" });
  assert.equal(await dialog.getByRole("textbox").inputValue(), `${stage.site.url}/replay?src=/small.json#t=61`);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.close();
});

test("what happened is listed beside the board, with log lines, and leads there", async () => {
  const page = await stage.open("small", "#t=61");
  const list = page.getByRole("list", { name: "What happened" });
  await list.getByText("plants a hedge on 3, 1", { exact: true }).waitFor();
  assert.equal(await list.getByText("turn 28: still").count(), 1, "a line of the log");
  await list.getByText("wants a hedge on 9, 5: a hedge grows there already").click();
  await page.getByText("The architect wants a hedge on 9, 5: a hedge grows there already.").waitFor();
  await page.waitForFunction(() => location.hash !== "#t=61");
  await page.getByRole("checkbox", { name: "Only log lines and warnings" }).check();
  await list.getByText("unknown message").waitFor();
  assert.equal(await list.getByText("does nothing").count(), 0);
  await page.close();
});

test("a field says what it is and why it is forbidden", async () => {
  const page = await stage.open("large", "#t=300");
  const box = (await page.locator("canvas").boundingBox())!;
  // 22 fields and the numbers share the side; the left margin holds the numbers.
  const at = async (x: number, y: number) => {
    const cell = await page.evaluate(() => {
      const canvas = document.querySelector("agon-replay")!.shadowRoot!.querySelector("canvas")!;
      return { width: canvas.clientWidth };
    });
    const side = Math.floor((cell.width - 19) / 22);
    const margin = cell.width - 22 * side;
    await page.mouse.move(box.x + margin + (x + 0.5) * side, box.y + margin + (y + 0.5) * side);
  };
  const table: [number, number, string][] = [
    [1, 1, "1, 1: the treasure"],
    [2, 2, "2, 2: forbidden, too near the treasure"],
    [18, 9, "18, 9: forbidden, too near the adventurer"],
    [18, 11, "18, 11: forbidden, it would block the last path to the treasure"],
    [0, 5, "0, 5: the ring of hedge"],
    [10, 17, "10, 17: free, a hedge may be planted here"],
    [19, 9, "19, 9: the adventurer"],
  ];
  for (const [x, y, words] of table) {
    await at(x, y);
    await page.getByText(words, { exact: true }).waitFor();
  }
  await at(4, 5);
  await page.getByText(/^4, 5: hedge|^4, 5: free/).waitFor();
  await page.close();
});
