// Runs the tests of one folder (`unit`, `browser` or `stills`): bundles each file with
// esbuild, so that no Node needs to know TypeScript, and hands them to Node's
// own test runner. `node tests/run.mjs browser viewer` runs viewer.test.ts alone.

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A test that hangs must not keep all others waiting for ever. */
const GROUP_MS_MAX = 20 * 60_000;

const tests = dirname(fileURLToPath(import.meta.url));
const [folder, only] = process.argv.slice(2);
const files = readdirSync(join(tests, folder)).filter((it) => it.endsWith(".test.ts") && it.startsWith(only ?? ""));
if (files.length === 0) {
  console.error(`no test in ${folder} begins with “${only}”`);
  process.exit(2);
}

// Beside the sources, so that packages are found from there.
const out = mkdtempSync(join(tests, ".built-"));
try {
  await build({
    entryPoints: files.map((it) => join(tests, folder, it)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node18",
    format: "esm",
    packages: "external",
    sourcemap: "inline",
    define: { "import.meta.tests": JSON.stringify(tests) },
    logLevel: "warning",
  });
  const built = files.map((it) => join(out, it.replace(/\.ts$/, ".mjs")));
  // Browser tests share few cores with a server and its bots: one file after the other.
  for (const group of folder === "browser" ? built.map((it) => [it]) : [built]) {
    const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...group], { stdio: "inherit", timeout: GROUP_MS_MAX });
    if (run.error) console.error(`${group.join(", ")}: ${run.error.message}`);
    if (run.status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}
