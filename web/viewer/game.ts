// What a game brings to the replay: how to draw a position, how to say it in
// words, which moments are worth a mark. A folder web/games/<id> with an
// index.ts that exports `create` is all that a new game needs here.

import type { Replay } from "./replay";

/** A moment worth finding again: it gets a mark at the slider. */
export interface Moment {
  frame: number;
  /** In a few words: `the adventurer bumps into a hedge`. */
  label: string;
  /** Marks of one kind look the same. */
  kind: "good" | "bad" | "end" | "note";
  /** Where marks crowd, the heavier one is drawn. */
  weight: number;
}

/** How fast frames go by, so that nothing flickers when they go by fast. */
export interface Pace {
  playing: boolean;
  /** Frames a second while playing. */
  frames_per_s: number;
  /** Whether things may move between frames; else `fraction` is always 0. */
  motion: boolean;
}

/** What became of one ply, for the list beside the board. */
export interface Caption {
  /** Plies with the same heading stand together: `Round 12`. */
  heading: string;
  /** Whose ply it was, if one seat's. */
  seat: number | null;
  text: string;
  /** A move that did nothing, or a fault. */
  amiss: boolean;
}

/** `[keys, what they do]`, for the help; several keys are apart by blanks. */
export type KeyWords = readonly (readonly [string, string])[];

/** Draws one replay. Made by `create`, and thrown away with the element. */
export interface GameViewer {
  /** Frames a second at normal speed. */
  readonly frames_per_s: number;
  /** Keys of its own, besides those that every replay has; asked for when it is mounted. */
  readonly keys?: KeyWords;
  /**
   * Builds what is needed inside `root`, which is empty. Throws `ReplayError` where a view is not its game's.
   * `seek` goes to a frame, for what a game has of its own to choose one by; there is none where a person plays.
   */
  mount(root: HTMLElement, replay: Replay, seek?: (frame: number) => void): void;
  /** Shows frame `frame`, moved on by `fraction` (0 up to 1) towards the next. Called at most once a screen refresh. */
  show(frame: number, fraction: number, pace: Pace): void;
  /** Frames were appended to the replay, or its outcome came in. */
  grow(): void;
  /** The position in a sentence or two, for people who cannot see the board. */
  describe(frame: number): string;
  /** What became of ply `frame`. */
  caption(frame: number): Caption;
  /** Moments worth a mark, in order. */
  moments(): Moment[];
  /** Lets go of observers and listeners. */
  unmount(): void;
}

/** The module of a game. */
export interface GameModule {
  create(): GameViewer;
}
