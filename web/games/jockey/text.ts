// Every word the board of Jockey says.

import { end_words } from "../../viewer/ends";
import type { Scene } from "./match";
import { type Cause, type Fraction, mixed, SEATS, type Vector, type View } from "./view";

/** A cell as bots name it, and as the numbers on the edge show it. */
const cell = ([x, y]: Vector) => `${x}, ${y}`;

/** The same for people who hear it. */
const spoken = ([x, y]: Vector) => `column ${x}, row ${y}`;

export const text = {
  race: (race: number) => `Race ${race + 1}`,
  step: (step: number, limit: number) => `step ${step} of ${limit - 1}`,
  at_start: "at the start",
  size: ({ width, length }: View) => `${width} × ${length} cells`,
  vision: (rows: number) => `${rows} rows seen ahead`,
  before: "Before the first step.",
  version: (n: number) => `v${n}`,
  marks: ["■", "●"] as const,
  shapes: ["square", "disc"] as const,
  time_left: "Thinking time left",
  time_unknown: "Thinking time was not noted",
  velocity: "Velocity",
  race_short: (race: number) => `Race ${race + 1}`,
  sum: "Sum",
  no_time: "–",
  times: "Goal times, in steps",
  racing: "racing",
  waiting: "getting ready",
  at_goal: "at the goal",
  disqualified: "disqualified",
  follow: "Follow",
  follow_both: "both players",
  follow_choices: ["both", "first", "second"] as const,
  legend: "Shown on the board",
  layers: {
    veil: "Not yet in sight of the players",
    ways: "Ways so far",
    next: "Cells that can be reached next",
  },
  signs: { stop: "A stop", own_sight: "How far each has brought into sight" },
  priority: "priority",
  first_warning: "First warning of the judge",
  goal: "goal",

  play: {
    pad: "Acceleration",
    invitation: "Choose how to accelerate: up is towards the goal.",
    keys: [
      ["1 – 9", "accelerate, as the numeric pad lies"],
      ["← ↑ → ↓", "choose"],
      ["Enter", "go where you have chosen"],
    ] as const,
    arrow: ([x, y]: Vector) => [["↙", "↓", "↘"], ["←", "·", "→"], ["↖", "↑", "↗"]][y + 1]![x + 1]!,
    /** What is on the cell where a choice ends, as far as it is known. */
    ground(view: View, [x, y]: Vector): string {
      if (x < 0 || x >= view.width) return "beyond the side";
      if (y >= view.length) return "beyond the goal";
      const row = view.rows[y];
      if (row === undefined) return y < 0 ? "grass" : "not in sight yet";
      return { "0": "grass", "1": "an obstacle", "2": "a pond" }[row[x]!] ?? "unknown";
    },
    is_barred: (view: View, [x, y]: Vector) => x < 0 || x >= view.width || view.rows[y]?.[x] === "1",
    choice: ([x, y]: Vector, to: Vector, ground: string) => {
      const sideways = x === 0 ? "" : x < 0 ? "left" : "right";
      const along = y === 0 ? "" : y > 0 ? "faster towards the goal" : "slower or back";
      const words = [along, sideways].filter((it) => it !== "").join(", ") || "as before";
      return `${words.charAt(0).toUpperCase()}${words.slice(1)}: to ${spoken(to)}, ${ground}`;
    },
  },

  heading: (scene: Scene) => (scene.step === null ? `Race ${scene.race + 1}` : `Race ${scene.race + 1}, step ${scene.step}`),
  race_over: (race: number) => `Race ${race + 1} is over`,

  sums(names: readonly string[], [one, other]: readonly [Fraction, Fraction]): string {
    const less = one[0] * other[1] - other[0] * one[1];
    const times = (less <= 0 ? [one, other] : [other, one]).map(mixed).join(" against ");
    return less === 0 ? `A draw: ${times} steps` : `${names[less < 0 ? 0 : 1]} wins: ${times} steps`;
  },

  /** The reason of a stop in two or three words, for the board itself. */
  stop(scene: Scene, seat: 0 | 1): string | null {
    const { move, cause } = scene.racers[seat];
    if (move?.how === "off_course") return move.over === "side" ? "over the side" : "obstacle";
    if (move?.how === "collided") return move.touched_cell === true ? "touched its cell" : "gives way";
    return cause !== null && scene.events.some((it) => it.event === "disqualified" && it.seat === seat) ? "disqualified" : null;
  },

  /** What became of `seat` in a step, without its name. */
  caption(scene: Scene, seat: 0 | 1, where: (at: Vector) => string = cell): string {
    const { move, cause } = scene.racers[seat];
    const out = scene.events.some((it) => it.event === "disqualified" && it.seat === seat);
    const why = out && cause !== null ? `is disqualified: ${this.cause(cause)}` : null;
    const missed = scene.missed.includes(seat) ? "lets the step pass; " : "";
    if (move === null) return why ?? (scene.step === null ? "is ready" : "is out");
    const done = (): string => {
      switch (move.how) {
        case "moved": {
          if (move.from[0] === move.to[0] && move.from[1] === move.to[1]) return `stays at ${where(move.to)}`;
          return `goes to ${where(move.to)}`;
        }
        case "splashed":
          return `lands in the pond at ${where(move.to)} and stands`;
        case "finished":
          return `is at the goal after ${mixed(move.time ?? [0, 1])} steps`;
        case "off_course": {
          const over = move.over === "side" ? "leads over the side" : "touches an obstacle";
          return `stays at ${where(move.to)}: the line to ${where(move.planned)} ${over}`;
        }
        case "collided":
          return `stays at ${where(move.to)}: ${this.collision(scene, seat)}`;
        case "disqualified":
          return why ?? "is disqualified";
      }
    };
    const words = missed + done();
    return why === null || move.how === "disqualified" ? words : `${words}, and ${why}`;
  },

  /** Why `seat` lost a collision. */
  collision(scene: Scene, seat: 0 | 1): string {
    const own = scene.racers[seat].move!;
    const other = scene.racers[seat === 0 ? 1 : 0].move;
    if (own.touched_cell === true) return "its line touches the cell in which the other one started the step";
    const behind = other !== null && other.from[1] < own.from[1];
    return `the lines meet, and the other one has priority, being farther ${behind ? "behind" : "left"}`;
  },

  cause(cause: Cause): string {
    switch (cause.kind) {
      case "steps":
        return "the goal was not reached within the step limit";
      case "clock":
        return "the thinking time was used up";
      case "absent":
        return "three steps in a row were missed";
      case "gone":
        return end_words(cause.end);
      case "protocol":
        return `against the protocol: ${cause.why}`;
    }
  },

  /** What happened to both, with their names, as sentences. */
  what_happened(scene: Scene, names: readonly string[], where: (at: Vector) => string = cell): string {
    const told = SEATS.filter((seat) => this.is_told(scene, seat));
    const parts = told.map((seat) => `${names[seat]} ${this.caption(scene, seat, where)}.`);
    if (scene.sums !== null) parts.push(`${this.sums(names, scene.sums)}.`);
    return parts.join(" ");
  },

  /** Whether there is anything to say of `seat` in a step. */
  is_told(scene: Scene, seat: 0 | 1): boolean {
    const { move } = scene.racers[seat];
    return move !== null || scene.step === null || scene.events.some((it) => it.event === "disqualified" && it.seat === seat);
  },

  /** The whole position in words. */
  describe(scene: Scene, view: View, names: readonly string[]): string {
    const parts = [`${this.race(scene.race)}, ${scene.step === null ? this.at_start : this.step(scene.step, view.step_limit)}.`];
    if (scene.events.length > 0) parts.push(this.what_happened(scene, names, spoken));
    for (const seat of SEATS) {
      const { at, velocity, time, cause } = scene.racers[seat];
      const where = `${names[seat]} is at ${spoken(at)}, velocity ${velocity[0]} ${velocity[1]}`;
      if (time === null && cause === null) parts.push(`${where}.`);
      else if (scene.racers[seat].move === null) parts.push(`${names[seat]} is ${time === null ? this.disqualified : this.at_goal}.`);
    }
    if (scene.sums === null) {
      parts.push(scene.sees >= view.length ? "The whole course is in sight." : `Rows below ${scene.sees} of ${view.length} are in sight.`);
    }
    return parts.join(" ");
  },

  /** What one cell is, for whoever points at it. */
  cell(scene: Scene, view: View, at: Vector, names: readonly string[]): string {
    const [x, y] = at;
    const where = cell(at);
    const here = SEATS.filter((seat) => scene.racers[seat].at[0] === x && scene.racers[seat].at[1] === y && scene.racers[seat].time === null);
    if (here.length > 0) return `${where}: ${here.map((seat) => names[seat]).join(", ")}`;
    if (y >= view.length) return `${where}: beyond the goal`;
    if (y < 0) return `${where}: behind the start`;
    const letter = scene.rows[y]?.[x];
    const ground = letter === undefined ? "unknown" : (["flat", "obstacle", "pond"][Number(letter)] ?? "unknown");
    return y >= scene.sees ? `${where}: ${ground}, not yet in sight` : `${where}: ${ground}`;
  },

  /** The list beside the board: one line for each player. */
  line: (scene: Scene, seat: 0 | 1): string => `${text.marks[seat]} ${text.caption(scene, seat)}`,
};
