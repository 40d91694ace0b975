// The replay in a real browser, without a server of ours: every control, every
// way it can fail, on a desk and in a hand, by day and by night.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { Course } from "../../games/labyrinth/course";
import { readReplay } from "../../viewer/replay";
import { picture, sideways, startBrowser, violations, type Browser } from "../support/browser";
import { sample, sampleText, type SampleName } from "../support/samples";
import { json, startSite, type Site } from "../support/site";

const NAMES: SampleName[] = ["small", "dark", "large", "longest", "crashed", "hidden"];

let site: Site;
let browser: Browser;

before(async () => {
  site = await startSite();
  for (const name of NAMES) site.answer(`/${name}.json`, json(sampleText(name)));
  browser = await startBrowser();
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
});

after(async () => {
  assert.deepEqual(browser.errors, [], "no script failed and no policy was broken");
  await browser.close();
  await site.close();
});

/** Opens a replay and waits for its board. */
async function open(name: string, more = "", from = browser): Promise<Page> {
  const page = await from.page();
  await page.goto(`${site.url}/replay?src=/${name}.json${more}`);
  await page.locator("canvas").waitFor();
  return page;
}

const slider = (page: Page): Locator => page.getByRole("slider");
const board = (page: Page): Locator => page.getByRole("group", { name: /^Board/ });

/** Waits until the slider stands at `frame`. */
async function stands(page: Page, frame: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector("agon-replay")?.shadowRoot?.querySelector<HTMLInputElement>("input[type=range]")?.value === wanted,
    String(frame),
  );
}

/** Waits until the address ends in `hash`. */
const address = (page: Page, hash: string) => page.waitForFunction((wanted) => location.hash === wanted, hash);

test("the keyboard goes everywhere", async () => {
  const page = await open("small");
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
  const page = await open("small");
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
  const page = await open("crashed");
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
  const page = await open("small");
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
  const page = await open("small", "#t=61");
  await stands(page, 61);
  await board(page).focus();
  await page.keyboard.press("ArrowRight");
  await address(page, "#t=62");
  await page.evaluate(() => (location.hash = "#t=100"));
  await stands(page, 100);
  await page.getByRole("button", { name: "Copy a link to this moment" }).click();
  await page.getByText("Link copied").first().waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.url}/replay?src=/small.json#t=100`);
  await page.keyboard.press("Home");
  await address(page, "");
  for (const [hash, frame] of [["#t=999999", 198], ["#t=nonsense", 198], ["#t=0", 0]] as const) {
    await page.evaluate((it) => (location.hash = it), hash);
    await stands(page, frame);
  }
  await page.close();
});

test("where a page may not copy, the link is shown instead", async () => {
  const page = await open("small", "#t=61");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await board(page).focus();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Copy this link:" });
  assert.equal(await dialog.getByRole("textbox").inputValue(), `${site.url}/replay?src=/small.json#t=61`);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.close();
});

test("what happened is listed beside the board, with log lines, and leads there", async () => {
  const page = await open("small", "#t=61");
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
  const page = await open("large", "#t=300");
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

test("every failure is said in words", async () => {
  site.answer("/broken.json", json('{"game":"labyrinth","rules":1'));
  site.answer("/foreign.json", json(JSON.stringify({ ...sample("crashed"), game: "chess" })));
  site.answer("/inherited.json", json(JSON.stringify({ ...sample("crashed"), game: "constructor" })));
  site.answer("/empty.json", json(JSON.stringify({ ...sample("crashed"), frames: [] })));
  site.answer("/alien.json", json(JSON.stringify({ ...sample("crashed"), frames: [{ view: { size: 3 } }] })));
  site.answer("/early.json", (_, response) => response.writeHead(409).end());
  site.answer("/gone.json", (_, response) => response.writeHead(410).end());
  site.answer("/denied.json", (_, response) => response.writeHead(403).end());
  site.answer("/down.json", (_, response) => response.writeHead(503).end());
  site.answer("/cut.json", (_, response) => response.destroy());
  const table: [string, RegExp][] = [
    ["missing", /There is no such replay/],
    ["early", /This match is not over yet/],
    ["gone", /cannot be shown any more/],
    ["denied", /You may not see this replay/],
    ["down", /could not hand out the replay \(status 503\)/],
    ["cut", /could not be fetched\. Check your connection/],
    ["broken", /arrived damaged: it is not valid JSON/],
    ["foreign", /no viewer for the game “chess”\. Known here: labyrinth/],
    ["inherited", /no viewer for the game “constructor”/],
    ["empty", /frames is empty/],
    ["alien", /frames\[0\]\.view: size is 3, allowed are 5 to 25/],
  ];
  const page = await browser.page();
  for (const [name, words] of table) {
    await page.goto(`${site.url}/replay?src=/${name}.json`);
    const said = await page.getByRole("alert").textContent();
    assert.match(said ?? "", words, name);
  }
  await page.goto(`${site.url}/replay`);
  assert.match((await page.getByRole("alert").textContent()) ?? "", /No replay was named/);
  await page.close();
});

test("what failed can be tried again", async () => {
  let asked = 0;
  site.answer("/flaky.json", (request, response) => {
    if (asked++ === 0) return void response.writeHead(503).end();
    json(sampleText("crashed"))(request, response);
  });
  const page = await browser.page();
  await page.goto(`${site.url}/replay?src=/flaky.json`);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("canvas").waitFor();
  await page.close();
});

test("a live match is followed, left when one goes back, and found again", async () => {
  const whole = sample("crashed");
  site.answer("/live.json", (_, response) => response.writeHead(409).end());
  const streams: { after: string | undefined; send(text: string): void; cut(): void }[] = [];
  site.answer("/live", (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const after = request.headers["last-event-id"] as string | undefined;
    streams.push({ after, send: (text) => void response.write(text), cut: () => response.destroy() });
    response.write("retry: 50\n\n");
    const start = { ...whole, frames: whole.frames.slice(0, 1), outcome: null };
    if (after === undefined) response.write(`event: start\ndata: ${JSON.stringify(start)}\n\n`);
  });
  const stream = async (n: number) => {
    for (let k = 0; k < 200 && streams.length < n; k++) await new Promise((resolve) => setTimeout(resolve, 25));
    return streams[n - 1]!;
  };
  const plies = (from: number, to: number, attempt = 1) => {
    let text = "";
    for (let at = from; at <= to; at++) {
      const frame = { ...whole.frames[at], remarks: [] };
      text += `event: ply\nid: ${attempt}-${at}\ndata: ${JSON.stringify(frame)}\n\n`;
    }
    return text;
  };

  const page = await open("live", "&live=/live");
  const first = await stream(1);
  await stands(page, 0);
  first.send(plies(1, 7));
  await stands(page, 7);

  await board(page).focus();
  await page.keyboard.press("ArrowLeft");
  await stands(page, 6);
  first.send(plies(8, 8));
  await page.getByText("2 behind live").waitFor();
  await stands(page, 6);

  // A repeated ply changes nothing; where one is missing, everything is asked for again.
  first.send(plies(8, 8) + plies(11, 11));
  const second = await stream(2);
  assert.equal(second.after, undefined);
  second.send(plies(1, 10));
  await page.keyboard.press("End");
  await stands(page, 10);

  // A lost connection is healed by the browser, which says where it was.
  second.cut();
  const third = await stream(3);
  assert.equal(third.after, "1-10");
  third.send(plies(11, 12));
  await stands(page, 12);

  // A lost attempt begins anew.
  third.send("event: restart\ndata: {}\n\n");
  const fourth = await stream(4);
  await stands(page, 0);
  fourth.send(plies(1, 22, 2));
  await stands(page, 22);
  assert.equal(await page.getByText("turn 3: still").count(), 0, "no log lines while it runs");

  // When it is over there is the whole replay, log lines and all.
  site.answer("/live.json", json(sampleText("crashed")));
  fourth.send("event: over\ndata: {}\n\n");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.getByText("turn 3: still").waitFor();
  await page.getByText(/The match is over\. the adventurer lost/).waitFor({ state: "attached" });
  assert.equal(streams.length, 4);
  await page.close();
});

test("a stream that is refused leaves the finished replay", async () => {
  site.answer("/refused", (_, response) => response.writeHead(404).end());
  const page = await open("crashed", "&live=/refused");
  await stands(page, 0);
  await page.close();
});

test("a replay can be embedded full screen and left again", async () => {
  const page = await open("small", "&autofocus=");
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement?.localName === "agon-replay");
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement === null);
  await page.close();
});

test("where motion is unwelcome, nothing moves between frames", async () => {
  const calm = await startBrowser({ reducedMotion: "reduce" });
  const page = await open("small", "&autoplay=", calm);
  await page.waitForTimeout(300);
  await stands(page, 0);
  await board(page).focus();
  await page.keyboard.press("ArrowRight");
  await stands(page, 1);
  const picture_of = () => page.evaluate(() => document.querySelector("agon-replay")!.shadowRoot!.querySelector("canvas")!.toDataURL());
  const at_once = await picture_of();
  await page.waitForTimeout(300);
  assert.equal(await picture_of(), at_once);
  assert.deepEqual(calm.errors, []);
  await calm.close();
});

test("it fits a phone, by touch", async () => {
  const phone = await startBrowser({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  for (const name of ["small", "large", "longest"]) {
    const page = await open(name, "#t=100", phone);
    assert.equal(await sideways(page), 0, `${name} scrolls sideways`);
    await page.getByRole("button", { name: "One step on" }).tap();
    await stands(page, 101);
    await page.locator("canvas").tap({ position: { x: 100, y: 100 } });
    await page.getByText(/^\d+, \d+: /).waitFor();
    const small = await page.evaluate(() =>
      [...document.querySelector("agon-replay")!.shadowRoot!.querySelectorAll(".buttons button, .buttons select")]
        .map((it) => it.getBoundingClientRect())
        .filter((box) => box.width < 36 || box.height < 40).length,
    );
    assert.equal(small, 0, "every button is large enough for a finger");
    await picture(page, `phone-${name}`, true);
    await page.close();
  }
  const narrow = await open("large", "", phone);
  await narrow.setViewportSize({ width: 320, height: 560 });
  assert.equal(await sideways(narrow), 0, "320 pixels are enough");
  assert.deepEqual(phone.errors, []);
  await phone.close();
});

test("by night it is dark, and follows when the day breaks", async () => {
  const page = await open("dark", "#t=121");
  const lightness = () =>
    page.evaluate(() => {
      const canvas = document.querySelector("agon-replay")!.shadowRoot!.querySelector("canvas")!;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) sum += data[at]! + data[at + 1]! + data[at + 2]!;
      return sum / (data.length / 4) / 3;
    });
  const day = await lightness();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(200);
  const night = await lightness();
  assert.ok(night < day * 0.75, `${night} by night, ${day} by day`);
  await picture(page, "night");
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForTimeout(200);
  assert.ok(Math.abs((await lightness()) - day) < 1);
  await page.close();
});

test("nothing serious stands in anybody's way", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const name of ["dark", "crashed"]) {
      const page = await open(name, "#t=20");
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(250);
      assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
      await page.close();
    }
  }
  const page = await browser.page();
  await page.goto(`${site.url}/replay?src=/nowhere.json`);
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.close();
});

test("what is heard is what is seen, and not too often", async () => {
  const page = await open("small");
  await board(page).focus();
  const said: string[] = [];
  await page.exposeFunction("said", (words: string) => said.push(words));
  await page.evaluate(() => {
    const spoken = document.querySelector("agon-replay")!.shadowRoot!.querySelector("[aria-live]")!;
    new MutationObserver(() => (globalThis as unknown as { said(words: string): void }).said(spoken.textContent ?? "")).observe(spoken, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  for (let k = 0; k < 5; k++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(800);
  assert.equal(said.length, 1, "five quick steps are told once");
  assert.match(said[0]!, /^Step 5 of 198\. Round 3 of 100\. The architect plants a hedge on column/);
  await page.close();
});

test("3,750 plies open within a second and scrub without a stumble", async () => {
  const page = await browser.page();
  // What our own code takes of each screen refresh: drawing by software, as
  // here, is not its doing.
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
  await page.goto(`${site.url}/replay`);
  await page.getByRole("alert").waitFor();
  const opened_ms = await page.evaluate(async () => {
    const replay = document.querySelector("agon-replay")!;
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const took: number[] = [];
    // The best of three: somebody else may have had the processor.
    for (let k = 0; k < 3; k++) {
      replay.remove();
      replay.setAttribute("src", "/longest.json");
      replay.shadowRoot!.replaceChildren();
      const began = performance.now();
      document.querySelector("main")!.append(replay);
      while (!replay.shadowRoot!.querySelector("canvas")) await next();
      await next();
      took.push(performance.now() - began);
    }
    return Math.min(...took);
  });
  const { ours_ms, all_ms } = await page.evaluate(async () => {
    const { ours_ms } = globalThis as unknown as { ours_ms: number[] };
    const slider = document.querySelector("agon-replay")!.shadowRoot!.querySelector<HTMLInputElement>("input[type=range]")!;
    ours_ms.length = 0;
    const began = performance.now();
    for (let k = 0; k <= 150; k++) {
      slider.value = String(k * 25);
      slider.dispatchEvent(new Event("input"));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return { ours_ms: [...ours_ms].sort((a, b) => a - b), all_ms: (performance.now() - began) / 151 };
  });
  const of = (part: number) => ours_ms[Math.floor(ours_ms.length * part)]!;
  console.log(
    `opened in ${Math.round(opened_ms)} ms; scrubbing: our code ${of(0.5).toFixed(1)} ms a frame, ` +
      `${of(0.95).toFixed(1)} ms at worst of 95 %; ${(1000 / all_ms).toFixed(0)} frames a second drawn by software`,
  );
  assert.ok(opened_ms < 1000, `opened in ${opened_ms} ms`);
  assert.ok(of(0.95) < 12, `${of(0.95)} ms of the 16.7 ms of a frame`);
  await page.close();
});
