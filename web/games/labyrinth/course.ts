// A whole match of Labyrinth, from its positions: the path walked, when each
// hedge was planted, how long the way to the treasure is, what is remarkable.
// Knows no page.

import type { Moment } from "../../viewer/game";
import { ReplayError, type Replay } from "../../viewer/replay";
import { text } from "./text";
import { ADVENTURER, ARCHITECT, DIRECTIONS, letter, N_SEATS, readView, type View } from "./view";

/** A mistake that a seat makes more often than this is marked no more. */
const SAME_MARKS_MAX = 3;

/** A step of the path: where, and from which frame on. */
export interface Footprint {
  x: number;
  y: number;
  frame: number;
}

/** A match, read as far as it has come. */
export class Course {
  readonly views: View[] = [];
  readonly path: Footprint[] = [];
  /** By field, row by row: the round its hedge was planted in, 0 where none was. */
  readonly planted_in: Uint16Array;
  /** Steps still needed in each frame; -1 where nobody knows, because fields are hidden. */
  readonly way: number[] = [];
  readonly size: number;

  /** Throws `ReplayError` where a position is not this game's. */
  constructor(private readonly replay: Replay) {
    if (replay.seats.length !== N_SEATS) throw new ReplayError(`seats has ${replay.seats.length} entries, a Labyrinth has ${N_SEATS}`);
    const first = readView(replay.frames[0]!, 0);
    this.size = first.size;
    this.planted_in = new Uint16Array(this.size * this.size);
    this.read_on();
  }

  /** Reads frames that have been appended. */
  read_on(): void {
    for (let index = this.views.length; index < this.replay.frames.length; index++) {
      const view = readView(this.replay.frames[index]!, index);
      this.views.push(view);
      this.#note_step(view, index);
      this.#note_hedge(view);
      // A decision that changed nothing changed no way.
      const same = index > 0 && view.last !== null && view.last.reason !== null;
      this.way.push(same ? this.way[index - 1]! : steps(view));
    }
  }

  /** Footprints up to `frame`: how many of `path`. */
  walked(frame: number): number {
    let low = 0;
    let high = this.path.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.path[middle]!.frame <= frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The direction last walked in up to `frame`; to the treasure's side at first. */
  facing(frame: number): number {
    const n = this.walked(frame);
    if (n < 2) return 0;
    const [from, to] = [this.path[n - 2]!, this.path[n - 1]!];
    const found = DIRECTIONS.findIndex(([dx, dy]) => from.x + dx === to.x && from.y + dy === to.y);
    return found < 0 ? 0 : found;
  }

  /** Moments worth a mark, in order. */
  moments(): Moment[] {
    const found: Moment[] = [];
    const marked = new Map<string, number>();
    let warned = false;
    this.views.forEach((view, frame) => {
      const last = view.last;
      // Having nothing to say is no mistake, and one made turn after turn is soon told.
      if (last !== null && last.reason !== null && last.reason !== "no_command") {
        const mistake = `${last.seat} ${last.reason}`;
        const times = (marked.get(mistake) ?? 0) + 1;
        marked.set(mistake, times);
        if (times <= SAME_MARKS_MAX) found.push({ frame, kind: "bad", weight: 2, label: text.what_happened(last) });
      }
      const longer = frame > 0 && last?.seat === ARCHITECT ? this.way[frame]! - this.way[frame - 1]! : 0;
      if (this.way[frame]! >= 0 && longer >= Math.max(4, this.size / 3)) {
        found.push({ frame, kind: "good", weight: 3 + longer, label: text.longer(longer) });
      }
      if (!warned && this.replay.frames[frame]!.remarks.some((it) => it.kind === "warning")) {
        warned = true;
        found.push({ frame, kind: "note", weight: 1, label: text.first_warning });
      }
      if (view.end !== null) found.push({ frame, kind: "end", weight: 1000, label: text.sentence(view.end.why) });
    });
    return found;
  }

  #note_step(view: View, frame: number): void {
    const [x, y] = view.adventurer;
    const before = this.path[this.path.length - 1];
    if (before === undefined || before.x !== x || before.y !== y) this.path.push({ x, y, frame });
  }

  #note_hedge({ last, clock }: View): void {
    if (last === null || last.seat !== ARCHITECT || last.reason !== null) return;
    if (typeof last.action === "string" || !("plant" in last.action)) return;
    const [x, y] = last.action.plant;
    this.planted_in[(y - 1) * this.size + x - 1] = clock;
  }
}

/** Steps of the shortest way from the adventurer to the treasure; -1 where fields are hidden. */
export function steps(view: View): number {
  const { size, adventurer, fields } = view;
  if (fields.includes("?")) return -1;
  // The board with its ring, so that neighbours need no bounds: 0 is hedge or seen.
  const wide = size + 2;
  const open = new Uint8Array(wide * wide);
  for (let y = 1; y <= size; y++) {
    for (let x = 1; x <= size; x++) open[y * wide + x] = letter(view, x, y) === "h" ? 0 : 1;
  }
  const treasure = wide + 1;
  const queue = new Uint16Array(size * size);
  const far = new Uint16Array(size * size);
  let [head, tail] = [0, 1];
  queue[0] = adventurer[1] * wide + adventurer[0];
  open[queue[0]] = 0;
  while (head < tail) {
    const place = queue[head]!;
    const n = far[head++]!;
    if (place === treasure) return n;
    for (const to of [place - wide, place + 1, place + wide, place - 1]) {
      if (!open[to]) continue;
      open[to] = 0;
      far[tail] = n + 1;
      queue[tail++] = to;
    }
  }
  return -1;
}

/** Whether the eyes of the adventurer are the ones that matter now: its turn, and no map. */
export function is_dark(view: View): boolean {
  return view.mode === "nomap" && view.turn === ADVENTURER;
}
