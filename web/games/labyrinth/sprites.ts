// Things on the board, drawn by rule and chance: turf, hedges of many leaves,
// the adventurer, the chest. Each hedge is drawn once for each way its
// neighbours can stand, and stamped from then on.

import type { Palette } from "./palette";

/** Bits of the neighbours that are hedges too. */
export const NORTH = 1;
export const EAST = 2;
export const SOUTH = 4;
export const WEST = 8;

/** Looks that one and the same hedge can have. */
const LOOKS = 4;

/** A canvas that is shown nowhere. */
export function blank(width: number, height: number): { canvas: HTMLCanvasElement; ctx: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return { canvas, ctx: context(canvas) };
}

/** The drawing context of `canvas`. */
export function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const ctx = canvas.getContext("2d");
  if (ctx === null) throw new Error("this browser draws no pictures (no 2D canvas)");
  return ctx;
}

/** Numbers from 0 up to 1 that are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Stamps of hedges for fields of `cell` pixels. */
export class Hedges {
  #stamps = new Map<number, HTMLCanvasElement>();
  /** How far a hedge stands out above its field. */
  readonly lift: number;

  constructor(
    readonly cell: number,
    private readonly colours: Palette,
  ) {
    this.lift = Math.max(1, Math.round(cell * 0.14));
  }

  /** Puts a hedge onto the field whose corner is at `left`, `top`. */
  stamp(ctx: CanvasRenderingContext2D, left: number, top: number, neighbours: number, ring: boolean, place: number): void {
    ctx.drawImage(this.#stamp(neighbours, ring, place % LOOKS), left, top - this.lift);
  }

  #stamp(neighbours: number, ring: boolean, look: number): HTMLCanvasElement {
    const key = (neighbours * LOOKS + look) * 2 + Number(ring);
    const kept = this.#stamps.get(key);
    if (kept !== undefined) return kept;
    const { canvas, ctx } = blank(this.cell, this.cell + this.lift);
    this.#draw(ctx, neighbours, ring, chance(key + 1));
    this.#stamps.set(key, canvas);
    return canvas;
  }

  #draw(ctx: CanvasRenderingContext2D, neighbours: number, ring: boolean, random: () => number): void {
    const { cell, lift, colours } = this;
    const gap = cell * 0.05;
    const left = neighbours & WEST ? 0 : gap;
    const right = neighbours & EAST ? cell : cell - gap;
    const top = neighbours & NORTH ? 0 : gap;
    const bottom = neighbours & SOUTH ? cell + lift : cell - gap * 0.5;
    const side = neighbours & SOUTH ? 0 : Math.max(2, cell * 0.22);
    const round = cell * 0.2;
    const corners = [
      neighbours & (NORTH | WEST) ? 0 : round,
      neighbours & (NORTH | EAST) ? 0 : round,
      neighbours & (SOUTH | EAST) ? 0 : round,
      neighbours & (SOUTH | WEST) ? 0 : round,
    ];
    // The side that faces the onlooker, in shade, then the top in the light.
    ctx.fillStyle = colours.hedge_side;
    ctx.beginPath();
    ctx.roundRect(left, top, right - left, bottom + lift - top, corners);
    ctx.save();
    ctx.clip();
    ctx.fill();
    const leaves = ring ? colours.ring_leaves : colours.leaves;
    this.#leaves(ctx, [left, bottom - side, right - left, side + lift], leaves.slice(0, 2), 0.6, random);
    ctx.restore();
    const top_bottom = bottom - side + (side > 0 ? lift * 0.4 : 0);
    ctx.beginPath();
    ctx.roundRect(left, top, right - left, top_bottom - top, corners);
    ctx.fillStyle = leaves[1]!;
    ctx.fill();
    ctx.save();
    ctx.clip();
    this.#leaves(ctx, [left, top, right - left, top_bottom - top], leaves, 1, random);
    this.#light(ctx, left, top, right, top_bottom, neighbours);
    ctx.restore();
  }

  /** Leaves from dark to bright, the bright ones drawn last and leaning to the light. */
  #leaves(
    ctx: CanvasRenderingContext2D,
    [left, top, width, height]: readonly [number, number, number, number],
    colours: readonly string[],
    dense: number,
    random: () => number,
  ): void {
    const size = Math.max(1.1, this.cell * 0.085);
    const n = Math.round(((width * height) / (size * size * 2.2)) * dense);
    for (let k = 0; k < n; k++) {
      const shade = Math.min(colours.length - 1, Math.floor((k / n) * colours.length + random() * 0.9));
      const x = left + random() * width;
      const y = top + random() * height;
      ctx.fillStyle = colours[shade]!;
      ctx.beginPath();
      ctx.ellipse(x, y, size * (0.75 + random() * 0.6), size * (0.4 + random() * 0.3), random() * Math.PI, 0, 2 * Math.PI);
      ctx.fill();
    }
  }

  /** Light from the upper left along open edges. */
  #light(ctx: CanvasRenderingContext2D, left: number, top: number, right: number, bottom: number, neighbours: number): void {
    const wide = Math.max(1, this.cell * 0.07);
    ctx.fillStyle = this.colours.night ? "rgb(190 220 255 / 0.10)" : "rgb(240 255 190 / 0.28)";
    if (!(neighbours & NORTH)) ctx.fillRect(left, top, right - left, wide);
    if (!(neighbours & WEST)) ctx.fillRect(left, top, wide, bottom - top);
    ctx.fillStyle = "rgb(0 20 0 / 0.22)";
    if (!(neighbours & EAST)) ctx.fillRect(right - wide, top, wide, bottom - top);
  }
}

/** Turf of one field. */
export function drawTurf(ctx: CanvasRenderingContext2D, left: number, top: number, cell: number, x: number, y: number, colours: Palette): void {
  const random = chance(x * 31 + y * 977 + 5);
  ctx.fillStyle = colours.grass[(x + y) % 2]!;
  ctx.fillRect(left, top, cell, cell);
  ctx.lineCap = "round";
  ctx.lineWidth = Math.max(0.7, cell * 0.028);
  for (let k = 0; k < 13; k++) {
    const at_x = left + random() * cell;
    const at_y = top + cell * 0.12 + random() * cell * 0.86;
    const long = cell * (0.07 + random() * 0.08);
    ctx.strokeStyle = random() < 0.5 ? colours.blade_dark : colours.blade_light;
    ctx.beginPath();
    ctx.moveTo(at_x, at_y);
    ctx.lineTo(at_x + (random() - 0.5) * long, at_y - long);
    ctx.stroke();
  }
  if (random() < 0.16 && cell > 14) drawFlower(ctx, left + cell * (0.2 + random() * 0.6), top + cell * (0.25 + random() * 0.6), cell, colours, random);
}

function drawFlower(ctx: CanvasRenderingContext2D, x: number, y: number, cell: number, colours: Palette, random: () => number): void {
  const petal = cell * 0.035;
  ctx.fillStyle = colours.flowers[Math.floor(random() * colours.flowers.length)]!;
  for (let k = 0; k < 5; k++) {
    const turn = (k / 5) * 2 * Math.PI;
    ctx.beginPath();
    ctx.arc(x + Math.cos(turn) * petal, y + Math.sin(turn) * petal, petal * 0.75, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.fillStyle = colours.gold;
  ctx.beginPath();
  ctx.arc(x, y, petal * 0.6, 0, 2 * Math.PI);
  ctx.fill();
}

/** The adventurer on a field of `cell` pixels, looking in `facing` (0 north, then clockwise). */
export function drawAdventurer(ctx: CanvasRenderingContext2D, left: number, top: number, cell: number, facing: number, hop: number, colours: Palette): void {
  ctx.save();
  ctx.translate(left, top);
  ctx.scale(cell / 100, cell / 100);
  ellipse(ctx, 50, 88, 27 - hop * 6, 9 - hop * 2, "rgb(0 0 0 / 0.38)");
  ctx.translate(0, -hop * 16);
  const edge = Math.max(4.5, 260 / cell);
  const turn = facing === 1 ? 1 : facing === 3 ? -1 : 0;
  const outline = () => {
    ctx.beginPath();
    // Coat, head and hat as one shape.
    ctx.moveTo(27, 88);
    ctx.bezierCurveTo(27, 66, 33, 55, 39, 51);
    ctx.bezierCurveTo(34, 46, 33, 41, 34, 37);
    ctx.lineTo(22, 36);
    ctx.bezierCurveTo(18, 28, 28, 25, 34, 24);
    ctx.bezierCurveTo(36, 8, 45, 5, 50, 8);
    ctx.bezierCurveTo(55, 5, 64, 8, 66, 24);
    ctx.bezierCurveTo(72, 25, 82, 28, 78, 36);
    ctx.lineTo(66, 37);
    ctx.bezierCurveTo(67, 41, 66, 46, 61, 51);
    ctx.bezierCurveTo(67, 55, 73, 66, 73, 88);
    ctx.closePath();
  };
  ctx.lineJoin = "round";
  ctx.lineWidth = edge * 2;
  ctx.strokeStyle = colours.coat_edge;
  outline();
  ctx.stroke();
  ctx.fillStyle = colours.coat;
  outline();
  ctx.fill();
  ctx.save();
  outline();
  ctx.clip();
  // Shade on the right, boots, belt.
  ctx.fillStyle = "rgb(0 0 0 / 0.2)";
  ctx.fillRect(57 + turn * 4, 48, 30, 42);
  ctx.fillStyle = colours.hat_band;
  ctx.fillRect(20, 82, 60, 10);
  ctx.fillStyle = "rgb(0 0 0 / 0.45)";
  ctx.fillRect(20, 68, 60, 5);
  ctx.fillStyle = colours.gold;
  ctx.fillRect(46 + turn * 8, 67, 8, 7);
  ctx.restore();
  if (facing === 0) {
    // From behind: hair and a satchel.
    ellipse(ctx, 50, 42, 15, 12, colours.hat_band);
    ctx.fillStyle = colours.hat;
    ctx.beginPath();
    ctx.roundRect(39, 56, 22, 18, 5);
    ctx.fill();
  } else {
    ellipse(ctx, 50, 41, 15, 12, colours.skin);
    ellipse(ctx, 45 + turn * 6, 43, 2.3, 3, "#1c130a");
    ellipse(ctx, 55 + turn * 6, 43, 2.3, 3, "#1c130a");
  }
  // The hat goes on last.
  ellipse(ctx, 50, 31, 29, 7.5, colours.hat);
  ctx.fillStyle = colours.hat;
  ctx.beginPath();
  ctx.moveTo(34, 31);
  ctx.bezierCurveTo(34, 9, 44, 5, 50, 9);
  ctx.bezierCurveTo(56, 5, 66, 9, 66, 31);
  ctx.closePath();
  ctx.fill();
  ctx.fillStyle = colours.hat_band;
  ctx.beginPath();
  ctx.moveTo(33.5, 25);
  ctx.quadraticCurveTo(50, 30, 66.5, 25);
  ctx.lineTo(66.5, 31);
  ctx.quadraticCurveTo(50, 36, 33.5, 31);
  ctx.closePath();
  ctx.fill();
  ctx.restore();
}

/** The treasure on a field of `cell` pixels; `open` from 0 to 1. */
export function drawTreasure(ctx: CanvasRenderingContext2D, left: number, top: number, cell: number, open: number, colours: Palette): void {
  ctx.save();
  ctx.translate(left, top);
  ctx.scale(cell / 100, cell / 100);
  if (open > 0) drawRays(ctx, open, colours);
  ellipse(ctx, 50, 85, 38, 8, "rgb(0 0 0 / 0.38)");
  ctx.lineJoin = "round";
  const edge = Math.max(4, 240 / cell);
  const box = (x: number, y: number, width: number, height: number, round: number | number[], fill: string) => {
    ctx.beginPath();
    ctx.roundRect(x, y, width, height, round);
    ctx.fillStyle = fill;
    ctx.fill();
  };
  ctx.strokeStyle = colours.gold_light;
  ctx.lineWidth = edge * 2;
  ctx.beginPath();
  ctx.roundRect(15, 26, 70, 58, [26, 26, 7, 7]);
  ctx.stroke();
  box(15, 50, 70, 34, [0, 0, 7, 7], colours.wood);
  box(15, 26, 70, 30, [26, 26, 0, 0], colours.wood);
  box(15, 50, 70, 7, 0, colours.wood_dark);
  if (open > 0) box(19, 44, 62, 12, 5, colours.gold_light);
  for (const x of [22, 69]) box(x, 27, 9, 57, [6, 6, 2, 2], colours.gold);
  box(15, 78, 70, 6, [0, 0, 6, 6], colours.gold);
  box(41, 45, 18, 20, 5, colours.gold);
  ellipse(ctx, 50, 53, 3.6, 3.6, colours.wood_dark);
  box(48.2, 53, 3.6, 8, 1.5, colours.wood_dark);
  ctx.restore();
}

function drawRays(ctx: CanvasRenderingContext2D, open: number, colours: Palette): void {
  ctx.save();
  ctx.translate(50, 50);
  ctx.globalAlpha = 0.85 * open;
  ctx.fillStyle = colours.gold_light;
  for (let k = 0; k < 12; k++) {
    ctx.rotate(Math.PI / 6);
    ctx.beginPath();
    ctx.moveTo(-5, 40);
    ctx.lineTo(5, 40);
    ctx.lineTo(0, 54 + open * (k % 2 === 0 ? 34 : 18));
    ctx.fill();
  }
  ctx.restore();
}

/** A cross in a disc on a field: what was tried there did nothing. */
export function drawSign(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number, colours: Palette): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.fillStyle = colours.sign;
  ctx.strokeStyle = colours.sign_edge;
  ctx.lineWidth = radius * 0.22;
  ctx.beginPath();
  ctx.arc(0, 0, radius, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.lineCap = "round";
  ctx.lineWidth = radius * 0.32;
  const arm = radius * 0.42;
  ctx.beginPath();
  ctx.moveTo(-arm, -arm);
  ctx.lineTo(arm, arm);
  ctx.moveTo(arm, -arm);
  ctx.lineTo(-arm, arm);
  ctx.stroke();
  ctx.restore();
}

function ellipse(ctx: CanvasRenderingContext2D, x: number, y: number, wide: number, high: number, fill: string): void {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.ellipse(x, y, wide, high, 0, 0, 2 * Math.PI);
  ctx.fill();
}
