// The console of a player: what was typed and what came back, told apart by
// colour, by a mark, and by words for those who hear it.

import { h } from "../viewer/dom";
import type { ConsoleTalk, LineKind } from "./hand";
import { text } from "./text";

/** Lines that are kept on the page. */
const LINES_MAX = 500;
/** Lines that the arrow up brings back. */
const TYPED_MAX = 50;

/** What a line in the log is. */
type Kind = LineKind | "reply" | "system" | "error";

/** What the server says of a line. */
export interface Taken {
  taken: boolean;
  replies: string;
  remarks: [string, string][];
  refused: string | null;
}

/** The console. */
export class Console {
  readonly element: HTMLElement;
  #log: HTMLElement;
  #line: HTMLInputElement;
  #send: HTMLButtonElement;
  #typed: string[] = [];
  #at = 0;

  constructor(
    private readonly talk: ConsoleTalk,
    private readonly say: (line: string) => void,
  ) {
    this.#log = h("ol", { class: "lines", tabindex: 0, role: "log", "aria-label": text.console });
    this.#line = h("input", {
      type: "text",
      class: "line",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 8000,
      placeholder: talk.example,
      "aria-label": text.console_line,
    });
    this.#send = h("button", { type: "submit" }, text.send);
    const form = h("form", {}, this.#line, this.#send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#line.addEventListener("keydown", (event) => this.#key(event));
    this.element = h(
      "section",
      { class: "console", "aria-label": text.console },
      h("h2", {}, text.console),
      h("p", { class: "about" }, talk.about),
      this.#log,
      form,
    );
  }

  /** Whether a line may be sent. */
  enable(is: boolean): void {
    this.#send.disabled = !is;
  }

  /** Shows what was typed. */
  echo(typed: string): void {
    for (const line of typed.split("\n").filter((it) => it.trim() !== "")) this.#add(this.talk.kind(line), line);
  }

  /** Shows what came back. */
  answer({ taken, replies, remarks, refused }: Taken): void {
    for (const line of replies.split("\n").filter((it) => it !== "")) this.#add("reply", line);
    for (const [kind, words] of remarks) this.#add(kind === "log" ? "log" : "system", words);
    if (refused !== null) this.#add("error", `${refused} ${text.anew}`);
    else if (taken) this.#add("system", text.taken);
  }

  /** Shows that something went wrong. */
  fail(words: string): void {
    this.#add("error", words);
  }

  #submit(): void {
    const typed = this.#line.value;
    if (typed.trim() === "" || this.#send.disabled) return;
    this.#typed = [...this.#typed, typed].slice(-TYPED_MAX);
    this.#at = this.#typed.length;
    this.#line.value = "";
    this.say(`${typed}\n`);
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#at = Math.min(this.#typed.length, Math.max(0, this.#at + step));
    this.#line.value = this.#typed[this.#at] ?? "";
  }

  #add(kind: Kind, words: string): void {
    const mark = h("span", { class: "mark", "aria-hidden": "true" }, text.marks[kind]);
    const spoken = h("span", { class: "unseen" }, `${text.kinds[kind]}: `);
    this.#log.append(h("li", { class: kind }, mark, spoken, h("span", { class: "words" }, words)));
    while (this.#log.childElementCount > LINES_MAX) this.#log.firstElementChild?.remove();
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}
