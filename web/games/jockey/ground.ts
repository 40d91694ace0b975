// What lies on a course and never moves: grass, rock, water, the lines of start
// and goal. Drawn in stripes of some rows that are kept, because a course may
// be far longer than a screen.

import type { Lens } from "./lens";
import type { Palette } from "./palette";

/** Rows of one stripe. */
const STRIPE_ROWS = 8;
/** Stripes that are kept. */
const STRIPES_MAX = 18;
/** Stones that look different. */
const STONES = 7;
/** Smaller cells are plain squares. */
const PLAIN_PX = 8;

type Context = CanvasRenderingContext2D;

/** Draws the ground of a course. */
export class Ground {
  #stripes = new Map<string, HTMLCanvasElement>();
  #stones: HTMLCanvasElement[] = [];

  constructor(
    private readonly lens: Lens,
    private readonly colours: Palette,
  ) {}

  /** Draws what is in sight of `lens`, knowing `rows`. */
  draw(ctx: Context, lens: Lens, rows: readonly string[]): void {
    const [first, last] = lens.seen;
    for (let no = Math.floor(first / STRIPE_ROWS); no <= Math.floor(last / STRIPE_ROWS); no++) {
      const stripe = this.#stripe(no, rows);
      ctx.drawImage(stripe, lens.margin, Math.round(lens.top((no + 1) * STRIPE_ROWS - 1)));
    }
  }

  #stripe(no: number, rows: readonly string[]): HTMLCanvasElement {
    // Rows that came to be known since change the stripe that they are in, and the one below.
    const known = Math.max(0, Math.min(rows.length - no * STRIPE_ROWS, STRIPE_ROWS + 1));
    const key = `${no} ${known}`;
    const kept = this.#stripes.get(key);
    if (kept) return kept;
    const canvas = document.createElement("canvas");
    canvas.width = this.lens.width_px;
    canvas.height = STRIPE_ROWS * this.lens.cell;
    const ctx = canvas.getContext("2d")!;
    this.#paint(ctx, no * STRIPE_ROWS, rows);
    this.#stripes.set(key, canvas);
    for (const old of this.#stripes.keys()) {
      if (this.#stripes.size <= STRIPES_MAX) break;
      this.#stripes.delete(old);
    }
    return canvas;
  }

  #paint(ctx: Context, bottom: number, rows: readonly string[]): void {
    const { cell, width, length } = this.lens;
    const colours = this.colours;
    const top = (y: number) => (bottom + STRIPE_ROWS - 1 - y) * cell;
    const letter = (x: number, y: number) => (y < 0 || y >= length ? "0" : (rows[y]?.[x] ?? (x < 0 || x >= width ? "0" : "?")));
    for (let y = bottom; y < bottom + STRIPE_ROWS; y++) {
      for (let x = 0; x < width; x++) {
        const tone = (x + y) & 1 ? 1 : 0;
        const verge = y < 0 || y >= length;
        ctx.fillStyle = (verge ? colours.verge : colours.grass)[tone]!;
        ctx.fillRect(x * cell, top(y), cell, cell);
        if (!verge && cell >= PLAIN_PX * 1.6) tuft(ctx, x, y, x * cell, top(y), cell, colours);
      }
    }
    if (cell >= PLAIN_PX) this.#grid(ctx);
    // One row more, for the edges that reach over.
    for (let y = bottom - 1; y <= bottom + STRIPE_ROWS; y++) {
      for (let x = 0; x < width; x++) {
        const [left, up] = [x * cell, top(y)];
        switch (letter(x, y)) {
          case "1":
            ctx.drawImage(this.#stone(Math.floor(chance(x, y, 3) * STONES)), left, up);
            break;
          case "2":
            water(ctx, left, up, cell, colours, (dx, dy) => letter(x + dx, y + dy) === "2", x, y);
            break;
          case "?":
            ctx.fillStyle = colours.unknown;
            ctx.fillRect(left, up, cell, cell);
            ctx.fillStyle = colours.unknown_dot;
            ctx.fillRect(left + cell * 0.44, up + cell * 0.44, cell * 0.12, cell * 0.12);
            break;
        }
      }
    }
    this.#lines(ctx, top);
  }

  /** A stone fills its cell to the edges. */
  #stone(no: number): HTMLCanvasElement {
    const kept = this.#stones[no];
    if (kept) return kept;
    const { cell } = this.lens;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = cell;
    rock(canvas.getContext("2d")!, no, cell, this.colours);
    this.#stones[no] = canvas;
    return canvas;
  }

  #grid(ctx: Context): void {
    const { cell, width } = this.lens;
    ctx.fillStyle = this.colours.grid;
    for (let x = 1; x < width; x++) ctx.fillRect(x * cell, 0, 1, STRIPE_ROWS * cell);
    for (let y = 0; y < STRIPE_ROWS; y++) ctx.fillRect(0, y * cell, width * cell, 1);
  }

  /** The start is a line before row 0; the goal is reached in the middle of row l, which is chequered. */
  #lines(ctx: Context, top: (y: number) => number): void {
    const { cell, width, length } = this.lens;
    const thick = Math.max(2, Math.round(cell * 0.1));
    ctx.fillStyle = this.colours.line_dark;
    ctx.fillRect(0, top(-1) - thick * 0.5 - 1, width * cell, thick + 2);
    ctx.fillStyle = this.colours.line;
    ctx.fillRect(0, top(-1) - thick * 0.5, width * cell, thick);
    const side = cell / 4;
    for (let row = 0; row < 2; row++) {
      for (let at = 0; at < width * 4; at++) {
        ctx.fillStyle = (at + row) & 1 ? this.colours.line : this.colours.line_dark;
        ctx.fillRect(at * side, top(length) + cell / 2 + (row - 1) * side, side + 0.5, side + 0.5);
      }
    }
  }
}

/** A number from 0 up to 1 that belongs to a cell, for ever. */
export function chance(x: number, y: number, n: number): number {
  let it = Math.imul(x + 101, 73856093) ^ Math.imul(y + 977, 19349663) ^ Math.imul(n + 7, 83492791);
  it = Math.imul(it ^ (it >>> 13), 1274126177);
  return ((it ^ (it >>> 16)) >>> 0) / 2 ** 32;
}

function tuft(ctx: Context, x: number, y: number, left: number, top: number, cell: number, colours: Palette): void {
  if (chance(x, y, 0) > 0.3) return;
  const [cx, cy] = [left + cell * (0.2 + 0.6 * chance(x, y, 1)), top + cell * (0.35 + 0.5 * chance(x, y, 2))];
  ctx.strokeStyle = colours.tuft;
  ctx.lineWidth = Math.max(1, cell * 0.045);
  ctx.beginPath();
  for (const lean of [-0.09, 0, 0.09]) {
    ctx.moveTo(cx, cy);
    ctx.lineTo(cx + lean * cell, cy - cell * 0.15);
  }
  ctx.stroke();
}

/** Fills its cell to the edges, because touching an edge counts; the stone lies on top. */
export function rock(ctx: Context, no: number, cell: number, colours: Palette): void {
  ctx.fillStyle = cell < PLAIN_PX ? colours.rock : colours.rock_dark;
  ctx.fillRect(0, 0, cell, cell);
  if (cell < PLAIN_PX) return;
  const stone = (lift: number, size: number) => {
    ctx.beginPath();
    for (let corner = 0; corner < 7; corner++) {
      const angle = ((corner + 0.3 * chance(no, 0, corner)) / 7) * 2 * Math.PI;
      const far = cell * size * (0.84 + 0.16 * chance(no, 0, corner + 20));
      ctx.lineTo(cell / 2 + Math.cos(angle) * far, cell * (0.5 - lift) + Math.sin(angle) * far);
    }
    ctx.fill();
  };
  ctx.fillStyle = colours.rock;
  stone(0.02, 0.5);
  ctx.fillStyle = colours.rock_light;
  stone(0.09, 0.29);
}

/** A pond, with a shore where no other cell of it joins. */
export function water(
  ctx: Context,
  left: number,
  top: number,
  cell: number,
  colours: Palette,
  joins: (dx: number, dy: number) => boolean,
  x: number,
  y: number,
): void {
  ctx.fillStyle = colours.water;
  ctx.fillRect(left, top, cell, cell);
  if (cell < PLAIN_PX) return;
  ctx.strokeStyle = colours.water_light;
  ctx.lineWidth = Math.max(1, cell * 0.06);
  ctx.lineCap = "round";
  ctx.beginPath();
  for (const wave of [0, 1]) {
    const wave_x = left + cell * (0.18 + 0.26 * chance(x, y, wave));
    const wave_y = top + cell * (0.34 + 0.36 * wave);
    ctx.moveTo(wave_x, wave_y);
    ctx.quadraticCurveTo(wave_x + cell * 0.1, wave_y - cell * 0.12, wave_x + cell * 0.2, wave_y);
    ctx.quadraticCurveTo(wave_x + cell * 0.3, wave_y + cell * 0.12, wave_x + cell * 0.4, wave_y);
  }
  ctx.stroke();
  const edge = Math.max(1, Math.round(cell * 0.08));
  ctx.fillStyle = colours.water_edge;
  if (!joins(0, 1)) ctx.fillRect(left, top, cell, edge);
  if (!joins(0, -1)) ctx.fillRect(left, top + cell - edge, cell, edge);
  if (!joins(-1, 0)) ctx.fillRect(left, top, edge, cell);
  if (!joins(1, 0)) ctx.fillRect(left + cell - edge, top, edge, cell);
}
