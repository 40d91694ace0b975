// What stands still on a board: turf, numbers and hedges, kept as a picture
// until a hedge is added; and where on a canvas each field is.

import type { Palette } from "./palette";
import { blank, drawTurf, EAST, Hedges, NORTH, SOUTH, WEST } from "./sprites";
import { letter, type View } from "./view";

/** Where each field is, in pixels of the canvas. */
export class Grid {
  constructor(
    /** Fields on a side, without the ring. */
    readonly size: number,
    /** The side of a field. */
    readonly cell: number,
    /** Room for the numbers, at the left and at the top. */
    readonly margin: number,
  ) {}

  /** Where the ring ends, at the right and at the bottom. */
  get end(): number {
    return this.left(this.size + 2);
  }

  left(x: number): number {
    return this.margin + x * this.cell;
  }

  top(y: number): number {
    return this.margin + y * this.cell;
  }

  /** Where somebody's feet are who stands on a field. */
  middle(x: number, y: number): [number, number] {
    return [this.left(x) + this.cell / 2, this.top(y) + this.cell * 0.62];
  }
}

/** Turf, numbers and hedges. */
export class Scene {
  #hedges: Hedges;
  #turf: ReturnType<typeof blank>;
  #picture: ReturnType<typeof blank>;
  #picture_of = "";

  constructor(
    private readonly grid: Grid,
    private readonly colours: Palette,
    private readonly number_px: number,
    private readonly font: string,
  ) {
    this.#hedges = new Hedges(grid.cell, colours);
    this.#picture = blank(grid.end, grid.end);
    this.#turf = blank(grid.end, grid.end);
    this.#draw_ground(this.#turf.ctx);
  }

  /** How far the ring stands out above its fields. */
  get lift(): number {
    return this.#hedges.lift;
  }

  /** The picture of `view`, redrawn where a hedge has come or gone. */
  of(view: View): HTMLCanvasElement {
    const of = view.fields.replace(/[atp]/g, ".");
    const { ctx, canvas } = this.#picture;
    if (of === this.#picture_of) return canvas;
    this.#picture_of = of;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(this.#turf.canvas, 0, 0);
    this.#draw_shadows(ctx, view);
    const across = this.grid.size + 2;
    for (let y = 0; y < across; y++) {
      for (let x = 0; x < across; x++) {
        const at = letter(view, x, y);
        if (at === "?") this.#draw_unknown(ctx, x, y);
        if (at === "h") this.stamp(ctx, view, x, y);
      }
    }
    return canvas;
  }

  /** A hedge that joins its neighbours. */
  stamp(ctx: CanvasRenderingContext2D, view: View, x: number, y: number): void {
    const joined = neighbours(view, x, y);
    this.#hedges.stamp(ctx, this.grid.left(x), this.grid.top(y), joined, is_ring(view, x, y), variant(x, y));
  }

  /** The hedge of a field, joined to none, at any place. */
  stamp_alone(ctx: CanvasRenderingContext2D, left: number, top: number, x: number, y: number): void {
    this.#hedges.stamp(ctx, left, top, 0, false, variant(x, y));
  }

  /** Turf, the lines between fields, and the numbers on the edge: never changes. */
  #draw_ground(ctx: CanvasRenderingContext2D): void {
    const { size, cell, margin, end } = this.grid;
    ctx.fillStyle = this.colours.soil;
    ctx.beginPath();
    ctx.roundRect(margin, margin, end - margin, end - margin, cell * 0.3);
    ctx.fill();
    for (let y = 1; y <= size; y++) {
      for (let x = 1; x <= size; x++) drawTurf(ctx, this.grid.left(x), this.grid.top(y), cell, x, y, this.colours);
    }
    ctx.fillStyle = this.colours.grid;
    const line = Math.max(1, Math.round(cell / 32));
    for (let at = 2; at <= size; at++) {
      ctx.fillRect(this.grid.left(at) - line / 2, this.grid.top(1), line, size * cell);
      ctx.fillRect(this.grid.left(1), this.grid.top(at) - line / 2, size * cell, line);
    }
    this.#draw_numbers(ctx);
  }

  #draw_numbers(ctx: CanvasRenderingContext2D): void {
    const { size, cell, margin } = this.grid;
    const px = this.number_px;
    const every = [1, 2, 5].find((it) => it * cell > px * 1.6) ?? 5;
    ctx.fillStyle = this.colours.number;
    ctx.font = `${px}px ${this.font || "sans-serif"}`;
    ctx.textBaseline = "middle";
    for (let at = 1; at <= size; at++) {
      if (every === 5 ? at !== 1 && at % 5 !== 0 : (at - 1) % every !== 0) continue;
      ctx.textAlign = "center";
      ctx.fillText(String(at), this.grid.left(at) + cell / 2, margin * 0.45);
      ctx.textAlign = "right";
      ctx.fillText(String(at), margin * 0.8, this.grid.top(at) + cell / 2);
    }
  }

  #draw_shadows(ctx: CanvasRenderingContext2D, view: View): void {
    const { size, cell } = this.grid;
    ctx.save();
    ctx.beginPath();
    ctx.rect(this.grid.left(1), this.grid.top(1), size * cell, size * cell);
    ctx.clip();
    ctx.beginPath();
    for (let y = 0; y <= size; y++) {
      for (let x = 0; x <= size; x++) {
        if (letter(view, x, y) === "h") ctx.rect(this.grid.left(x) + cell * 0.12, this.grid.top(y) + cell * 0.14, cell, cell);
      }
    }
    ctx.fillStyle = this.colours.shadow;
    ctx.fill();
    ctx.restore();
  }

  #draw_unknown(ctx: CanvasRenderingContext2D, x: number, y: number): void {
    const cell = this.grid.cell;
    ctx.fillStyle = this.colours.night ? "#20242c" : "#59616f";
    ctx.fillRect(this.grid.left(x), this.grid.top(y), cell, cell);
    ctx.fillStyle = "rgb(255 255 255 / 0.28)";
    ctx.beginPath();
    ctx.arc(this.grid.left(x) + cell / 2, this.grid.top(y) + cell / 2, cell * 0.07, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** No two hedges side by side look the same. */
function variant(x: number, y: number): number {
  return x * 7 + y * 13;
}

function is_ring({ size }: View, x: number, y: number): boolean {
  return x < 1 || y < 1 || x > size || y > size;
}

/** Neighbours that are hedges, of the ring on the ring and of the planted among the planted. */
function neighbours(view: View, x: number, y: number): number {
  const across = view.size + 1;
  const joined = (to_x: number, to_y: number) => {
    if (to_x < 0 || to_y < 0 || to_x > across || to_y > across) return false;
    return letter(view, to_x, to_y) === "h" && is_ring(view, to_x, to_y) === is_ring(view, x, y);
  };
  return (
    (joined(x, y - 1) ? NORTH : 0) | (joined(x + 1, y) ? EAST : 0) | (joined(x, y + 1) ? SOUTH : 0) | (joined(x - 1, y) ? WEST : 0)
  );
}
