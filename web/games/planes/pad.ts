// The pad of who flies: a cube of three layers as seen from above, in its
// middle the plane; which plane is meant, stepping aside, shooting, sending.
// Knows what is shown and pressed, and nothing of the match.

import { h, setAttribute, setText } from "../../viewer/dom";
import { DIRECTIONS, lettersOf, type Order, type Outlook, type Pair } from "./orders";
import { text } from "./play-text";
import { text as arena } from "./text";
import { PLANES, type Sight } from "./view";

/** What is done on the pad. */
export interface Wishes {
  choose(to: string): void;
  plane(no: 0 | 1): void;
  aside(): void;
  shoot(): void;
  straight(): void;
  send(): void;
  go_on(): void;
}

/** What the pad shows. */
export interface Shown {
  own: Pair<Sight>;
  orders: Pair<Order>;
  foretold: Pair<Outlook>;
  /** Where each plane may go, and what becomes of it there. */
  ways: readonly (readonly { to: string; outlook: Outlook }[])[];
  no: 0 | 1;
  enabled: boolean;
  is_out: boolean;
}

/** Layers from the top, rows from the north, columns from the west. */
const LAYERS = [1, 0, -1] as const;
const ALONG = [-1, 0, 1] as const;

/** The pad. */
export class Pad {
  readonly element: HTMLElement;
  readonly standing = h("p", { class: "standing" });
  /** What the last round did. */
  readonly happened = h("p", { class: "happened" });
  #orders: HTMLElement;
  #between: HTMLElement;
  #crafts: { button: HTMLButtonElement; order: HTMLElement }[];
  #cube: HTMLElement;
  #plane = h("span", { class: "self", "aria-hidden": "true" });
  #ways = new Map<string, { button: HTMLButtonElement; mark: HTMLElement }>();
  #aside = h("input", { type: "checkbox" });
  #aside_how = h("span", { class: "how" });
  #shoot = h("input", { type: "checkbox" });
  #gun = h("span", { class: "how" });
  #outlook = h("p", { class: "outlook", "aria-live": "polite" });
  #straight: HTMLButtonElement;
  #send: HTMLButtonElement;
  #result = h("div", { class: "result", role: "status" });
  #go_on: HTMLButtonElement;

  constructor(
    private readonly seat: number,
    on: Wishes,
  ) {
    this.#crafts = PLANES.map((no) => {
      const order = h("span", { class: "order" });
      const button = h("button", { type: "button", click: () => on.plane(no) }, h("b", {}, arena.plane([seat, no])), " ", order);
      return { button, order };
    });
    this.#cube = h("div", { class: `cube seat-${seat}`, role: "radiogroup" }, ...LAYERS.map((z) => this.#layer(z, on)));
    this.#aside.addEventListener("change", () => on.aside());
    this.#shoot.addEventListener("change", () => on.shoot());
    this.#straight = h("button", { type: "button", click: () => on.straight() }, text.straight);
    this.#send = h("button", { type: "button", class: "send", click: () => on.send() }, text.send);
    this.#orders = h(
      "div",
      { class: "orders", role: "group", "aria-label": text.orders },
      h("div", { class: `crafts seat-${seat}`, role: "group", "aria-label": text.crafts }, ...this.#crafts.map((it) => it.button)),
      this.#cube,
      h(
        "div",
        { class: "toggles" },
        h("label", {}, this.#aside, h("span", {}, text.aside), this.#aside_how),
        h("label", {}, this.#shoot, h("span", {}, text.shoot), this.#gun),
      ),
      this.#outlook,
      h("div", { class: "sending" }, this.#straight, this.#send),
      h("p", { class: "signs-told" }, text.legend),
    );
    this.#go_on = h("button", { type: "button", class: "send", click: () => on.go_on() });
    this.#between = h("div", { class: "between", hidden: true }, this.#result, this.#go_on);
    this.element = h("div", { class: "planes-pad" }, this.standing, this.happened, this.#orders, this.#between);
  }

  /** Orders can be given, or are seen being carried out. */
  show(shown: Shown): void {
    const { own, orders, no, enabled, is_out } = shown;
    const had_focus = this.#go_on.matches(":focus") || this.#orders.matches(":focus-within");
    this.#orders.hidden = false;
    this.#between.hidden = true;
    // While others decide nothing is taken away from under the focus; what is pressed then has no effect.
    this.#orders.classList.toggle("waiting", !enabled);
    for (const it of [this.#cube, this.#straight, this.#send]) setAttribute(it, "aria-disabled", String(!enabled));
    for (const it of PLANES) this.#show_craft(it, own[it], orders[it], it === no);
    const [sight, order] = [own[no], orders[no]];
    this.#show_cube(shown, sight, order);
    this.#show_toggles(sight, order);
    const lines = PLANES.map((it) => (own[it] === null || orders[it] === null || shown.foretold[it] === null ? null : text.outlook(it, own[it]!, orders[it]!, shown.foretold[it]!)));
    const told = lines.filter((it) => it !== null);
    const words = is_out ? text.out : told.length === 0 ? text.none_left : (lines[no] ?? told[0]!);
    setText(this.#outlook, words);
    this.#outlook.classList.toggle("bad", shown.foretold[no]?.fate != null || shown.foretold[no]?.endangers === true);
    // What had the focus may be no choice any more.
    if (had_focus && !this.#orders.matches(":focus-within")) this.focus();
  }

  /** A fight is over, and the next one waits. */
  show_between(title: string, words: readonly string[], go_on: string): void {
    const had_focus = this.#orders.matches(":focus-within");
    this.#orders.hidden = true;
    if (this.#between.hidden || this.#go_on.textContent !== go_on) {
      this.#result.replaceChildren(h("h3", {}, title), ...words.filter((it) => it !== "").map((it) => h("p", {}, it)));
      setText(this.#go_on, go_on);
    }
    this.#between.hidden = false;
    if (had_focus) this.#go_on.focus();
  }

  /** Puts the focus on what is chosen. */
  focus(): void {
    this.#cube.querySelector<HTMLElement>("[aria-checked=true]")?.focus({ preventScroll: true });
  }

  /** Where the focus is on a direction, it goes with the choice. */
  follow_focus(): void {
    if (this.#cube.matches(":focus-within")) this.focus();
  }

  #layer(z: -1 | 0 | 1, on: Wishes): HTMLElement {
    const name = text.layers[z + 1]!;
    const rows = ALONG.flatMap((x) => ALONG.map((y) => (x === 0 && y === 0 && z === 0 ? this.#plane : this.#way(lettersOf([x, y, z]), on))));
    return h("div", { class: "layer" }, h("span", { class: "layer-name", "aria-hidden": "true" }, name), h("div", { class: "cells" }, ...rows));
  }

  #way(to: string, on: Wishes): HTMLButtonElement {
    const mark = h("span", { class: "sign", "aria-hidden": "true" });
    const button = h("button", { type: "button", role: "radio", click: () => on.choose(to) }, h("span", { class: "letters", "aria-hidden": "true" }, to), mark);
    this.#ways.set(to, { button, mark });
    return button;
  }

  #show_craft(no: 0 | 1, sight: Sight | null, order: Order | null, meant: boolean): void {
    const { button, order: words } = this.#crafts[no]!;
    const down = sight === null || order === null;
    setText(words, down ? text.down : text.short(order));
    setAttribute(button, "aria-label", `${button.textContent ?? ""}: ${text.craft(no)}, ${down ? text.down : text.short_spoken(order)}`);
    setAttribute(button, "aria-pressed", String(meant && !down));
    button.disabled = down;
    button.classList.toggle("dead", down);
  }

  #show_cube({ no, ways }: Shown, sight: Sight | null, order: Order | null): void {
    setAttribute(this.#cube, "aria-label", text.pad(no));
    setText(this.#plane, arena.plane([this.seat, no]));
    const legal = new Map(ways[no]!.map((it) => [it.to, it.outlook]));
    for (const to of DIRECTIONS) {
      const { button, mark } = this.#ways.get(to)!;
      const it = legal.get(to) ?? null;
      const [chosen, straight] = [order?.to === to && it !== null, sight?.[3] === to];
      button.disabled = it === null;
      setAttribute(button, "aria-checked", String(chosen));
      // One stop of the tabulator: the others are reached by arrows.
      setAttribute(button, "tabindex", chosen ? "0" : "-1");
      setAttribute(button, "aria-label", sight === null ? to : text.choice(sight[3], to, it));
      setAttribute(button, "title", sight === null ? to : text.choice(sight[3], to, it));
      setAttribute(button, "class", `way${it === null ? " barred" : ""}${straight ? " straight" : ""}${it?.fate == null ? "" : ` ${it.fate}`}`);
      setText(mark, it?.fate == null ? (straight ? "●" : "") : text.marks[it.fate]);
    }
  }

  #show_toggles(sight: Sight | null, order: Order | null): void {
    const straight = sight !== null && order?.to === sight[3];
    this.#aside.disabled = sight === null || straight;
    this.#aside.checked = order !== null && order.aside && !straight;
    setText(this.#aside_how, sight === null ? "" : straight ? text.aside_straight : text.aside_how(sight[3]));
    const cooldown = sight?.[4] ?? 0;
    this.#shoot.disabled = sight === null || cooldown > 0;
    this.#shoot.checked = order !== null && order.shoots && cooldown === 0;
    setText(this.#gun, sight === null ? "" : text.gun(cooldown));
  }
}
