// The course of Jockey in a replay: canvas, overview, cards of the players,
// legend, and the words for whoever points at a cell.

import { type Cell, colours_of_page, layer_box, show_tip, watch_page, watch_pointer, wear } from "../../viewer/board";
import { h, setAttribute, setText } from "../../viewer/dom";
import type { Caption, GameViewer, Moment, Pace } from "../../viewer/game";
import type { Replay } from "../../viewer/replay";
import { Board, type Layers } from "./board";
import { Cards } from "./cards";
import css from "./jockey.css?shadow";
import type { Follow } from "./lens";
import { Match } from "./match";
import { Strip } from "./strip";
import { text } from "./text";
import { SEATS } from "./view";

/** Room that everything but the course takes from top to bottom, in CSS pixels. */
const AROUND_PX = 250;
/** Besides that, what the cards take where they lie above the course, if nobody asks for something else to be in sight. */
const CARDS_PX = 70;
/** The course is never lower, however low the window. */
const BOARD_PX_MIN = 340;
/** Wide enough for cards beside the course, in CSS pixels. */
const BESIDE_PX = 560;
/** Room of the cards beside the course, in CSS pixels. */
const CARDS_WIDTH_PX = 232;
const GAP_PX = 10;

export function create(): GameViewer {
  return new JockeyViewer();
}

export class JockeyViewer implements GameViewer {
  readonly frames_per_s = 1.6;

  #match!: Match;
  #board!: Board;
  #strip!: Strip;
  #cards!: Cards;
  #replay!: Replay;
  #root!: HTMLElement;
  #place!: HTMLElement;
  #tip!: HTMLElement;
  #race!: HTMLElement;
  #step!: HTMLElement;
  #message!: HTMLElement;
  #follow!: HTMLElement;
  #layers: Layers = { veil: true, ways: true, next: true };
  #pointed: Cell | null = null;
  #shown: { frame: number; fraction: number; pace: Pace } | null = null;
  #told = -1;
  #with_px = CARDS_PX;
  #ending = new AbortController();

  mount(root: HTMLElement, replay: Replay): void {
    this.#root = root;
    this.#replay = replay;
    this.#match = new Match(replay);
    this.#board = new Board(this.#match);
    this.#strip = new Strip(this.#match);
    this.#cards = new Cards(replay, this.#match);
    wear(root, css);
    this.#build();
    this.#listen();
    this.#dress();
    this.#fit();
  }

  /** Leaves so much room for what has to be in sight together with a course that has no cards beside it. */
  leave_room(px: number): void {
    this.#with_px = px;
    this.#refit();
  }

  show(frame: number, fraction: number, pace: Pace): void {
    const moved = this.#shown === null || this.#shown.frame !== frame || this.#shown.fraction !== fraction;
    if (moved) this.#board.looked_at = null;
    this.#shown = { frame, fraction, pace };
    if (this.#board.is_stale) this.#fit();
    this.#board.paint(frame, fraction, pace, this.#layers, this.#pointed);
    if (!this.#strip.canvas.hidden) this.#strip.paint(this.#match.scenes[frame]!, this.#board, this.#layers.veil);
    if (frame !== this.#told) this.#tell(frame);
    else if (moved) this.#tell_tip();
  }

  grow(): void {
    this.#match.read_on();
    this.#told = -1;
  }

  describe(frame: number): string {
    return text.describe(this.#match.scenes[frame]!, this.#match.views[0]!, this.#names);
  }

  caption(frame: number): Caption {
    const scene = this.#match.scenes[frame]!;
    const told = SEATS.filter((seat) => text.is_told(scene, seat));
    const amiss = SEATS.some((seat) => text.stop(scene, seat) !== null);
    return { heading: text.heading(scene), seat: null, text: told.map((seat) => text.line(scene, seat)).join("\n"), amiss };
  }

  moments(): Moment[] {
    return this.#match.moments();
  }

  unmount(): void {
    this.#ending.abort();
  }

  /** For who plays: the match, and the board that is also drawn on. */
  get match(): Match {
    return this.#match;
  }

  get board(): Board {
    return this.#board;
  }

  get place(): HTMLElement {
    return this.#place;
  }

  /** Another race is to be shown in the frame that stands. */
  tell_again(): void {
    this.#told = -1;
  }

  get #names(): string[] {
    return this.#replay.seats.map((it) => it.name);
  }

  #build(): void {
    this.#race = h("span", { class: "race" });
    this.#step = h("span", { class: "step" });
    this.#tip = h("div", { class: "tip", hidden: true });
    this.#message = h("p", { class: "message" });
    for (const canvas of [this.#board.canvas, this.#strip.canvas]) canvas.setAttribute("aria-hidden", "true");
    this.#strip.canvas.classList.add("strip");
    this.#place = h("div", { class: "place" }, this.#board.canvas, this.#tip);
    this.#follow = this.#follow_choice();
    const view = this.#match.views[0]!;
    this.#root.append(
      h("div", { class: "head" }, this.#race, this.#step, h("span", { class: "facts" }, `${text.size(view)}, ${text.vision(view.vision)}`)),
      h("div", { class: "lane" }, this.#strip.canvas, this.#place, this.#cards.element),
      this.#message,
      this.#legend(),
    );
  }

  #legend(): HTMLElement {
    const layer = (key: keyof Layers) => layer_box(this.#layers, key, text.layers[key], () => this.#again());
    return h(
      "div",
      { class: "legend", role: "group", "aria-label": text.legend },
      layer("veil"),
      layer("ways"),
      layer("next"),
      h("span", {}, h("i", { class: "swatch sign" }), text.signs.stop),
      h("span", {}, h("i", { class: "swatch own-sight" }), text.signs.own_sight),
      this.#follow,
    );
  }

  #follow_choice(): HTMLElement {
    const labels: Record<Follow, string> = { both: text.follow_both, first: this.#names[0]!, second: this.#names[1]! };
    const select = h("select", {}, ...text.follow_choices.map((it) => h("option", { value: it }, labels[it])));
    select.addEventListener("change", () => {
      this.#board.follow = select.value as Follow;
      this.#board.looked_at = null;
      this.#again();
    });
    return h("label", { class: "follow" }, `${text.follow} `, select);
  }

  #listen(): void {
    const signal = this.#ending.signal;
    const colours = () => {
      this.#dress();
      this.#again();
    };
    watch_page(this.#root, signal, { colours, size: () => this.#refit() });
    const cell_at = (x: number, y: number) => this.#board.cell_at(x, y);
    watch_pointer(this.#place, signal, cell_at, (cell) => this.#point(cell));
    const look = (event: PointerEvent) => {
      if (event.type === "pointermove" && event.buttons === 0) return;
      this.#board.looked_at = this.#strip.row_at(event.clientY);
      this.#again();
    };
    this.#strip.canvas.addEventListener("pointerdown", look, { signal });
    this.#strip.canvas.addEventListener("pointermove", look, { signal });
  }

  #refit(): void {
    this.#fit();
    this.#again();
  }

  /** Cards stand beside the course where there is room for them; the strip where the course is longer than the board. */
  #fit(): void {
    const width = this.#root.clientWidth;
    const beside = width >= BESIDE_PX;
    this.#root.classList.toggle("beside", beside);
    const room = width - (beside ? CARDS_WIDTH_PX + GAP_PX : 0);
    const height = Math.max(BOARD_PX_MIN, window.innerHeight - AROUND_PX - (beside ? 0 : this.#with_px));
    this.#strip.canvas.hidden = true;
    this.#board.resize(room, height);
    const whole = this.#board.lens.is_whole;
    if (whole) return;
    const strip = this.#strip.width_in(room);
    this.#board.resize(room - strip - GAP_PX, height);
    this.#strip.canvas.hidden = false;
    this.#strip.resize(strip, this.#board);
  }

  /** Takes the colours of the page as they are now. */
  #dress(): void {
    const { night, colours } = colours_of_page(this.#root, ["var(--r-seat-0)", "var(--r-seat-1)", "var(--r-soft)"]);
    const [first, second, soft] = colours;
    this.#board.dress(night, [first!, second!], soft!);
  }

  #again(): void {
    if (this.#shown) this.show(this.#shown.frame, this.#shown.fraction, this.#shown.pace);
  }

  #point(cell: Cell | null): void {
    this.#pointed = cell;
    this.#tell_tip();
    this.#again();
  }

  /** All the words around the course. */
  #tell(frame: number): void {
    this.#told = frame;
    const scene = this.#match.scenes[frame]!;
    const view = this.#match.views[frame]!;
    setText(this.#race, text.race(scene.race));
    setText(this.#step, scene.step === null ? text.at_start : text.step(scene.step, view.step_limit));
    this.#cards.show(scene, view.think_ms);
    const amiss = SEATS.some((seat) => text.stop(scene, seat) !== null);
    const words = frame === 0 ? text.before : text.what_happened(scene, this.#names);
    setText(this.#message, words);
    setAttribute(this.#message, "class", `message${scene.sums !== null ? " over" : amiss ? " amiss" : ""}`);
    this.#tell_tip();
  }

  #tell_tip(): void {
    const cell = this.#pointed;
    this.#tip.hidden = cell === null;
    if (cell === null || this.#shown === null) return;
    const scene = this.#match.scenes[this.#shown.frame]!;
    const words = text.cell(scene, this.#match.views[0]!, cell, this.#names);
    show_tip(this.#tip, words, this.#board.canvas, this.#board.top_of(cell));
  }
}
