// The whole course in little, beside the board: which part of it the board
// shows, how far the players see, and where they are.

import type { Board } from "./board";
import { BEHIND, BEYOND } from "./lens";
import type { Match, Scene } from "./match";
import type { Palette } from "./palette";
import { drawPlayer } from "./sprites";
import { SEATS } from "./view";

/** Width of the strip, in CSS pixels. */
const WIDTH_PX_MIN = 26;
const WIDTH_PX_MAX = 64;
/** A cell of it is at most so wide, in CSS pixels. */
const CELL_PX_MAX = 4;
/** On a phone, less than this wide, the strip takes no more than this part. */
const NARROW_PX = 500;
const NARROW_PART = 0.1;

/** The strip. */
export class Strip {
  readonly canvas = document.createElement("canvas");
  #ctx = this.canvas.getContext("2d")!;
  #ground: HTMLCanvasElement | null = null;
  #ground_of = "";
  #ratio = 1;

  constructor(private readonly match: Match) {}

  /** How wide it is in so much room, in CSS pixels. */
  width_in(room: number): number {
    const most = room < NARROW_PX ? Math.round(room * NARROW_PART) : WIDTH_PX_MAX;
    return Math.max(WIDTH_PX_MIN, Math.min(most, this.match.width * CELL_PX_MAX));
  }

  /** So wide, and as high as the board. */
  resize(width: number, board: Board): void {
    this.#ratio = board.ratio;
    this.canvas.width = Math.round(width * this.#ratio);
    this.canvas.height = board.lens.height_px;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.canvas.height / this.#ratio}px`;
    this.#ground = null;
  }

  /** The row at a point of the page. */
  row_at(client_y: number): number {
    const box = this.canvas.getBoundingClientRect();
    return this.#row(1 - (client_y - box.top) / box.height);
  }

  paint(scene: Scene, board: Board, veiled: boolean): void {
    const ctx = this.#ctx;
    const { width, height } = this.canvas;
    const colours = board.colours;
    const { lens } = board;
    ctx.drawImage(this.#drawn(scene.rows, colours), 0, 0);
    if (veiled) {
      const edge = this.#y(scene.sees);
      ctx.fillStyle = colours.veil;
      if (edge > 0) ctx.fillRect(0, 0, width, edge);
      for (const seat of SEATS) {
        const own = this.#y(scene.racers[seat].sees);
        const side = 4 * this.#ratio;
        ctx.fillStyle = colours.seats[seat];
        ctx.fillRect(seat === 0 ? 0 : width - side * 2, own - this.#ratio, side * 2, 2 * this.#ratio);
      }
    }
    const [top, bottom] = [this.#y(lens.base + lens.rows), this.#y(lens.base)];
    const line = 2 * this.#ratio;
    ctx.strokeStyle = colours.halo;
    ctx.lineWidth = line * 2;
    ctx.strokeRect(line, top + line / 2, width - 2 * line, bottom - top - line);
    ctx.strokeStyle = colours.label;
    ctx.lineWidth = line;
    ctx.strokeRect(line, top + line / 2, width - 2 * line, bottom - top - line);
    for (const seat of SEATS) {
      const { at, cause, time } = scene.racers[seat];
      const x = ((at[0] + 0.5) / lens.width) * width;
      const y = this.#y(Math.min(at[1] + 0.5, lens.length + BEYOND - 1));
      const radius = 5 * this.#ratio;
      const inside = Math.max(radius, Math.min(width - radius, x));
      drawPlayer(ctx, seat, [inside, Math.max(radius, Math.min(height - radius, y))], radius, cause !== null || time !== null, colours);
    }
  }

  /** How high row `y` begins, in pixels from the top. */
  #y(y: number): number {
    const rows = this.match.length + BEHIND + BEYOND;
    return Math.max(0, Math.min(this.canvas.height, this.canvas.height * (1 - (y + BEHIND) / rows)));
  }

  #row(up: number): number {
    return up * (this.match.length + BEHIND + BEYOND) - BEHIND;
  }

  #drawn(rows: readonly string[], colours: Palette): HTMLCanvasElement {
    const of = `${rows.length} ${colours.night} ${this.canvas.width} ${this.canvas.height}`;
    if (this.#ground && this.#ground_of === of) return this.#ground;
    const { width, height } = this.canvas;
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const ctx = canvas.getContext("2d")!;
    ctx.fillStyle = colours.verge[0];
    ctx.fillRect(0, 0, width, height);
    const cell = width / this.match.width;
    for (let y = 0; y < this.match.length; y++) {
      const [top, bottom] = [Math.floor(this.#y(y + 1)), Math.ceil(this.#y(y))];
      const row = rows[y];
      ctx.fillStyle = row === undefined ? colours.unknown : colours.grass[0];
      ctx.fillRect(0, top, width, bottom - top);
      if (row === undefined) continue;
      for (const [letter, colour] of [
        ["2", colours.water],
        ["1", colours.rock],
      ] as const) {
        ctx.fillStyle = colour;
        for (let x = 0; x < row.length; x++) {
          if (row[x] === letter) ctx.fillRect(Math.floor(x * cell), top, Math.ceil(cell), Math.max(1, bottom - top));
        }
      }
    }
    ctx.fillStyle = colours.line_dark;
    ctx.fillRect(0, this.#y(this.match.length + 0.5) - this.#ratio, width, 2 * this.#ratio);
    this.#ground = canvas;
    this.#ground_of = of;
    return canvas;
  }
}
