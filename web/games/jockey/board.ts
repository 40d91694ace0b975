// Paints a scene onto a canvas, and what lies between two scenes: the ground,
// the ways, the veil over what the players do not see, and over it everything
// that moves.

import type { Pace } from "../../viewer/game";
import { Ground } from "./ground";
import { baseOf, cellFor, type Follow, Lens } from "./lens";
import type { Match, Racer, Scene } from "./match";
import { palette, type Palette } from "./palette";
import { drawArrow, drawCross, drawLabel, drawLine, drawPlayer, drawStop, shape } from "./sprites";
import { text } from "./text";
import { type Move, SEATS, type Vector } from "./view";

/** What may be shown or left out. */
export interface Layers {
  veil: boolean;
  ways: boolean;
  next: boolean;
}

/** What comes and goes with every step stays away when steps go by faster than this: nothing may flicker. */
const STEADY_FRAMES_PER_S = 3;

/** Recent steps of a way that are drawn stronger. */
const FRESH = 12;

/** Size of numbers and labels, in CSS pixels. */
const NUMBER_PX = 11;
const LABEL_PX = 12;
/** The least radius of a player, in CSS pixels. */
const PLAYER_PX_MIN = 5;

type Point = [number, number];

/** The canvas and what is needed to paint it. */
export class Board {
  readonly canvas = document.createElement("canvas");
  #ctx = this.canvas.getContext("2d")!;
  #colours: Palette = palette(false, ["#0b6aa2", "#b84700"], "#5c574d");
  #lens: Lens;
  #ground: Ground;
  #hatch: CanvasPattern | null = null;
  #ratio = 1;
  #font = "sans-serif";
  /** Whom the picture follows. */
  follow: Follow = "both";
  /** A row that somebody wants to look at, in the middle; until something moves. */
  looked_at: number | null = null;

  constructor(private readonly match: Match) {
    this.#lens = new Lens(16, match.width, match.length, 10, 0, 0);
    this.#ground = new Ground(this.#lens, this.#colours);
  }

  get lens(): Lens {
    return this.#lens;
  }

  get colours(): Palette {
    return this.#colours;
  }

  get ratio(): number {
    return this.#ratio;
  }

  /** Takes up at most `width` by `height` CSS pixels. */
  resize(width: number, height: number): void {
    const { match } = this;
    const ratio = window.devicePixelRatio || 1;
    this.#ratio = ratio;
    const margin = Math.round(NUMBER_PX * 2.6 * ratio);
    const below = Math.round(NUMBER_PX * 1.7 * ratio);
    const room = [width * ratio - margin - 1, height * ratio - below] as const;
    const vision = match.views[0]!.vision;
    const cell_css = cellFor(match.width, match.length, vision, room[0] / ratio, room[1] / ratio);
    const cell = Math.max(2, Math.floor(cell_css * ratio));
    const rows = Math.min(room[1] / cell, match.length + 5);
    this.#lens = new Lens(cell, match.width, match.length, rows, margin, 0);
    this.canvas.width = margin + this.#lens.width_px + 1;
    this.canvas.height = this.#lens.height_px + below;
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.#prepare();
  }

  /** Wears the colours of a page in light or dark. */
  dress(night: boolean, seats: readonly [string, string], number: string): void {
    this.#colours = palette(night, seats, number);
    this.#prepare();
  }

  /** Whether the screen's own scale has changed since the last `resize`. */
  get is_stale(): boolean {
    return this.#ratio !== (window.devicePixelRatio || 1);
  }

  /** The cell at a point of the page; null beside the course. */
  cell_at(client_x: number, client_y: number): Vector | null {
    const box = this.canvas.getBoundingClientRect();
    const { cell, margin, width, height_px, base } = this.#lens;
    const x = Math.floor(((client_x - box.left) * this.#ratio - margin) / cell);
    const down = (client_y - box.top) * this.#ratio;
    const y = Math.floor((height_px - down) / cell + base);
    return x >= 0 && x < width && down >= 0 && down < height_px ? [x, y] : null;
  }

  /** The middle of the upper edge of a cell, in CSS pixels of the canvas. */
  top_of([x, y]: Vector): Point {
    const { cell } = this.#lens;
    return [(this.#lens.left(x) + cell / 2) / this.#ratio, this.#lens.top(y) / this.#ratio];
  }

  /** Where a player who sits before the board would go, if they have chosen. */
  aim: { from: Vector; to: Vector; seat: 0 | 1 } | null = null;

  /** Paints frame `frame`, moved on by `fraction`. */
  paint(frame: number, fraction: number, pace: Pace, layers: Layers, pointed: Vector | null): void {
    const { match } = this;
    const scene = match.scenes[frame]!;
    const coming = fraction > 0 ? match.scenes[frame + 1] : undefined;
    // From one race to the next nobody moves: they are put where they start.
    const next = coming !== undefined && coming.race === scene.race ? coming : null;
    const steady = pace.playing && pace.frames_per_s > STEADY_FRAMES_PER_S;
    const step = steady ? fraction : smooth(fraction);
    const leaving = steady ? 0 : 1 - smooth(fraction / 0.3);
    const arriving = steady ? 0 : smooth((fraction - 0.7) / 0.3);
    this.#aim(scene, next, step);

    const ctx = this.#ctx;
    const lens = this.#lens;
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.save();
    ctx.beginPath();
    ctx.rect(lens.margin, 0, lens.width_px, lens.height_px);
    ctx.clip();
    this.#ground.draw(ctx, lens, scene.rows);
    if (layers.ways) for (const seat of SEATS) this.#draw_way(frame, seat, next, step);
    if (layers.veil) this.#draw_veil(scene, next, step);
    if (!steady && layers.next) for (const seat of SEATS) this.#draw_next(scene, seat, next === null ? 1 : leaving);
    if (!steady) for (const seat of SEATS) this.#draw_failed(scene, seat, next === null ? 1 : leaving);
    if (next && !steady) for (const seat of SEATS) this.#draw_failed(next, seat, arriving);
    for (const seat of SEATS) this.#draw_racer(scene, seat, next, step, steady);
    if (!steady) this.#draw_labels(scene, next === null ? 1 : leaving);
    if (next && !steady) this.#draw_labels(next, arriving);
    if (this.aim !== null && next === null) this.#draw_aim(this.aim.from, this.aim.to, this.aim.seat);
    if (pointed) this.#draw_pointed(pointed);
    ctx.restore();
    this.#draw_beyond(scene, next, step);
    this.#draw_numbers();
  }

  #prepare(): void {
    this.#ground = new Ground(this.#lens, this.#colours);
    this.#font = getComputedStyle(this.canvas).fontFamily || "sans-serif";
    const side = Math.max(6, Math.round(9 * this.#ratio));
    const tile = document.createElement("canvas");
    tile.width = tile.height = side;
    const ctx = tile.getContext("2d")!;
    ctx.strokeStyle = this.#colours.veil_line;
    ctx.globalAlpha = 0.4;
    ctx.lineWidth = Math.max(1, side * 0.1);
    ctx.beginPath();
    for (const shift of [-side, 0, side]) {
      ctx.moveTo(shift, side);
      ctx.lineTo(shift + side, 0);
    }
    ctx.stroke();
    this.#hatch = this.#ctx.createPattern(tile, "repeat");
  }

  /** Turns the lens to where things happen, or to where somebody looks. */
  #aim(scene: Scene, next: Scene | null, step: number): void {
    const vision = this.match.views[0]!.vision;
    const lens = this.#lens;
    if (this.looked_at !== null) {
      const lowest = Math.min(-2, baseOf(scene, lens, vision, this.follow));
      const base = Math.max(lowest, Math.min(this.looked_at - lens.rows / 2, lens.length + 3 - lens.rows));
      this.#lens = lens.at(base);
      return;
    }
    const from = baseOf(scene, lens, vision, this.follow);
    const to = next === null ? from : baseOf(next, lens, vision, this.follow);
    this.#lens = lens.at(from + (to - from) * step);
  }

  /** Where a racer is between two scenes. */
  #place(racer: Racer, next: Racer | null, step: number): Point {
    const [x, y] = racer.at;
    if (next === null || next.move === null) return [x, y];
    const { from, planned, to, how } = next.move;
    // A line that was not gone is tried for a little way, and back.
    if (how === "off_course" || how === "collided") {
      const tried = 0.3 * Math.sin(Math.PI * step);
      return [x + (planned[0] - from[0]) * tried, y + (planned[1] - from[1]) * tried];
    }
    return [x + (to[0] - from[0]) * step, y + (to[1] - from[1]) * step];
  }

  #draw_way(frame: number, seat: 0 | 1, next: Scene | null, step: number): void {
    const scene = this.match.scenes[frame]!;
    const way = this.match.ways[scene.race]![seat]!;
    const n = this.match.walked(frame, seat);
    const lens = this.#lens;
    const ctx = this.#ctx;
    const [first, last] = lens.seen;
    const colour = this.#colours.seats[seat];
    const width = Math.max(1.5 * this.#ratio, lens.cell * 0.1);
    const dot = Math.max(2 * this.#ratio, lens.cell * 0.12);
    const near = (y: number) => y >= first - 25 && y <= last + 25;
    ctx.save();
    for (let at = 1; at < n; at++) {
      const [from, to] = [way[at - 1]!.at, way[at]!.at];
      if (!near(from[1]) && !near(to[1])) continue;
      ctx.globalAlpha = at >= n - FRESH ? 1 : 0.6;
      drawLine(ctx, lens.middle(from), lens.middle(to), width, colour, this.#colours.halo, 0);
    }
    const going = next?.racers[seat].move;
    if (going && going.how !== "off_course" && going.how !== "collided" && step > 0) {
      const place = this.#place(scene.racers[seat], next!.racers[seat], step);
      ctx.globalAlpha = 1;
      drawLine(ctx, lens.middle(going.from), lens.middle(place), width, colour, this.#colours.halo, 0);
    }
    for (let at = 0; at < n; at++) {
      const { at: cell, stopped } = way[at]!;
      if (cell[1] < first - 1 || cell[1] > last + 1) continue;
      ctx.globalAlpha = at >= n - FRESH ? 1 : 0.75;
      const middle = lens.middle(cell);
      if (stopped) {
        drawCross(ctx, middle, dot * 1.1, colour, this.#colours.halo);
        continue;
      }
      shape(ctx, seat, middle, dot * 1.3);
      ctx.fillStyle = this.#colours.halo;
      ctx.fill();
      shape(ctx, seat, middle, dot * 0.9);
      ctx.fillStyle = colour;
      ctx.fill();
    }
    ctx.restore();
  }

  /** What the players do not see yet; at its edge, how far each of them has brought into sight. */
  #draw_veil(scene: Scene, next: Scene | null, step: number): void {
    const lens = this.#lens;
    const ctx = this.#ctx;
    const between = (from: number, to: number) => from + (to - from) * step;
    const sees = between(scene.sees, next?.sees ?? scene.sees);
    const edge = Math.round(lens.top(sees - 1));
    if (sees < lens.length + 4 && edge > 0) {
      ctx.fillStyle = this.#colours.veil;
      ctx.fillRect(lens.margin, 0, lens.width_px, edge);
      if (this.#hatch) {
        ctx.fillStyle = this.#hatch;
        ctx.fillRect(lens.margin, 0, lens.width_px, edge);
      }
      ctx.fillStyle = this.#colours.veil_line;
      const thick = Math.max(1, Math.round(1.5 * this.#ratio));
      ctx.fillRect(lens.margin, edge - thick, lens.width_px, thick);
    }
    const size = Math.max(5 * this.#ratio, Math.min(9 * this.#ratio, lens.cell * 0.4));
    for (const seat of SEATS) {
      const own = between(scene.racers[seat].sees, next?.racers[seat].sees ?? scene.racers[seat].sees);
      if (own > lens.length + 3) continue;
      const y = lens.top(own - 1);
      const [x, way] = seat === 0 ? [lens.margin, 1] : [lens.margin + lens.width_px, -1];
      ctx.beginPath();
      ctx.moveTo(x, y - size);
      ctx.lineTo(x + way * size * 1.4, y);
      ctx.lineTo(x, y + size);
      ctx.closePath();
      ctx.fillStyle = this.#colours.seats[seat];
      ctx.strokeStyle = this.#colours.halo;
      ctx.lineWidth = 2 * this.#ratio;
      ctx.stroke();
      ctx.fill();
    }
  }

  /** The arrow of the velocity, and the nine cells that can be planned next. */
  #draw_next(scene: Scene, seat: 0 | 1, strength: number): void {
    const { at, velocity, time, cause } = scene.racers[seat];
    if (time !== null || cause !== null || scene.over || strength <= 0) return;
    const lens = this.#lens;
    const ctx = this.#ctx;
    const colour = this.#colours.seats[seat];
    ctx.save();
    ctx.globalAlpha = strength;
    const aim: Vector = [at[0] + velocity[0], at[1] + velocity[1]];
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        const [x, y] = [aim[0] + dx, aim[1] + dy];
        if (x < 0 || x >= lens.width) continue;
        shape(ctx, seat, lens.middle([x, y]), Math.max(2 * this.#ratio, lens.cell * 0.2));
        ctx.lineWidth = Math.max(2, 2.6 * this.#ratio);
        ctx.strokeStyle = this.#colours.halo;
        ctx.stroke();
        ctx.lineWidth = Math.max(1, 1.2 * this.#ratio);
        ctx.strokeStyle = colour;
        ctx.stroke();
      }
    }
    drawArrow(ctx, lens.middle(at), lens.middle(aim), this.#radius * 1.1, Math.max(2 * this.#ratio, lens.cell * 0.13), colour, this.#colours.halo);
    ctx.restore();
  }

  /** A line that was meant to be gone and was not, dashed, with a sign at its end. */
  #draw_failed(scene: Scene, seat: 0 | 1, strength: number): void {
    const { move } = scene.racers[seat];
    if (move === null || strength <= 0 || (move.how !== "off_course" && move.how !== "collided")) return;
    const lens = this.#lens;
    const ctx = this.#ctx;
    ctx.save();
    ctx.globalAlpha = strength;
    const width = Math.max(2 * this.#ratio, lens.cell * 0.12);
    drawLine(ctx, lens.middle(move.from), lens.middle(move.planned), width, this.#colours.seats[seat], this.#colours.halo, width * 2.2);
    drawStop(ctx, this.#failure(move), this.#sign, this.#colours);
    ctx.restore();
  }

  #draw_racer(scene: Scene, seat: 0 | 1, next: Scene | null, step: number, steady: boolean): void {
    const racer = scene.racers[seat];
    const coming = next?.racers[seat] ?? null;
    const out = racer.cause !== null;
    // Who came to the goal has left the course, as soon as the race has gone on.
    if (racer.time !== null && racer.move === null && !steady) return;
    const lens = this.#lens;
    const middle = lens.middle(this.#place(racer, coming, step));
    drawPlayer(this.#ctx, seat, middle, this.#radius, out, this.#colours);
    if (out) drawStop(this.#ctx, [middle[0] + this.#radius * 0.8, middle[1] - this.#radius * 0.8], this.#sign * 0.8, this.#colours);
  }

  /** Where it is seen that a line was not gone: at its end, or on the way there, where the other one is. */
  #failure({ how, from, planned }: Move): Point {
    const [x, y] = this.#lens.middle(planned);
    if (how !== "collided") return this.#inside([x, y]);
    const [from_x, from_y] = this.#lens.middle(from);
    return this.#inside([(from_x + x) / 2, (from_y + y) / 2]);
  }

  /** Why somebody stopped, and who had priority. */
  #draw_labels(scene: Scene, strength: number): void {
    if (strength <= 0) return;
    const ctx = this.#ctx;
    const lens = this.#lens;
    const px = Math.round(LABEL_PX * this.#ratio);
    const within = [lens.margin, lens.margin + lens.width_px, 0, lens.height_px] as const;
    ctx.save();
    ctx.globalAlpha = strength;
    for (const seat of SEATS) {
      const { move, at } = scene.racers[seat];
      const words = text.stop(scene, seat);
      const other = scene.racers[seat === 0 ? 1 : 0].move;
      const [x, y] = lens.middle(at);
      const beside = this.#radius + px;
      if (words !== null && move?.how === "off_course") {
        const [end_x, end_y] = this.#failure(move);
        const away = (end_y > y ? 1 : -1) * (this.#sign + px * 1.1);
        // At the upper edge there is no room above a sign.
        drawLabel(ctx, words, [end_x, end_y + away < px ? end_y - away : end_y + away], px, within, this.#colours.label, this.#colours.label_ink);
      } else if (words !== null) {
        drawLabel(ctx, words, [x, y + beside], px, within, this.#colours.label, this.#colours.label_ink);
      } else if (move !== null && other?.how === "collided" && other.touched_cell !== true) {
        drawLabel(ctx, text.priority, [x, y - beside], px, within, this.#colours.seats[seat], this.#colours.halo);
      }
    }
    ctx.restore();
  }

  /** A small player at the edge for one who is beyond it. */
  #draw_beyond(scene: Scene, next: Scene | null, step: number): void {
    const lens = this.#lens;
    const ctx = this.#ctx;
    for (const seat of SEATS) {
      const racer = scene.racers[seat];
      // Who came to the goal is beyond it for one step.
      if (racer.time !== null && racer.move === null) continue;
      const [x, y] = this.#place(racer, next?.racers[seat] ?? null, step);
      const [, middle] = lens.middle([x, y]);
      const above = middle < 0;
      if (!above && middle <= lens.height_px) continue;
      const size = this.#radius * 0.7;
      const at_x = Math.max(lens.margin + size * 1.5, lens.middle([x, y])[0]);
      const tip = above ? size * 0.4 : lens.height_px - size * 0.4;
      const way = above ? 1 : -1;
      ctx.beginPath();
      ctx.moveTo(at_x, tip);
      ctx.lineTo(at_x - size, tip + way * size);
      ctx.lineTo(at_x + size, tip + way * size);
      ctx.closePath();
      ctx.fillStyle = this.#colours.seats[seat];
      ctx.strokeStyle = this.#colours.halo;
      ctx.lineWidth = 3 * this.#ratio;
      ctx.stroke();
      ctx.fill();
      drawPlayer(ctx, seat, [at_x, tip + way * (size * 2)], size * 1.2, racer.cause !== null, this.#colours);
    }
  }

  #draw_numbers(): void {
    const lens = this.#lens;
    const ctx = this.#ctx;
    const px = Math.round(NUMBER_PX * this.#ratio);
    const steps = [1, 2, 5, 10, 20, 50, 100];
    const every = (room: number) => steps.find((it) => it * lens.cell > room) ?? 100;
    ctx.fillStyle = this.#colours.number;
    ctx.font = `${px}px ${this.#font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const [first, last] = lens.seen;
    const rows_every = every(px * 1.5);
    for (let y = Math.max(0, first); y <= Math.min(lens.length - 1, last); y++) {
      const middle = lens.middle([0, y])[1];
      if (y % rows_every !== 0 || middle < px * 0.5 || middle > lens.height_px - px * 0.5) continue;
      ctx.fillText(String(y), lens.margin - px * 0.5, middle);
    }
    const goal = lens.middle([0, lens.length])[1];
    if (goal > px * 0.5 && goal < lens.height_px) {
      ctx.font = `600 ${px}px ${this.#font}`;
      ctx.fillText(text.goal, lens.margin - px * 0.2, goal);
    }
    ctx.textAlign = "center";
    ctx.font = `${px}px ${this.#font}`;
    const columns_every = every(px * 1.9);
    for (let x = 0; x < lens.width; x += columns_every) {
      ctx.fillText(String(x), lens.left(x) + lens.cell / 2, lens.height_px + px * 0.9);
    }
  }

  #draw_aim(from: Vector, to: Vector, seat: 0 | 1): void {
    const lens = this.#lens;
    const ctx = this.#ctx;
    const width = Math.max(2 * this.#ratio, lens.cell * 0.14);
    drawLine(ctx, lens.middle(from), lens.middle(to), width, this.#colours.seats[seat], this.#colours.halo, 0);
    const [x, y] = lens.middle(to);
    ctx.beginPath();
    ctx.arc(x, y, Math.max(5 * this.#ratio, lens.cell * 0.42), 0, 2 * Math.PI);
    ctx.lineWidth = width + 2 * this.#ratio;
    ctx.strokeStyle = this.#colours.halo;
    ctx.stroke();
    ctx.lineWidth = width;
    ctx.strokeStyle = this.#colours.seats[seat];
    ctx.stroke();
  }

  #draw_pointed([x, y]: Vector): void {
    const ctx = this.#ctx;
    const lens = this.#lens;
    const line = Math.max(1, this.#ratio);
    ctx.save();
    ctx.lineWidth = line * 3;
    ctx.strokeStyle = "rgb(0 0 0 / 0.6)";
    const box = [lens.left(x) + line, lens.top(y) + line, lens.cell - 2 * line, lens.cell - 2 * line] as const;
    ctx.strokeRect(...box);
    ctx.lineWidth = line;
    ctx.strokeStyle = "#ffffff";
    ctx.strokeRect(...box);
    ctx.restore();
  }

  get #radius(): number {
    return Math.max(PLAYER_PX_MIN * this.#ratio, Math.min(this.#lens.cell * 0.46, 15 * this.#ratio));
  }

  get #sign(): number {
    return Math.max(5 * this.#ratio, Math.min(this.#lens.cell * 0.3, 9 * this.#ratio));
  }

  /** The nearest point on which a sign can be seen. */
  #inside([x, y]: Point): Point {
    const lens = this.#lens;
    const sign = this.#sign;
    const clamp = (it: number, min: number, max: number) => Math.max(min, Math.min(max, it));
    return [clamp(x, lens.margin + sign, lens.margin + lens.width_px - sign), clamp(y, sign, lens.height_px - sign)];
  }
}

function smooth(it: number): number {
  const t = Math.max(0, Math.min(1, it));
  return t * t * (3 - 2 * t);
}
