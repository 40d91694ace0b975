// Where names stand beside their planes: each at its usual place, or at the
// next free one around its plane, so that none covers another. Knows no page.

/** A name that wants a place: where its plane is, and how large it is, in pixels. */
export interface Label {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Its usual place is above its plane, or else below. */
  above: boolean;
}

/** The middle of a name, in pixels. */
export type Place = readonly [x: number, y: number];

/** Rounds of places farther and farther away; after these it stands where it usually would. */
const RINGS = 4;

/** Between two names, in pixels. */
const GAP_PX = 2;

/** Places for all of them, the first first; `reach` is how far a plane reaches around its point, in pixels. */
export function places(labels: readonly Label[], reach: number): Place[] {
  const taken: { at: Place; label: Label }[] = [];
  return labels.map((label) => {
    const free = around(label, reach).find((at) => taken.every((it) => !overlap(at, label, it.at, it.label)));
    const at = free ?? around(label, reach)[0]!;
    taken.push({ at, label });
    return at;
  });
}

/** The places around a plane, the usual one first. */
function around({ x, y, width, height, above }: Label, reach: number): Place[] {
  const up = above ? -1 : 1;
  const found: Place[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    const [far_x, far_y] = [reach + width / 2 + ring * (width + GAP_PX), reach + height / 2 + ring * (height + GAP_PX)];
    found.push([x, y + up * far_y], [x + far_x, y], [x - far_x, y], [x, y - up * far_y], [x + far_x, y + up * far_y], [x - far_x, y + up * far_y]);
  }
  return found;
}

function overlap(one: Place, a: Label, other: Place, b: Label): boolean {
  const apart = (axis: 0 | 1) => Math.abs(one[axis] - other[axis]);
  return apart(0) < (a.width + b.width) / 2 + GAP_PX && apart(1) < (a.height + b.height) / 2 + GAP_PX;
}
