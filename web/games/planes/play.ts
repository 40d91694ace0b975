// A person's hand in a fight of Planes: a cube pad for the heading of each of
// two planes, stepping aside, shooting, and one press that sends both orders.
// What is chosen is seen in the arena before it is sent.

import { setAttribute, setText } from "../../viewer/dom";
import type { GameHand, Table } from "../../play/hand";
import { PlanesViewer } from "./index";
import { actionOf, lettersOf, mayTurn, nudged, type Order, outlook, type Outlook, ownOf, type Pair, usual, ways } from "./orders";
import { Pad } from "./pad";
import { type Plan, planOf } from "./picture";
import css from "./play.css?shadow";
import { text } from "./play-text";
import { text as arena } from "./text";
import { cellOf, type Name, PLANES, type Sight, signs, type View } from "./view";

/** Room of the pad and of the clock on a small screen, besides what every arena leaves, in CSS pixels. */
const ROOM_PX = 500;

/** Keys of the numeric pad, which lie as each layer does: north at the top. */
const NUMBERS: Record<string, readonly [number, number]> = Object.fromEntries(
  Array.from({ length: 9 }, (_, no) => [String(no + 1), [1 - Math.floor(no / 3), (no % 3) - 1] as const]),
);

/** Axis and way of the keys that go one step on the pad. */
const STEPS: Record<string, readonly [0 | 1 | 2, 1 | -1]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [1, -1],
  ArrowRight: [1, 1],
  u: [2, 1],
  d: [2, -1],
  PageUp: [2, 1],
  PageDown: [2, -1],
};

export function createHand(): GameHand {
  return new PlanesHand();
}

class PlanesHand implements GameHand {
  readonly viewer = new PlanesViewer();
  readonly console = null;
  readonly keys = text.keys;

  #table!: Table;
  #root!: HTMLElement;
  #pad!: Pad;
  #asked = false;
  /** The position that the orders are for. */
  #ordered = -1;
  #orders: Pair<Order> = [null, null];
  #no: 0 | 1 = 0;
  #ending = new AbortController();

  get invitation(): string {
    return this.viewer.match.is_between ? text.between : text.invitation;
  }

  mount(_stage: HTMLElement, root: HTMLElement, table: Table): void {
    this.#table = table;
    this.#root = root;
    const shadow = root.getRootNode() as ShadowRoot;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
    this.#pad = new Pad(table.seat, {
      choose: (to) => this.#change({ to }),
      plane: (no) => this.#turn_to(no),
      aside: () => this.#toggle("aside"),
      shoot: () => this.#toggle("shoots"),
      straight: () => this.#straight(),
      send: () => this.#send(),
      go_on: () => this.#go_on(),
    });
    root.append(this.#pad.element);
    root.addEventListener("keydown", (event) => this.#pad_key(event), { signal: this.#ending.signal });
    this.viewer.leave_room(ROOM_PX);
    this.#show();
  }

  turn(_frame: number, asked: boolean): void {
    this.#asked = asked;
    const last = this.viewer.match.views.length - 1;
    if (this.#ordered !== last) {
      this.#ordered = last;
      this.#orders = usual(this.#view, this.#table.seat);
      this.#no = this.#orders[0] === null ? 1 : 0;
    }
    this.#show();
  }

  key(event: KeyboardEvent): boolean {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.#is_deciding && this.#press(key, event.code)) return true;
    if (key === "Enter" && this.#asked && this.viewer.match.is_between) this.#go_on();
    else return this.viewer.press(event.key);
    return true;
  }

  unmount(): void {
    this.#ending.abort();
  }

  get #view(): View {
    const { views } = this.viewer.match;
    return views[views.length - 1]!;
  }

  get #names(): string[] {
    return this.#table.replay.seats.map((it) => it.name);
  }

  /** Whether orders can be given now. */
  get #is_deciding(): boolean {
    return this.#asked && !this.viewer.match.is_between;
  }

  /** The plane that is being decided on, if it flies. */
  get #sight(): Sight | null {
    return ownOf(this.#view, this.#table.seat)[this.#no];
  }

  /** Keys with the focus on the pad: there, Enter sends, as in every form. */
  #pad_key(event: KeyboardEvent): void {
    const at = event.target as Element;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && at.closest("[role=radio], input") !== null) this.#send();
    else if (event.key === " " || (event.key === "Enter" && at.closest("button") !== null)) return;
    else if (!this.key(event)) return;
    event.preventDefault();
  }

  #press(key: string, code: string): boolean {
    const number = NUMBERS[key] ?? NUMBERS[/^Numpad([1-9])$/.exec(code)?.[1] ?? ""];
    const step = STEPS[key];
    // Without its lock the numeric pad sends arrows, and means its numbers all the same.
    if (number !== undefined && (step === undefined || code.startsWith("Numpad"))) this.#layer_to(number);
    else if (step !== undefined) this.#step(step);
    else if (key === "c") this.#toggle("aside");
    else if (key === "f") this.#toggle("shoots");
    else if (key === "p") this.#turn_to(this.#no === 0 ? 1 : 0);
    else if (key === "Backspace") this.#straight();
    else if (key === "Enter") this.#send();
    else return false;
    return true;
  }

  /** A direction of the layer that is chosen from now. */
  #layer_to([x, y]: readonly [number, number]): void {
    const order = this.#orders[this.#no];
    if (order === null) return;
    this.#try(lettersOf([x, y, signs(order.to)[2]]));
  }

  #step([axis, by]: readonly [0 | 1 | 2, 1 | -1]): void {
    const order = this.#orders[this.#no];
    if (order === null) return;
    this.#try(nudged(order.to, axis, by) ?? "");
    this.#pad.follow_focus();
  }

  /** Chooses a direction, or says why it cannot be. */
  #try(to: string): void {
    const sight = this.#sight;
    if (sight === null) return;
    if (to === "") return this.#table.say(text.nowhere);
    if (!mayTurn(sight[3], to)) return this.#table.say(text.not_allowed(sight[3], to));
    this.#change({ to });
  }

  #straight(): void {
    const sight = this.#sight;
    if (sight !== null) this.#change({ to: sight[3], aside: false });
  }

  #toggle(what: "aside" | "shoots"): void {
    const [sight, order] = [this.#sight, this.#orders[this.#no]];
    if (sight === null || order === null) return;
    if (what === "shoots" && sight[4] > 0) return this.#table.say(`${text.craft(this.#no)}: ${text.gun(sight[4])}.`);
    this.#change({ [what]: !order[what] });
  }

  #turn_to(no: 0 | 1): void {
    if (this.#orders[no] === null) return;
    this.#no = no;
    this.#show();
  }

  #change(part: Partial<Order>): void {
    const order = this.#orders[this.#no];
    // A box that was ticked all the same is put back.
    if (order === null || !this.#is_deciding) return this.#show();
    const changed = { ...order, ...part };
    this.#orders = this.#no === 0 ? [changed, this.#orders[1]] : [this.#orders[0], changed];
    this.#table.say("");
    this.#show();
  }

  #send(): void {
    if (!this.#is_deciding) return;
    const own = ownOf(this.#view, this.#table.seat);
    // Straight on there is nothing to step aside from.
    const orders = PLANES.map((no) => {
      const order = this.#orders[no];
      return order === null ? null : { ...order, aside: order.aside && order.to !== own[no]![3] };
    }) as unknown as Pair<Order>;
    this.#table.act(actionOf(orders));
  }

  /** The end of a fight has been seen. */
  #go_on(): void {
    this.viewer.match.begin_fight();
    this.viewer.tell_again();
    this.#show();
    // What to do is told anew, and the focus stays where the next thing is to be done.
    this.#table.again();
    this.#pad.focus();
  }

  #show(): void {
    const { match } = this.viewer;
    const [view, seat] = [this.#view, this.#table.seat];
    const scene = match.scenes[match.scenes.length - 1]!;
    const between = match.is_between && this.#asked;
    setText(this.#pad.standing, between || view.end !== null ? "" : text.standing(view, seat, this.#names));
    setText(this.#pad.happened, between || scene.round === 0 ? "" : arena.message(scene, this.#names));
    setAttribute(this.#root, "data-fight", String(view.fight + 1));
    if (between) {
      this.viewer.plan([]);
      this.#pad.show_between(text.over(scene.fight + 1), text.result(scene, view, seat, this.#names), text.go_on(view.fight + 1));
      return this.#table.redraw();
    }
    const own = ownOf(view, seat);
    const foretold = outlook(view, seat, this.#orders);
    const around = PLANES.map((no) => ways(view, seat, no, this.#orders));
    this.#pad.show({ own, orders: this.#orders, foretold, ways: around, no: this.#no, enabled: this.#is_deciding, is_out: view.out[seat]! });
    const plans = PLANES.flatMap((no) => this.#plan([seat, no], own[no], foretold[no], no === this.#no ? around[no]!.map((it) => it.outlook) : []));
    this.viewer.plan(this.#is_deciding ? plans : []);
    this.#table.redraw();
  }

  #plan(of: Name, sight: Sight | null, it: Outlook | null, others: readonly Outlook[]): Plan[] {
    return sight === null || it === null ? [] : [planOf(of, cellOf(sight), it, others, this.#view.size)];
  }
}
