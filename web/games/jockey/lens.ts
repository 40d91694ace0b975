// Which rows of the course are on the canvas, and where. Rows go upwards, and
// the goal is at the top; `base` is the row at the lower edge, in parts of rows.

import type { Scene } from "./match";
import { SEATS, type Vector } from "./view";

/** Whom the picture follows. */
export type Follow = "both" | "first" | "second";

/** Rows behind the start and beyond the goal that can be seen. */
export const BEHIND = 2;
export const BEYOND = 3;

/** Rows shown behind whoever is last. */
const ROOM_BEHIND = 2;

/** A cell is never drawn larger, in CSS pixels. */
const CELL_PX_MAX = 38;
/** Cells so large show the whole course rather than larger ones a part of it. */
const CELL_PX_WHOLE = 16;
/** Nor smaller, unless the course is wider than the screen. */
const CELL_PX_MIN = 11;

/** Where each cell is, in pixels of the canvas. */
export class Lens {
  constructor(
    readonly cell: number,
    readonly width: number,
    readonly length: number,
    /** Rows of the canvas, in parts of rows. */
    readonly rows: number,
    /** Room for the numbers of rows, at the left, and of columns, at the bottom. */
    readonly margin: number,
    readonly base: number,
  ) {}

  /** The same with another row at the lower edge. */
  at(base: number): Lens {
    return new Lens(this.cell, this.width, this.length, this.rows, this.margin, base);
  }

  /** The pixels of the picture: without the numbers. */
  get height_px(): number {
    return Math.round(this.rows * this.cell);
  }

  get width_px(): number {
    return this.width * this.cell;
  }

  left(x: number): number {
    return this.margin + x * this.cell;
  }

  /** The upper edge of row `y`. */
  top(y: number): number {
    return this.height_px - (y + 1 - this.base) * this.cell;
  }

  middle([x, y]: Vector): [number, number] {
    return [this.left(x) + this.cell / 2, this.top(y) + this.cell / 2];
  }

  /** Rows any part of which is to be seen: first and last. */
  get seen(): [number, number] {
    return [Math.floor(this.base), Math.ceil(this.base + this.rows) - 1];
  }

  /** Whether everything from start to goal is on the canvas. */
  get is_whole(): boolean {
    return this.rows >= this.length + BEHIND + BEYOND;
  }
}

/** The side of a cell, for a course of `width` and a vision in `room_width` by `room_height` CSS pixels. */
export function cellFor(width: number, length: number, vision: number, room_width: number, room_height: number): number {
  const by_width = Math.floor(room_width / width);
  // The whole course, if its cells are large enough; else all that players see, and some of what they have passed.
  const all = length + BEHIND + BEYOND;
  const rows = all * CELL_PX_WHOLE <= room_height ? all : Math.min(all, vision + 9);
  const by_height = Math.max(CELL_PX_MIN, Math.floor(room_height / rows));
  return Math.max(2, Math.min(CELL_PX_MAX, by_width, by_height));
}

/** The row at the lower edge, so that what matters in `scene` is to be seen. */
export function baseOf(scene: Scene, lens: Lens, vision: number, follow: Follow): number {
  const racers = SEATS.filter((seat) => follow === "both" || seat === (follow === "first" ? 0 : 1)).map((seat) => scene.racers[seat]);
  const racing = racers.filter((it) => it.time === null && it.cause === null);
  // Who has just come to the goal is still looked at.
  const watched = racing.length > 0 ? racing : racers;
  const rows_of = watched.map((it) => Math.min(it.at[1], lens.length));
  const [back, front] = [Math.min(...rows_of), Math.max(...rows_of)];
  const { rows, length } = lens;
  const ahead = Math.min(vision + 1, rows * 0.62);
  const for_front = front + ahead + 1 - rows;
  const for_back = back - ROOM_BEHIND;
  // The last one comes into the picture as long as the first one has some rows before it.
  const least = front + Math.min(ahead, rows * 0.35) + 1 - rows;
  const base = for_back >= for_front || for_back < least ? for_front : for_back;
  const lowest = Math.min(-BEHIND, back - 1);
  return Math.max(lowest, Math.min(base, length + BEYOND - rows));
}
