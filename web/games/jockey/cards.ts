// The two players beside the course: who they are, how fast they go, how much
// thinking time is left, and their goal times with the sum.

import { h, setAttribute, setText } from "../../viewer/dom";
import type { Replay } from "../../viewer/replay";
import { text as transport } from "../../viewer/text";
import type { Match, Scene } from "./match";
import { text } from "./text";
import { mixed, N_RACES, SEATS } from "./view";

interface Card {
  element: HTMLElement;
  state: HTMLElement;
  velocity: HTMLElement;
  left: HTMLElement;
  bar: HTMLElement;
  fill: HTMLElement;
  times: HTMLElement[];
}

/** Both cards. */
export class Cards {
  readonly element: HTMLElement;
  #cards: Card[];

  constructor(
    private readonly replay: Replay,
    private readonly match: Match,
  ) {
    this.#cards = SEATS.map((seat) => this.#card(seat));
    this.element = h("div", { class: "cards" }, ...this.#cards.map((it) => it.element));
  }

  /** Tells of one scene; `think_ms` is the bank of a race. */
  show(scene: Scene, think_ms: number): void {
    for (const seat of SEATS) {
      const card = this.#cards[seat]!;
      const { velocity, left_ms, time, cause } = scene.racers[seat];
      const state = cause !== null ? text.disqualified : time !== null ? text.at_goal : scene.step === null ? text.waiting : text.racing;
      setText(card.state, state);
      setAttribute(card.state, "class", `state ${cause !== null ? "bad" : time !== null ? "good" : ""}`);
      setText(card.velocity, `${velocity[0]} ${velocity[1]}`);
      const timed = this.match.is_timed(seat) && left_ms !== null;
      card.bar.hidden = !timed;
      setText(card.left, timed ? transport.ms(left_ms) : text.no_time);
      setAttribute(card.left, "title", timed ? "" : text.time_unknown);
      if (timed) card.fill.style.width = `${(100 * left_ms) / think_ms}%`;
      for (let race = 0; race < N_RACES; race++) {
        const known = scene.times[race]?.[seat] ?? null;
        setText(card.times[race]!, known === null ? text.no_time : mixed(known));
        card.times[race]!.parentElement!.classList.toggle("now", race === scene.race && scene.sums === null);
      }
      setText(card.times[N_RACES]!, scene.sums === null ? text.no_time : mixed(scene.sums[seat]));
      const [one, other] = scene.sums === null ? [0, 0] : SEATS.map((it) => scene.sums![it][0] / scene.sums![it][1]);
      card.element.classList.toggle("won", scene.sums !== null && (seat === 0 ? one! < other! : other! < one!));
    }
  }

  #card(seat: 0 | 1): Card {
    const { name, version, href } = this.replay.seats[seat]!;
    const state = h("span", { class: "state" });
    const velocity = h("dd", {});
    const left = h("dd", {});
    const fill = h("div", { class: "fill" });
    const bar = h("div", { class: "bank", "aria-hidden": "true" }, fill);
    const times = [...Array(N_RACES).keys()].map(() => h("dd", {}));
    const sum = h("dd", { class: "sum" });
    const pair = (label: string, value: HTMLElement, ...more: HTMLElement[]) => h("div", {}, h("dt", {}, label), value, ...more);
    const element = h(
      "section",
      { class: `card seat-${seat}`, "aria-label": name },
      h(
        "h3",
        {},
        h("i", { class: `shape ${text.shapes[seat]}`, "aria-hidden": "true" }, String(seat + 1)),
        h("span", { class: "who" }, href === null ? name : h("a", { href }, name), version === null ? null : h("span", { class: "version" }, ` ${text.version(version)}`)),
        state,
      ),
      h(
        "dl",
        { class: "clock" },
        pair(text.velocity, velocity),
        pair(text.time_left, left, bar),
      ),
      h("dl", { class: "times", "aria-label": text.times }, ...times.map((it, race) => pair(text.race_short(race), it)), pair(text.sum, sum)),
    );
    return { element, state, velocity, left, bar, fill, times: [...times, sum] };
  }
}
