// Replays of matches that the real rules have judged; see tests/samples/README.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import type { Replay } from "../../viewer/replay";
import { TESTS } from "./folders";

/** Matches of Labyrinth, of Jockey, and of Planes. */
export const SAMPLES = [
  "small",
  "dark",
  "large",
  "longest",
  "crashed",
  "hidden",
  "jockey-sprint",
  "jockey-stops",
  "jockey-marathon",
  "jockey-final",
  "planes-hundred",
  "planes-leaves",
] as const;

export type SampleName = (typeof SAMPLES)[number];

/** A sample as JSON text. */
export function sampleText(name: SampleName): string {
  return gunzipSync(readFileSync(join(TESTS, "samples", `${name}.json.gz`))).toString("utf8");
}

/** A sample. */
export function sample(name: SampleName): Replay {
  return JSON.parse(sampleText(name)) as Replay;
}
