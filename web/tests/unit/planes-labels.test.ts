// Names beside planes: none covers another, and each stands where one looks for it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type Label, places } from "../../games/planes/labels";

const REACH_PX = 13;
const label = (x: number, y: number, above: boolean): Label => ({ x, y, width: 28, height: 18, above });

/** Pairs of names that cover each other. */
function covering(labels: readonly Label[]): string[] {
  const at = places(labels, REACH_PX);
  return labels.flatMap((a, one) =>
    labels.flatMap((b, other) => {
      const far = (axis: 0 | 1) => Math.abs(at[one]![axis] - at[other]![axis]);
      return other > one && far(0) < (a.width + b.width) / 2 && far(1) < (a.height + b.height) / 2 ? [`${one} and ${other}`] : [];
    }),
  );
}

test("a name with room around it stands above its plane or below, as its side does", () => {
  assert.deepEqual(places([label(100, 100, true), label(300, 100, false)], REACH_PX), [
    [100, 78],
    [300, 122],
  ]);
});

test("four names stand apart wherever their planes are", () => {
  const table: [string, Label[]][] = [
    ["in one place", [label(50, 50, true), label(50, 50, true), label(50, 50, false), label(50, 50, false)]],
    ["in a row", [0, 1, 2, 3].map((it) => label(50 + 9 * it, 50, it < 2))],
    ["above each other", [0, 1, 2, 3].map((it) => label(50, 50 + 7 * it, it >= 2))],
  ];
  for (const [where, labels] of table) assert.deepEqual(covering(labels), [], where);
  for (let seed = 1; seed < 500; seed++) {
    // Some places close to each other, other ones each time.
    const spot = (k: number) => (seed * 7919 * (k + 1)) % 61;
    const labels = [0, 1, 2, 3].map((it) => label(spot(it), spot(it + 4), it < 2));
    assert.deepEqual(covering(labels), [], JSON.stringify(labels));
  }
});
