// What the arena looks like between two rounds: where each plane is on its
// way, which shots and explosions are still to be seen. The same for the
// picture in 3D and for the one from three sides. Knows no page.

import type { Pace } from "../../viewer/game";
import type { Death, Flight, Match, Plane, Scene } from "./match";
import type { Fate, Outlook } from "./orders";
import { type Name, PLANES, SEATS, signs } from "./view";

/** A point in cells, with parts of a cell. */
export type Point = readonly [number, number, number];

/** From here on, in frames a second, what would flash with every round is left out. */
const FAST = 6;

/** A new fight is shown after this part of the way from the last round of the one before. */
const CUT = 0.4;

/** Parts of the way to the next round in which shots and explosions fade. */
const SHOT_FADES = 0.55;
const BURST_FADES = 0.7;

/** A plane as it is to be drawn. */
export interface Pose {
  name: Name;
  at: Point;
  /** Where its nose points; of length 1. */
  nose: Point;
  /** How far it leans over, from -1 to 1: who changes its lane leans. */
  lean: number;
  flight: Flight;
  cooldown: number;
}

/** A shot, from the nose of a plane to where it ends. */
export interface Ray {
  by: Name;
  from: Point;
  to: Point;
  hit: boolean;
  strength: number;
}

/** An explosion. */
export interface Burst {
  at: Point;
  death: Death;
  /** From 0, all of it there, to 1, all of it gone. */
  gone: number;
}

/** A trail: the first point, and how each next one was reached. */
export interface Trail {
  of: Name;
  points: readonly Point[];
  flights: readonly Flight[];
}

/** Where a plane may go next, while its player decides. */
export interface Way {
  at: Point;
  /** It ends the plane for certain, and how. */
  fate: Fate | null;
}

/** What a player has in mind for a plane. */
export interface Plan {
  of: Name;
  from: Point;
  /** Where it would be next, and head. */
  to: Way;
  nose: Point;
  /** Where its shot would end, if nothing is in the way. */
  shot: Point | null;
  /** Where else it may go; none where another plane is being decided on. */
  ways: readonly Way[];
}

/** Everything that is to be drawn. */
export interface Picture {
  /** The scene in which the planes are. */
  scene: Scene;
  poses: readonly Pose[];
  rays: readonly Ray[];
  bursts: readonly Burst[];
  wrecks: readonly { of: Name; at: Point }[];
  trails: readonly Trail[];
  plans: readonly Plan[];
}

/** Whether things go by so fast that nothing may flash. */
export function isFast(pace: Pace): boolean {
  return pace.playing && pace.frames_per_s > FAST;
}

/** The picture of `frame`, moved on by `fraction` towards the next one. */
export function pictureOf(match: Match, frame: number, fraction: number, pace: Pace): Picture {
  const scene = match.scenes[frame]!;
  const next = match.scenes[frame + 1];
  const fast = isFast(pace);
  if (fraction <= 0 || next === undefined) return still(scene, match.size, 0, fast);
  const base = match.before(frame + 1);
  if (base === scene) return flying(scene, next, fraction, match.size, fast);
  // Another fight: what is over is looked at for a moment, then all start anew.
  if (fraction < CUT) return still(scene, match.size, fraction / CUT, fast);
  return flying(base, next, (fraction - CUT) / (1 - CUT), match.size, fast);
}

/** A picture with plans in it, for who is to decide. */
export function planned(picture: Picture, plans: readonly Plan[]): Picture {
  return plans.length === 0 ? picture : { ...picture, plans };
}

/** The plan of a plane at `from`, of which `ways` are the others that it has. */
export function planOf(of: Name, from: Point, { at, heading, fate, fires }: Outlook, ways: readonly Outlook[], size: number): Plan {
  const nose = noseOf(heading);
  const way = (it: Pick<Outlook, "at" | "fate">): Way => ({ at: inside(it.at, size), fate: it.fate });
  return { of, from, to: way({ at, fate }), nose, shot: fires ? toWall(at, nose, size) : null, ways: ways.map(way) };
}

/** How far it is from `at` along `nose` to a wall of the arena. */
export function toWall(at: Point, nose: Point, size: number): Point {
  let far = Infinity;
  for (const axis of [0, 1, 2]) {
    const by = nose[axis]!;
    if (Math.abs(by) > 1e-6) far = Math.min(far, ((by > 0 ? size - 0.5 : -0.5) - at[axis]!) / by);
  }
  return along(at, nose, Math.max(0, Number.isFinite(far) ? far : 0));
}

/** A heading as a vector of length 1. */
export function noseOf(heading: string): Point {
  return unit(signs(heading));
}

/** `from`, moved by `by` times `way`. */
export function along(from: Point, way: Point, by: number): Point {
  return [from[0] + way[0] * by, from[1] + way[1] * by, from[2] + way[2] * by];
}

function still(scene: Scene, size: number, gone: number, fast: boolean): Picture {
  const planes = planesOf(scene);
  return {
    scene,
    poses: planes
      .filter(({ plane }) => plane.alive)
      .map(({ name, plane }) => ({ ...looks(name, plane), at: plane.at, nose: noseOf(plane.heading), lean: 0 })),
    ...marks(scene, size, gone, fast),
    trails: planes
      .filter(({ plane }) => plane.trail.length > 1)
      .map(({ name, plane }) => trail(name, plane, size)),
    plans: [],
  };
}

function flying(base: Scene, next: Scene, by: number, size: number, fast: boolean): Picture {
  const flights = planesOf(base).flatMap(({ name, plane }) => {
    const to = next.planes[name[0]]![name[1]]!;
    if (!plane.alive || to.from === null) return [];
    const at = inside(between(plane.at, to.at, by), size);
    const nose = unit(between(noseOf(plane.heading), noseOf(to.heading), smooth(by)));
    const lean = to.flight === "lane" ? Math.sin(by * Math.PI) : 0;
    const pose: Pose = { ...looks(name, plane), flight: to.flight, at, nose, lean };
    return [{ pose, trail: trail(name, plane, size, { at, flight: to.flight }) }];
  });
  return { scene: base, poses: flights.map((it) => it.pose), ...marks(base, size, by, fast), trails: flights.map((it) => it.trail), plans: [] };
}

/** Shots, explosions and wrecks of a scene; they are gone by and by. */
function marks(scene: Scene, size: number, gone: number, fast: boolean): Pick<Picture, "rays" | "bursts" | "wrecks"> {
  const wrecks = scene.wrecks.map(({ of, at }) => ({ of, at: inside(at, size) }));
  if (fast) return { rays: [], bursts: [], wrecks };
  const strength = 1 - gone / SHOT_FADES;
  const rays = scene.shots.map(({ by, from, to, hit }) => ({ by, from, to, hit: hit.length > 0, strength }));
  const bursts = planesOf(scene).flatMap(({ plane: { death, at } }) =>
    death === null || gone >= BURST_FADES ? [] : [{ at: inside(at, size), death, gone: gone / BURST_FADES }],
  );
  return { rays: strength > 0 ? rays : [], bursts, wrecks };
}

function looks(name: Name, { flight, cooldown }: Plane): Pick<Pose, "name" | "flight" | "cooldown"> {
  return { name, flight, cooldown };
}

function trail(of: Name, plane: Plane, size: number, head?: { at: Point; flight: Flight }): Trail {
  const steps = head === undefined ? plane.trail : [...plane.trail, head];
  return { of, points: steps.map((it) => inside(it.at, size)), flights: steps.slice(1).map((it) => it.flight) };
}

function planesOf(scene: Scene): { name: Name; plane: Plane }[] {
  return SEATS.flatMap((seat) => PLANES.map((no) => ({ name: [seat, no] as const, plane: scene.planes[seat]![no]! })));
}

function between(one: Point, other: Point, by: number): Point {
  return [0, 1, 2].map((axis) => one[axis]! + (other[axis]! - one[axis]!) * by) as unknown as Point;
}

/** A plane that leaves the arena is seen no farther than at the wall. */
function inside(at: Point, size: number): Point {
  return at.map((it) => Math.min(size - 0.5, Math.max(-0.5, it))) as unknown as Point;
}

function unit(way: Point): Point {
  const long = Math.hypot(...way);
  return long < 1e-6 ? [0, 0, 1] : [way[0] / long, way[1] / long, way[2] / long];
}

function smooth(by: number): number {
  return by * by * (3 - 2 * by);
}
