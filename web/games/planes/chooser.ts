// Which fight and which round: two lists to choose from, and a step to the
// fight before or after.

import { h, setAttribute } from "../../viewer/dom";
import type { Match } from "./match";
import { text } from "./text";

/** The choice of fight and round. */
export class Chooser {
  readonly element: HTMLElement;
  #fight = h("select", {});
  #round = h("select", {});
  #back: HTMLButtonElement;
  #on: HTMLButtonElement;
  #frame = 0;
  /** The fight whose rounds are in the list, and how many frames it had then. */
  #listed = "";

  /** Without `seek` it only says what is shown. */
  constructor(
    private readonly match: Match,
    private readonly seek: ((frame: number) => void) | null,
  ) {
    const go = (fight: number) => seek?.(match.frame_of(fight, 0));
    this.#back = h("button", { type: "button", "aria-label": text.fight_back, title: text.key(text.fight_back, "["), click: () => this.#beside(-1) }, "‹");
    this.#on = h("button", { type: "button", "aria-label": text.fight_on, title: text.key(text.fight_on, "]"), click: () => this.#beside(1) }, "›");
    this.#fight.addEventListener("change", () => go(Number(this.#fight.value)));
    this.#round.addEventListener("change", () => seek?.(Number(this.#round.value)));
    for (const it of [this.#fight, this.#round]) it.disabled = seek === null;
    this.element = h(
      "div",
      { class: "chooser" },
      this.#back,
      h("label", {}, `${text.fight} `, this.#fight, ` ${text.of(match.views[0]!.fights)}`),
      this.#on,
      h("label", {}, `${text.round} `, this.#round),
    );
    this.grow();
  }

  /** Whether it leads anywhere. */
  get leads(): boolean {
    return this.seek !== null;
  }

  /** There are more frames than before. */
  grow(): void {
    for (let no = this.#fight.options.length; no < this.match.fights.length; no++) {
      this.#fight.append(h("option", { value: no + 1 }, String(no + 1)));
    }
    this.#listed = "";
    this.show(this.#frame);
  }

  /** Tells what is shown. */
  show(frame: number): void {
    this.#frame = frame;
    const no = this.match.scenes[frame]!.fight;
    const { first_frame, last_frame } = this.match.fights[no]!;
    this.#fight.value = String(no + 1);
    const listed = `${no} ${last_frame}`;
    if (listed !== this.#listed) {
      this.#listed = listed;
      const frames = Array.from({ length: last_frame - first_frame + 1 }, (_, k) => first_frame + k);
      this.#round.replaceChildren(
        ...frames.map((it) => {
          const { round } = this.match.scenes[it]!;
          return h("option", { value: it }, round === 0 ? text.start : String(round));
        }),
      );
    }
    this.#round.value = String(frame);
    setAttribute(this.#back, "aria-disabled", String(this.seek === null || no === 0));
    setAttribute(this.#on, "aria-disabled", String(this.seek === null || no + 1 >= this.match.fights.length));
  }

  /** Does what `key` asks for; false where it asks for nothing here. */
  press(key: string): boolean {
    if (this.seek === null || (key !== "[" && key !== "]")) return false;
    this.#beside(key === "]" ? 1 : -1);
    return true;
  }

  /** Goes to the fight before or after. */
  #beside(way: 1 | -1): void {
    const no = this.match.scenes[this.#frame]!.fight + way;
    if (no >= 0 && no < this.match.fights.length) this.seek?.(this.match.frame_of(no + 1, 0));
  }
}
