// Chromium, driven by playwright-core. The path of the program can be set by
// CHROMIUM; Debian's is the default.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

import { RESULTS } from "./folders";

const PROGRAM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser of its own, with nothing in it. */
export interface Browser {
  context: BrowserContext;
  /** A new page that fails the test where a script fails. */
  page(): Promise<Page>;
  /** Errors of scripts so far. */
  errors: string[];
  close(): Promise<void>;
}

/** Those that a test has left open when it failed: they would keep its program from ending. */
const open = new Set<Browser>();
after(async () => {
  await Promise.all([...open].map((it) => it.close()));
});

/** What lets a browser draw in 3D where there is nothing but a processor. */
export const IN_3D = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

/** What keeps a browser from drawing in 3D at all. */
export const WITHOUT_3D = ["--disable-3d-apis"];

/** Starts a browser, with `flags` besides those that all have. */
export async function startBrowser(options: BrowserContextOptions = {}, flags: readonly string[] = []): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "agon-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: PROGRAM,
    args: [...FLAGS.filter((it) => flags !== IN_3D || it !== "--disable-gpu"), ...flags],
    headless: true,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(30_000);
  const errors: string[] = [];
  const browser: Browser = {
    context,
    errors,
    async page() {
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        // A refused policy shows up here and nowhere else.
        if (message.type() === "error" && /Content Security Policy/.test(message.text())) errors.push(message.text());
      });
      return page;
    },
    async close() {
      open.delete(browser);
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
  open.add(browser);
  return browser;
}

/** Starts a phone: narrow, fine, and touched. */
export function startPhone(flags: readonly string[] = []): Promise<Browser> {
  return startBrowser({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }, flags);
}

/** Keeps a picture of the page in web/test-results. */
export async function picture(page: Page, name: string, full = false): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  await page.screenshot({ path: join(RESULTS, `${name}.png`), fullPage: full });
}

/** One thing axe found. */
export interface Violation {
  id: string;
  impact: string;
  help: string;
  targets: string[];
}

/** What axe-core finds wrong with the page that is serious or worse. */
export async function violations(page: Page): Promise<Violation[]> {
  const axe = createRequire(join(RESULTS, "..", "package.json")).resolve("axe-core/axe.min.js");
  // Evaluated, not added as a tag: a content security policy forbids the latter.
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(async () => {
    type Found = { id: string; impact: string; help: string; nodes: { target: unknown[] }[] };
    const found = await (globalThis as unknown as { axe: { run(): Promise<{ violations: Found[] }> } }).axe.run();
    return found.violations
      .filter((it) => it.impact === "serious" || it.impact === "critical")
      .map(({ id, impact, help, nodes }) => ({ id, impact, help, targets: nodes.map((it) => it.target.flat().join(" ")) }));
  });
}

/** How far the page can be scrolled sideways, in pixels. */
export async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
