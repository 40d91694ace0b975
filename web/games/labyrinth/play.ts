// A person's hand in Labyrinth. The architect chooses a field to plant, the
// adventurer one to step on; an hourglass passes; the console takes the lines
// that bots write.

import { h, icon, setAttribute } from "../../viewer/dom";
import type { ConsoleTalk, GameHand, LineKind, Table } from "../../play/hand";
import { LabyrinthViewer } from "./index";
import css from "./play.css?shadow";
import { text } from "./text";
import { ADVENTURER, ARCHITECT, DIRECTIONS, letter, type View } from "./view";

type Field = readonly [number, number];

const ARROWS: Record<string, Field> = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
/** Sand in two glasses. */
const HOURGLASS = "M5 2h14v2h-1.4v3.2c0 2-1.6 3.6-3.4 4.8 1.8 1.2 3.4 2.8 3.4 4.800V20H19v2H5v-2h1.400v-3.200c0-2 1.600-3.600 3.400-4.800-1.800-1.200-3.400-2.800-3.400-4.800V4H5zm3.400 2v3.200h7.200V4zm3.600 9.400c-1.700 1-3.600 2-3.600 3.900V20h1.200c.6-1.400 1.400-2.300 2.400-2.300s1.800.9 2.400 2.300h1.200v-2.700c0-1.900-1.900-2.900-3.600-3.900z";
const COMMANDS = ["MakeStep", "PlaceObstacle"];

export function createHand(): GameHand {
  return new LabyrinthHand();
}

const TALK: ConsoleTalk = {
  kind(line: string): LineKind {
    const word = line.trim().split(/\s/)[0] ?? "";
    if (word === "#END") return "end";
    if (word === "#PRINT") return "log";
    return COMMANDS.includes(word) ? "command" : "query";
  },
  example: "FieldOfView",
  about: text.play.console,
};

class LabyrinthHand implements GameHand {
  readonly viewer = new LabyrinthViewer();
  readonly console = TALK;
  invitation = "";
  keys: readonly (readonly [string, string])[] = text.play.keys[ARCHITECT]!;

  #table!: Table;
  #glass!: HTMLButtonElement;
  #asked = false;
  #frame = 0;
  /** Where the arrow keys have come to on the architect's board. */
  #cursor: Field | null = null;
  #ending = new AbortController();

  mount(_stage: HTMLElement, root: HTMLElement, table: Table): void {
    this.#table = table;
    const role = table.seat === ARCHITECT ? ARCHITECT : ADVENTURER;
    this.invitation = text.play.invitation[role]!;
    this.keys = text.play.keys[role]!;
    const shadow = root.getRootNode() as ShadowRoot;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
    this.#glass = h("button", { type: "button", class: `hourglass ${role === ARCHITECT ? "first" : "last"}`, title: text.play.pass, "aria-label": text.play.pass }, icon(HOURGLASS));
    const { place, board } = this.viewer;
    place.append(this.#glass);
    const signal = this.#ending.signal;
    this.#glass.addEventListener("click", (event) => {
      // Below it lies a field that was not meant.
      event.stopPropagation();
      this.#pass();
    });
    const field = (event: MouseEvent) => board.field_at(event.clientX, event.clientY);
    place.addEventListener("pointermove", (event) => this.#point(field(event)), { signal });
    place.addEventListener("pointerleave", () => this.#point(null), { signal });
    place.addEventListener(
      "click",
      (event) => {
        const at = field(event);
        if (at !== null) this.#choose(at);
      },
      { signal },
    );
    this.#show();
  }

  turn(frame: number, asked: boolean): void {
    this.#asked = asked;
    this.#frame = frame;
    this.#show();
  }

  key(event: KeyboardEvent): boolean {
    const arrow = ARROWS[event.key];
    if (event.key === "p" || event.key === "P") this.#pass();
    else if (arrow !== undefined && this.#table.seat === ADVENTURER) {
      const [x, y] = this.#view.adventurer;
      this.#choose([x + arrow[0], y + arrow[1]]);
    } else if (arrow !== undefined) {
      const { size } = this.#view;
      const [x, y] = this.#cursor ?? [Math.ceil(size / 2), Math.ceil(size / 2)];
      const within = (it: number) => Math.min(size, Math.max(1, it));
      this.#cursor = this.#cursor === null ? [x, y] : [within(x + arrow[0]), within(y + arrow[1])];
      const [to_x, to_y] = this.#cursor;
      this.#table.say(text.field(this.#view, to_x, to_y, letter(this.#view, to_x, to_y), 0));
      this.#show();
    } else if ((event.key === "Enter" || event.key === " ") && this.#cursor !== null) this.#choose(this.#cursor);
    else return false;
    return true;
  }

  unmount(): void {
    this.#ending.abort();
  }

  get #view(): View {
    const { views } = this.viewer.course;
    return views[views.length - 1]!;
  }

  /** The pointer is on a field: the architect's lights up if it may be planted. */
  #point(at: Field | null): void {
    if (this.#table.seat !== ARCHITECT) return;
    const before = this.#cursor;
    if (before?.[0] === at?.[0] && before?.[1] === at?.[1]) return;
    this.#cursor = at;
    this.#show();
  }

  #choose([x, y]: Field): void {
    if (!this.#asked) return;
    if (this.#table.seat === ARCHITECT) return this.#table.act({ plant: [x, y] });
    const [from_x, from_y] = this.#view.adventurer;
    const step = DIRECTIONS.findIndex(([dx, dy]) => from_x + dx === x && from_y + dy === y);
    if (step < 0) return this.#table.say(text.play.neighbours);
    this.#table.act({ step });
  }

  #pass(): void {
    if (this.#asked) this.#table.act("pass");
  }

  #show(): void {
    const view = this.#view;
    const is_open = ([x, y]: Field) => letter(view, x, y) === ".";
    const inside = this.#cursor !== null && this.#cursor.every((it) => it >= 1 && it <= view.size);
    if (!this.#asked) this.viewer.board.lit = { fields: [], chosen: null };
    else if (this.#table.seat === ARCHITECT) {
      this.viewer.board.lit = { fields: [], chosen: inside && is_open(this.#cursor!) ? this.#cursor : null };
    } else {
      const [x, y] = view.adventurer;
      const around = DIRECTIONS.map(([dx, dy]) => [x + dx, y + dy] as const);
      this.viewer.board.lit = { fields: around.filter(is_open), chosen: null };
    }
    this.#glass.disabled = !this.#asked;
    setAttribute(this.viewer.place, "data-frame", String(this.#frame));
    this.viewer.place.classList.toggle("choosing", this.#asked);
    this.#table.redraw();
  }
}
