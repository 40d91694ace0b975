// The bar below every board: slider with marks, buttons, speed, and two small
// dialogs. Knows commands and frames, but not what time does to them.

import { h, icon, setAttribute, setText } from "./dom";
import type { KeyWords, Moment } from "./game";
import type { Command } from "./keys";
import { dialog, keyTable } from "./help";
import { marksOf } from "./marks";
import { SPEEDS, type Playhead } from "./playhead";
import { text } from "./text";

const ICONS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
  start: "M5 5h2.6v14H5zM19.5 5v14L9 12z",
  end: "M16.4 5H19v14h-2.6zM4.5 5 15 12 4.5 19z",
  back: "M14.5 5.5 16.3 7.3 11.6 12l4.7 4.7-1.8 1.8L8 12z",
  on: "M9.5 5.5 7.7 7.3 12.4 12l-4.7 4.7 1.8 1.8L16 12z",
  moment_back: "M13 5 6 12l7 7zM15.5 5H18v14h-2.5z",
  moment_on: "M11 5l7 7-7 7zM6 5h2.5v14H6z",
  link: "M10.6 13.4a4 4 0 0 1 0-5.7l2.8-2.8a4 4 0 0 1 5.7 5.7l-1.5 1.5-1.4-1.4 1.5-1.5a2 2 0 0 0-2.9-2.9L12 9.1a2 2 0 0 0 0 2.9zm2.8-2.8a4 4 0 0 1 0 5.7l-2.8 2.8a4 4 0 0 1-5.7-5.7l1.5-1.5 1.4 1.4-1.5 1.5a2 2 0 0 0 2.9 2.9l2.8-2.8a2 2 0 0 0 0-2.9z",
  fullscreen: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm-1 10.5h2v2h-2zM12 6.5c2 0 3.4 1.2 3.4 3 0 1.3-.7 2-1.5 2.6-.7.5-.9.8-.9 1.5v.4h-2v-.6c0-1.4.7-2.1 1.5-2.7.6-.4.9-.7.9-1.2 0-.6-.5-1-1.4-1s-1.5.5-1.5 1.4h-2c0-2 1.4-3.4 3.5-3.4z",
} as const;

/** What the bar asks for that is no command of a key. */
export interface Wishes {
  seek(frame: number): void;
  speed(speed: number): void;
}

/** The bar. */
export class Controls {
  readonly element: HTMLElement;
  /** The help dialog, to be placed anywhere. */
  readonly help: HTMLDialogElement;

  #slider: HTMLInputElement;
  #marks: HTMLElement;
  #play: HTMLButtonElement;
  #end: HTMLButtonElement;
  #count: HTMLElement;
  #speed: HTMLSelectElement;
  #live: HTMLElement;
  #note: HTMLElement;
  #link: HTMLDialogElement;
  #link_text: HTMLInputElement;
  #full: HTMLButtonElement | null = null;
  #live_state: "on" | "lost" | null = null;
  #note_timer = 0;
  #last = 0;
  #marked = "";

  constructor(
    private readonly run: (command: Command) => void,
    private readonly wishes: Wishes,
  ) {
    this.#slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      class: "slider",
      "aria-label": text.position,
      input: () => this.wishes.seek(Number(this.#slider.value)),
    });
    this.#marks = h("div", { class: "marks" });
    this.#play = this.#button("play", text.play, { do: "toggle" });
    this.#play.classList.add("primary");
    this.#end = this.#button("end", text.end, { do: "end" });
    this.#count = h("span", { class: "count" });
    this.#speed = h(
      "select",
      { "aria-label": text.speed, change: () => this.wishes.speed(Number(this.#speed.value)) },
      ...SPEEDS.map((it) => h("option", { value: it, selected: it === 1 }, text.speed_of(it))),
    );
    this.#live = h("span", { class: "live", hidden: true });
    this.#note = h("span", { class: "note" });
    this.#link_text = h("input", { type: "text", readonly: true, "aria-label": text.copy_by_hand });
    this.#link = dialog(text.copy_by_hand, this.#link_text);
    this.help = dialog(text.help_title, keyTable(text.keys));
    if (document.fullscreenEnabled) this.#full = this.#button("fullscreen", text.fullscreen, { do: "fullscreen" });
    this.element = h(
      "div",
      { class: "controls", role: "group", "aria-label": text.controls },
      h("div", { class: "track" }, this.#slider, this.#marks),
      h(
        "div",
        { class: "buttons" },
        h(
          "div",
          { class: "set" },
          this.#button("start", text.start, { do: "start" }),
          this.#button("back", text.back, { do: "step", n: -1 }),
          this.#play,
          this.#button("on", text.on, { do: "step", n: 1 }),
          this.#end,
        ),
        h("div", { class: "set" }, this.#count, this.#live),
        h(
          "div",
          { class: "set last" },
          this.#note,
          this.#button("moment_back", text.moment_back, { do: "moment", n: -1 }),
          this.#button("moment_on", text.moment_on, { do: "moment", n: 1 }),
          this.#speed,
          this.#button("link", text.copy, { do: "copy" }),
          this.#full,
          this.#button("help", text.help, { do: "help" }),
        ),
      ),
      this.#link,
    );
  }

  /** Shows where the playhead stands. */
  show(playhead: Playhead, words: () => string): void {
    const { meant, last, playing, following } = playhead;
    if (this.#slider.value !== String(meant)) this.#slider.value = String(meant);
    // Part of the track that lies behind, for the styles.
    this.#slider.style.setProperty("--done", `${last === 0 ? 0 : (100 * meant) / last}%`);
    if (!playing) setAttribute(this.#slider, "aria-valuetext", words());
    setText(this.#count, text.step_of(meant, last));
    this.#relabel(this.#play, playing ? "pause" : "play", playing ? text.pause : text.play);
    if (this.#live_state !== "lost") {
      setText(this.#live, following ? text.live : text.live_behind(last - meant));
    }
    this.#live.classList.toggle("following", following && this.#live_state === "on");
  }

  /** How far the slider goes, and what is marked on it. */
  set_range(last: number, moments: readonly Moment[]): void {
    this.#last = last;
    setAttribute(this.#slider, "max", String(last));
    const marks = marksOf(moments, last);
    const marked = `${last} ${marks.map((it) => it.frame).join()}`;
    if (marked === this.#marked) return;
    this.#marked = marked;
    this.#marks.replaceChildren(...marks.map((it) => this.#mark(it)));
  }

  set_speed(speed: number): void {
    this.#speed.value = String(speed);
  }

  /** Whether a match under way is being followed, and whether that works. */
  set_live(state: "on" | "lost" | null): void {
    this.#live_state = state;
    this.#live.hidden = state === null;
    if (state === "lost") setText(this.#live, text.live_lost);
    this.#relabel(this.#end, "end", state === null ? text.end : text.to_live);
  }

  set_fullscreen(is: boolean): void {
    if (this.#full) this.#relabel(this.#full, "fullscreen", is ? text.fullscreen_off : text.fullscreen);
  }

  /** Tells of a game's own keys, too. */
  add_keys(keys: KeyWords): void {
    if (keys.length > 0) this.help.querySelector("table")?.after(keyTable(keys));
  }

  show_help(): void {
    if (!this.help.open) this.help.showModal();
  }

  /** For browsers that do not let a page copy. */
  show_link(link: string): void {
    this.#link_text.value = link;
    if (!this.#link.open) this.#link.showModal();
    this.#link_text.select();
  }

  /** Says something for a moment. */
  note(words: string): void {
    setText(this.#note, words);
    window.clearTimeout(this.#note_timer);
    this.#note_timer = window.setTimeout(() => setText(this.#note, ""), 2500);
  }

  /** Marks are for the pointer; the keyboard has its own way to them. */
  #mark(moment: Moment): HTMLElement {
    const mark = h("span", { class: `mark ${moment.kind}`, title: text.moment_at(moment.label, moment.frame) });
    mark.style.setProperty("--at", String(moment.frame / Math.max(1, this.#last)));
    mark.addEventListener("click", () => this.wishes.seek(moment.frame));
    return mark;
  }

  #button(name: keyof typeof ICONS, label: string, command: Command): HTMLButtonElement {
    const button = h("button", { type: "button", title: label, "aria-label": label }, icon(ICONS[name]));
    button.addEventListener("click", () => this.run(command));
    return button;
  }

  #relabel(button: HTMLButtonElement, name: keyof typeof ICONS, label: string): void {
    if (button.getAttribute("aria-label") === label) return;
    button.setAttribute("aria-label", label);
    button.title = label;
    button.replaceChildren(icon(ICONS[name]));
  }
}
