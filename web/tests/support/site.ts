// A small site that serves what the build made, one page with a replay on it,
// and any answer a test wants the replay to get, under the policy that the
// real server sends.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

import { DIST } from "./folders";

const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };

const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'";

/** How a path is answered. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The site. */
export interface Site {
  url: string;
  /** Answers `path` from now on. */
  answer(path: string, answer: Answer): void;
  close(): Promise<void>;
}

/** Answers with JSON. */
export function json(text: string): Answer {
  return (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(text);
}

/** Starts the site on a free port. */
export async function startSite(): Promise<Site> {
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const answer = answers.get(path);
    if (answer) return answer(request, response);
    if (path === "/replay") return page(request, response, "viewer.js", "agon-replay", ["src", "live", "autofocus", "autoplay"]);
    if (path === "/board") return page(request, response, "play.js", "agon-play", ["game", "seat", "live", "deeds"]);
    if (path.startsWith("/assets/")) return asset(path.slice("/assets/".length), response);
    response.writeHead(404).end("nothing here");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  };
}

/** `/replay?src=...&live=...` or `/board?game=...&seat=...`: a page as the server would make it. */
function page(request: IncomingMessage, response: ServerResponse, script: string, element: string, known: readonly string[]): void {
  const asked = new URL(request.url ?? "/", "http://x").searchParams;
  const manifest = JSON.parse(readFileSync(join(DIST, "manifest.json"), "utf8")) as Record<string, { file: string }>;
  const file = (name: string) => `/assets/${manifest[name]?.file ?? "missing"}`;
  const attributes = known
    .filter((it) => asked.has(it))
    .map((it) => ` ${it}="${encodeURI(asked.get(it) ?? "")}"`)
    .join("");
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A replay</title>
<link rel="stylesheet" href="${file("main.css")}">
<script type="module" src="${file(script)}"></script>
</head>
<body>
<main class="page">
<h1>A match</h1>
<${element}${attributes}></${element}>
</main>
</body>
</html>`);
}

function asset(name: string, response: ServerResponse): void {
  const type = TYPES[extname(name)];
  if (type === undefined || !/^[\w.-]+$/.test(name)) return void response.writeHead(404).end();
  try {
    response.writeHead(200, { "content-type": type }).end(readFileSync(join(DIST, name)));
  } catch {
    response.writeHead(404).end();
  }
}
