// What happened, ply by ply up to the moment shown, with what the bots logged.
// Only the last few hundred are on the page: the rest is a scroll away in time.

import { h } from "./dom";
import type { GameViewer } from "./game";
import type { Remark, Replay, Spent } from "./replay";
import { text } from "./text";

/** Plies kept on the page. */
const SHOWN_MAX = 200;

/** Log lines of one ply that are shown; the record has them all. */
const REMARKS_MAX = 50;

/** The list rests while the slider is dragged, and catches up after this long. */
const REST_MS = 60;

/** Characters of one log line that are shown. */
const REMARK_CHARS_MAX = 1000;

interface Row {
  frame: number;
  heading: string;
  row: HTMLElement;
}

/** A list of plies beside the board. */
export class PlyList {
  readonly element: HTMLElement;
  #list: HTMLElement;
  #empty: HTMLElement;
  #only_remarks: HTMLInputElement;
  /** Frames on the page now, one row each, in order. */
  #rows: Row[] = [];
  #shown = -1;
  #timer = 0;

  constructor(
    private readonly replay: Replay,
    private readonly viewer: GameViewer,
    private readonly seek: (frame: number) => void,
  ) {
    this.#list = h("ol", { class: "rows", tabindex: 0, "aria-label": text.plies });
    this.#empty = h("p", { class: "empty" });
    this.#only_remarks = h("input", { type: "checkbox", change: () => this.refresh() });
    this.#list.addEventListener("click", (event) => this.#click(event));
    this.element = h(
      "aside",
      { class: "plies", "aria-label": text.plies },
      h(
        "header",
        {},
        h("h2", {}, text.plies),
        h("label", {}, this.#only_remarks, " ", text.only_remarks),
      ),
      this.#empty,
      this.#list,
    );
  }

  /** Shows plies up to `frame`. */
  show(frame: number): void {
    window.clearTimeout(this.#timer);
    // A step or a frame of play is shown at once, a leap when it has come to rest.
    if (Math.abs(frame - this.#shown) <= 4) this.#update(frame);
    else this.#timer = window.setTimeout(() => this.#update(frame), REST_MS);
  }

  /** Writes everything anew: what is listed, or what was said, has changed. */
  refresh(): void {
    const frame = this.#shown;
    this.#rows = [];
    this.#list.replaceChildren();
    this.#update(frame);
  }

  close(): void {
    window.clearTimeout(this.#timer);
  }

  #update(frame: number): void {
    const sticks = this.#list.scrollTop + this.#list.clientHeight >= this.#list.scrollHeight - 40;
    const first = this.#first(frame);
    const rows = this.#rows;
    while (rows.length > 0 && rows[rows.length - 1]!.frame > frame) rows.pop()!.row.remove();
    while (rows.length > 0 && rows[0]!.frame < first) rows.shift()!.row.remove();
    const before = rows.length > 0 ? rows[0]!.frame : frame + 1;
    const after = rows.length > 0 ? rows[rows.length - 1]!.frame : frame;
    const earlier = this.#made(first, before - 1);
    this.#list.prepend(...earlier.map((it) => it.row));
    const later = this.#made(after + 1, frame);
    this.#list.append(...later.map((it) => it.row));
    this.#rows = [...earlier, ...rows, ...later];
    let heading = "";
    for (const it of this.#rows) {
      it.row.classList.toggle("now", it.frame === frame);
      it.row.classList.toggle("same", it.heading === heading);
      heading = it.heading;
    }
    this.#empty.textContent = frame === 0 ? text.nothing_yet : text.no_remarks;
    this.#empty.hidden = this.#rows.length > 0;
    if (sticks || this.#shown < 0 || frame < this.#shown || Math.abs(frame - this.#shown) > 4) {
      this.#list.scrollTop = this.#list.scrollHeight;
    }
    this.#shown = frame;
  }

  /** The first frame to be listed when `frame` is the last. */
  #first(frame: number): number {
    if (!this.#only_remarks.checked) return Math.max(1, frame - SHOWN_MAX + 1);
    let found = 0;
    for (let at = frame; at >= 1; at--) {
      if (this.#has_remarks(at) && ++found === SHOWN_MAX) return at;
    }
    return 1;
  }

  #made(from: number, to: number): Row[] {
    const made: Row[] = [];
    for (let frame = from; frame <= to; frame++) {
      if (this.#only_remarks.checked && !this.#has_remarks(frame)) continue;
      made.push(this.#row(frame));
    }
    return made;
  }

  #has_remarks(frame: number): boolean {
    return this.replay.frames[frame]!.remarks.length > 0;
  }

  #row(frame: number): Row {
    const { heading, seat, text: words, amiss } = this.viewer.caption(frame);
    const { spent, remarks } = this.replay.frames[frame]!;
    const role = seat === null ? null : this.replay.seats[seat]?.role;
    const kept = remarks.slice(0, REMARKS_MAX);
    const more = remarks.length - kept.length;
    const row = h(
      "li",
      { class: `ply${amiss ? " amiss" : ""}`, "data-seat": seat, "data-frame": frame },
      h("h3", {}, heading),
      h(
        "button",
        { type: "button", tabindex: -1, class: "what" },
        h(
          "span",
          {},
          role === undefined || role === null ? null : h("span", { class: "role" }, role),
          " ",
          h("span", { class: "words" }, words),
        ),
        cost(seat === null ? null : (spent[seat] ?? null)),
      ),
      ...kept.map((it) => this.#remark(it)),
      more > 0 ? h("p", { class: "more" }, `+ ${more}`) : null,
    );
    return { frame, heading, row };
  }

  #remark(remark: Remark): HTMLElement {
    const kind = remark.kind === "warning" ? text.warning : text.log;
    const role = this.replay.seats[remark.seat]?.role ?? "";
    return h(
      "p",
      { class: `remark ${remark.kind}`, "data-seat": remark.seat },
      h("span", { class: "kind" }, `${role} ${kind}`),
      h("code", {}, short(remark.text)),
    );
  }

  #click(event: Event): void {
    const row = (event.target as Element).closest<HTMLElement>(".what")?.closest<HTMLElement>("[data-frame]");
    if (row) this.seek(Number(row.dataset.frame));
  }
}

function short(line: string): string {
  return line.length <= REMARK_CHARS_MAX ? line : `${line.slice(0, REMARK_CHARS_MAX)}…`;
}

function cost(spent: Spent | null): HTMLElement | null {
  if (spent === null) return null;
  const { cpu_ms, wall_ms } = spent;
  return h("span", { class: "cost", title: text.took(text.ms(cpu_ms), text.ms(wall_ms)) }, text.ms(spent.charged_ms));
}
