// What a game brings so that a person can play it here: a board that is also
// drawn on, ways to decide by pointer and keyboard, and what its console
// understands. A file web/games/<id>/play.ts that exports `createHand` is all
// that a game needs; one without is watched, not played.

import type { GameViewer } from "../viewer/game";
import type { Replay } from "../viewer/replay";

/** What kind of line a person has typed. */
export type LineKind = "query" | "command" | "end" | "log";

/** The console of a game. */
export interface ConsoleTalk {
  /** What a line is, by its first word; judged by the server alone. */
  kind(line: string): LineKind;
  /** A line as it might be typed. */
  example: string;
  /** In a sentence: what can be typed. */
  about: string;
}

/** What a hand may do with the page. */
export interface Table {
  replay: Replay;
  /** Where the person sits. */
  seat: number;
  /** Sends a decision: an action of the game. What becomes of it, the page tells. */
  act(action: unknown): void;
  /** Says something about the board, for everybody to read. */
  say(words: string): void;
  /** Says again what to do: `invitation` has changed. */
  again(): void;
  /** Draws the board again: what is marked on it has changed. */
  redraw(): void;
}

/** A person's hand at the board. Made by `createHand`, and thrown away with the element. */
export interface GameHand {
  /** Draws the match. */
  readonly viewer: GameViewer;
  /** Null where there is nothing to type. */
  readonly console: ConsoleTalk | null;
  /** `[keys, what they do]`, for the help below the board. */
  readonly keys: readonly (readonly [string, string])[];
  /** What to do, when it is the person's turn. */
  readonly invitation: string;
  /** The viewer is on `stage`; builds what is needed there and inside `root`, which is empty. */
  mount(stage: HTMLElement, root: HTMLElement, table: Table): void;
  /** The position is that of `frame`, and whether the person is to decide now. */
  turn(frame: number, asked: boolean): void;
  /** Whether it takes this key. */
  key(event: KeyboardEvent): boolean;
  /** Lets go of listeners. */
  unmount(): void;
}

/** The module of a game. */
export interface HandModule {
  createHand(): GameHand;
}
