// A whole match of Jockey, from its positions: one scene a frame, the way each
// player has gone, how much thinking time is left, what is remarkable. The last
// step of a race is a scene of that race, though the position after it is the
// start of the next one. Knows no page.

import type { Moment } from "../../viewer/game";
import { ReplayError, type Replay } from "../../viewer/replay";
import { text } from "./text";
import { type Cause, type Event, type Fraction, type Move, N_RACES, N_SEATS, readEvents, readView, SEATS, type Vector, type View } from "./view";

/** Marks of one kind for one player in one race; what happens again and again is soon told. */
const SAME_MARKS_MAX = 4;

/** Where a player is in a scene, and how it got there. */
export interface Racer {
  at: Vector;
  velocity: Vector;
  /** What the step of this scene did; null where it was not in it. */
  move: Move | null;
  /** Goal time, once it is at the goal. */
  time: Fraction | null;
  /** Why it is out, once it is disqualified. */
  cause: Cause | null;
  /** Thinking time left in this race, in ms; null where nobody noted it or there is no such bank. */
  left_ms: number | null;
  /** Rows below this one it has brought into sight, by itself. */
  sees: number;
}

/** What is to be seen in one frame. */
export interface Scene {
  race: number;
  /** The step that led here; null before the first one. */
  step: number | null;
  racers: readonly [Racer, Racer];
  /** Rows below this one are visible to the players. */
  sees: number;
  /** Rows that the eyes know for whom the replay was made. */
  rows: readonly string[];
  /** The race is over. */
  over: boolean;
  /** Goal times that are known, by race and seat. */
  times: readonly (readonly (Fraction | null)[])[];
  /** Of the match, once it is over. */
  sums: readonly [Fraction, Fraction] | null;
  events: readonly Event[];
  /** People who let a step pass. */
  missed: readonly number[];
}

/** A step of a way: where it ended, in which frame, and whether it was a stop. */
export interface Footprint {
  at: Vector;
  frame: number;
  stopped: boolean;
}

/** A match, read as far as it has come. */
export class Match {
  readonly views: View[] = [];
  readonly scenes: Scene[] = [];
  /** Ways by race and seat, from the start on. */
  readonly ways: Footprint[][][] = Array.from({ length: N_RACES }, () => SEATS.map(() => []));
  readonly width: number;
  readonly length: number;
  #timed: [boolean, boolean] = [false, false];

  /** Throws `ReplayError` where a position is not this game's. */
  constructor(private readonly replay: Replay) {
    if (replay.seats.length !== N_SEATS) throw new ReplayError(`seats has ${replay.seats.length} entries, a race has ${N_SEATS}`);
    const first = readView(replay.frames[0]!, 0);
    this.width = first.width;
    this.length = first.length;
    this.read_on();
  }

  /** Reads frames that have been appended. */
  read_on(): void {
    const { frames } = this.replay;
    for (let index = this.views.length; index < frames.length; index++) {
      const view = readView(frames[index]!, index);
      if (view.width !== this.width || view.length !== this.length) {
        throw new ReplayError(`frames[${index}].view: the course is ${view.width} by ${view.length}, it was ${this.width} by ${this.length}`);
      }
      const events = readEvents(frames[index]!, index);
      // People have a time for each step, and no bank.
      for (const seat of SEATS) if (frames[index]!.spent[seat] && !this.replay.seats[seat]!.person) this.#timed[seat] = true;
      this.views.push(view);
      const scene = index === 0 ? this.#opening(view, 0) : this.#next(index, events);
      this.scenes.push(scene);
      this.#note(scene, index);
    }
  }

  /** Shows the race that has begun in place of the end of the one before: for who is asked its first step. */
  begin_race(): void {
    const index = this.views.length - 1;
    const view = this.views[index]!;
    if (this.scenes[index]!.race === view.race || view.end !== null) return;
    const scene = this.#opening(view, index);
    this.scenes[index] = scene;
    this.#note(scene, index);
  }

  /** Whether anybody noted how long `seat` thought. */
  is_timed(seat: number): boolean {
    return this.#timed[seat] === true;
  }

  /** Footprints of `seat` in the race of `frame`, up to there: how many of `ways`. */
  walked(frame: number, seat: number): number {
    const way = this.ways[this.scenes[frame]!.race]![seat]!;
    let low = 0;
    let high = way.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (way[middle]!.frame <= frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moments worth a mark, in order. */
  moments(): Moment[] {
    const found: Moment[] = [];
    const marked = new Map<string, number>();
    let warned = false;
    this.scenes.forEach((scene, frame) => {
      const rare = (key: string) => {
        const times = (marked.get(key) ?? 0) + 1;
        marked.set(key, times);
        return times <= SAME_MARKS_MAX;
      };
      const names = this.replay.seats.map((it) => it.name);
      for (const seat of SEATS) {
        const { move } = scene.racers[seat];
        const out = scene.events.some((it) => it.event === "disqualified" && it.seat === seat);
        const label = `${names[seat]}: ${text.caption(scene, seat)}`;
        if (out) found.push({ frame, kind: "bad", weight: 60, label });
        else if (move?.how === "finished") found.push({ frame, kind: "good", weight: 50, label });
        else if (move?.how === "collided" && rare(`${scene.race} ${seat} c`)) found.push({ frame, kind: "bad", weight: 20, label });
        else if (move?.how === "off_course" && rare(`${scene.race} ${seat} o`)) found.push({ frame, kind: "bad", weight: 5, label });
      }
      if (!warned && this.replay.frames[frame]!.remarks.some((it) => it.kind === "warning")) {
        warned = true;
        found.push({ frame, kind: "note", weight: 1, label: text.first_warning });
      }
      if (scene.sums !== null) found.push({ frame, kind: "end", weight: 1000, label: text.sums(names, scene.sums) });
      else if (scene.over) found.push({ frame, kind: "end", weight: 900, label: text.race_over(scene.race) });
    });
    return found;
  }

  /** The start of a race, as `view` has it. */
  #opening(view: View, index: number): Scene {
    const racer = (seat: number): Racer => ({
      at: view.players[seat]!.at,
      velocity: view.players[seat]!.velocity,
      move: null,
      time: null,
      cause: null,
      left_ms: view.think_ms,
      sees: view.vision,
    });
    return {
      race: view.race,
      step: null,
      racers: [racer(0), racer(1)],
      sees: view.vision,
      rows: this.#rows(view, index),
      over: false,
      times: view.times,
      sums: null,
      events: [],
      missed: [],
    };
  }

  #next(index: number, events: Event[]): Scene {
    const [before, view] = [this.views[index - 1]!, this.views[index]!];
    const last = this.scenes[index - 1]!;
    const from = last.over ? this.#opening(before, index - 1) : last;
    const spent = this.replay.frames[index]!.spent;
    const stepped = events.find((it) => it.event === "stepped");
    const racer = (seat: 0 | 1): Racer => {
      const was = from.racers[seat];
      const move = stepped?.moves[seat] ?? null;
      const out = events.find((it) => it.event === "disqualified" && it.seat === seat);
      const cost = spent[seat]?.charged_ms ?? 0;
      const moved = move !== null && move.how !== "disqualified";
      return {
        at: move?.to ?? was.at,
        velocity: move?.velocity ?? was.velocity,
        move,
        time: move?.how === "finished" ? (move.time ?? null) : was.time,
        cause: out?.event === "disqualified" ? out.cause : was.cause,
        left_ms: was.left_ms === null ? null : Math.max(0, was.left_ms - cost),
        sees: moved ? Math.max(was.sees, move.to[1] + view.vision) : was.sees,
      };
    };
    const racers = [racer(0), racer(1)] as const;
    const over = events.some((it) => it.event === "race_over");
    const times = view.times.map((of, race) =>
      of.map((time, seat) => time ?? (race === from.race ? racers[seat as 0 | 1].time : null)),
    );
    return {
      race: from.race,
      step: stepped?.event === "stepped" ? stepped.step : from.step,
      racers,
      sees: Math.max(from.sees, racers[0].sees, racers[1].sees),
      rows: this.#rows(view, index),
      over,
      times,
      sums: view.end?.sums ?? null,
      events,
      missed: events.flatMap((it) => (it.event === "missed" ? [it.seat] : [])),
    };
  }

  /** What was seen once is known: the second race is on the same course. */
  #rows(view: View, index: number): readonly string[] {
    const known = this.scenes[index - 1]?.rows ?? [];
    return view.rows.length > known.length ? view.rows : known;
  }

  #note(scene: Scene, frame: number): void {
    for (const seat of SEATS) {
      const way = this.ways[scene.race]![seat]!;
      const { at, move } = scene.racers[seat];
      if (way.length === 0) {
        // A race is first seen with its players at the start, or one step on.
        way.push({ at: move?.from ?? at, frame: frame, stopped: false });
      }
      if (move === null || move.how === "disqualified") continue;
      way.push({ at: move.to, frame, stopped: move.how === "off_course" || move.how === "collided" });
    }
  }
}
