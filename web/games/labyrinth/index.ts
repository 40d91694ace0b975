// The Labyrinth's board in a replay: canvas, points bar, legend, and the words
// for whoever points at a field.

import { type Cell, colours_of_page, layer_box, show_tip, watch_page, watch_pointer, wear } from "../../viewer/board";
import { h, setAttribute, setText } from "../../viewer/dom";
import type { Caption, GameViewer, Moment, Pace } from "../../viewer/game";
import type { Replay } from "../../viewer/replay";
import { Board, type Layers } from "./board";
import { Course } from "./course";
import css from "./labyrinth.css?shadow";
import { text } from "./text";
import { ADVENTURER, ARCHITECT, letter, type View } from "./view";

/** Room that everything but the board takes from top to bottom, in CSS pixels. */
const AROUND_PX = 260;
/** The board is never smaller, however low the window. */
const BOARD_PX_MIN = 280;

export function create(): GameViewer {
  return new LabyrinthViewer();
}

export class LabyrinthViewer implements GameViewer {
  readonly frames_per_s = 2;

  #course!: Course;
  #board!: Board;
  #replay!: Replay;
  #root!: HTMLElement;
  #place!: HTMLElement;
  #tip!: HTMLElement;
  #round!: HTMLElement;
  #way!: HTMLElement;
  #turn!: HTMLElement;
  #share!: HTMLElement;
  #bar!: HTMLElement;
  #points!: [HTMLElement, HTMLElement];
  #points_note!: HTMLElement;
  #message!: HTMLElement;
  #layers: Layers = { forbidden: true, dark: true, trail: true };
  #pointed: Cell | null = null;
  #shown: { frame: number; fraction: number; pace: Pace } | null = null;
  #told = -1;
  #ending = new AbortController();

  mount(root: HTMLElement, replay: Replay): void {
    this.#root = root;
    this.#replay = replay;
    this.#course = new Course(replay);
    this.#board = new Board(this.#course);
    wear(root, css);
    this.#build();
    this.#listen();
    this.#dress();
    this.#fit();
  }

  show(frame: number, fraction: number, pace: Pace): void {
    this.#shown = { frame, fraction, pace };
    if (this.#board.is_stale) this.#fit();
    this.#board.paint(frame, fraction, pace, this.#layers, this.#pointed);
    if (frame !== this.#told) this.#tell(frame);
  }

  grow(): void {
    this.#course.read_on();
    this.#told = -1;
  }

  describe(frame: number): string {
    return text.describe(this.#course.views[frame]!, this.#course.way[frame]!);
  }

  caption(frame: number): Caption {
    const view = this.#course.views[frame]!;
    // Before the first ply of a round the clock has gone on already.
    const round = this.#course.views[frame - 1]?.clock ?? view.clock;
    const heading = text.round_short(round);
    const fault = view.end !== null && (view.end.by.kind === "fault" || view.end.by.kind === "late");
    const seat = this.#course.views[frame - 1]?.turn ?? null;
    if (fault) return { heading, seat, text: text.sentence(view.end!.why), amiss: true };
    // Eyes that may not know what the architect does still know that it did.
    if (view.last === null || view.last.seat !== seat) return { heading, seat, text: text.unseen, amiss: false };
    return { heading, seat, text: text.caption(view.last), amiss: view.last.reason !== null && view.last.reason !== "no_command" };
  }

  moments(): Moment[] {
    return this.#course.moments();
  }

  unmount(): void {
    this.#ending.abort();
  }

  /** For who plays: the match, the board that is also drawn on, and what lies around it. */
  get course(): Course {
    return this.#course;
  }

  get board(): Board {
    return this.#board;
  }

  get place(): HTMLElement {
    return this.#place;
  }

  #build(): void {
    const { size, mode } = this.#course.views[0]!;
    this.#round = h("span", { class: "round" });
    this.#turn = h("span", { class: "turn" });
    this.#way = h("span", { class: "way" });
    this.#tip = h("div", { class: "tip", hidden: true });
    this.#board.canvas.setAttribute("aria-hidden", "true");
    this.#place = h("div", { class: "place" }, this.#board.canvas, this.#tip);
    this.#points = [h("b"), h("b")];
    this.#points_note = h("span", { class: "note-points" });
    this.#share = h("div", { class: "share" });
    this.#bar = h("div", { class: "bar", role: "img" }, this.#share);
    this.#message = h("p", { class: "message" });
    this.#root.append(
      h(
        "div",
        { class: "head" },
        this.#round,
        this.#turn,
        h("span", { class: "facts" }, `${text.size(size)}, ${text.mode[mode]}`, " ", this.#way),
      ),
      this.#place,
      h(
        "div",
        { class: "points" },
        h("div", { class: "side architect" }, this.#name(ARCHITECT), this.#points[0]),
        this.#points_note,
        h("div", { class: "side adventurer" }, this.#points[1], this.#name(ADVENTURER)),
        this.#bar,
      ),
      this.#message,
      this.#legend(mode === "nomap"),
    );
  }

  #name(seat: number): HTMLElement {
    const { name, version, href } = this.#replay.seats[seat]!;
    return h(
      "span",
      { class: "who" },
      h("span", { class: "role-name" }, text.roles[seat]!),
      " ",
      href === null ? name : h("a", { href }, name),
      version === null ? null : h("span", { class: "version" }, ` ${text.version(version)}`),
    );
  }

  #legend(without_map: boolean): HTMLElement {
    const layer = (key: keyof Layers) => layer_box(this.#layers, key, text.layers[key], () => this.#again());
    return h(
      "div",
      { class: "legend", role: "group", "aria-label": text.legend },
      layer("forbidden"),
      without_map ? layer("dark") : null,
      layer("trail"),
      h("span", {}, h("i", { class: "swatch sign" }), text.marks.redundant),
    );
  }

  #listen(): void {
    const signal = this.#ending.signal;
    const colours = () => {
      this.#dress();
      this.#again();
    };
    watch_page(this.#root, signal, { colours, size: () => this.#refit() });
    const field_at = (x: number, y: number) => this.#board.field_at(x, y);
    watch_pointer(this.#place, signal, field_at, (field) => this.#point(field));
  }

  #refit(): void {
    this.#fit();
    this.#again();
  }

  #fit(): void {
    const height = Math.max(BOARD_PX_MIN, window.innerHeight - AROUND_PX);
    this.#board.resize(this.#root.clientWidth, height);
  }

  /** Takes the colours of the page as they are now. */
  #dress(): void {
    const { night, colours } = colours_of_page(this.#root, ["var(--r-seat-1)", "var(--r-soft)"]);
    const [adventurer, soft] = colours;
    this.#board.dress(night, adventurer!, soft!);
  }

  #again(): void {
    if (this.#shown) this.show(this.#shown.frame, this.#shown.fraction, this.#shown.pace);
  }

  #point(field: Cell | null): void {
    this.#pointed = field;
    this.#tell_tip();
    this.#again();
  }

  /** All the words around the board. */
  #tell(frame: number): void {
    this.#told = frame;
    const view = this.#course.views[frame]!;
    const way = this.#course.way[frame]!;
    setText(this.#round, text.round(view.clock, view.limit));
    setText(this.#turn, view.turn === null ? text.over : text.turn[view.turn]!);
    setAttribute(this.#turn, "class", `turn seat-${view.turn ?? "none"}`);
    setText(this.#way, way > 0 && view.end === null ? `· ${text.way(way)}` : "");
    setText(this.#points[0], String(view.points[0]));
    setText(this.#points[1], String(view.points[1]));
    setText(this.#points_note, view.end === null ? text.points_now : text.points_end);
    setAttribute(this.#bar, "aria-label", text.points_words(view.points));
    this.#share.style.width = `${view.points[0]}%`;
    this.#tell_message(view, frame);
    this.#tell_tip();
  }

  #tell_message(view: View, frame: number): void {
    const amiss = view.last?.reason != null && view.last.reason !== "no_command";
    let words = frame === 0 ? text.at_start : text.unseen_sentence;
    if (view.last !== null) words = text.what_happened(view.last);
    if (view.end !== null) words = `${text.sentence(view.end.why)}.`;
    setText(this.#message, words);
    setAttribute(this.#message, "class", `message${view.end !== null ? " over" : amiss ? " amiss" : ""}`);
  }

  #tell_tip(): void {
    const field = this.#pointed;
    this.#tip.hidden = field === null;
    if (field === null || this.#shown === null) return;
    const [x, y] = field;
    const view = this.#course.views[this.#shown.frame]!;
    const planted = letter(view, x, y) === "h" ? (this.#course.planted_in[(y - 1) * view.size + x - 1] ?? 0) : 0;
    const words = text.field(view, x, y, letter(view, x, y), planted);
    show_tip(this.#tip, words, this.#board.canvas, this.#board.top_of(x, y));
  }
}
