// How cells lie in the 3D picture: east is to the right, up is up, south
// comes towards who looks north; the middle of the arena is 0.

import type { Vector3 } from "three";

import type { Point } from "./picture";

/** A point of the arena, written to `to`. */
export function place(to: Vector3, at: Point, size: number): Vector3 {
  const middle = (size - 1) / 2;
  return to.set(at[1] - middle, at[2] - middle, at[0] - middle);
}

/** A direction, written to `to`. */
export function point(to: Vector3, [x, y, z]: Point): Vector3 {
  return to.set(y, z, x);
}
