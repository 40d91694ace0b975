// What a replay says when it cannot be had, and how it follows a match under
// way whose stream breaks, repeats itself or begins anew.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sample, sampleText } from "../support/samples";
import { json } from "../support/site";
import { address, board, setStage, stands } from "../support/stage";
import { streaming } from "../support/streaming";

const stage = setStage();

test("every failure is said in words", async () => {
  stage.site.answer("/broken.json", json('{"game":"labyrinth","rules":1'));
  stage.site.answer("/foreign.json", json(JSON.stringify({ ...sample("crashed"), game: "chess" })));
  stage.site.answer("/inherited.json", json(JSON.stringify({ ...sample("crashed"), game: "constructor" })));
  stage.site.answer("/empty.json", json(JSON.stringify({ ...sample("crashed"), frames: [] })));
  stage.site.answer("/alien.json", json(JSON.stringify({ ...sample("crashed"), frames: [{ view: { size: 3 } }] })));
  stage.site.answer("/early.json", (_, response) => response.writeHead(409).end());
  stage.site.answer("/gone.json", (_, response) => response.writeHead(410).end());
  stage.site.answer("/denied.json", (_, response) => response.writeHead(403).end());
  stage.site.answer("/down.json", (_, response) => response.writeHead(503).end());
  stage.site.answer("/cut.json", (_, response) => response.destroy());
  const table: [string, RegExp][] = [
    ["missing", /There is no such replay/],
    ["early", /This match is not over yet/],
    ["gone", /cannot be shown any more/],
    ["denied", /You may not see this replay/],
    ["down", /could not hand out the replay \(status 503\)/],
    ["cut", /could not be fetched\. Check your connection/],
    ["broken", /arrived damaged: it is not valid JSON/],
    ["foreign", /no viewer for the game “chess”\. Known here: .*labyrinth/],
    ["inherited", /no viewer for the game “constructor”/],
    ["empty", /frames is empty/],
    ["alien", /frames\[0\]\.view: size is 3, allowed are 5 to 25/],
  ];
  const page = await stage.browser.page();
  for (const [name, words] of table) {
    await page.goto(`${stage.site.url}/replay?src=/${name}.json`);
    const said = await page.getByRole("alert").textContent();
    assert.match(said ?? "", words, name);
  }
  await page.goto(`${stage.site.url}/replay`);
  assert.match((await page.getByRole("alert").textContent()) ?? "", /No replay was named/);
  await page.close();
});

test("what failed can be tried again", async () => {
  let asked = 0;
  stage.site.answer("/flaky.json", (request, response) => {
    if (asked++ === 0) return void response.writeHead(503).end();
    json(sampleText("crashed"))(request, response);
  });
  const page = await stage.browser.page();
  await page.goto(`${stage.site.url}/replay?src=/flaky.json`);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("canvas").waitFor();
  await page.close();
});

test("a live match is followed, left when one goes back, and found again", async () => {
  const whole = sample("crashed");
  stage.site.answer("/live.json", (_, response) => response.writeHead(409).end());
  const { stream, opened, plies } = streaming(stage, "/live", whole);

  const page = await stage.open("live", "&live=/live");
  const first = await stream(1);
  await stands(page, 0);
  first.send(plies(1, 7));
  await stands(page, 7);

  await board(page).focus();
  await page.keyboard.press("ArrowLeft");
  await stands(page, 6);
  await address(page, "#t=6");
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
  await address(page, "");

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
  stage.site.answer("/live.json", json(sampleText("crashed")));
  fourth.send("event: over\ndata: {}\n\n");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.getByText("turn 3: still").waitFor();
  await page.getByText(/The match is over\. the adventurer lost/).waitFor({ state: "attached" });
  assert.equal(opened(), 4);
  await page.close();
});

test("a stream that is refused leaves the finished replay", async () => {
  stage.site.answer("/refused", (_, response) => response.writeHead(404).end());
  const page = await stage.open("crashed", "&live=/refused");
  await stands(page, 0);
  await page.close();
});
