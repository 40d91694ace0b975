// The game's own JSON: positions, decisions, ends. Read once, checked, and kept
// compact, because a match may have thousands of positions.

import { ReplayError, type Frame } from "../../viewer/replay";

export type Reason =
  | "no_command"
  | "malformed"
  | "off_board"
  | "occupied"
  | "near_adventurer"
  | "near_treasure"
  | "blocks_path"
  | "bad_direction"
  | "hedge";

/** What a player decided. */
export type Action = "pass" | "malformed" | { plant: [number, number] } | { step: number };

/** A decision, and why it changed nothing, if it did not. */
export interface Decided {
  seat: number;
  action: Action;
  reason: Reason | null;
}

/** A position, as the eyes see it for whom the replay was made. */
export interface View {
  /** Fields on a side, without the ring. */
  size: number;
  mode: "map" | "nomap";
  limit: number;
  /** The round, from 1. */
  clock: number;
  /** Seat to move; null when the match is over. */
  turn: number | null;
  adventurer: [number, number];
  /** One letter for each inner field, row by row: `h` hedge, `.` free, `?` unknown, `a` `t` `p` forbidden. */
  fields: string;
  points: [number, number];
  redundant: [number | null, number | null];
  last: Decided | null;
  end: { by: { kind: string }; why: string } | null;
}

export const ARCHITECT = 0;
export const ADVENTURER = 1;

/** How far the adventurer sees in each direction without a map. */
export const SIGHT = 2;

/** Seats of every match. */
export const N_SEATS = 2;

const SIZE_MIN = 5;
const SIZE_MAX = 25;

/** Checks a position, or says what is wrong with it. */
export function readView(frame: Frame, index: number): View {
  const at = `frames[${index}].view`;
  const view = frame.view as View | null;
  const wrong = (what: string) => new ReplayError(`${at}: ${what}`);
  if (typeof view !== "object" || view === null) throw wrong("is no position");
  const { size, fields, adventurer, points, clock, limit } = view;
  if (!Number.isInteger(size) || size < SIZE_MIN || size > SIZE_MAX) {
    throw wrong(`size is ${String(size)}, allowed are ${SIZE_MIN} to ${SIZE_MAX}`);
  }
  if (typeof fields !== "string" || fields.length !== size * size) {
    throw wrong(`fields should be ${size * size} letters`);
  }
  if (!isPair(adventurer) || adventurer.some((it) => it < 1 || it > size)) {
    throw wrong("adventurer should be [column, row] on the board");
  }
  if (!isPair(points)) throw wrong("points should be two numbers");
  if (!Number.isInteger(clock) || !Number.isInteger(limit)) throw wrong("clock and limit should be whole numbers");
  return view;
}

/** The letter of the field in column `x` and row `y`, both from 1; a hedge in the ring. */
export function letter(view: View, x: number, y: number): string {
  const { size, fields } = view;
  if (x < 1 || y < 1 || x > size || y > size) return "h";
  return fields[(y - 1) * size + x - 1]!;
}

/** The field a decision was about, where it named one. */
export function fieldOf(last: Decided, from: [number, number]): [number, number] | null {
  if (typeof last.action === "string") return null;
  if ("plant" in last.action) return last.action.plant;
  const way = DIRECTIONS[last.action.step];
  return way === undefined ? null : [from[0] + way[0], from[1] + way[1]];
}

/** What a step adds to column and row, by its number in the protocol. */
export const DIRECTIONS: readonly (readonly [number, number])[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

function isPair(it: unknown): it is [number, number] {
  return Array.isArray(it) && it.length === 2 && it.every((n) => Number.isFinite(n));
}
