// The game's own JSON: positions, what a step did to whom, ends. Read once and
// checked, because a page may be older than the server.

import type { End } from "../../viewer/ends";
import { ReplayError, type Frame } from "../../viewer/replay";

/** Column and row. */
export type Vector = readonly [number, number];

/** An exact time: numerator and denominator. */
export type Fraction = readonly [number, number];

/** A player, as everybody sees it. */
export interface Runner {
  at: Vector;
  velocity: Vector;
  racing: boolean;
}

/** A position, as the eyes see it for whom the replay was made. */
export interface View {
  /** Which race, from 0. */
  race: number;
  /** The step to come; null before all bots of the race are ready. */
  step: number | null;
  width: number;
  length: number;
  vision: number;
  step_limit: number;
  think_ms: number;
  /** Rows below this one are visible to the players. */
  sees: number;
  players: readonly [Runner, Runner];
  /** By race and seat, as far as they are known. */
  times: readonly (readonly (Fraction | null)[])[];
  /** From row 0 on, a letter for each cell: 0 flat, 1 obstacle, 2 pond. Rows that are missing are hidden. */
  rows: readonly string[];
  end: { sums: readonly [Fraction, Fraction]; why: string } | null;
}

/** What a step did to one player. */
export interface Move {
  from: Vector;
  planned: Vector;
  to: Vector;
  velocity: Vector;
  how: "moved" | "splashed" | "finished" | "off_course" | "collided" | "disqualified";
  /** Of one who is at the goal. */
  time?: Fraction;
  /** Of one who would have left the course. */
  over?: "side" | "obstacle";
  /** Of one who lost a collision: whether its line touches the cell the other one started from. */
  touched_cell?: boolean;
}

/** Why somebody is out of a race. */
export type Cause =
  | { kind: "steps" | "clock" | "absent" }
  | { kind: "gone"; end: End }
  | { kind: "protocol"; why: string };

export type Event =
  | { event: "race_started"; race: number; starts: readonly [Vector, Vector] }
  | { event: "stepped"; race: number; step: number; moves: readonly [Move | null, Move | null] }
  | { event: "disqualified"; race: number; seat: number; cause: Cause }
  | { event: "missed"; seat: number; in_a_row: number }
  | { event: "race_over"; race: number; times: readonly [Fraction, Fraction] }
  | { event: "ended"; sums: readonly [Fraction, Fraction] };

/** Seats of every match, and races. */
export const N_SEATS = 2;
export const N_RACES = 2;
export const SEATS = [0, 1] as const;

const WIDTH_MAX = 100;
const LENGTH_MAX = 1000;

/** Checks a position, or says what is wrong with it. */
export function readView(frame: Frame, index: number): View {
  const at = `frames[${index}].view`;
  const view = frame.view as View | null;
  const wrong = (what: string) => new ReplayError(`${at}: ${what}`);
  if (typeof view !== "object" || view === null) throw wrong("is no position");
  const { width, length, rows, players, times } = view;
  if (!within(width, 2, WIDTH_MAX)) throw wrong(`width is ${String(width)}, allowed are 2 to ${WIDTH_MAX}`);
  if (!within(length, 1, LENGTH_MAX)) throw wrong(`length is ${String(length)}, allowed are 1 to ${LENGTH_MAX}`);
  if (!within(view.race, 0, N_RACES - 1)) throw wrong(`race is ${String(view.race)}, allowed are 0 and 1`);
  if (![view.vision, view.step_limit, view.think_ms, view.sees].every(Number.isInteger)) {
    throw wrong("vision, step_limit, think_ms and sees should be whole numbers");
  }
  if (!Array.isArray(rows) || rows.length > length) throw wrong(`rows should be at most ${length} texts`);
  if (!rows.every((row) => typeof row === "string" && row.length === width)) throw wrong(`each of rows should be ${width} letters`);
  if (!Array.isArray(players) || players.length !== N_SEATS) throw wrong(`players should be ${N_SEATS}`);
  if (!players.every((it) => isPair(it?.at) && isPair(it?.velocity))) throw wrong("players should have a place and a velocity");
  if (!Array.isArray(times) || times.length !== N_RACES) throw wrong(`times should be those of ${N_RACES} races`);
  return view;
}

/** Checks what happened, or says what is wrong with it. Events that are not known here are left out. */
export function readEvents(frame: Frame, index: number): Event[] {
  const events = frame.events as (Event | null)[];
  return events.filter((it, no): it is Event => {
    if (typeof it !== "object" || it === null) throw new ReplayError(`frames[${index}].events[${no}] is no event`);
    if (it.event === "stepped" && !(Array.isArray(it.moves) && it.moves.length === N_SEATS && it.moves.every(isMove))) {
      throw new ReplayError(`frames[${index}].events[${no}].moves should be ${N_SEATS}`);
    }
    return ["race_started", "stepped", "disqualified", "missed", "race_over", "ended"].includes(it.event);
  });
}

/** A fraction as people write it: `23 1/3`. */
export function mixed([num, den]: Fraction): string {
  const whole = Math.trunc(num / den);
  const part = Math.abs(num - whole * den);
  if (part === 0) return String(whole);
  return whole === 0 ? `${num < 0 ? "-" : ""}${part}/${den}` : `${whole} ${part}/${den}`;
}

function isMove(it: unknown): boolean {
  if (it === null) return true;
  const { from, planned, to, velocity } = it as Move;
  return [from, planned, to, velocity].every(isPair);
}

function isPair(it: unknown): it is Vector {
  return Array.isArray(it) && it.length === 2 && it.every((n) => Number.isInteger(n));
}

function within(it: unknown, min: number, max: number): boolean {
  return Number.isInteger(it) && (it as number) >= min && (it as number) <= max;
}
