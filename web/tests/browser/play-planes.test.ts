// Somebody flies Planes against a documented bot: a match by mouse, one by
// keyboard, one in a hand; what is told before each order and after each
// fight, and what is told to who watches meanwhile.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { startAgon, type Agon } from "../support/agon";
import { type Browser, IN_3D, picture, sideways, startBrowser, startPhone, violations, WITHOUT_3D } from "../support/browser";
import { signIn, signUp } from "../support/pages";
import { framesIn, myTurn, nextTurn, overhear, plyOf, startMatch, table, uploadReady } from "../support/playing";

const NAME = "Ace Pilot";

let agon: Agon;
let browser: Browser;
let watcher: Browser;

before(async () => {
  agon = await startAgon();
  browser = await startBrowser({}, IN_3D);
  watcher = await startBrowser({}, WITHOUT_3D);
  const page = await browser.page();
  await signUp(page, agon.url, NAME);
  await uploadReady(page, agon.url, "planes", "Arrow", "straight.py");
  await page.close();
});

after(async () => {
  await browser?.close();
  await watcher?.close();
  await agon?.stop();
  assert.deepEqual([...(browser?.errors ?? []), ...(watcher?.errors ?? [])], [], "no script failed and no policy was broken");
});

const pad = (page: Page): Locator => table(page).locator(".planes-pad");
const button = (page: Page, name: string | RegExp): Locator => pad(page).getByRole("button", { name });
/** A direction of the pad, by its letters. */
const way = (page: Page, letters: string): Locator => pad(page).locator(".way", { has: page.locator(`.letters:text-is("${letters}")`) });
/** What is told of the order that is being given. */
const outlook = async (page: Page): Promise<string> => (await pad(page).locator(".outlook").textContent()) ?? "";
/** Waits until the card of a plane has these: cell, heading, gun. */
const stands = (page: Page, seat: number, no: number, words: RegExp): Promise<void> => table(page).locator(`.card.seat-${seat} .craft`).nth(no).filter({ hasText: words }).waitFor();

/** Does something that decides the turn, and waits for the next one. */
async function round(page: Page, decide: () => Promise<void>): Promise<"turn" | "over"> {
  const at = await plyOf(page);
  await decide();
  return nextTurn(page, at);
}

/** Keeps pictures of the page on a desk and in a hand, by day and by night. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const [where, width, height] of [["desk", 1280, 800], ["phone", 390, 844]] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await table(page).locator(".turn-bar").evaluate((it) => it.scrollIntoView());
      await page.waitForTimeout(500);
      await picture(page, `${name}-${where}-${colorScheme}`);
    }
    assert.equal(await sideways(page), 0, `${name} on a ${where}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("two fights are flown by mouse, with what every order leads to seen before it is sent", async () => {
  const page = await browser.page();
  await startMatch(page, agon.url, "planes", ["Me", "Arrow"], { size: "8", fights: "2" });
  await myTurn(page);
  await table(page).locator("canvas.space").waitFor();
  const other = await watcher.page();
  await other.goto(page.url());
  await other.locator("agon-replay canvas").waitFor();
  const heard = await overhear(other, `${new URL(page.url()).pathname}/live`);
  await pad(page).getByText("Fight 1 of 2, round 1 of 100. Fights: you 0, Arrow 0, drawn 0.").waitFor();
  assert.deepEqual(await violations(page), []);

  // Of 26 directions nine are turns; three of these leave the arena, and say so.
  assert.equal(await pad(page).locator(".way").count(), 26);
  assert.equal(await pad(page).locator(".way:enabled").count(), 9);
  assert.equal(await way(page, "N").isDisabled(), true);
  assert.equal(await pad(page).locator(".way.wall").count(), 3);
  assert.match((await way(page, "SD").getAttribute("aria-label")) ?? "", /^south-down, to 1 2 -1, leaves the arena/);
  assert.equal(await way(page, "SD").locator(".sign").textContent(), "✕");
  await way(page, "SD").click();
  assert.match(await outlook(page), /^Plane 1 turns SD to 1 2 -1\. It leaves the arena: the plane is lost\.$/);
  assert.equal(await way(page, "S").getAttribute("aria-checked"), "false");

  // What is chosen is seen in the arena.
  const seen = async () => {
    await page.waitForTimeout(400);
    return (await table(page).locator(".place").screenshot()).toString("base64");
  };
  const before = await seen();
  await way(page, "SWU").click();
  const turned = await seen();
  assert.ok(turned !== before);
  await pad(page).getByRole("checkbox", { name: /^Step aside/ }).check();
  const aside = await seen();
  assert.ok(aside !== turned, "aside its nose points elsewhere");
  await pad(page).getByRole("checkbox", { name: /^Shoot/ }).check();
  assert.ok((await seen()) !== aside, "the line of fire is seen");
  assert.equal(await outlook(page), "Plane 1 steps aside SWU, still heading S to 1 1 1, and shoots.");
  await button(page, /Plane 2/).click();
  await way(page, "SE").click();
  assert.equal(await outlook(page), "Plane 2 turns SE to 1 6 0.");
  await pictures(page, "planes-order");
  assert.equal(await round(page, () => button(page, "Send").click()), "turn");
  await stands(page, 0, 0, /1 1 1 S ⇆.*cooling 1/);
  await stands(page, 0, 1, /1 6 0 SE/);
  assert.equal(await pad(page).getByRole("checkbox", { name: /^Shoot/ }).isDisabled(), true);
  await pad(page).getByText("cools for 1 round").waitFor();
  assert.deepEqual(await violations(page), []);

  // The pad fills in what keeps planes alive; the bot flies into the wall.
  for (let rounds = 0; !(await button(page, "Go on to fight 2").isVisible()); rounds++) {
    assert.ok(rounds < 20, "the fight ends");
    await round(page, () => button(page, "Send").click());
  }
  await pad(page).getByRole("heading", { name: "Fight 1 is over" }).waitFor();
  await pad(page).getByText(/^You win it in round 8\./).waitFor();
  await pad(page).getByText("Fights won: you 1, Arrow 0, drawn 0; 1 to go.").waitFor();
  await pad(page).getByText("Your planes now start in the south, at the top.").waitFor();
  await table(page).getByText("Your turn. Go on to the next fight.").waitFor();
  assert.deepEqual(await violations(page), []);
  await pictures(page, "planes-between");
  // A page that is loaded anew says it again.
  await page.reload();
  await button(page, "Go on to fight 2").click();
  await pad(page).getByText("Fight 2 of 2, round 1 of 100. Fights: you 1, Arrow 0, drawn 0.").waitFor();
  await stands(page, 0, 0, /7 5 7 N/);
  await table(page).getByText(/^Your turn. Order your planes/).waitFor();
  await other.waitForFunction(() => document.querySelector("agon-replay")!.shadowRoot!.querySelector(".card.seat-0 .won")?.textContent === "1");
  assert.equal(await other.getByRole("combobox", { name: "Fight" }).inputValue(), "1");
  await round(page, () => button(page, "Send").click());
  // Who watches has come along, and sees no order before it is flown.
  await other.waitForFunction(() => document.querySelector("agon-replay")!.shadowRoot!.querySelector<HTMLSelectElement>(".chooser select")?.value === "2");
  assert.equal(await other.getByRole("combobox", { name: "Fight" }).locator("option").count(), 2);
  assert.equal(framesIn(await heard.text()).length, Number(await plyOf(page)) + 1);

  for (let rounds = 0; (await round(page, () => button(page, "Send").click())) === "turn"; rounds++) assert.ok(rounds < 20, "the match ends");
  await table(page).getByText("The match is over.").waitFor();
  await other.getByText(/Ace Pilot wins the match: 2 fights against 0/).first().waitFor();
  await table(page).getByRole("button", { name: "Watch the whole replay" }).click();
  await page.getByText(/2 fights won against 0, 0 drawn/).first().waitFor();
  await other.close();
  await page.close();
});

test("a fight is flown by keyboard, what may not be is explained, and a page that is loaded anew goes on", async () => {
  const page = await browser.page();
  await page.goto(`${agon.url}/games/planes`);
  await page.getByRole("link", { name: "Play it yourself" }).click();
  assert.equal(await page.getByLabel("Fights of the match").inputValue(), "5");
  assert.equal(await page.locator("#seat-0").inputValue(), "me");
  await startMatch(page, agon.url, "planes", ["Arrow", "Me"], { size: "6", fights: "1" });
  await myTurn(page);
  const alert = table(page).getByRole("alert");
  await table(page).getByRole("group", { name: /^Board/ }).focus();

  // This side starts at the top in the south, heading north.
  await page.keyboard.press("2");
  await alert.getByText("A plane that heads N may not turn S.").waitFor();
  await page.keyboard.press("9");
  assert.equal(await way(page, "NE").getAttribute("aria-checked"), "true");
  assert.equal(await alert.textContent(), "");
  for (const [key, letters] of [["d", "NED"], ["ArrowLeft", "ND"], ["u", "N"], ["PageUp", "NU"], ["PageDown", "N"], ["7", "NW"], ["Backspace", "N"]] as const) {
    await page.keyboard.press(key);
    assert.equal(await way(page, letters).getAttribute("aria-checked"), "true", key);
  }
  await page.keyboard.press("ArrowDown");
  await alert.getByText("That is where the plane is; it has to move.").waitFor();
  await page.keyboard.press("d");
  await page.keyboard.press("c");
  await page.keyboard.press("f");
  assert.match(await outlook(page), /^Plane 1 steps aside ND, still heading N to 4 4 4, and shoots\.$/);
  await page.keyboard.press("p");
  await page.keyboard.press("1");
  await alert.getByText("A plane that heads N may not turn SW.").waitFor();
  await page.keyboard.press("ArrowLeft");
  assert.match(await outlook(page), /^Plane 2 turns NW to 4 0 5\.$/);
  // With the focus on the pad, Enter sends, and arrows take the focus along.
  await way(page, "NW").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await way(page, "N").evaluate((it) => (it.getRootNode() as ShadowRoot).activeElement === it), true);
  assert.equal(await round(page, () => page.keyboard.press("Enter")), "turn");
  await stands(page, 1, 0, /4 4 4 N ⇆.*cooling 1/);
  assert.equal(await way(page, "N").evaluate((it) => (it.getRootNode() as ShadowRoot).activeElement === it), true, "the focus is where it was");
  await page.keyboard.press("f");
  await alert.getByText("Plane 1: cools for 1 round.").waitFor();

  // All keys are told, of the pad and of the arena.
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  for (const words of ["step aside or turn", "send, or go on to the next fight", "follow the next plane", "this help"]) await help.getByText(words, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await table(page).locator("canvas.sides").waitFor();
  await picture(page, "planes-by-hand-flat", true);

  const at = await plyOf(page);
  await page.reload();
  await myTurn(page);
  assert.equal(await plyOf(page), at);
  await pad(page).getByText("Fight 1 of 1, round 2 of 100.", { exact: false }).waitFor();
  // The server asks the rules, too.
  const refused = await page.evaluate(async (ply) => {
    const answer = await fetch(document.querySelector("agon-play")!.getAttribute("deeds")!, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ ply: Number(ply), action: "S N" }),
    });
    return [answer.ok, await answer.text()] as const;
  }, at);
  assert.equal(refused[0], false);
  assert.ok(refused[1].includes("The first plane: found the turn S"), refused[1]);
  // Nothing has the focus now.
  for (let rounds = 0; (await round(page, () => page.keyboard.press("Enter"))) === "turn"; rounds++) assert.ok(rounds < 20, "the match ends");
  await table(page).getByText("The match is over.").waitFor();
  await page.close();
});

test("in a hand, pad and arena are on one screen, in 3D and from three sides, and nothing moves where that is unwelcome", async () => {
  for (const flags of [IN_3D, WITHOUT_3D]) {
    const phone = await startPhone(flags);
    const page = await phone.page();
    await signIn(page, agon.url, NAME);
    await startMatch(page, agon.url, "planes", ["Me", "Arrow"], { size: "10", fights: "1" });
    await myTurn(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const canvas = table(page).locator(flags === IN_3D ? "canvas.space" : "canvas.sides");
    await canvas.waitFor();
    await table(page).locator(".stage").evaluate((it) => it.scrollIntoView());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const [arena, at_pad, bar] = await Promise.all([canvas, pad(page), table(page).locator(".turn-bar")].map(async (it) => (await it.boundingBox())!));
    assert.ok(bar!.y >= 0 && bar!.y + bar!.height <= arena!.y, "the clock is in sight, above the arena");
    assert.ok(arena!.y + arena!.height <= at_pad!.y, `the arena ends at ${arena!.y + arena!.height}, the pad begins at ${at_pad!.y}`);
    assert.ok(at_pad!.y + at_pad!.height <= 844, "the pad is in sight");
    for (const it of await pad(page).locator(".way:enabled").all()) {
      const { width, height } = (await it.boundingBox())!;
      assert.ok(width >= 32 && height >= 32, "large enough for a finger");
    }
    await way(page, "SEU").tap();
    await pad(page).getByRole("checkbox", { name: /^Shoot/ }).tap();
    await picture(page, `planes-by-hand-phone-${flags === IN_3D ? "3d" : "flat"}`);
    assert.equal(await round(page, () => button(page, "Send").tap()), "turn");
    await stands(page, 0, 0, /1 4 1 SEU/);
    // Whatever moved would still be moving.
    const look = async () => (await canvas.screenshot()).toString("base64");
    const at_once = await look();
    await page.waitForTimeout(300);
    assert.ok((await look()) === at_once, "the planes are there at once");
    await page.emulateMedia({ forcedColors: "active" });
    await picture(page, `planes-by-hand-forced-${flags === IN_3D ? "3d" : "flat"}`);
    const chosen = (await way(page, "SEU").screenshot()).toString("base64");
    assert.ok(chosen !== (await way(page, "SE").screenshot()).toString("base64"), "what is chosen can be told without colours");
    assert.deepEqual(phone.errors, []);
    await phone.close();
  }
});
