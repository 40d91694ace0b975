// A replay as the server tells it: what was fixed before, one frame for each
// position, how it ended. Read from JSON with every part checked, because a
// page may be older than the server or the other way round.

/** What one seat's answer cost. */
export interface Spent {
  wall_ms: number;
  cpu_ms: number;
  charged_ms: number;
}

/** A line of a bot's log, or a warning of the judge about what the bot said. */
export interface Remark {
  seat: number;
  kind: "log" | "warning";
  text: string;
}

/** A position; frame 0 is before the first ply, frame k after ply k. */
export interface Frame {
  view: unknown;
  events: unknown[];
  ply: unknown;
  /** One for each seat: none where it was not asked. */
  spent: (Spent | null)[];
  remarks: Remark[];
}

/** Who plays on a seat. */
export interface Seat {
  role: string;
  name: string;
  /** Which of the bot's versions, if it is a bot. */
  version: number | null;
  /** The page of the bot. */
  href: string | null;
  /** Whether a person sits here. */
  person: boolean;
}

/** How it ended. */
export interface Outcome {
  places: number[];
  why: string;
  [more: string]: unknown;
}

/** Everything a viewer needs. Frames are appended while a match is live. */
export interface Replay {
  game: string;
  rules: number;
  setup: Record<string, unknown>;
  seats: Seat[];
  frames: Frame[];
  outcome: Outcome | null;
}

/** More frames than this are refused: no match of any game comes near. */
export const FRAMES_MAX = 200_000;

/** A replay that cannot be read; the message says where and what was found. */
export class ReplayError extends Error {}

/** Checks a replay, or says in words what is wrong with it. */
export function readReplay(json: unknown): Replay {
  const it = object(json, "the replay");
  const frames = list(it.frames, "frames");
  if (frames.length === 0) throw new ReplayError("frames is empty, but even a match without a ply has one");
  if (frames.length > FRAMES_MAX) {
    throw new ReplayError(`frames has ${frames.length} entries, at most ${FRAMES_MAX} are allowed`);
  }
  const seats = list(it.seats, "seats").map(readSeat);
  return {
    game: string(it.game, "game"),
    rules: number(it.rules, "rules"),
    setup: object(it.setup, "setup"),
    seats,
    frames: frames.map((frame, index) => readFrame(frame, index, seats.length)),
    outcome: readOutcome(it.outcome),
  };
}

/** Checks one frame, as live matches send them. */
export function readFrame(json: unknown, index: number, n_seats: number): Frame {
  const at = `frames[${index}]`;
  const it = object(json, at);
  if (it.view === undefined) throw new ReplayError(`${at}.view is missing`);
  return {
    view: it.view,
    events: list(it.events ?? [], `${at}.events`),
    ply: it.ply ?? null,
    spent: list(it.spent ?? [], `${at}.spent`).map((spent, seat) => readSpent(spent, `${at}.spent[${seat}]`)),
    remarks: list(it.remarks ?? [], `${at}.remarks`).map((remark, k) =>
      readRemark(remark, `${at}.remarks[${k}]`, n_seats),
    ),
  };
}

/** Checks how it ended; none while the match runs. */
export function readOutcome(json: unknown): Outcome | null {
  if (json === null || json === undefined) return null;
  const it = object(json, "outcome");
  const places = list(it.places, "outcome.places").map((place, seat) => number(place, `outcome.places[${seat}]`));
  return { ...it, places, why: string(it.why, "outcome.why") };
}

function readSeat(json: unknown, index: number): Seat {
  const it = object(json, `seats[${index}]`);
  const role = string(it.role, `seats[${index}].role`);
  const name = string(it.name, `seats[${index}].name`);
  const version = typeof it.version === "number" ? it.version : null;
  // An id and nothing else: a replay from a file must not lead anywhere but to a bot of this site.
  const href = typeof it.bot === "string" && /^[0-9a-f-]{36}$/.test(it.bot) ? `/bots/${it.bot}` : null;
  return { role, name, version, href, person: it.person === true };
}

function readSpent(json: unknown, at: string): Spent | null {
  if (json === null) return null;
  const it = object(json, at);
  return {
    wall_ms: number(it.wall_ms, `${at}.wall_ms`),
    cpu_ms: number(it.cpu_ms, `${at}.cpu_ms`),
    charged_ms: number(it.charged_ms, `${at}.charged_ms`),
  };
}

function readRemark(json: unknown, at: string, n_seats: number): Remark {
  const it = object(json, at);
  const seat = number(it.seat, `${at}.seat`);
  if (!Number.isInteger(seat) || seat < 0 || seat >= n_seats) {
    throw new ReplayError(`${at}.seat is ${seat}, but there are ${n_seats} seats`);
  }
  return { seat, kind: it.kind === "warning" ? "warning" : "log", text: string(it.text, `${at}.text`) };
}

function object(json: unknown, at: string): Record<string, unknown> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new ReplayError(`${at} should be an object, found ${kind(json)}`);
}

function list(json: unknown, at: string): unknown[] {
  if (Array.isArray(json)) return json;
  throw new ReplayError(`${at} should be a list, found ${kind(json)}`);
}

function string(json: unknown, at: string): string {
  if (typeof json === "string") return json;
  throw new ReplayError(`${at} should be text, found ${kind(json)}`);
}

function number(json: unknown, at: string): number {
  if (typeof json === "number") return json;
  throw new ReplayError(`${at} should be a number, found ${kind(json)}`);
}

function kind(json: unknown): string {
  if (json === undefined) return "nothing";
  if (json === null) return "null";
  return Array.isArray(json) ? "a list" : typeof json === "object" ? "an object" : `a ${typeof json}`;
}
