// The course on a canvas that is as large as its window, whatever the course:
// what is in sight is painted, and the window scrolls over the rest.

import { h } from "../../../viewer/dom";
import { chance, rock, water } from "../ground";
import { palette, type Palette } from "../palette";
import { shape } from "../sprites";
import { blank, type Cell, contains, type Course, groundAt } from "./course";

/** Sides of a cell, in CSS pixels. */
const CELLS = [6, 8, 10, 13, 16, 20, 25, 32, 40] as const;
/** A cell is not larger than this before somebody wants it to be. */
const CELL_FIRST_MAX = 25;
/** Room for the numbers of rows. */
const MARGIN = 36;
/** Rows beyond the goal, and behind the start; in the first one there stand the players. */
const BEYOND = 2;
const BEHIND = 3;
const STONES = 7;
/** Where the panel stands below the sheet, and how wide it is where it stands beside; as in the style sheet. */
const NARROW = matchMedia("(max-width: 60rem)");
const PANEL = 328;

/** The canvas, and where everything is on it. */
export class Sheet {
  readonly canvas = h("canvas", { tabindex: "0", role: "application" });
  readonly #space = h("div", { class: "space" }, this.canvas);
  readonly element = h("div", { class: "sheet" }, this.#space);
  readonly #ctx = this.canvas.getContext("2d")!;
  #course: Course = blank();
  #colours: Palette;
  #cell = 0;
  #asked = false;
  #night = matchMedia("(prefers-color-scheme: dark)");
  cursor: Cell = [0, 0];
  /** The first corner of a rectangle that is set by keyboard. */
  corner: Cell | null = null;
  flaw: Cell | null = null;

  constructor() {
    this.#colours = this.#dress();
    this.element.addEventListener("scroll", () => this.paint());
    this.#night.addEventListener("change", () => {
      this.#colours = this.#dress();
      this.paint();
    });
    new ResizeObserver(() => {
      const first = this.#cell === 0;
      if (first) this.#fit();
      this.#lay();
      if (first) this.element.scrollTop = this.element.scrollHeight;
      this.paint();
    }).observe(this.element);
    // On a screen that is turned, say.
    window.addEventListener("resize", () => {
      this.#lay();
      this.paint();
    });
    for (const it of ["focus", "blur"]) this.canvas.addEventListener(it, () => this.paint());
  }

  /** Shows this course. One of another size is shown from its start. */
  show(course: Course): void {
    const { width, length } = this.#course;
    const resized = course.width !== width || course.length !== length;
    this.#course = course;
    this.cursor = [Math.min(this.cursor[0], course.width - 1), Math.min(this.cursor[1], course.length - 1)];
    if (resized) {
      if (course.width !== width) this.#fit();
      this.#lay();
      this.element.scrollTop = this.element.scrollHeight;
    }
    this.paint();
  }

  /** Makes cells larger or smaller, and keeps what is in the middle there. */
  zoom(by: 1 | -1): void {
    const at = CELLS.findIndex((it) => it >= this.#cell);
    const cell = CELLS[at + by];
    if (cell === undefined) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.element;
    const grows = cell / this.#cell;
    this.#cell = cell;
    this.#lay();
    this.element.scrollTop = (scrollTop + clientHeight / 2) * grows - clientHeight / 2;
    this.element.scrollLeft = (scrollLeft + clientWidth / 2) * grows - clientWidth / 2;
    this.paint();
  }

  get can_grow(): boolean {
    return this.#cell < CELLS[CELLS.length - 1]!;
  }

  get can_shrink(): boolean {
    return this.#cell > CELLS[0];
  }

  /** The cell at a point of the window, which may lie beside the course. */
  cell_at({ clientX, clientY }: { clientX: number; clientY: number }): Cell {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((clientX - box.left + this.element.scrollLeft - MARGIN) / this.#cell);
    const down = Math.floor((clientY - box.top + this.element.scrollTop) / this.#cell);
    return [x, this.#course.length + BEYOND - 1 - down];
  }

  /** The middle of a cell, in the window. */
  middle_of([x, y]: Cell): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const left = MARGIN + (x + 0.5) * this.#cell - this.element.scrollLeft;
    const top = (this.#course.length + BEYOND - y - 0.5) * this.#cell - this.element.scrollTop;
    return [box.left + left, box.top + top];
  }

  /** Scrolls so far that a cell is in sight. */
  reveal([x, y]: Cell, middle = false): void {
    const { element } = this;
    const top = (this.#course.length + BEYOND - 1 - y) * this.#cell;
    const left = MARGIN + x * this.#cell;
    const room = middle ? element.clientHeight / 2 - this.#cell : Math.min(2 * this.#cell, element.clientHeight / 4);
    if (top - room < element.scrollTop) element.scrollTop = top - room;
    const low = top + this.#cell + room - element.clientHeight;
    if (low > element.scrollTop) element.scrollTop = low;
    if (left - MARGIN < element.scrollLeft) element.scrollLeft = left - MARGIN;
    const right = left + this.#cell - element.clientWidth;
    if (right > element.scrollLeft) element.scrollLeft = right;
    this.paint();
  }

  /** Paints at the next refresh of the screen. */
  paint(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#paint();
    });
  }

  #dress(): Palette {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    return palette(this.#night.matches, [colour("--seat-1"), colour("--seat-2")], colour("--ink-soft"));
  }

  /** As large as there is room beside what else is there. */
  #fit(): void {
    const room = (this.element.closest(".desk")?.clientWidth ?? 0) - (NARROW.matches ? 0 : PANEL);
    if (room <= 0) return;
    const fits = (room - MARGIN - 2) / this.#course.width;
    const cells = CELLS.filter((it) => it <= Math.min(fits, CELL_FIRST_MAX));
    this.#cell = cells[cells.length - 1] ?? CELLS[1];
  }

  #lay(): void {
    const { width, length } = this.#course;
    this.#space.style.width = `${MARGIN + width * this.#cell}px`;
    this.#space.style.height = `${(length + BEYOND + BEHIND) * this.#cell}px`;
    const { clientWidth, clientHeight } = this.element;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
  }

  #paint(): void {
    const course = this.#course;
    const ctx = this.#ctx;
    const colours = this.#colours;
    const cell = this.#cell;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.element;
    if (cell === 0 || clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, clientWidth, clientHeight);
    const left = (x: number) => MARGIN + x * cell - scrollLeft;
    const top = (y: number) => (course.length + BEYOND - 1 - y) * cell - scrollTop;
    const last = course.length + BEYOND - 1 - Math.floor(scrollTop / cell);
    const first = Math.max(-BEHIND, last - Math.ceil(clientHeight / cell));
    const from = Math.max(0, Math.floor((scrollLeft - MARGIN) / cell));
    const to = Math.min(course.width - 1, Math.floor((scrollLeft + clientWidth - MARGIN) / cell));
    ctx.save();
    ctx.beginPath();
    ctx.rect(MARGIN - 5, 0, clientWidth, clientHeight);
    ctx.clip();
    for (let y = first; y <= last; y++) {
      for (let x = from; x <= to; x++) {
        const verge = y < 0 || y >= course.length;
        ctx.fillStyle = (verge ? colours.verge : colours.grass)[(x + y) & 1]!;
        ctx.fillRect(left(x), top(y), cell, cell);
        if (verge) continue;
        const ground = groundAt(course, [x, y]);
        if (ground === "1") {
          ctx.save();
          ctx.translate(left(x), top(y));
          rock(ctx, Math.floor(chance(x, y, 3) * STONES), cell, colours);
          ctx.restore();
        } else if (ground === "2") {
          const joins = (dx: number, dy: number) => groundAt(course, [x + dx, y + dy]) === "2" && contains(course, [x + dx, y + dy]);
          water(ctx, left(x), top(y), cell, colours, joins, x, y);
        }
      }
    }
    this.#lines(left, top, from, to);
    this.#starts(left, top);
    if (this.flaw) this.#outline(left(this.flaw[0]), top(this.flaw[1]), cell, colours.sign, true);
    if (this.corner) this.#outline(left(this.corner[0]), top(this.corner[1]), cell, colours.label, false);
    if (document.activeElement === this.canvas) this.#outline(left(this.cursor[0]), top(this.cursor[1]), cell, colours.label, false);
    ctx.restore();
    this.#numbers(left, top, first, last, from, to);
  }

  #lines(left: (x: number) => number, top: (y: number) => number, from: number, to: number): void {
    const ctx = this.#ctx;
    const { length } = this.#course;
    const width = (to - from + 1) * this.#cell;
    const thick = Math.max(2, this.#cell * 0.12);
    ctx.fillStyle = this.#colours.line_dark;
    ctx.fillRect(left(from), top(-1) - thick / 2 - 1, width, thick + 2);
    ctx.fillStyle = this.#colours.line;
    ctx.fillRect(left(from), top(-1) - thick / 2, width, thick);
    const side = this.#cell / 4;
    for (let row = 0; row < 2; row++) {
      for (let at = 0; at < (to - from + 1) * 4; at++) {
        ctx.fillStyle = (at + row) & 1 ? this.#colours.line : this.#colours.line_dark;
        ctx.fillRect(left(from) + at * side, top(length) + this.#cell / 2 + (row - 1) * side, side + 0.5, side + 0.5);
      }
    }
  }

  /** Who starts where, in the shapes of every replay. */
  #starts(left: (x: number) => number, top: (y: number) => number): void {
    const ctx = this.#ctx;
    const cell = this.#cell;
    const side = Math.max(14, cell * 0.84);
    for (const [seat, x] of [this.#course.x0, this.#course.x1].entries()) {
      const [mid_x, mid_y] = [left(x) + cell / 2, top(-1) + Math.max(cell / 2, side / 2 + 2)];
      ctx.fillStyle = this.#colours.seats[seat]!;
      ctx.strokeStyle = this.#colours.halo;
      ctx.lineWidth = 2;
      shape(ctx, seat, [mid_x, mid_y], side / 2);
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = this.#colours.halo;
      ctx.font = `700 ${Math.round(side * 0.66)}px sans-serif`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillText(String(seat + 1), mid_x, mid_y + side * 0.05);
    }
  }

  #outline(left: number, top: number, cell: number, colour: string, sign: boolean): void {
    const ctx = this.#ctx;
    ctx.strokeStyle = this.#colours.halo;
    ctx.lineWidth = 5;
    ctx.strokeRect(left - 1, top - 1, cell + 2, cell + 2);
    ctx.strokeStyle = colour;
    ctx.lineWidth = 3;
    ctx.strokeRect(left - 1, top - 1, cell + 2, cell + 2);
    if (!sign) return;
    const radius = Math.max(8, cell * 0.34);
    const [x, y] = [left + cell + 1, top - 1];
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = this.#colours.sign_ink;
    ctx.font = `700 ${Math.round(radius * 1.5)}px sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText("!", x, y + radius * 0.08);
  }

  #numbers(left: (x: number) => number, top: (y: number) => number, first: number, last: number, from: number, to: number): void {
    const ctx = this.#ctx;
    const cell = this.#cell;
    const every = cell >= 16 ? 1 : cell >= 10 ? 2 : 5;
    ctx.fillStyle = this.#colours.number;
    ctx.font = "11px sans-serif";
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    for (let y = Math.max(0, first); y <= Math.min(last, this.#course.length - 1); y++) {
      if (y % every === 0) ctx.fillText(String(y), MARGIN - 5, top(y) + cell / 2);
    }
    ctx.textAlign = "center";
    const across = cell >= 20 ? 1 : cell >= 13 ? 2 : 5;
    ctx.save();
    ctx.beginPath();
    ctx.rect(MARGIN, 0, this.element.clientWidth, this.element.clientHeight);
    ctx.clip();
    ctx.fillStyle = this.#colours.label;
    for (let x = from; x <= to; x++) if (x % across === 0) ctx.fillText(String(x), left(x) + cell / 2, top(-BEHIND) + cell - 7);
    ctx.restore();
  }
}
