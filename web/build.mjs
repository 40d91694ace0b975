// Bundles scripts, styles and viewers into web/dist under names that carry a
// hash of their content, so that browsers may keep them for ever, and writes
// manifest.json, by which the server finds them:
//   { "viewer.js": { "file": "viewer-3F2A.js", "needs": ["chunk-77AB.js"] }, ... }
// `node build.mjs` builds all; `--watch` goes on building as files change.

import { context } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { noticesOf, packagesOf } from "./licences.mjs";

const web = dirname(fileURLToPath(import.meta.url));

/** What a page that shows a replay loads before the first click, in gzipped bytes. */
const VIEWER_GZIP_BYTES_MAX = 40_000;

/** The same with all that a game's viewer fetches by itself later on, such as what draws in 3D. */
const WHOLE_VIEWER_GZIP_BYTES_MAX = 250_000;

const bundler = await context({
  absWorkingDir: web,
  entryPoints: await entries(),
  outdir: "dist",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox121", "safari16.4"],
  minify: true,
  sourcemap: false,
  metafile: true,
  // Licences of packages want to be named wherever their code goes.
  legalComments: "eof",
  loader: { ".svg": "file", ".woff2": "file", ".png": "file" },
  plugins: [gamesPlugin(), shadowStylePlugin(), manifestPlugin()],
  logLevel: "warning",
});

await rm(join(web, "dist"), { recursive: true, force: true });
await mkdir(join(web, "dist"), { recursive: true });
if (process.argv.includes("--watch")) {
  await bundler.watch();
} else {
  try {
    await bundler.rebuild();
  } catch {
    // esbuild has already printed what is wrong.
    process.exitCode = 1;
  }
  await bundler.dispose();
}

/** Every entry point: the viewer, the board of players, each script of the pages, the editor of each game that has one, the one style sheet. */
async function entries() {
  const scripts = (await files("scripts")).filter((it) => it.endsWith(".ts") && !it.endsWith(".d.ts"));
  const outputs = { viewer: "viewer/main.ts", play: "play/main.ts", main: "styles/main.css" };
  for (const it of scripts) outputs[basename(it, ".ts")] = `scripts/${it}`;
  for (const game of await files("games")) {
    if ((await files(`games/${game}`)).includes("editor.ts")) outputs[`editor-${game}`] = `games/${game}/editor.ts`;
  }
  return Object.entries(outputs).map(([out, input]) => ({ in: input, out }));
}

async function files(folder) {
  try {
    return (await readdir(join(web, folder))).sort();
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * `import { games } from "agon:games"`: every folder of web/games, each a chunk
 * of its own that is fetched when a replay of that game is opened; and
 * `import { hands } from "agon:hands"`: those with a play.ts, likewise.
 */
function gamesPlugin() {
  return {
    name: "games",
    setup(build) {
      build.onResolve({ filter: /^agon:(games|hands)$/ }, (args) => ({ path: args.path.slice("agon:".length), namespace: "agon" }));
      build.onLoad({ filter: /.*/, namespace: "agon" }, async ({ path: name }) => {
        const file = name === "games" ? "index.ts" : "play.ts";
        const ids = (await readdir(join(web, "games"), { withFileTypes: true })).filter((it) => it.isDirectory()).map((it) => it.name);
        const there = [];
        for (const id of ids.sort()) if ((await files(`games/${id}`)).includes(file)) there.push(id);
        const lines = there.map((id) => `${JSON.stringify(id)}: () => import("./games/${id}/${file}"),`);
        return {
          contents: `export const ${name} = {${lines.join("\n")}};`,
          resolveDir: web,
          watchDirs: [join(web, "games")],
        };
      });
    },
  };
}

/** `import css from "./x.css?shadow"`: a style sheet as minified text, for a shadow root. */
function shadowStylePlugin() {
  return {
    name: "shadow-style",
    setup(build) {
      build.onResolve({ filter: /\.css\?shadow$/ }, (args) => ({
        path: resolve(args.resolveDir, args.path.replace(/\?shadow$/, "")),
        namespace: "shadow-style",
      }));
      build.onLoad({ filter: /.*/, namespace: "shadow-style" }, async (args) => {
        const source = await readFile(args.path, "utf8");
        const { code } = await build.esbuild.transform(source, {
          loader: "css",
          minify: true,
          target: build.initialOptions.target,
          sourcefile: args.path,
        });
        return { contents: code, loader: "text", watchFiles: [args.path] };
      });
    },
  };
}

/** After each build: notices of licences, manifest.json, a table of sizes, and the viewer's budget. */
function manifestPlugin() {
  return {
    name: "manifest",
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        const outputs = result.metafile.outputs;
        const manifest = {};
        for (const [path, output] of Object.entries(outputs)) {
          if (!output.entryPoint) continue;
          const parts = { file: basename(path), needs: needs(outputs, path) };
          manifest[publicName(output.entryPoint)] = parts;
        }
        try {
          manifest["licences.txt"] = { file: await writeNotices(result.metafile.inputs), needs: [] };
        } catch (error) {
          console.error(error.message);
          process.exitCode = 1;
          return;
        }
        const text = JSON.stringify(manifest, null, 2) + "\n";
        await writeFile(join(web, "dist", "manifest.json"), text);
        await printSizes(manifest, outputs);
      });
    },
  };
}

/** Writes the notices of all packages that went into the build, and names their file as all others are named. */
async function writeNotices(inputs) {
  const notices = noticesOf(packagesOf(Object.keys(inputs)), join(web, "node_modules"));
  const hash = createHash("sha256").update(notices).digest("hex").slice(0, 8).toUpperCase();
  const file = `licences-${hash}.txt`;
  await writeFile(join(web, "dist", file), notices);
  return file;
}

/**
 * `viewer/main.ts` is viewer.js, `play/main.ts` play.js, `games/x/index.ts` is games/x.js,
 * `games/x/play.ts` hands/x.js, `games/x/editor.ts` editor-x.js, another part of a game that is
 * fetched by itself games/x/part.js; the rest keep their names.
 */
function publicName(entry) {
  if (entry === "viewer/main.ts") return "viewer.js";
  if (entry === "play/main.ts") return "play.js";
  const hand = /^games\/([^/]+)\/play\.ts$/.exec(entry);
  if (hand) return `hands/${hand[1]}.js`;
  const game = /^games\/([^/]+)\/index\.ts$/.exec(entry);
  if (game) return `games/${game[1]}.js`;
  const editor = /^games\/([^/]+)\/editor\.ts$/.exec(entry);
  if (editor) return `editor-${editor[1]}.js`;
  if (entry.startsWith("games/")) return entry.replace(/\.ts$/, ".js");
  return basename(entry).replace(/\.ts$/, ".js");
}

/** Chunks that `path` cannot start without, for `<link rel="modulepreload">`. */
function needs(outputs, path) {
  return [...reached(outputs, path, ["import-statement"])].map((it) => basename(it)).sort();
}

/** Chunks that are imported from `path` on, in one of these ways. */
function reached(outputs, path, kinds, seen = new Set()) {
  for (const it of outputs[path].imports) {
    if (!kinds.includes(it.kind) || it.external || seen.has(it.path)) continue;
    seen.add(it.path);
    reached(outputs, it.path, kinds, seen);
  }
  return seen;
}

async function printSizes(manifest, outputs) {
  const gzip = async (file) => gzipSync(await readFile(join(web, "dist", file)), { level: 9 }).length;
  for (const [name, { file, needs }] of Object.entries(manifest)) {
    let bytes = 0;
    for (const it of new Set([file, ...needs])) bytes += await gzip(it);
    console.log(`${name.padEnd(24)} ${file.padEnd(32)} ${(bytes / 1000).toFixed(1).padStart(7)} kB gzip with what it needs`);
  }
  const within = async (name, files, bytes_max) => {
    let bytes = 0;
    for (const it of files) bytes += await gzip(it);
    const verdict = bytes <= bytes_max ? "within" : "OVER";
    console.log(`${name}: ${bytes} bytes gzip, ${verdict} the budget of ${bytes_max}`);
    if (bytes > bytes_max) process.exitCode = 1;
  };
  const viewer = manifest["viewer.js"];
  for (const [name, { file, needs }] of Object.entries(manifest).filter(([name]) => /^games\/[^/]+\.js$/.test(name))) {
    const first = new Set([viewer.file, ...viewer.needs, file, ...needs]);
    await within(`viewer.js + ${name}`, first, VIEWER_GZIP_BYTES_MAX);
    const path = Object.keys(outputs).find((it) => basename(it) === file);
    const later = [...reached(outputs, path, ["import-statement", "dynamic-import"])].map((it) => basename(it));
    const all = new Set([...first, ...later]);
    if (all.size > first.size) await within(`viewer.js + ${name}, all of it`, all, WHOLE_VIEWER_GZIP_BYTES_MAX);
  }
}
