// The arena from three sides at once, on a plain canvas: from above, from the
// south, from the east. For who has no 3D, and for who likes to measure.

import { h } from "../../viewer/dom";
import { type Label, places } from "./labels";
import type { Layers } from "./layers";
import type { Fate } from "./orders";
import type { Palette } from "./palette";
import { type Burst, along, type Picture, type Plan, type Point, type Pose, toWall, type Trail } from "./picture";
import { text } from "./text";

/** Room for letters and words around each side, in CSS pixels. */
const EDGE_PX = 22;
const WORDS_PX = 18;

/** Half a plane is at least so large where its wings have stripes, in CSS pixels. */
const STRIPED_PX = 12;

/** A name is so high, in CSS pixels. */
const NAME_HIGH_PX = 12;

/** From this width on all three stand in a row, in CSS pixels. */
const ROW_PX = 660;

/** Sharper than this is not drawn. */
const RATIO_MAX = 3;

/** A side: what is told across and downwards, and what comes towards who looks. */
interface Side {
  across: (at: Point) => number;
  down: (at: Point) => number;
  towards: (at: Point) => number;
  /** Left, right, top, bottom. */
  letters: readonly [string, string, string, string];
}

const SIDES: readonly Side[] = [
  { across: ([, y]) => y, down: ([x]) => x, towards: ([, , z]) => z, letters: ["W", "E", "N", "S"] },
  { across: ([, y]) => y, down: ([, , z]) => -z, towards: ([x]) => x, letters: ["W", "E", "U", "D"] },
  { across: ([x]) => -x, down: ([, , z]) => -z, towards: ([, y]) => y, letters: ["S", "N", "U", "D"] },
];

/** Where a side lies on the canvas, in CSS pixels. */
export interface Frame {
  left: number;
  top: number;
  edge: number;
}

/** Where the three sides go: in a row where there is room, else two above one. */
export function layout(width: number, height_max: number): { frames: Frame[]; height: number } {
  const around = 2 * EDGE_PX;
  if (width >= ROW_PX) {
    const edge = Math.floor(Math.min(width / 3 - around, height_max - around - WORDS_PX));
    const gap = (width - 3 * (edge + around)) / 2;
    const frames = [0, 1, 2].map((no) => ({ left: no * (edge + around + gap) + EDGE_PX, top: EDGE_PX + WORDS_PX, edge }));
    return { frames, height: edge + around + WORDS_PX };
  }
  const edge = Math.floor(Math.min(width / 2 - around, (height_max - 2 * (around + WORDS_PX)) / 2));
  const frames = [0, 1, 2].map((no) => ({
    left: (no % 2) * (width / 2) + (width / 2 - edge) / 2,
    top: Math.floor(no / 2) * (edge + around + WORDS_PX) + EDGE_PX + WORDS_PX,
    edge,
  }));
  return { frames, height: 2 * (edge + around + WORDS_PX) };
}

/** The picture from three sides. */
export class Flat {
  readonly canvas = h("canvas", { "aria-hidden": "true", class: "sides" });
  #colours!: Palette;
  #frames: Frame[] = [];

  constructor(private readonly size: number) {}

  dress(colours: Palette): void {
    this.#colours = colours;
  }

  resize(width: number, height_max: number): void {
    const { frames, height } = layout(width, height_max);
    const ratio = Math.min(RATIO_MAX, window.devicePixelRatio);
    this.#frames = frames;
    // Each change of these clears the canvas.
    const [w, hh] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== hh) this.canvas.height = hh;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  paint(picture: Picture, layers: Layers): void {
    const pen = this.canvas.getContext("2d");
    if (pen === null) return;
    const ratio = Math.min(RATIO_MAX, window.devicePixelRatio);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const [no, side] of SIDES.entries()) {
      const { left, top, edge } = this.#frames[no]!;
      const cell = edge / this.size;
      pen.setTransform(ratio, 0, 0, ratio, left * ratio, top * ratio);
      new View(pen, this.#colours, side, this.size, cell).paint(picture, layers, text.sides[no]!);
    }
  }
}

/** One side while it is drawn. */
class View {
  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly colours: Palette,
    private readonly side: Side,
    private readonly size: number,
    private readonly cell: number,
  ) {}

  paint(picture: Picture, layers: Layers, words: string): void {
    this.#ground(words);
    if (layers.trails) for (const it of picture.trails) this.#trail(it);
    for (const { of, at } of picture.wrecks) this.#cross(at, this.colours.seats[of[0]]!);
    // What is farther away is drawn first.
    const poses = [...picture.poses].sort((one, other) => this.side.towards(one.at) - this.side.towards(other.at));
    if (layers.aims) for (const it of poses) if (it.cooldown === 0) this.#line(it.at, toWall(it.at, it.nose, this.size), this.colours.seats[it.name[0]]!, 1, [2, 4]);
    for (const { from, to, hit, strength } of picture.rays) {
      this.pen.globalAlpha = strength;
      this.#line(from, to, this.colours.shot, hit ? 3 : 1.5, []);
      this.pen.globalAlpha = 1;
    }
    for (const it of picture.plans) this.#plan(it);
    for (const it of poses) this.#plane(it);
    for (const it of picture.bursts) this.#burst(it);
    if (layers.labels) this.#label(poses);
  }

  #at(point: Point): [number, number] {
    const { across, down } = this.side;
    const flipped = (it: number, way: number) => (way < 0 ? this.size - 1 + it : it);
    const unit: Point = [1, 1, 1];
    const x = flipped(across(point), across(unit));
    const y = flipped(down(point), down(unit));
    return [(x + 0.5) * this.cell, (y + 0.5) * this.cell];
  }

  /** Half a plane, in CSS pixels; where cells are small a plane is larger than its cell. */
  get #reach(): number {
    return Math.max(9, this.cell * 0.62);
  }

  #ground(words: string): void {
    const { pen, colours, size, cell } = this;
    const edge = size * cell;
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, edge, edge);
    pen.strokeStyle = colours.wall;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let k = 1; k < size; k++) {
      pen.moveTo(k * cell, 0);
      pen.lineTo(k * cell, edge);
      pen.moveTo(0, k * cell);
      pen.lineTo(edge, k * cell);
    }
    pen.stroke();
    pen.strokeStyle = colours.soft;
    pen.strokeRect(0, 0, edge, edge);
    const [left, right, top, bottom] = this.side.letters;
    pen.fillStyle = colours.ink;
    pen.font = "600 13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(left, -11, edge / 2);
    pen.fillText(right, edge + 11, edge / 2);
    pen.fillText(top, edge / 2, -11);
    pen.fillText(bottom, edge / 2, edge + 12);
    pen.fillStyle = colours.soft;
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(words, edge / 2, -28);
  }

  #trail({ of, points, flights }: Trail): void {
    const colour = this.colours.seats[of[0]]!;
    flights.forEach((flight, no) => {
      const young = (no + 1) / flights.length;
      this.pen.globalAlpha = 0.25 + 0.6 * young;
      this.#line(points[no]!, points[no + 1]!, colour, 1 + 1.5 * young, flight === "lane" ? [2, 3] : []);
      if (of[0] === 1) this.#dot(points[no]!, 2.2, colour);
    });
    this.pen.globalAlpha = 1;
  }

  /** What a player has in mind: a disc where a plane may go, a cross or a diamond where that ends it, a line to the one that is chosen. */
  #plan({ of, from, to, nose, shot, ways }: Plan): void {
    const colour = this.colours.seats[of[0]]!;
    const r = Math.max(2, this.cell * 0.2);
    for (const it of ways) this.#sign(it.at, it.fate, r, colour);
    this.#line(from, to.at, colour, 2, []);
    if (shot !== null) this.#line(to.at, shot, this.colours.shot, 2, [5, 3]);
    this.#line(to.at, along(to.at, nose, 0.9), colour, 3, []);
    this.#sign(to.at, to.fate, r * 1.7, colour);
  }

  #sign(at: Point, fate: Fate | null, r: number, colour: string): void {
    if (fate === null) return this.#dot(at, r, colour);
    if (fate !== "trap") return this.#cross(at, this.colours.burst);
    const [x, y] = this.#at(at);
    this.pen.save();
    this.pen.translate(x, y);
    shape(this.pen, DIAMOND, r * 1.3);
    this.pen.fillStyle = this.colours.burst;
    this.pen.fill();
    this.pen.restore();
  }

  #line(from: Point, to: Point, colour: string, width: number, dashes: number[]): void {
    const { pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dashes);
    pen.beginPath();
    pen.moveTo(...this.#at(from));
    pen.lineTo(...this.#at(to));
    pen.stroke();
    pen.setLineDash([]);
  }

  #dot(at: Point, radius: number, colour: string): void {
    this.pen.fillStyle = colour;
    this.pen.beginPath();
    this.pen.arc(...this.#at(at), radius, 0, 2 * Math.PI);
    this.pen.fill();
  }

  #cross(at: Point, colour: string): void {
    const { pen } = this;
    const [x, y] = this.#at(at);
    const r = Math.max(3, this.cell * 0.3);
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.stroke();
  }

  /** A dart or a cross that points along its heading; a disc behind it where it heads at who looks, a ring where away. */
  #plane(pose: Pose): void {
    const { pen, colours } = this;
    const [x, y] = this.#at(pose.at);
    const [tx, ty] = this.#at(along(pose.at, pose.nose, 1));
    const long = Math.hypot(tx - x, ty - y) / this.cell;
    const r = this.#reach;
    pen.save();
    pen.translate(x, y);
    const colour = colours.seats[pose.name[0]]!;
    pen.fillStyle = pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    if (long < 0.15) {
      const comes = this.side.towards(along(pose.at, pose.nose, 1)) > this.side.towards(pose.at);
      pen.beginPath();
      pen.arc(0, 0, r * 0.8, 0, 2 * Math.PI);
      pen.fillStyle = colours.paper;
      pen.fill();
      pen.stroke();
      pen.fillStyle = colour;
      if (pose.name[0] === 0) shape(pen, [[0, -0.55], [0.5, 0.35], [-0.5, 0.35]], r);
      else shape(pen, CROSS.map(([px, py]) => [px * 0.6, py * 0.6] as const), r);
      pen.fill();
      if (comes) {
        pen.fillStyle = colours.paper;
        pen.beginPath();
        pen.arc(0, 0, r * 0.18, 0, 2 * Math.PI);
        pen.fill();
      }
    } else {
      pen.rotate(Math.atan2(ty - y, tx - x) + Math.PI / 2);
      // A plane that climbs or dives is seen shortened.
      pen.scale(1 - 0.35 * Math.abs(pose.lean), 0.55 + 0.45 * Math.min(1, long));
      shape(pen, pose.name[0] === 0 ? DART : PLANE, r);
      // A rim around it, beneath its own colour, keeps it apart from trails and from the others.
      pen.strokeStyle = colours.paper;
      pen.lineWidth = 3;
      pen.stroke();
      pen.fill();
      // A cross alone would not say which end is its nose.
      pen.strokeStyle = colour;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(0, -r);
      pen.lineTo(0, -1.7 * r);
      pen.stroke();
      if (pose.name[0] === 1 && r >= STRIPED_PX) {
        pen.strokeStyle = colours.stripe;
        pen.lineWidth = r * 0.13;
        pen.beginPath();
        for (const wing of [-0.72, -0.42, 0.42, 0.72]) {
          pen.moveTo(wing * r, -0.3 * r);
          pen.lineTo(wing * r, 0.14 * r);
        }
        pen.stroke();
      }
    }
    pen.restore();
  }

  #burst({ at, gone }: Burst): void {
    const { pen, colours } = this;
    const [x, y] = this.#at(at);
    const r = Math.max(8, this.cell * (0.9 + 0.6 * gone));
    pen.globalAlpha = 1 - gone;
    pen.strokeStyle = colours.burst;
    pen.lineWidth = 2;
    pen.beginPath();
    for (let k = 0; k < 8; k++) {
      const [dx, dy] = [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4)];
      pen.moveTo(x + dx * r * 0.45, y + dy * r * 0.45);
      pen.lineTo(x + dx * r, y + dy * r);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** Names beside their planes, none above another. */
  #label(poses: readonly Pose[]): void {
    const { pen, colours } = this;
    pen.font = "600 11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    const labels = poses.map((it): Label => {
      const [x, y] = this.#at(it.at);
      // Names of the two sides stand above and below, so that they are seldom in each other's way.
      return { x, y, width: pen.measureText(text.label(it)).width, height: NAME_HIGH_PX, above: it.name[0] === 0 };
    });
    for (const [no, [x, y]] of places(labels, this.#reach).entries()) {
      pen.strokeStyle = colours.paper;
      pen.strokeText(text.label(poses[no]!), x, y);
      pen.fillStyle = colours.ink;
      pen.fillText(text.label(poses[no]!), x, y);
    }
  }
}

const DIAMOND = [[0, -1], [1, 0], [0, 1], [-1, 0]] as const;
const DART = [[0, -1.1], [0.8, 0.75], [0, 0.4], [-0.8, 0.75]] as const;
const PLANE = [
  [0, -1.1], [0.2, -0.8], [0.2, -0.3], [1, -0.3], [1, 0.14], [0.2, 0.14], [0.16, 0.55], [0.38, 0.55], [0.38, 0.82],
  [-0.38, 0.82], [-0.38, 0.55], [-0.16, 0.55], [-0.2, 0.14], [-1, 0.14], [-1, -0.3], [-0.2, -0.3], [-0.2, -0.8],
] as const;
const CROSS = [
  [-0.3, -0.9], [0.3, -0.9], [0.3, -0.3], [0.9, -0.3], [0.9, 0.3], [0.3, 0.3],
  [0.3, 0.9], [-0.3, 0.9], [-0.3, 0.3], [-0.9, 0.3], [-0.9, -0.3], [-0.3, -0.3],
] as const;

function shape(pen: CanvasRenderingContext2D, corners: readonly (readonly [number, number])[], r: number): void {
  pen.beginPath();
  for (const [x, y] of corners) pen.lineTo(x * r, y * r);
  pen.closePath();
}
