// All fights of the match at one glance: who won each of those that are over
// at the round that is shown, and which one this is. What comes later is not
// given away. A click goes to a fight; keys have the list of fights.

import { h, setAttribute, setText } from "../../viewer/dom";
import type { Match } from "./match";
import { text } from "./text";

/** Fights in a row. */
const ROW = 20;

/** The strip of fights. */
export class Strip {
  readonly element: HTMLElement;
  #cells: HTMLElement[];
  /** The fight that is shown, and whether it is over; none before the first picture. */
  #shown = "";

  /** Without `seek` it leads nowhere. */
  constructor(
    private readonly match: Match,
    seek: ((frame: number) => void) | null,
  ) {
    const n_fights = match.views[0]!.fights;
    this.#cells = Array.from({ length: n_fights }, (_, no) => h("span", { class: "bout", title: text.fight_no(no) }));
    const rows = Array.from({ length: Math.ceil(n_fights / ROW) }, (_, no) => this.#cells.slice(no * ROW, (no + 1) * ROW));
    this.element = h("div", { class: "strip", role: "img" }, ...rows.map((it) => h("div", {}, ...it)));
    this.element.classList.toggle("leads-on", seek !== null);
    this.element.addEventListener("click", (event) => {
      const no = this.#cells.indexOf(event.target as HTMLElement);
      if (no !== -1 && no < match.fights.length) seek?.(match.frame_of(no + 1, 0));
    });
  }

  /** Tells how things stand at `frame`. */
  show(frame: number): void {
    const scene = this.match.scenes[frame]!;
    const shown = `${scene.fight} ${scene.over !== null} ${this.match.fights.length}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    setAttribute(this.element, "aria-label", text.standing(scene));
    for (const [no, cell] of this.#cells.entries()) {
      const fight = this.match.fights[no];
      const isOver = fight !== undefined && (no < scene.fight || (no === scene.fight && scene.over !== null));
      const winner = isOver ? fight.winner : null;
      const ended = !isOver ? "" : winner === null ? " drawn" : ` seat-${winner}`;
      setAttribute(cell, "class", `bout${ended}${no === scene.fight ? " now" : ""}${fight === undefined ? " ahead" : ""}`);
      setText(cell, !isOver ? "" : winner === null ? text.mark_drawn : text.marks[winner]!);
    }
  }
}
