// Words for screen readers: politely, and not while things still change.

import { h, setText } from "./dom";

/** Only what still holds after this long is said. */
const QUIET_MS = 400;

/** Says things into a live region. */
export class Announcer {
  /** The live region, to be placed anywhere. */
  readonly element: HTMLElement;
  /** The position in words, for reading when one gets there; not spoken by itself. */
  readonly board: HTMLElement;
  #spoken: HTMLElement;
  #timer = 0;

  constructor() {
    this.#spoken = h("p", { "aria-live": "polite", "aria-atomic": "true", class: "spoken" });
    this.board = h("p", { class: "board-words" });
    this.element = h("div", { class: "unseen" }, this.#spoken, this.board);
  }

  /** Says `words` unless others come soon. */
  say(words: string): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => setText(this.#spoken, words), QUIET_MS);
  }

  /** Says nothing more. */
  close(): void {
    window.clearTimeout(this.#timer);
  }
}
