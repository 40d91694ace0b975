// The two players beside the arena: who they are, how many fights each has
// won, and how their planes stand.

import { h, setAttribute, setText } from "../../viewer/dom";
import type { Replay } from "../../viewer/replay";
import type { Scene } from "./match";
import { text } from "./text";
import { PLANES, SEATS } from "./view";

interface Card {
  element: HTMLElement;
  state: HTMLElement;
  won: HTMLElement;
  planes: { where: HTMLElement; gun: HTMLElement }[];
}

/** Both cards. */
export class Cards {
  readonly element: HTMLElement;
  #cards: Card[];
  #drawn = h("p", { class: "drawn" });

  constructor(private readonly replay: Replay) {
    this.#cards = SEATS.map((seat) => this.#card(seat));
    this.element = h("div", { class: "cards" }, ...this.#cards.map((it) => it.element), this.#drawn);
  }

  /** Tells of one scene. */
  show(scene: Scene): void {
    setText(this.#drawn, text.drawn(scene.drawn));
    for (const seat of SEATS) {
      const card = this.#cards[seat]!;
      const words = [text.player(scene.first === seat ? 1 : 2)];
      if (scene.end) words.unshift(text.points(1 + Math.sign(scene.won[seat]! - scene.won[1 - seat]!)));
      if (scene.late[seat]! > 0) words.push(text.late(scene.late[seat]!));
      if (scene.out[seat]!) words.push(text.out);
      setText(card.state, words.join(", "));
      setAttribute(card.state, "class", `state${scene.out[seat]! ? " bad" : ""}`);
      setText(card.won, String(scene.won[seat]));
      for (const no of PLANES) {
        const { alive, at, heading, cooldown, flight } = scene.planes[seat]![no]!;
        const { where, gun } = card.planes[no]!;
        setText(where, alive ? `${at.join(" ")} ${heading}${flight === "lane" ? " ⇆" : ""}` : text.dead);
        setText(gun, alive ? (cooldown > 0 ? `${text.cooling} ${cooldown}` : text.ready) : "");
        setAttribute(gun, "class", `gun${alive ? (cooldown > 0 ? " cooling" : " ready") : ""}`);
        where.closest(".craft")!.classList.toggle("dead", !alive);
      }
      card.element.classList.toggle("leads", scene.won[seat]! > scene.won[1 - seat]!);
    }
  }

  #card(seat: 0 | 1): Card {
    const { name, version, href } = this.replay.seats[seat]!;
    const state = h("span", { class: "state" });
    const won = h("dd", { class: "won" });
    const planes = PLANES.map((no) => ({ no, where: h("span", { class: "where" }), gun: h("span", { class: "gun" }) }));
    const rows = planes.map(({ no, where, gun }) => h("div", { class: "craft" }, h("dt", {}, text.plane([seat, no])), h("dd", { class: "craft-state" }, where, gun)));
    const element = h(
      "section",
      { class: `card seat-${seat}`, "aria-label": name },
      h(
        "h3",
        {},
        h("span", { class: "shape", "aria-hidden": "true" }, text.marks[seat]),
        h("span", { class: "who" }, href === null ? name : h("a", { href }, name), version === null ? null : h("span", { class: "version" }, ` ${text.version(version)}`)),
        state,
      ),
      h("dl", {}, h("div", {}, h("dt", {}, text.won), won), ...rows),
    );
    return { element, state, won, planes };
  }
}
