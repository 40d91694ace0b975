// What goes to browsers carries the notices of who wrote it, and nothing goes
// there whose licence asks for more.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { noticesOf, packagesOf } from "../../licences.mjs";
import { DIST } from "../support/folders";

test("packages are found among the files of a build, those within others too", () => {
  const inputs = ["viewer/main.ts", "node_modules/three/build/a.js", "node_modules/three/build/b.js", "node_modules/@some/one/x.js", "node_modules/three/node_modules/inner/y.js"];
  assert.deepEqual(packagesOf(inputs), ["@some/one", "inner", "three"]);
  assert.deepEqual(packagesOf(["games/planes/arena.ts"]), []);
});

test("a package whose licence does not fit, is not said, or is not there as text, is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "agon-licences-"));
  const pack = (name: string, license: string | undefined, file: string | null) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "package.json"), JSON.stringify({ name, version: "1.0.0", license }));
    if (file !== null) writeFileSync(join(folder, name, file), `Copyright of ${name}`);
  };
  pack("good", "MIT", "LICENSE");
  pack("also", "ISC", "licence.md");
  pack("strict", "GPL-3.0-only", "LICENSE");
  pack("silent", undefined, "LICENSE");
  pack("bare", "MIT", null);
  const notices = noticesOf(["also", "good"], folder);
  for (const it of ["Copyright of also", "Copyright of good", "good 1.0.0 (MIT)"]) assert.ok(notices.includes(it), it);
  const table = [
    ["strict", /strict 1\.0\.0: its licence is GPL-3\.0-only, allowed are 0BSD, /],
    ["silent", /its licence is not said/],
    ["bare", /found no text of its licence MIT/],
  ] as const;
  for (const [name, why] of table) assert.throws(() => noticesOf(["good", name], folder), why);
  rmSync(folder, { recursive: true });
});

test("what was built has the notice of what draws in 3D beside it", () => {
  const manifest = JSON.parse(readFileSync(join(DIST, "manifest.json"), "utf8")) as Record<string, { file: string }>;
  const notices = readFileSync(join(DIST, manifest["licences.txt"]!.file), "utf8");
  assert.match(notices, /^three \d+\.\d+\.\d+, .*\(MIT\)$/m);
  for (const it of ["three.js authors", "Permission is hereby granted, free of charge", "shall be included in"]) assert.ok(notices.includes(it), it);
});
