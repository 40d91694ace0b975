// Every page for everybody: by day and by night, on a phone, by keyboard, by
// ear as far as axe can tell, and without a script.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { startAgon, type Agon } from "../support/agon";
import { broken, crashing, documented, dreaming } from "../support/bots";
import { picture, sideways, startBrowser, violations, type Browser } from "../support/browser";
import { chooseBots, RESULT_MS_MAX, signUp, upload } from "../support/pages";

/** Stops of the Tab key on the longest page. */
const STOPS_MAX = 250;

let agon: Agon;
/** Somebody who is signed in, and somebody who is not. */
let member: Browser;
let visitor: Browser;

/** A page to look at, and how one gets there. */
interface Sight {
  name: string;
  as: "member" | "visitor";
  path: string;
  /** What the page is brought to after it was loaded. */
  then?: (page: Page) => Promise<void>;
  /** What shows that it is ready. */
  until?: string;
  /** Cannot be had without a script. */
  scripted?: true;
}

const sights: Sight[] = [];

before(async () => {
  agon = await startAgon();
  member = await startBrowser();
  visitor = await startBrowser();
  const page = await member.page();
  await signUp(page, agon.url, "Gardener");
  await upload(page, agon.url, "Architect", "Box hedge", documented("architect.py"));
  const good = new URL(page.url()).pathname;
  await upload(page, agon.url, "Adventurer", "Unfinished", broken);
  const unbuilt = new URL(page.url()).pathname;
  await page.getByLabel("What the compiler said").getByText(/undeclared_treasure/).waitFor({ timeout: RESULT_MS_MAX });
  await upload(page, agon.url, "Adventurer", "Crasher", crashing);
  const crashed = new URL(page.url()).pathname;
  await page.getByText(/took it off the ladder/).first().waitFor({ timeout: RESULT_MS_MAX });
  const lost = await page.getByRole("link", { name: "Replay and details" }).first().getAttribute("href");
  await upload(page, agon.url, "Adventurer", "Dreamer", dreaming);
  await page.getByText("version 1", { exact: true }).first().waitFor({ timeout: RESULT_MS_MAX });
  // The first is played for as long as the test takes, the others wait for it.
  const started: string[] = [];
  for (let k = 0; k < 4; k++) {
    await chooseBots(page, agon.url, "Box hedge", "Dreamer", 25);
    started.push(new URL(page.url()).pathname);
  }
  await page.close();
  const setup = /\/setup\/[0-9a-f]+/.exec(agon.said())?.[0];
  assert.ok(setup, "the server has printed the link of the first admin");

  const both = (name: string, path: string, more: Partial<Sight> = {}) => {
    for (const as of ["member", "visitor"] as const) sights.push({ name: `${name} ${as}`, as, path, ...more });
  };
  const one = (as: Sight["as"], name: string, path: string, more: Partial<Sight> = {}) => sights.push({ name, as, path, ...more });
  both("start", "/");
  both("game", "/games/labyrinth");
  one("visitor", "setups", "/games/jockey/setups");
  one("visitor", "pool", "/games/jockey/setups/courses");
  one("visitor", "one setup", "/games/jockey/setups/courses/official-07");
  one("visitor", "setups none", "/games/labyrinth/setups");
  both("editor", "/games/jockey/editor?from=courses/official-07", { until: ".verdict.good" });
  one("member", "new match on a course", "/matches/new?game=jockey&setup=courses/official-07");
  both("board", "/games/labyrinth/leaderboard?role=architect");
  one("visitor", "board adventurer", "/games/labyrinth/leaderboard?role=adventurer");
  both("bot", good);
  both("bot crashed", crashed);
  both("version", `${unbuilt}/versions/1`);
  one("visitor", "matches", "/matches");
  one("visitor", "matches none", "/matches?state=void");
  one("visitor", "matches waiting", "/matches?state=queued");
  both("match lost", lost!, { until: "agon-replay canvas:visible" });
  one("visitor", "match running", started[0]!, { until: "agon-replay canvas:visible" });
  one("member", "match waiting", started[3]!, { until: "[data-region=wait]" });
  one("member", "new match", "/matches/new");
  one("member", "new match wrong", "/matches/new", { scripted: true, then: (it) => send(it, "Start the match", "#seats-error, .error") });
  one("member", "upload", "/upload");
  one("member", "upload wrong", "/upload", { scripted: true, then: (it) => send(it, "Upload", ".error") });
  one("member", "me", "/me");
  one("visitor", "status", "/status");
  one("visitor", "signup", "/signup");
  one("visitor", "signup wrong", "/signup", { scripted: true, then: (it) => send(it, "Sign up", ".error") });
  one("visitor", "login", "/login");
  one("visitor", "login wrong", "/login", { scripted: true, then: (it) => send(it, "Sign in", "[role=alert]") });
  one("visitor", "setup", setup);
  one("visitor", "nothing", "/nothing");
  one("visitor", "no such bot", "/bots/x");
  one("visitor", "no sense", "/matches?state=asleep");
});

after(async () => {
  await member?.close();
  await visitor?.close();
  await agon?.stop();
  assert.deepEqual([...(member?.errors ?? []), ...(visitor?.errors ?? [])], [], "no script failed and no policy was broken");
});

/** Sends the form of a page as it is, whatever the browser thinks of it. */
async function send(page: Page, button: string, until: string): Promise<void> {
  await page.locator("main form").last().evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await page.getByRole("main").getByRole("button", { name: button, exact: true }).last().click();
  await page.locator(until).first().waitFor();
}

async function look(page: Page, { path, then, until }: Sight): Promise<void> {
  await page.goto(`${agon.url}${path}`);
  if (until) await page.locator(until).first().waitFor();
  await then?.(page);
}

test("no page has anything serious in anybody's way, by day or by night", async () => {
  // All that is wrong is told at once.
  const wrong: unknown[] = [];
  for (const sight of sights) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await (sight.as === "member" ? member : visitor).page();
      await page.emulateMedia({ colorScheme });
      await look(page, sight);
      for (const it of await violations(page)) wrong.push({ page: sight.name, colorScheme, ...it });
      await picture(page, `desk ${sight.name} ${colorScheme}`.replaceAll(" ", "-"), true);
      await page.close();
    }
  }
  assert.deepEqual(wrong, []);
});

test("no page scrolls sideways on a phone", async () => {
  const wrong: unknown[] = [];
  for (const sight of sights) {
    for (const [width, colorScheme] of [[390, "light"], [390, "dark"], [320, "light"]] as const) {
      const page = await (sight.as === "member" ? member : visitor).page();
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await look(page, sight);
      const scrolls = await sideways(page);
      if (scrolls !== 0) wrong.push({ page: sight.name, width, scrolls: `${scrolls} pixels` });
      if (width === 390) await picture(page, `phone ${sight.name} ${colorScheme}`.replaceAll(" ", "-"), true);
      await page.close();
    }
  }
  assert.deepEqual(wrong, []);
});

/** Widths of phones, in CSS pixels. */
const PHONES = [390, 360, 320];

test("the head takes two lines on a phone, whoever is signed in and however much waits for them", async () => {
  const names = ["Jo", "Wolfgang von und zu Rennstein"];
  for (const name of names) {
    const browser = await startBrowser();
    const page = await browser.page();
    await signUp(page, agon.url, name);
    const calm = await heads(page);
    const host = await member.page();
    await host.goto(`${agon.url}/matches/new?game=labyrinth`);
    await host.locator("#seat-0").selectOption("me");
    await host.locator("#seat-1").selectOption("guest");
    await host.locator("#guest-1").fill(name);
    await host.getByRole("button", { name: "Start the match" }).click();
    await host.getByText("The invitation is out.", { exact: false }).waitFor();
    await host.close();
    const called = await heads(page);
    assert.equal(calm[0]!.calls, null);
    for (const [no, { width, high, lines, calls, out }] of called.entries()) {
      const where = `${name}, ${width} pixels`;
      assert.equal(lines, 2, `${where}: lines`);
      assert.deepEqual([high, lines], [calm[no]!.high, calm[no]!.lines], `${where}: no higher than without a call`);
      assert.deepEqual(calls, { words: "To play 1", in_sight: true }, where);
      assert.deepEqual(out, [], `${where}: cut off`);
    }
    assert.deepEqual(browser.errors, []);
    await browser.close();
  }
});

/** How the head looks on each phone. */
async function heads(page: Page) {
  const found = [];
  for (const width of PHONES) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(`${agon.url}/`);
    const head = await page.evaluate(() => {
      const shown = [...document.querySelectorAll<HTMLElement>(".head a, .head button")];
      const middles = shown.map((it) => it.getBoundingClientRect()).map((box) => (box.top + box.bottom) / 2);
      const call = document.querySelector<HTMLElement>(".head a[href='/invitations']");
      const box = call?.getBoundingClientRect();
      return {
        high: document.querySelector(".head")!.getBoundingClientRect().height,
        lines: middles.sort((a, b) => a - b).filter((it, at, all) => at === 0 || it - all[at - 1]! > 16).length,
        calls: call && box ? { words: call.textContent!.replace(/\s+/g, " ").trim(), in_sight: box.left >= 0 && box.right <= innerWidth } : null,
        // What belongs to who is signed in is never scrolled away.
        out: shown.filter((it) => it.closest("ul:last-child") && it.getBoundingClientRect().right > innerWidth).map((it) => it.textContent),
      };
    });
    found.push({ width, ...head });
    await picture(page, `head-${width}`);
  }
  return found;
}

test("the Tab key goes through every page in its order, and one sees where it is", async () => {
  const wrong: unknown[] = [];
  for (const sight of sights) {
    const page = await (sight.as === "member" ? member : visitor).page();
    await look(page, sight);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator("body").evaluate((body) => {
      body.tabIndex = -1;
      body.focus();
      body.removeAttribute("tabindex");
    });
    let stops = 0;
    for (; stops < STOPS_MAX; stops++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(focused);
      if (at === null) break;
      if (stops === 0 && at.words !== "Skip to the content") wrong.push({ page: sight.name, first: at.words });
      if (!at.forward) wrong.push({ page: sight.name, backward: at.words });
      if (!at.named) wrong.push({ page: sight.name, nameless: at.html });
      if (!at.seen) wrong.push({ page: sight.name, unseen: at.html });
    }
    if (stops < 5 || stops === STOPS_MAX) wrong.push({ page: sight.name, stops });
    await page.close();
  }
  assert.deepEqual(wrong, []);
});

/** What has the focus, in the page or in a viewer; null where nothing has. Runs in the page. */
function focused(): { words: string; html: string; forward: boolean; named: boolean; seen: boolean } | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body || element === document.documentElement) return null;
  const memory = globalThis as unknown as { before?: Element };
  const before = memory.before;
  memory.before = element;
  const same_tree = before !== undefined && before.getRootNode() === element.getRootNode();
  const forward = !same_tree || (before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const in_sight = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < window.innerHeight && box.right > 0 && box.left < window.innerWidth;
  const labels = "labels" in element ? [...((element as HTMLInputElement).labels ?? [])].map((it) => it.textContent).join(" ") : "";
  const words = (element.getAttribute("aria-label") ?? `${element.textContent ?? ""} ${labels}`).trim();
  return {
    words,
    html: element.outerHTML.slice(0, 120),
    forward,
    named: words !== "",
    seen: in_sight && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
  };
}

test("the way past the head leads to the content", async () => {
  const page = await visitor.page();
  await page.goto(`${agon.url}/matches`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  await page.close();
});

test("a match that waits says its place and when it should begin", async () => {
  const page = await member.page();
  await look(page, sights.find((it) => it.name === "match waiting")!);
  const place = page.locator("[data-region=wait]");
  assert.match((await place.textContent())?.trim() ?? "", /^(Next|Number \d+) in the queue; should begin (within seconds|in about \d+.(s|min))\.$/);
  await page.close();
});

test("every page can be read without a script", async () => {
  const plain = await startBrowser({ javaScriptEnabled: false });
  const page = await plain.context.newPage();
  for (const { name, as, path, scripted } of sights) {
    if (as === "member" || scripted) continue;
    await page.goto(`${agon.url}${path}`);
    assert.notEqual(((await page.getByRole("main").textContent()) ?? "").trim(), "", name);
  }
  await page.goto(`${agon.url}${sights.find((it) => it.name === "match lost visitor")!.path}`);
  await page.getByText("The replay needs JavaScript").waitFor();
  await plain.close();
});
