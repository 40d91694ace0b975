// Paints a position onto a canvas, and positions between two positions: the
// scene, and over it everything that moves or shines.

import type { Cell } from "../../viewer/board";
import type { Pace } from "../../viewer/game";
import { is_dark, type Course } from "./course";
import { palette, type Palette } from "./palette";
import { Grid, Scene } from "./scene";
import { blank, context, drawAdventurer, drawSign, drawTreasure } from "./sprites";
import { ADVENTURER, ARCHITECT, fieldOf, letter, SIGHT, type View } from "./view";

/** What may be shown or left out. */
export interface Layers {
  forbidden: boolean;
  dark: boolean;
  trail: boolean;
}

/** What comes and goes with every turn stays put when turns go by faster than this: nothing may flicker. */
const STEADY_FRAMES_PER_S = 3;
/** Faster than this, walking is plain gliding. */
const PLAIN_FRAMES_PER_S = 9;

/** Recent footprints that are drawn stronger. */
const FRESH = 24;

/** Widths on the screen that numbers need, in CSS pixels. */
const NUMBER_PX_MIN = 9;
const NUMBER_PX_MAX = 13;

/** The canvas and what is needed to paint it. */
export class Board {
  readonly canvas: HTMLCanvasElement;
  #ctx: CanvasRenderingContext2D;
  #colours: Palette = palette(false, "#b84700", "#5c574d");
  #grid: Grid;
  #scene: Scene;
  #hatch: CanvasPattern | null = null;
  #cross_hatch: CanvasPattern | null = null;
  #ratio = 1;

  constructor(private readonly course: Course) {
    this.canvas = document.createElement("canvas");
    this.#ctx = context(this.canvas);
    this.#grid = new Grid(course.size, 16, 0);
    this.#scene = new Scene(this.#grid, this.#colours, NUMBER_PX_MIN, "");
  }

  /** Takes up at most `width` by `height` CSS pixels. */
  resize(width: number, height: number): void {
    this.#ratio = window.devicePixelRatio || 1;
    const side = Math.max(60, Math.min(width, height)) * this.#ratio;
    const margin = Math.round(this.#number_px() * 1.5);
    const cell = Math.max(4, Math.floor((side - margin) / (this.course.size + 2)));
    this.#grid = new Grid(this.course.size, cell, margin);
    const total = this.#grid.end;
    this.canvas.width = total;
    this.canvas.height = total;
    this.canvas.style.width = `${total / this.#ratio}px`;
    this.canvas.style.height = `${total / this.#ratio}px`;
    this.#prepare();
  }

  /** Wears the colours of a page in light or dark. */
  dress(night: boolean, coat: string, number: string): void {
    this.#colours = palette(night, coat, number);
    this.#prepare();
  }

  /** Whether the screen's own scale has changed since the last `resize`. */
  get is_stale(): boolean {
    return this.#ratio !== (window.devicePixelRatio || 1);
  }

  /** The field at a point of the page, ring included; null beside the board. */
  field_at(client_x: number, client_y: number): [number, number] | null {
    const box = this.canvas.getBoundingClientRect();
    const { cell, margin } = this.#grid;
    const field = (at: number) => Math.floor((at * this.#ratio - margin) / cell);
    const [x, y] = [field(client_x - box.left), field(client_y - box.top)];
    const within = (at: number) => at >= 0 && at <= this.course.size + 1;
    return within(x) && within(y) ? [x, y] : null;
  }

  /** The middle of the upper edge of a field, in CSS pixels of the canvas. */
  top_of(x: number, y: number): [number, number] {
    return [(this.#grid.left(x) + this.#grid.cell / 2) / this.#ratio, this.#grid.top(y) / this.#ratio];
  }

  /** Fields that a player who sits before the board may choose, and the one that would be taken. */
  lit: { fields: readonly (readonly [number, number])[]; chosen: readonly [number, number] | null } = { fields: [], chosen: null };

  /** Paints frame `frame`, moved on by `fraction`. */
  paint(frame: number, fraction: number, pace: Pace, layers: Layers, pointed: Cell | null): void {
    const course = this.course;
    const view = course.views[frame]!;
    const next = fraction > 0 ? (course.views[frame + 1] ?? null) : null;
    const steady = pace.playing && pace.frames_per_s > STEADY_FRAMES_PER_S;
    const plain = pace.playing && pace.frames_per_s > PLAIN_FRAMES_PER_S;
    const leaving = steady ? 1 : 1 - smooth(fraction / 0.35);
    const coming = steady ? 0 : smooth((fraction - 0.65) / 0.35);

    this.#ctx.drawImage(this.#scene.of(view), 0, 0);
    if (layers.forbidden) {
      if (steady) this.#draw_forbidden(this.#latest_of(ARCHITECT, frame), 0.55);
      else {
        this.#draw_forbidden(view, leaving);
        if (next) this.#draw_forbidden(next, coming);
      }
    }
    const step = plain ? fraction : smooth(fraction);
    if (layers.trail) {
      this.#draw_trail(frame, next, step);
      this.#draw_overgrown(view, frame);
    }
    if (next) this.#draw_growing(next, step);
    const open = found(view) ? 1 : next !== null && found(next) ? step * step : 0;
    this.#draw_treasure(open);
    if (layers.dark && view.mode === "nomap") {
      if (steady) this.#draw_dark(view, view.end === null ? 0.6 : 0);
      else {
        if (is_dark(view)) this.#draw_dark(view, leaving);
        if (next && is_dark(next)) this.#draw_dark(next, coming);
      }
    }
    // After the dark: the lantern must not veil who carries it.
    this.#draw_adventurer(frame, view, next, step, plain, open);
    if (!steady || frame === course.views.length - 1) {
      this.#draw_amiss(frame, leaving);
      if (next) this.#draw_amiss(frame + 1, coming);
    }
    if (next === null) for (const field of this.lit.fields) this.#draw_lit(field, false);
    if (next === null && this.lit.chosen !== null) this.#draw_lit(this.lit.chosen, true);
    if (pointed) this.#draw_pointed(pointed);
  }

  /** A field that lights up: it may be chosen. */
  #draw_lit([x, y]: readonly [number, number], chosen: boolean): void {
    const ctx = this.#ctx;
    const { cell } = this.#grid;
    const line = Math.max(2, cell * 0.08);
    const box = [this.#grid.left(x) + line, this.#grid.top(y) + line, cell - 2 * line, cell - 2 * line] as const;
    ctx.save();
    ctx.fillStyle = this.#colours.gold_light;
    ctx.globalAlpha = chosen ? 0.6 : 0.35;
    ctx.beginPath();
    ctx.roundRect(...box, cell * 0.2);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.lineWidth = line;
    ctx.strokeStyle = this.#colours.gold_light;
    ctx.stroke();
    ctx.restore();
  }

  #prepare(): void {
    this.#scene = new Scene(this.#grid, this.#colours, this.#number_px(), getComputedStyle(this.canvas).fontFamily);
    this.#hatch = this.#pattern(false);
    this.#cross_hatch = this.#pattern(true);
  }

  #number_px(): number {
    const across = this.course.size + 2;
    const cell = (Math.min(this.canvas.parentElement?.clientWidth ?? 400, 700) / across) * 0.5;
    return Math.min(NUMBER_PX_MAX, Math.max(NUMBER_PX_MIN, cell)) * this.#ratio;
  }

  /** The view of the last frame up to `frame` in which `seat` was to move. */
  #latest_of(seat: number, frame: number): View {
    const views = this.course.views;
    for (let at = frame; at >= 0 && at > frame - 3; at--) {
      if (views[at]!.turn === seat) return views[at]!;
    }
    return views[frame]!;
  }

  #draw_forbidden(view: View, strength: number): void {
    if (view.turn !== ARCHITECT || strength <= 0) return;
    const ctx = this.#ctx;
    const near = new Path2D();
    const path = new Path2D();
    for (let y = 1; y <= view.size; y++) {
      for (let x = 1; x <= view.size; x++) {
        const at = letter(view, x, y);
        const area = at === "p" ? path : at === "a" || at === "t" ? near : null;
        area?.rect(this.#grid.left(x), this.#grid.top(y), this.#grid.cell, this.#grid.cell);
      }
    }
    ctx.save();
    ctx.globalAlpha = strength;
    for (const [area, hatch] of [
      [near, this.#hatch],
      [path, this.#cross_hatch],
    ] as const) {
      ctx.fillStyle = this.#colours.forbidden;
      ctx.fill(area);
      if (hatch) ctx.fillStyle = hatch;
      ctx.fill(area);
    }
    ctx.restore();
  }

  /** Slanting lines; both ways for what would block the path. */
  #pattern(crossed: boolean): CanvasPattern | null {
    const side = Math.max(5, Math.round(this.#grid.cell / 4));
    const { canvas, ctx } = blank(side, side);
    ctx.strokeStyle = this.#colours.forbidden_line;
    ctx.lineWidth = Math.max(1, side * 0.16);
    ctx.beginPath();
    for (const shift of [-side, 0, side]) {
      ctx.moveTo(shift, side);
      ctx.lineTo(shift + side, 0);
      if (crossed) {
        ctx.moveTo(shift, 0);
        ctx.lineTo(shift + side, side);
      }
    }
    ctx.stroke();
    return this.#ctx.createPattern(canvas, "repeat");
  }

  #draw_trail(frame: number, next: View | null, step: number): void {
    const path = this.course.path;
    const n = this.course.walked(frame);
    const points = (from: number) => {
      const line = new Path2D();
      for (let at = from; at < n; at++) {
        const [x, y] = this.#grid.middle(path[at]!.x, path[at]!.y);
        if (at === from) line.moveTo(x, y);
        else line.lineTo(x, y);
      }
      const last = path[n - 1]!;
      if (next !== null && !same(next.adventurer, [last.x, last.y])) {
        const [to_x, to_y] = next.adventurer;
        line.lineTo(...this.#grid.middle(last.x + (to_x - last.x) * step, last.y + (to_y - last.y) * step));
      }
      return line;
    };
    const ctx = this.#ctx;
    ctx.save();
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    const strokes: [number, number][] = [[0, 0.45], [Math.max(0, n - FRESH), 0.95]];
    for (const [from, alpha] of strokes) {
      const line = points(from);
      ctx.globalAlpha = alpha;
      ctx.strokeStyle = this.#colours.trail_edge;
      ctx.lineWidth = this.#grid.cell * 0.17;
      ctx.stroke(line);
      ctx.strokeStyle = this.#colours.trail;
      ctx.lineWidth = this.#grid.cell * 0.085;
      ctx.stroke(line);
    }
    ctx.restore();
  }

  /** Hedges that were planted on the path stand above it. */
  #draw_overgrown(view: View, frame: number): void {
    const grown = new Map<number, [number, number]>();
    for (const { x, y } of this.course.path.slice(0, this.course.walked(frame))) {
      if (letter(view, x, y) === "h") grown.set(y * (view.size + 2) + x, [x, y]);
    }
    const in_rows = [...grown].sort(([a], [b]) => a - b);
    for (const [, [x, y]] of in_rows) this.#scene.stamp(this.#ctx, view, x, y);
  }

  /** A hedge that is being planted comes out of the ground. */
  #draw_growing(next: View, step: number): void {
    const last = next.last;
    if (last === null || last.seat !== ARCHITECT || last.reason !== null) return;
    const field = fieldOf(last, next.adventurer);
    if (field === null) return;
    const ctx = this.#ctx;
    const [x, y] = field;
    const grown = 0.15 + 0.85 * spring(step);
    ctx.save();
    ctx.translate(this.#grid.left(x) + this.#grid.cell / 2, this.#grid.top(y) + this.#grid.cell * 0.9);
    ctx.scale(grown, grown);
    ctx.globalAlpha = Math.min(1, step * 3);
    this.#scene.stamp_alone(ctx, -this.#grid.cell / 2, -this.#grid.cell * 0.9, x, y);
    ctx.restore();
  }

  #draw_treasure(open: number): void {
    const more = this.#grid.cell * 0.12 * open;
    drawTreasure(this.#ctx, this.#grid.left(1) - more / 2, this.#grid.top(1) - more / 2, this.#grid.cell + more, open, this.#colours);
  }

  #draw_adventurer(frame: number, view: View, next: View | null, step: number, plain: boolean, open: number): void {
    const cell = this.#grid.cell;
    const [from_x, from_y] = view.adventurer;
    const [to_x, to_y] = (next ?? view).adventurer;
    let x = from_x + (to_x - from_x) * step;
    let y = from_y + (to_y - from_y) * step;
    let facing = this.course.facing(next && step > 0.2 ? frame + 1 : frame);
    const moves = from_x !== to_x || from_y !== to_y;
    let hop = moves && !plain ? Math.sin(Math.PI * step) : 0;
    // A step into a hedge is a nudge towards it and back.
    const bump = next?.last?.seat === ADVENTURER && next.last.reason === "hedge" ? fieldOf(next.last, view.adventurer) : null;
    if (bump) {
      const nudge = 0.22 * Math.sin(Math.PI * step);
      [x, y] = [x + (bump[0] - from_x) * nudge, y + (bump[1] - from_y) * nudge];
      facing = this.#facing_to(bump, view.adventurer);
      hop = 0;
    } else if (next === null && view.last?.seat === ADVENTURER && view.last.reason === "hedge") {
      const tried = fieldOf(view.last, view.adventurer);
      if (tried) facing = this.#facing_to(tried, view.adventurer);
    }
    // Beside the chest, not on it.
    [x, y] = [x + 0.34 * open, y + 0.3 * open];
    const tall = cell * 1.02;
    drawAdventurer(this.#ctx, this.#grid.left(x) - (tall - cell) / 2, this.#grid.top(y) - (tall - cell), tall, facing, hop, this.#colours);
  }

  #facing_to(to: [number, number], from: [number, number]): number {
    if (to[1] !== from[1]) return to[1] < from[1] ? 0 : 2;
    return to[0] > from[0] ? 1 : 3;
  }

  /** All but the fields around the adventurer lie in the dark. */
  #draw_dark(view: View, strength: number): void {
    if (strength <= 0) return;
    const ctx = this.#ctx;
    const cell = this.#grid.cell;
    const [x, y] = view.adventurer;
    const end = this.#grid.end;
    const lit: [number, number, number, number] = [
      Math.max(this.#grid.margin, this.#grid.left(x - SIGHT)),
      Math.max(this.#grid.margin, this.#grid.top(y - SIGHT)),
      Math.min(end, this.#grid.left(x + SIGHT + 1)),
      Math.min(end, this.#grid.top(y + SIGHT + 1)),
    ];
    const box = [lit[0], lit[1], lit[2] - lit[0], lit[3] - lit[1]] as const;
    ctx.save();
    ctx.globalAlpha = strength;
    ctx.fillStyle = this.#colours.dark;
    ctx.beginPath();
    // The ring stands out a little above its fields.
    const top = this.#grid.margin - this.#scene.lift;
    ctx.roundRect(this.#grid.margin, top, end - this.#grid.margin, end - top, cell * 0.2);
    ctx.roundRect(...box, cell * 0.35);
    ctx.fill("evenodd");
    const [middle_x, middle_y] = [this.#grid.left(x) + cell / 2, this.#grid.top(y) + cell / 2];
    const light = ctx.createRadialGradient(middle_x, middle_y, cell * 0.3, middle_x, middle_y, cell * (SIGHT + 0.8));
    light.addColorStop(0, this.#colours.lantern);
    light.addColorStop(1, "rgb(255 226 140 / 0)");
    ctx.fillStyle = light;
    ctx.fillRect(...box);
    ctx.strokeStyle = this.#colours.gold_light;
    ctx.globalAlpha = strength * 0.55;
    ctx.lineWidth = Math.max(1, cell * 0.04);
    ctx.beginPath();
    ctx.roundRect(...box, cell * 0.35);
    ctx.stroke();
    ctx.restore();
  }

  /** A sign where a decision did nothing: on the field it named, else beside who made it. */
  #draw_amiss(frame: number, strength: number): void {
    const view = this.course.views[frame]!;
    const last = view.last;
    if (last === null || last.reason === null || last.reason === "no_command" || strength <= 0) return;
    const ctx = this.#ctx;
    const field = this.#on_canvas(fieldOf(last, view.adventurer));
    const radius = Math.max(5 * this.#ratio, this.#grid.cell * 0.27);
    ctx.save();
    ctx.globalAlpha = strength;
    if (field !== null) {
      drawSign(ctx, this.#grid.left(field[0]) + this.#grid.cell / 2, this.#grid.top(field[1]) + this.#grid.cell / 2, radius, this.#colours);
    } else if (last.seat === ADVENTURER) {
      const [x, y] = view.adventurer;
      drawSign(ctx, this.#grid.left(x + 1), this.#grid.top(y), radius, this.#colours);
    } else {
      // The architect stands nowhere: its corner is the upper right one.
      drawSign(ctx, this.#grid.left(view.size + 1.5), this.#grid.top(0.5), radius, this.#colours);
    }
    ctx.restore();
  }

  #on_canvas(field: [number, number] | null): [number, number] | null {
    const end = this.course.size + 1;
    return field !== null && field.every((it) => it >= 0 && it <= end) ? field : null;
  }

  #draw_pointed([x, y]: Cell): void {
    const ctx = this.#ctx;
    const line = Math.max(2, this.#grid.cell * 0.07);
    ctx.save();
    ctx.lineWidth = line * 2;
    ctx.strokeStyle = "rgb(0 0 0 / 0.55)";
    ctx.strokeRect(this.#grid.left(x) + line, this.#grid.top(y) + line, this.#grid.cell - 2 * line, this.#grid.cell - 2 * line);
    ctx.lineWidth = line;
    ctx.strokeStyle = "#ffffff";
    ctx.strokeRect(this.#grid.left(x) + line, this.#grid.top(y) + line, this.#grid.cell - 2 * line, this.#grid.cell - 2 * line);
    ctx.restore();
  }
}

/** Whether the treasure has been found. */
function found(view: View): boolean {
  return view.end !== null && same(view.adventurer, [1, 1]);
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** From 0 to 1 without a jerk at either end. */
function smooth(t: number): number {
  const it = Math.min(1, Math.max(0, t));
  return it * it * (3 - 2 * it);
}

/** From 0 to 1, a little beyond, and back. */
function spring(t: number): number {
  const back = 1.4;
  const it = t - 1;
  return 1 + (back + 1) * it ** 3 + back * it ** 2;
}
