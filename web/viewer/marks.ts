// Which moments get a mark: where many fall on the same few pixels of the
// slider, the heaviest of them stands for all.

import type { Moment } from "./game";

/** Marks stand at least this far apart, as a part of the slider's length. */
const APART = 1 / 70;

/** Moments to draw, in order, of those given in order. */
export function marksOf(moments: readonly Moment[], last: number): Moment[] {
  const apart = Math.max(1, last * APART);
  const marks: Moment[] = [];
  for (const moment of moments) {
    const before = marks[marks.length - 1];
    if (before === undefined || moment.frame - before.frame >= apart) marks.push(moment);
    else if (moment.weight > before.weight) marks[marks.length - 1] = moment;
  }
  return marks;
}

/** The next moment after frame `from`, or before it where `way` is -1. */
export function momentBeside(moments: readonly Moment[], from: number, way: 1 | -1): Moment | null {
  const beside = moments.filter((it) => (it.frame - from) * way > 0);
  return beside[way === 1 ? 0 : beside.length - 1] ?? null;
}
