// Every word the board of Labyrinth says.

import type { Decided, Reason, View } from "./view";

const REASONS: Record<Reason, string> = {
  no_command: "no command was given",
  malformed: "the command cannot be understood",
  off_board: "that is outside the board",
  occupied: "a hedge grows there already",
  near_adventurer: "too near the adventurer",
  near_treasure: "too near the treasure",
  blocks_path: "it would block the last path to the treasure",
  bad_direction: "there is no such direction",
  hedge: "a hedge is in the way",
};

const COMPASS = ["north", "east", "south", "west"];

/** A field as bots name it, and as the numbers on the edge show it. */
const short = ([x, y]: readonly number[]) => `${x}, ${y}`;

/** The same for people who hear it. */
const field = ([x, y]: readonly number[]) => `column ${x}, row ${y}`;

export const text = {
  board: "The board",
  round: (clock: number, limit: number) => `Round ${clock} of ${limit}`,
  round_short: (clock: number) => `Round ${clock}`,
  turn: ["The architect’s turn", "The adventurer’s turn"],
  over: "Over",
  mode: { map: "with map", nomap: "without map" },
  size: (n: number) => `${n} × ${n}`,
  way: (steps: number) => (steps === 1 ? "1 step to go" : `${steps} steps to go`),
  roles: ["Architect", "Adventurer"],
  version: (n: number) => `v${n}`,
  points_now: "if the treasure were reached now",
  points_end: "of 100 points",
  points_words: (points: readonly number[]) => `Architect ${points[0]}, adventurer ${points[1]} of 100 points`,
  legend: "Shown on the board",
  layers: {
    forbidden: "Forbidden to plant",
    dark: "Unseen by the adventurer",
    trail: "Path walked",
  },
  marks: { hedge: "Hedge", adventurer: "Adventurer", treasure: "Treasure", redundant: "Move that did nothing" },
  reasons: REASONS,
  at_start: "Before the first turn.",
  unseen: "decides, unseen by the adventurer",
  unseen_sentence: "The architect decided, unseen by the adventurer.",
  longer: (steps: number) => `The new hedge makes the way ${steps} steps longer`,
  first_warning: "First warning of the judge",

  play: {
    pass: "Pass: do nothing in this turn",
    invitation: ["Click a field to plant a hedge; orange fields are forbidden.", "Click a field beside you, or use the arrow keys."],
    neighbours: "You can step on the four fields beside you.",
    console: "The lines that bots write: queries, commands, and #END, which ends your turn. The last command counts.",
    keys: [
      [
        ["← ↑ → ↓", "choose a field"],
        ["Enter", "plant a hedge there"],
        ["P", "pass"],
      ],
      [
        ["← ↑ → ↓", "step"],
        ["P", "pass"],
      ],
    ] as readonly (readonly (readonly [string, string])[])[],
  },

  /** What became of a decision, without its role. */
  caption({ action, reason }: Decided, where = short): string {
    if (reason === "no_command") return "does nothing";
    if (action === "pass") return "passes";
    if (action === "malformed") return `says what cannot be understood`;
    if ("plant" in action) {
      const at = where(action.plant);
      return reason === null ? `plants a hedge on ${at}` : `wants a hedge on ${at}: ${REASONS[reason]}`;
    }
    const way = COMPASS[action.step];
    if (reason === null) return `steps ${way}`;
    return way === undefined ? `wants to step in direction ${action.step}: ${REASONS[reason]}` : `wants to step ${way}: ${REASONS[reason]}`;
  },

  /** The same as a sentence of its own. */
  what_happened(last: Decided, where = short): string {
    return `The ${last.seat === 0 ? "architect" : "adventurer"} ${this.caption(last, where)}.`;
  },

  /** The whole position in words. */
  describe(view: View, way: number): string {
    const parts = [`${this.round(view.clock, view.limit)}.`];
    if (view.last !== null) parts.push(this.what_happened(view.last, field));
    parts.push(`The adventurer is on ${field(view.adventurer)}.`);
    if (view.end !== null) {
      parts.push(`${this.sentence(view.end.why)}. ${this.points_words(view.points)}.`);
    } else {
      if (way >= 0) parts.push(`${this.way(way)}.`);
      if (view.turn !== null) parts.push(`${this.turn[view.turn]}.`);
      parts.push(`${this.points_words(view.points)} ${this.points_now}.`);
    }
    return parts.join(" ");
  },

  /** What one field is, for whoever points at it. */
  field(view: View, x: number, y: number, letter: string, planted_in: number): string {
    const where = `${x}, ${y}`;
    if (x < 1 || y < 1 || x > view.size || y > view.size) return `${where}: the ring of hedge`;
    if (x === view.adventurer[0] && y === view.adventurer[1]) return `${where}: the adventurer`;
    if (x === 1 && y === 1) return `${where}: the treasure`;
    switch (letter) {
      case "h":
        return planted_in > 0 ? `${where}: hedge, planted in round ${planted_in}` : `${where}: hedge`;
      case "?":
        return `${where}: unknown to the adventurer`;
      case "a":
        return `${where}: forbidden, ${REASONS.near_adventurer}`;
      case "t":
        return `${where}: forbidden, ${REASONS.near_treasure}`;
      case "p":
        return `${where}: forbidden, ${REASONS.blocks_path}`;
    }
    return view.turn === 0 ? `${where}: free, a hedge may be planted here` : `${where}: free`;
  },

  sentence: (words: string) => words.charAt(0).toUpperCase() + words.slice(1),
};
