// Positions and events of Planes as a replay has them, and the check that they
// are. A replay may come from a file, so nothing in it is believed.

import type { End } from "../../viewer/ends";
import { type Frame, ReplayError } from "../../viewer/replay";

/** A cell: x from north to south, y from west to east, z upwards. */
export type Cell = readonly [number, number, number];

/** A plane: its cell, the letters of its heading, rounds before it can shoot again. */
export type Sight = readonly [x: number, y: number, z: number, heading: string, cooldown: number];

/** One thing of each of the two planes of each of the two seats. */
export type PerPlane<T> = readonly (readonly T[])[];

/** A position. Fights and rounds are counted from 0. */
export interface View {
  size: number;
  rounds: number;
  fights: number;
  fight: number;
  round: number;
  /** The seat that is player 1 in this fight. */
  first: number;
  planes: PerPlane<Sight | null>;
  won: readonly [number, number];
  drawn: number;
  late: readonly [number, number];
  out: readonly [boolean, boolean];
  end: { why: string } | null;
}

/** A plane by its seat and its number, 0 or 1. */
export type Name = readonly [seat: number, no: number];

/** Why a seat is asked no more. */
export type Cause = { kind: "late" | "total" } | { kind: "gone"; end: End } | { kind: "protocol"; why: string };

/** How a fight ended. */
export type How = "out" | "both_out" | "rounds";

export type Event =
  | { event: "fight_started"; fight: number; first: number; won: readonly [number, number] }
  | { event: "late"; seat: number; turns: number }
  | { event: "out"; seat: number; cause: Cause }
  | { event: "garbled"; plane: Name }
  | { event: "refused"; plane: Name; turn: string }
  | { event: "flown"; fight: number; round: number; planes: PerPlane<Sight | null> }
  | { event: "wall"; plane: Name; from: Cell }
  | { event: "crash"; plane: Name; at: Cell }
  | { event: "shot"; plane: Name; from: Cell; to: Cell; hit: readonly Name[] }
  | { event: "fight_ended"; fight: number; rounds: number; winner: number | null; how: How; left: readonly [number, number] }
  | { event: "forfeited"; fights: number; winner: number | null }
  | { event: "ended"; won: readonly [number, number]; drawn: number };

/** Seats of every match, and planes of each. */
export const N_SEATS = 2;
export const N_PLANES = 2;
export const SEATS = [0, 1] as const;
export const PLANES = [0, 1] as const;

const SIZE_MIN = 4;
const SIZE_MAX = 20;
const ROUNDS_MAX = 500;
const FIGHTS_MAX = 500;

/** One thing of each plane. */
export function perPlane<T>(of: (seat: 0 | 1, no: 0 | 1) => T): PerPlane<T> {
  return SEATS.map((seat) => PLANES.map((no) => of(seat, no)));
}

/** The part of a heading on each axis: -1, 0 or 1. */
export function signs(heading: string): Cell {
  const part = (minus: string, plus: string) => (heading.includes(plus) ? 1 : 0) - (heading.includes(minus) ? 1 : 0);
  return [part("N", "S"), part("W", "E"), part("D", "U")];
}

/** The letters of the direction from one cell to another, in the order NS, WE, DU; none where they are the same. */
export function letters(from: Cell, to: Cell): string {
  const part = (axis: number, [minus, plus]: readonly [string, string]) => {
    const by = to[axis]! - from[axis]!;
    return by < 0 ? minus : by > 0 ? plus : "";
  };
  return part(0, ["N", "S"]) + part(1, ["W", "E"]) + part(2, ["D", "U"]);
}

/** The cell of a plane. */
export function cellOf([x, y, z]: Sight): Cell {
  return [x, y, z];
}

/** Checks a position, or says what is wrong with it. */
export function readView(frame: Frame, index: number): View {
  const at = `frames[${index}].view`;
  const view = frame.view as View | null;
  const wrong = (what: string) => new ReplayError(`${at}: ${what}`);
  if (typeof view !== "object" || view === null) throw wrong("is no position");
  const { size, rounds, fights, fight, round } = view;
  if (!within(size, SIZE_MIN, SIZE_MAX)) throw wrong(`size is ${String(size)}, allowed are ${SIZE_MIN} to ${SIZE_MAX}`);
  if (!within(rounds, 1, ROUNDS_MAX)) throw wrong(`rounds is ${String(rounds)}, allowed are 1 to ${ROUNDS_MAX}`);
  if (!within(fights, 1, FIGHTS_MAX)) throw wrong(`fights is ${String(fights)}, allowed are 1 to ${FIGHTS_MAX}`);
  if (!within(fight, 0, fights - 1)) throw wrong(`fight is ${String(fight)}, allowed are 0 to ${fights - 1}`);
  if (!within(round, 0, rounds)) throw wrong(`round is ${String(round)}, allowed are 0 to ${rounds}`);
  if (!isSeat(view.first)) throw wrong(`first is ${String(view.first)}, allowed are 0 and 1`);
  if (!isPerPlane(view.planes)) throw wrong("planes should be two of each of two seats");
  if (!isPair(view.won) || !isPair(view.late)) throw wrong("won and late should be two whole numbers each");
  if (!within(view.drawn, 0, fights)) throw wrong(`drawn is ${String(view.drawn)}, allowed are 0 to ${fights}`);
  if (!Array.isArray(view.out) || view.out.length !== N_SEATS) throw wrong("out should be told of two seats");
  if (view.end !== null && typeof view.end?.why !== "string") throw wrong("end should say why");
  return view;
}

/** Checks what happened, or says what is wrong with it. Events that are not known here are left out. */
export function readEvents(frame: Frame, index: number): Event[] {
  const events = frame.events as (Event | null)[];
  return events.filter((it, no): it is Event => {
    if (typeof it !== "object" || it === null) throw new ReplayError(`frames[${index}].events[${no}] is no event`);
    // Not `CHECKS[it.event]`: an event called `constructor` would be found everywhere.
    if (!Object.hasOwn(CHECKS, it.event)) return false;
    if (!CHECKS[it.event](it as never)) throw new ReplayError(`frames[${index}].events[${no}] is no event \`${it.event}\` of this game`);
    return true;
  });
}

type Checks = { [K in Event["event"]]: (it: Extract<Event, { event: K }>) => boolean };

const CHECKS: Checks = {
  fight_started: (it) => isCount(it.fight) && isSeat(it.first) && isPair(it.won),
  late: (it) => isSeat(it.seat) && isCount(it.turns),
  out: (it) => isSeat(it.seat) && typeof it.cause?.kind === "string",
  garbled: (it) => isName(it.plane),
  refused: (it) => isName(it.plane) && typeof it.turn === "string",
  flown: (it) => within(it.fight, 0, FIGHTS_MAX - 1) && within(it.round, 0, ROUNDS_MAX - 1) && isPerPlane(it.planes),
  wall: (it) => isName(it.plane) && isCell(it.from),
  crash: (it) => isName(it.plane) && isCell(it.at),
  shot: (it) => isName(it.plane) && isCell(it.from) && isCell(it.to) && Array.isArray(it.hit) && it.hit.every(isName),
  fight_ended: (it) =>
    within(it.fight, 0, FIGHTS_MAX - 1) && isCount(it.rounds) && isSeatOrNone(it.winner) && typeof it.how === "string" && isPair(it.left),
  forfeited: (it) => isCount(it.fights) && isSeatOrNone(it.winner),
  ended: (it) => isPair(it.won) && isCount(it.drawn),
};

function isPerPlane(it: unknown): boolean {
  return isListOf(it, N_SEATS, (of) => isListOf(of, N_PLANES, (sight) => sight === null || isSight(sight)));
}

function isSight(it: unknown): boolean {
  if (!Array.isArray(it) || it.length !== 5) return false;
  // One that leaves the arena is a cell outside for one moment.
  return it.slice(0, 3).every((n) => within(n, -1, SIZE_MAX)) && isHeading(it[3]) && isCount(it[4]);
}

function isHeading(it: unknown): boolean {
  return typeof it === "string" && it !== "" && /^[NS]?[WE]?[DU]?$/.test(it);
}

function isCell(it: unknown): boolean {
  return isListOf(it, 3, (n) => within(n, -1, SIZE_MAX));
}

function isName(it: unknown): boolean {
  return isListOf(it, 2, isSeat);
}

function isPair(it: unknown): boolean {
  return isListOf(it, N_SEATS, isCount);
}

function isListOf(it: unknown, n: number, is: (one: unknown) => boolean): boolean {
  return Array.isArray(it) && it.length === n && it.every(is);
}

function isSeatOrNone(it: unknown): boolean {
  return it === null || isSeat(it);
}

function isSeat(it: unknown): boolean {
  return it === 0 || it === 1;
}

function isCount(it: unknown): boolean {
  return Number.isInteger(it) && (it as number) >= 0;
}

function within(it: unknown, min: number, max: number): boolean {
  return Number.isInteger(it) && (it as number) >= min && (it as number) <= max;
}
