// Where the arena is looked at from: a point on a sphere around what is looked
// at, turned by hand or put somewhere by name. Knows no page and no 3D library.

import { along, noseOf, type Picture, type Point } from "./picture";
import type { Name } from "./view";

/** Where one can look from by name. */
export type Preset = "whole" | "above" | "side" | Name;

/** How the camera stands to what it looks at: angles in radians, the distance in edges of the arena. */
export interface Orbit {
  /** From the south (0) by the east (a quarter) to the north. */
  azimuth: number;
  /** From level with the target (0) to straight above it (a quarter). */
  elevation: number;
  distance: number;
}

const DEGREE = Math.PI / 180;

const ORBITS: Record<"whole" | "above" | "side" | "follow", Orbit> = {
  whole: { azimuth: 58 * DEGREE, elevation: 22 * DEGREE, distance: 2.45 },
  above: { azimuth: 0, elevation: 89.9 * DEGREE, distance: 1.95 },
  side: { azimuth: 90 * DEGREE, elevation: 2 * DEGREE, distance: 2 },
  follow: { azimuth: 0, elevation: 22 * DEGREE, distance: 0.75 },
};

const ELEVATION_MAX = 89.9 * DEGREE;
const ELEVATION_MIN = -30 * DEGREE;
const DISTANCE_MIN = 0.25;
const DISTANCE_MAX = 4;

/** How far one press of a key turns. */
const TURN = 7.5 * DEGREE;
const NEARER = 0.88;

/** A change of place takes this long where things may move. */
const GLIDE_MS = 350;

/** The camera. */
export class Camera {
  #preset: Preset = "whole";
  #orbit: Orbit = { ...ORBITS.whole };
  /** Behind a plane, the orbit goes on from the plane's own direction. */
  #behind = 0;
  #target: Point;
  #glide: { from: Orbit; target: Point; begun_ms: number } | null = null;

  constructor(private readonly size: number) {
    this.#target = this.#middle;
  }

  get preset(): Preset {
    return this.#preset;
  }

  /** Whether time changes where it is. */
  get gliding(): boolean {
    return this.#glide !== null;
  }

  /** Goes to a named place; at once where `motion` is off. */
  go(preset: Preset, now_ms: number, motion: boolean): void {
    const from = { ...this.#now(), azimuth: turn(this.#now().azimuth) };
    this.#glide = motion ? { from, target: this.#target, begun_ms: now_ms } : null;
    this.#preset = preset;
    this.#orbit = { ...ORBITS[typeof preset === "string" ? preset : "follow"] };
    if (typeof preset === "string") this.#behind = 0;
  }

  /** Turns by hand, in radians. */
  turn(azimuth: number, elevation: number): void {
    this.#orbit.azimuth += azimuth;
    this.#orbit.elevation = Math.min(ELEVATION_MAX, Math.max(ELEVATION_MIN, this.#orbit.elevation + elevation));
  }

  /** Comes nearer where `by` is less than 1. */
  zoom(by: number): void {
    this.#orbit.distance = Math.min(DISTANCE_MAX, Math.max(DISTANCE_MIN, this.#orbit.distance * by));
  }

  /** What a key does to it; false where nothing. */
  press(key: string): boolean {
    if (key === "ArrowLeft") this.turn(-TURN, 0);
    else if (key === "ArrowRight") this.turn(TURN, 0);
    else if (key === "ArrowUp") this.turn(0, TURN);
    else if (key === "ArrowDown") this.turn(0, -TURN);
    else if (key === "+" || key === "=") this.zoom(NEARER);
    else if (key === "-") this.zoom(1 / NEARER);
    else if (key === "0") this.#orbit = { ...ORBITS[typeof this.#preset === "string" ? this.#preset : "follow"] };
    else return false;
    return true;
  }

  /** Nearer or farther by one press. */
  step(way: 1 | -1): void {
    this.zoom(way === 1 ? NEARER : 1 / NEARER);
  }

  /** Where it is for `picture`, and what it looks at, in cells; `aspect` is width by height of the screen. */
  stand(picture: Picture, now_ms: number, aspect: number): { at: Point; target: Point } {
    let target = this.#aim(picture);
    let { azimuth, elevation, distance } = this.#now();
    if (this.#glide !== null) {
      const by = Math.min(1, (now_ms - this.#glide.begun_ms) / GLIDE_MS);
      const eased = by * by * (3 - 2 * by);
      const { from, target: was } = this.#glide;
      azimuth = from.azimuth + turn(azimuth - from.azimuth) * eased;
      elevation = from.elevation + (elevation - from.elevation) * eased;
      distance = from.distance + (distance - from.distance) * eased;
      target = was.map((it, axis) => it + (target[axis]! - it) * eased) as unknown as Point;
      if (by >= 1) this.#glide = null;
    }
    this.#target = target;
    // On a narrow screen the whole arena is seen from farther away.
    const far = distance * this.size * Math.max(1, 1.15 / aspect);
    const way: Point = [Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation)];
    return { at: along(target, way, far), target };
  }

  #now(): Orbit {
    return { ...this.#orbit, azimuth: this.#orbit.azimuth + this.#behind };
  }

  /** What it looks at: the middle, or the plane that it follows; a plane that is down, where it fell. */
  #aim(picture: Picture): Point {
    if (typeof this.#preset === "string") return this.#middle;
    const [seat, no] = this.#preset;
    const pose = picture.poses.find((it) => it.name[0] === seat && it.name[1] === no);
    if (pose !== undefined) {
      const [x, y] = pose.nose;
      if (Math.hypot(x, y) > 0.05) this.#behind = Math.atan2(-y, -x);
      return pose.at;
    }
    const plane = picture.scene.planes[seat]![no]!;
    const [x, y] = noseOf(plane.heading);
    if (Math.hypot(x, y) > 0.05) this.#behind = Math.atan2(-y, -x);
    return picture.wrecks.find((it) => it.of[0] === seat && it.of[1] === no)?.at ?? this.#middle;
  }

  get #middle(): Point {
    const middle = (this.size - 1) / 2;
    return [middle, middle, middle];
  }
}

/** An angle between minus a half and a half turn. */
function turn(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
