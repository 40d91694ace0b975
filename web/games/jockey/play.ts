// A person's hand in a race of Jockey: a pad of nine accelerations, the same
// nine cells on the course, arrow keys and the numeric pad.

import { h, setAttribute, setText } from "../../viewer/dom";
import type { GameHand, Table } from "../../play/hand";
import { JockeyViewer } from "./index";
import css from "./play.css?shadow";
import { text } from "./text";
import type { Vector } from "./view";

/** Rows of the pad from the top: towards the goal is up. */
const UPWARDS = [1, 0, -1] as const;
const ACROSS = [-1, 0, 1] as const;
/** Room of the pad and of the clock on a small screen, besides what every race leaves, in CSS pixels. */
const PAD_PX = 140;

/** Keys of the numeric pad, which lie as the pad does. */
const NUMBERS: Record<string, Vector> = Object.fromEntries(
  Array.from({ length: 9 }, (_, no) => [String(no + 1), [(no % 3) - 1, Math.floor(no / 3) - 1] as const]),
);

const ARROWS: Record<string, Vector> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function createHand(): GameHand {
  return new JockeyHand();
}

class JockeyHand implements GameHand {
  readonly viewer = new JockeyViewer();
  readonly console = null;
  readonly invitation = text.play.invitation;
  readonly keys = text.play.keys;

  #table!: Table;
  #pad = new Map<string, HTMLButtonElement>();
  #words!: HTMLElement;
  #asked = false;
  #frame = 0;
  #chosen: Vector = [0, 0];
  #ending = new AbortController();

  mount(_stage: HTMLElement, root: HTMLElement, table: Table): void {
    this.#table = table;
    const shadow = root.getRootNode() as ShadowRoot;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
    const rows = UPWARDS.map((y) => h("div", { class: "row" }, ...ACROSS.map((x) => this.#button([x, y]))));
    this.#words = h("p", { class: "aim-words" });
    root.append(h("div", { class: "jockey-pad", role: "group", "aria-label": text.play.pad }, ...rows), this.#words);
    this.viewer.leave_room(PAD_PX);
    const signal = this.#ending.signal;
    const { place, board } = this.viewer;
    place.addEventListener(
      "pointermove",
      (event) => {
        const by = this.#by(board.cell_at(event.clientX, event.clientY));
        if (by !== null && event.pointerType === "mouse") this.#choose(by);
      },
      { signal },
    );
    place.addEventListener(
      "click",
      (event) => {
        const by = this.#by(board.cell_at(event.clientX, event.clientY));
        if (by !== null) this.#go(by);
      },
      { signal },
    );
    this.#show();
  }

  turn(frame: number, asked: boolean): void {
    const begins = asked && (!this.#asked || frame !== this.#frame);
    this.#asked = asked;
    this.#frame = frame;
    if (begins) {
      this.viewer.match.begin_race();
      this.viewer.tell_again();
      this.#chosen = [0, 0];
    }
    this.#show();
  }

  key(event: KeyboardEvent): boolean {
    const number = NUMBERS[event.key] ?? NUMBERS[/^Numpad([1-9])$/.exec(event.code)?.[1] ?? ""];
    const arrow = ARROWS[event.key];
    // Without its lock the numeric pad sends arrows, and means its numbers all the same.
    if (number !== undefined && (arrow === undefined || event.code.startsWith("Numpad"))) this.#go(number);
    else if (arrow !== undefined) this.#choose([clamp(this.#chosen[0] + arrow[0]), clamp(this.#chosen[1] + arrow[1])]);
    else if (event.key === "Enter" || event.key === " ") this.#go(this.#chosen);
    else return false;
    return true;
  }

  unmount(): void {
    this.#ending.abort();
  }

  #button(by: Vector): HTMLButtonElement {
    const button = h("button", { type: "button" }, h("span", { "aria-hidden": "true" }, text.play.arrow(by)));
    button.addEventListener("click", () => this.#go(by));
    button.addEventListener("focus", () => this.#choose(by));
    button.addEventListener("pointerenter", () => this.#choose(by));
    this.#pad.set(by.join(), button);
    return button;
  }

  /** Where the person is, and where they go without accelerating. */
  get #way(): [Vector, Vector] {
    const view = this.viewer.match.views[this.viewer.match.views.length - 1]!;
    const { at, velocity } = view.players[this.#table.seat]!;
    return [at, [at[0] + velocity[0], at[1] + velocity[1]]];
  }

  #target(by: Vector): Vector {
    const [, to] = this.#way;
    return [to[0] + by[0], to[1] + by[1]];
  }

  /** The acceleration that leads to a cell, if one does. */
  #by(cell: Vector | null): Vector | null {
    if (cell === null || !this.#asked) return null;
    const [, to] = this.#way;
    const by: Vector = [cell[0] - to[0], cell[1] - to[1]];
    return Math.abs(by[0]) <= 1 && Math.abs(by[1]) <= 1 ? by : null;
  }

  #choose(by: Vector): void {
    if (by[0] === this.#chosen[0] && by[1] === this.#chosen[1]) return;
    this.#chosen = by;
    this.#show();
  }

  #go(by: Vector): void {
    if (!this.#asked) return;
    this.#choose(by);
    this.#table.act({ accelerate: by });
  }

  #show(): void {
    const match = this.viewer.match;
    const view = match.views[match.views.length - 1]!;
    for (const y of UPWARDS) {
      for (const x of ACROSS) {
        const button = this.#pad.get([x, y].join())!;
        const to = this.#target([x, y]);
        const chosen = this.#asked && x === this.#chosen[0] && y === this.#chosen[1];
        setAttribute(button, "aria-label", text.play.choice([x, y], to, text.play.ground(view, to)));
        setAttribute(button, "aria-pressed", String(chosen));
        setAttribute(button, "class", text.play.is_barred(view, to) ? "barred" : "");
        button.disabled = !this.#asked;
      }
    }
    const [from] = this.#way;
    const to = this.#target(this.#chosen);
    const seat = this.#table.seat === 0 ? 0 : 1;
    this.viewer.board.aim = this.#asked ? { from, to, seat } : null;
    setText(this.#words, this.#asked ? text.play.choice(this.#chosen, to, text.play.ground(view, to)) : "");
    this.#table.redraw();
  }
}

function clamp(it: number): number {
  return Math.min(1, Math.max(-1, it));
}
