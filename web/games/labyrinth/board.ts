// Paints a position onto a canvas, and positions between two positions.
// Turf and hedges are kept as a picture until a hedge is added; everything
// that moves or shines is painted over it.

import type { Pace } from "../../viewer/game";
import { is_dark, type Course } from "./course";
import { palette, type Palette } from "./palette";
import { blank, context, drawAdventurer, drawSign, drawTreasure, drawTurf, EAST, Hedges, NORTH, SOUTH, WEST } from "./sprites";
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
  #hedges = new Hedges(16, this.#colours);
  #turf = blank(1, 1);
  #scene = blank(1, 1);
  #scene_of = "";
  #hatch: CanvasPattern | null = null;
  #cross_hatch: CanvasPattern | null = null;
  #cell = 16;
  #margin = 0;
  #ratio = 1;

  constructor(private readonly course: Course) {
    this.canvas = document.createElement("canvas");
    this.#ctx = context(this.canvas);
  }

  /** Takes up at most `width` by `height` CSS pixels. */
  resize(width: number, height: number): void {
    this.#ratio = window.devicePixelRatio || 1;
    const side = Math.max(60, Math.min(width, height)) * this.#ratio;
    this.#margin = Math.round(this.#number_px() * 1.5);
    const across = this.course.size + 2;
    this.#cell = Math.max(4, Math.floor((side - this.#margin) / across));
    const total = this.#margin + across * this.#cell;
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
    const field = (at: number) => Math.floor((at * this.#ratio - this.#margin) / this.#cell);
    const [x, y] = [field(client_x - box.left), field(client_y - box.top)];
    const within = (at: number) => at >= 0 && at <= this.course.size + 1;
    return within(x) && within(y) ? [x, y] : null;
  }

  /** The middle of the upper edge of a field, in CSS pixels of the canvas. */
  top_of(x: number, y: number): [number, number] {
    return [(this.#left(x) + this.#cell / 2) / this.#ratio, this.#top(y) / this.#ratio];
  }

  /** Paints frame `frame`, moved on by `fraction`. */
  paint(frame: number, fraction: number, pace: Pace, layers: Layers, pointed: [number, number] | null): void {
    const course = this.course;
    const view = course.views[frame]!;
    const next = fraction > 0 ? (course.views[frame + 1] ?? null) : null;
    const steady = pace.playing && pace.frames_per_s > STEADY_FRAMES_PER_S;
    const plain = pace.playing && pace.frames_per_s > PLAIN_FRAMES_PER_S;
    const leaving = steady ? 1 : 1 - smooth(fraction / 0.35);
    const coming = steady ? 0 : smooth((fraction - 0.65) / 0.35);

    this.#draw_scene(view);
    const ctx = this.#ctx;
    ctx.drawImage(this.#scene.canvas, 0, 0);
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
    if (pointed) this.#draw_pointed(pointed);
  }

  #prepare(): void {
    const { width } = this.canvas;
    this.#hedges = new Hedges(this.#cell, this.#colours);
    this.#scene = blank(width, width);
    this.#scene_of = "";
    this.#turf = blank(width, width);
    this.#draw_ground(this.#turf.ctx);
    this.#hatch = this.#pattern(false);
    this.#cross_hatch = this.#pattern(true);
  }

  #number_px(): number {
    const across = this.course.size + 2;
    const cell = (Math.min(this.canvas.parentElement?.clientWidth ?? 400, 700) / across) * 0.5;
    return Math.min(NUMBER_PX_MAX, Math.max(NUMBER_PX_MIN, cell)) * this.#ratio;
  }

  #left(x: number): number {
    return this.#margin + x * this.#cell;
  }

  #top(y: number): number {
    return this.#margin + y * this.#cell;
  }

  /** Turf, the lines between fields, and the numbers on the edge: never changes. */
  #draw_ground(ctx: CanvasRenderingContext2D): void {
    const size = this.course.size;
    const cell = this.#cell;
    const end = this.#left(size + 2);
    ctx.fillStyle = this.#colours.soil;
    ctx.beginPath();
    ctx.roundRect(this.#margin, this.#margin, end - this.#margin, end - this.#margin, cell * 0.3);
    ctx.fill();
    for (let y = 1; y <= size; y++) {
      for (let x = 1; x <= size; x++) drawTurf(ctx, this.#left(x), this.#top(y), cell, x, y, this.#colours);
    }
    ctx.fillStyle = this.#colours.grid;
    const line = Math.max(1, Math.round(cell / 32));
    for (let at = 2; at <= size; at++) {
      ctx.fillRect(this.#left(at) - line / 2, this.#top(1), line, size * cell);
      ctx.fillRect(this.#left(1), this.#top(at) - line / 2, size * cell, line);
    }
    this.#draw_numbers(ctx);
  }

  #draw_numbers(ctx: CanvasRenderingContext2D): void {
    const px = this.#number_px();
    const every = [1, 2, 5].find((it) => it * this.#cell > px * 1.6) ?? 5;
    ctx.fillStyle = this.#colours.number;
    ctx.font = `${px}px ${getComputedStyle(this.canvas).fontFamily || "sans-serif"}`;
    ctx.textBaseline = "middle";
    for (let at = 1; at <= this.course.size; at++) {
      if (every === 5 ? at !== 1 && at % 5 !== 0 : (at - 1) % every !== 0) continue;
      ctx.textAlign = "center";
      ctx.fillText(String(at), this.#left(at) + this.#cell / 2, this.#margin * 0.45);
      ctx.textAlign = "right";
      ctx.fillText(String(at), this.#margin * 0.8, this.#top(at) + this.#cell / 2);
    }
  }

  /** Turf and hedges of `view`, redrawn where a hedge has come or gone. */
  #draw_scene(view: View): void {
    const of = view.fields.replace(/[atp]/g, ".");
    if (of === this.#scene_of) return;
    this.#scene_of = of;
    const { ctx, canvas } = this.#scene;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(this.#turf.canvas, 0, 0);
    const across = this.course.size + 2;
    this.#draw_shadows(ctx, view);
    for (let y = 0; y < across; y++) {
      for (let x = 0; x < across; x++) {
        const at = letter(view, x, y);
        if (at === "?") this.#draw_unknown(ctx, x, y);
        if (at === "h") this.#stamp(ctx, view, x, y);
      }
    }
  }

  #draw_shadows(ctx: CanvasRenderingContext2D, view: View): void {
    const cell = this.#cell;
    ctx.save();
    ctx.beginPath();
    ctx.rect(this.#left(1), this.#top(1), view.size * cell, view.size * cell);
    ctx.clip();
    ctx.beginPath();
    for (let y = 0; y <= view.size; y++) {
      for (let x = 0; x <= view.size; x++) {
        if (letter(view, x, y) === "h") ctx.rect(this.#left(x) + cell * 0.12, this.#top(y) + cell * 0.14, cell, cell);
      }
    }
    ctx.fillStyle = this.#colours.shadow;
    ctx.fill();
    ctx.restore();
  }

  #draw_unknown(ctx: CanvasRenderingContext2D, x: number, y: number): void {
    const cell = this.#cell;
    ctx.fillStyle = this.#colours.night ? "#20242c" : "#59616f";
    ctx.fillRect(this.#left(x), this.#top(y), cell, cell);
    ctx.fillStyle = "rgb(255 255 255 / 0.28)";
    ctx.beginPath();
    ctx.arc(this.#left(x) + cell / 2, this.#top(y) + cell / 2, cell * 0.07, 0, 2 * Math.PI);
    ctx.fill();
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
        area?.rect(this.#left(x), this.#top(y), this.#cell, this.#cell);
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
    const side = Math.max(5, Math.round(this.#cell / 4));
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
        const [x, y] = this.#middle(path[at]!.x, path[at]!.y);
        if (at === from) line.moveTo(x, y);
        else line.lineTo(x, y);
      }
      const last = path[n - 1]!;
      if (next !== null && !same(next.adventurer, [last.x, last.y])) {
        const [to_x, to_y] = next.adventurer;
        line.lineTo(...this.#middle(last.x + (to_x - last.x) * step, last.y + (to_y - last.y) * step));
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
      ctx.lineWidth = this.#cell * 0.17;
      ctx.stroke(line);
      ctx.strokeStyle = this.#colours.trail;
      ctx.lineWidth = this.#cell * 0.085;
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
    for (const [, [x, y]] of in_rows) this.#stamp(this.#ctx, view, x, y);
  }

  #stamp(ctx: CanvasRenderingContext2D, view: View, x: number, y: number): void {
    const ring = is_ring(view, x, y);
    this.#hedges.stamp(ctx, this.#left(x), this.#top(y), neighbours(view, x, y), ring, x * 7 + y * 13);
  }

  #middle(x: number, y: number): [number, number] {
    return [this.#left(x) + this.#cell / 2, this.#top(y) + this.#cell * 0.62];
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
    ctx.translate(this.#left(x) + this.#cell / 2, this.#top(y) + this.#cell * 0.9);
    ctx.scale(grown, grown);
    ctx.globalAlpha = Math.min(1, step * 3);
    this.#hedges.stamp(ctx, -this.#cell / 2, -this.#cell * 0.9, 0, false, x * 7 + y * 13);
    ctx.restore();
  }

  #draw_treasure(open: number): void {
    const more = this.#cell * 0.12 * open;
    drawTreasure(this.#ctx, this.#left(1) - more / 2, this.#top(1) - more / 2, this.#cell + more, open, this.#colours);
  }

  #draw_adventurer(frame: number, view: View, next: View | null, step: number, plain: boolean, open: number): void {
    const cell = this.#cell;
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
    drawAdventurer(this.#ctx, this.#left(x) - (tall - cell) / 2, this.#top(y) - (tall - cell), tall, facing, hop, this.#colours);
  }

  #facing_to(to: [number, number], from: [number, number]): number {
    if (to[1] !== from[1]) return to[1] < from[1] ? 0 : 2;
    return to[0] > from[0] ? 1 : 3;
  }

  /** All but the fields around the adventurer lie in the dark. */
  #draw_dark(view: View, strength: number): void {
    if (strength <= 0) return;
    const ctx = this.#ctx;
    const cell = this.#cell;
    const [x, y] = view.adventurer;
    const end = this.#left(view.size + 2);
    const lit: [number, number, number, number] = [
      Math.max(this.#margin, this.#left(x - SIGHT)),
      Math.max(this.#margin, this.#top(y - SIGHT)),
      Math.min(end, this.#left(x + SIGHT + 1)),
      Math.min(end, this.#top(y + SIGHT + 1)),
    ];
    const box = [lit[0], lit[1], lit[2] - lit[0], lit[3] - lit[1]] as const;
    ctx.save();
    ctx.globalAlpha = strength;
    ctx.fillStyle = this.#colours.dark;
    ctx.beginPath();
    // The ring stands out a little above its fields.
    const top = this.#margin - this.#hedges.lift;
    ctx.roundRect(this.#margin, top, end - this.#margin, end - top, cell * 0.2);
    ctx.roundRect(...box, cell * 0.35);
    ctx.fill("evenodd");
    const [middle_x, middle_y] = [this.#left(x) + cell / 2, this.#top(y) + cell / 2];
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
    const radius = Math.max(5 * this.#ratio, this.#cell * 0.27);
    ctx.save();
    ctx.globalAlpha = strength;
    if (field !== null) {
      drawSign(ctx, this.#left(field[0]) + this.#cell / 2, this.#top(field[1]) + this.#cell / 2, radius, this.#colours);
    } else if (last.seat === ADVENTURER) {
      const [x, y] = view.adventurer;
      drawSign(ctx, this.#left(x + 1), this.#top(y), radius, this.#colours);
    } else {
      // The architect stands nowhere: its corner is the upper right one.
      drawSign(ctx, this.#left(view.size + 1.5), this.#top(0.5), radius, this.#colours);
    }
    ctx.restore();
  }

  #on_canvas(field: [number, number] | null): [number, number] | null {
    const end = this.course.size + 1;
    return field !== null && field.every((it) => it >= 0 && it <= end) ? field : null;
  }

  #draw_pointed([x, y]: [number, number]): void {
    const ctx = this.#ctx;
    const line = Math.max(2, this.#cell * 0.07);
    ctx.save();
    ctx.lineWidth = line * 2;
    ctx.strokeStyle = "rgb(0 0 0 / 0.55)";
    ctx.strokeRect(this.#left(x) + line, this.#top(y) + line, this.#cell - 2 * line, this.#cell - 2 * line);
    ctx.lineWidth = line;
    ctx.strokeStyle = "#ffffff";
    ctx.strokeRect(this.#left(x) + line, this.#top(y) + line, this.#cell - 2 * line, this.#cell - 2 * line);
    ctx.restore();
  }
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
