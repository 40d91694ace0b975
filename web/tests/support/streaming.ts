// A match under way, told by hand: a site that streams the plies of a sample
// when a test says so, and breaks off when it is told to.

import type { Replay } from "../../viewer/replay";
import type { Stage } from "./stage";

/** One stream that a browser has opened. */
export interface Stream {
  /** Where the browser says it was. */
  after: string | undefined;
  send(text: string): void;
  cut(): void;
}

/** The match. */
export interface Streaming {
  /** The n-th stream that was opened, from 1; waits for it. */
  stream(n: number): Promise<Stream>;
  /** What asks a player for the ply after these. */
  asked(ply: number, left_ms: number): string;
  /** How many were opened so far. */
  opened(): number;
  /** What tells of some plies. */
  plies(from: number, to: number, attempt?: number): string;
}

/** Streams `whole` at `path`, from its first position on. */
export function streaming(stage: Stage, path: string, whole: Replay): Streaming {
  const streams: Stream[] = [];
  stage.site.answer(path, (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const after = request.headers["last-event-id"] as string | undefined;
    streams.push({ after, send: (text) => void response.write(text), cut: () => response.destroy() });
    response.write("retry: 50\n\n");
    const start = { ...whole, frames: whole.frames.slice(0, 1), outcome: null };
    if (after === undefined) response.write(`event: start\ndata: ${JSON.stringify(start)}\n\n`);
  });
  return {
    async stream(n) {
      for (let k = 0; k < 200 && streams.length < n; k++) await new Promise((resolve) => setTimeout(resolve, 25));
      return streams[n - 1]!;
    },
    asked: (ply, left_ms) => `event: asked\ndata: ${JSON.stringify({ ply, asked: true, decided: false, left_ms })}\n\n`,
    opened: () => streams.length,
    plies(from, to, attempt = 1) {
      let text = "";
      for (let at = from; at <= to; at++) {
        const frame = { ...whole.frames[at], remarks: [] };
        text += `event: ply\nid: ${attempt}-${at}\ndata: ${JSON.stringify(frame)}\n\n`;
      }
      return text;
    },
  };
}
