// The editor of courses: a sheet to paint on, numbers beside it, and a check
// that runs along. A script of its own, which only the editor's page loads.

import { h, setText } from "../../viewer/dom";
import { type Desk, listen, type Shape } from "./editor/brush";
import { blank, byFormula, type Course, type Ground, GROUNDS, isCourse } from "./editor/course";
import { Numbers } from "./editor/form";
import { History } from "./editor/history";
import { type Flaw, type LotField, Refused, Server, type Told } from "./editor/server";
import { Sheet } from "./editor/sheet";
import { text } from "./editor/text";

/** The course is checked when it has not changed for so long. */
const CHECK_REST_MS = 350;
/** Where a course waits while its author signs in or starts a match. */
const DRAFT = (game: string) => `agon-draft-${game}`;
/** Where the page that starts matches looks for a set-up. */
const OWN_SETUP = (game: string) => `agon-own-setup-${game}`;

const SHAPES: readonly Shape[] = ["brush", "rectangle", "fill", "move"];

/** The whole editor, in the place of what stands there without a script. */
class Editor implements Desk {
  readonly #server: Server;
  readonly #history: History<Course>;
  readonly #sheet = new Sheet();
  readonly #numbers: Numbers;
  readonly #status = h("p", { role: "status" });
  readonly #show = h("button", { class: "button quiet small", type: "button", hidden: true }, text.show);
  readonly #words = h("div", { class: "unseen", role: "status" });
  readonly #news = h("p", { class: "news", role: "status" });
  readonly #grounds = new Map<Ground, HTMLButtonElement>();
  readonly #shapes = new Map<Shape, HTMLButtonElement>();
  readonly #undo = button(text.undo, () => this.undo());
  readonly #redo = button(text.redo, () => this.redo());
  readonly #smaller = button("−", () => this.#zoom(-1), text.smaller);
  readonly #larger = button("+", () => this.#zoom(1), text.larger);
  #ground: Ground = "1";
  #shape: Shape = "brush";
  mirror = false;
  /** The state that is somewhere else too. */
  #saved: Course;
  #leaving = false;
  #timer = 0;
  #asking: AbortController | null = null;

  constructor(
    place: HTMLElement,
    private readonly told: Told,
  ) {
    this.#server = new Server(told.game);
    const first = isCourse(told.setup) ? told.setup : blank();
    this.#history = new History(first);
    this.#saved = first;
    this.#numbers = new Numbers(first, (it) => this.do(it));
    this.#sheet.canvas.setAttribute("aria-label", text.sheet);
    this.#sheet.canvas.setAttribute("aria-describedby", "sheet-help");
    place.replaceChildren(this.#tools(), this.#desk(), this.#words);
    listen(this.#sheet, this);
    this.#drop(place);
    this.#choose(this.#ground, this.#shape);
    this.#refresh();
    this.#restore();
    window.addEventListener("beforeunload", (event) => {
      if (this.#history.now !== this.#saved && !this.#leaving) event.preventDefault();
    });
  }

  get course(): Course {
    return this.#history.now;
  }

  get ground(): Ground {
    return this.#ground;
  }

  set ground(it: Ground) {
    this.#choose(it, this.#shape);
  }

  get shape(): Shape {
    return this.#shape;
  }

  try(course: Course): void {
    this.#sheet.show(course);
  }

  do(course: Course): void {
    if (this.#history.do(course)) this.#refresh();
    else this.#sheet.show(course);
  }

  undo(): void {
    if (this.#history.undo()) this.#refresh();
  }

  redo(): void {
    if (this.#history.redo()) this.#refresh();
  }

  say(words: string): void {
    setText(this.#words, words);
  }

  /** Takes a course from elsewhere in place of this one; what was there can be had back. */
  #take(course: Course, news: string): void {
    this.do(course);
    setText(this.#news, news);
  }

  #choose(ground: Ground, shape: Shape): void {
    this.#ground = ground;
    this.#shape = shape;
    for (const [it, at] of this.#grounds) at.setAttribute("aria-pressed", String(it === ground));
    for (const [it, at] of this.#shapes) at.setAttribute("aria-pressed", String(it === shape));
    this.#sheet.canvas.classList.toggle("moves", shape === "move");
    this.#sheet.corner = null;
    this.#sheet.paint();
  }

  #zoom(by: 1 | -1): void {
    this.#sheet.zoom(by);
    this.#smaller.disabled = !this.#sheet.can_shrink;
    this.#larger.disabled = !this.#sheet.can_grow;
  }

  #refresh(): void {
    const course = this.#history.now;
    this.#sheet.flaw = null;
    this.#sheet.show(course);
    this.#numbers.show(course);
    this.#undo.disabled = !this.#history.can_undo;
    this.#redo.disabled = !this.#history.can_redo;
    setText(this.#news, "");
    this.#check_in(CHECK_REST_MS);
  }

  #check_in(ms: number): void {
    window.clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#tell("wait", text.checking, null);
    this.#timer = window.setTimeout(() => void this.#check(), ms);
  }

  async #check(): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const flaw = await this.#server.check(this.#history.now, asking.signal);
      if (asking.signal.aborted) return;
      if (flaw === null) this.#tell("good", text.good, null);
      else this.#tell("bad", text.flaw(flaw.why), flaw);
    } catch (error) {
      if (asking.signal.aborted) return;
      if (error instanceof Refused && error.retry_s !== null) {
        this.#tell("wait", text.too_often(error.retry_s), null);
        this.#timer = window.setTimeout(() => void this.#check(), error.retry_s * 1000);
      } else {
        this.#tell("bad", error instanceof Refused ? error.message : text.unreachable, null);
      }
    }
  }

  #tell(state: "good" | "bad" | "wait", words: string, flaw: Flaw | null): void {
    const { x0, x1 } = this.#history.now;
    const at = flaw?.at ?? null;
    let cell = at !== null && "cell" in at ? at.cell : null;
    if (at !== null && "field" in at && (at.field === "x0" || at.field === "x1")) cell = [at.field === "x0" ? x0 : x1, 0];
    this.#status.className = `verdict ${state}`;
    // What passes by is not read out.
    if (state === "wait") this.#status.setAttribute("aria-busy", "true");
    else this.#status.removeAttribute("aria-busy");
    setText(this.#status, words);
    this.#sheet.flaw = cell;
    this.#show.hidden = cell === null;
    this.#show.onclick = () => {
      if (cell === null) return;
      this.#sheet.cursor = cell;
      this.#sheet.reveal(cell, true);
      this.#sheet.canvas.focus({ preventScroll: true });
    };
    this.#sheet.paint();
  }

  #tools(): HTMLElement {
    for (const it of GROUNDS) {
      const swatch = h("span", { class: `swatch ground-${it}`, "aria-hidden": "true" });
      const at = button(text.ground(it), () => this.#choose(it, this.#shape));
      at.prepend(swatch);
      this.#grounds.set(it, at);
    }
    for (const it of SHAPES) this.#shapes.set(it, button(text[it], () => this.#choose(this.#ground, it)));
    const mirror = h("input", { type: "checkbox" });
    mirror.addEventListener("change", () => (this.mirror = mirror.checked));
    return h(
      "div",
      { class: "tools" },
      h("div", { role: "group", "aria-label": text.paint }, ...this.#grounds.values()),
      h("div", { role: "group", "aria-label": text.shape }, ...this.#shapes.values()),
      h("label", { class: "choice" }, mirror, text.mirror),
      h("div", { role: "group" }, this.#undo, this.#redo),
      h("div", { role: "group" }, this.#smaller, this.#larger),
    );
  }

  #desk(): HTMLElement {
    const formula = button(text.formula, () => this.do(byFormula(this.#history.now)));
    const start_over = button(text.start_over, () => {
      const { width, length } = this.#history.now;
      this.#take(blank(width, length), text.started_over);
    });
    return h(
      "div",
      { class: "desk" },
      h(
        "div",
        { class: "stack close" },
        this.#sheet.element,
        h("div", { class: "checked" }, this.#status, this.#show),
        this.#news,
        h("p", { class: "help", id: "sheet-help" }, text.sheet_help),
      ),
      h(
        "div",
        { class: "panel" },
        section(text.numbers, this.#numbers.element, h("div", { class: "buttons" }, formula)),
        section(text.fresh, h("div", { class: "buttons" }, start_over), this.#lot()),
        section(text.files, this.#files()),
        section(text.pool, this.#pools()),
      ),
    );
  }

  #lot(): HTMLElement {
    const error = h("p", { class: "error", role: "alert", hidden: true });
    const inputs = this.told.fields.map((it) => lotField(it));
    const form = h("form", { class: "numbers" }, ...inputs, error, h("div", { class: "buttons" }, h("button", { class: "button quiet small" }, text.draw)));
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const filled = new URLSearchParams([...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]));
      void this.#attempt(error, async () => {
        this.#take(await this.#server.draw(filled), text.drawn);
        // The next one is another one.
        const seed = form.querySelector<HTMLInputElement>("input[name=seed]");
        if (seed) seed.value = String(Number(seed.value) + 1);
      });
    });
    return h("details", {}, h("summary", {}, text.lot), form);
  }

  #files(): HTMLElement {
    const error = h("p", { class: "error", role: "alert", hidden: true });
    const endings = [...this.told.formats.map((it) => `.${it.extension}`), ".json"];
    const input = h("input", { class: "input", type: "file", id: "open-file", accept: endings.join(",") });
    const open = (file: File) =>
      this.#attempt(error, async () => {
        this.#take(await this.#server.read(file), text.opened(file.name));
        this.#saved = this.#history.now;
      });
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file) void open(file).then(() => (input.value = ""));
    });
    this.#open = open;
    const writes = [...this.told.formats, { name: "own", extension: "json", about: text.own }];
    const saves = writes.map((format) =>
      button(text.write(format.extension), () =>
        void this.#attempt(error, async () => {
          const course = this.#history.now;
          const url = URL.createObjectURL(await this.#server.write(course, format.name));
          h("a", { href: url, download: `${this.told.from?.[1] ?? "course"}.${format.extension}` }).click();
          window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
          this.#saved = course;
        }),
      ),
    );
    return h(
      "div",
      { class: "stack close" },
      h("div", { class: "field" }, h("label", { for: "open-file" }, text.open), input, h("p", { class: "help" }, text.open_help)),
      error,
      h("div", { class: "buttons" }, ...saves),
      h("p", { class: "help" }, text.writes(writes)),
    );
  }

  #open: (file: File) => Promise<void> = async () => {};

  #pools(): HTMLElement {
    const { told } = this;
    const match = button(told.signed_in ? text.match : text.sign_in, () => {
      const course = JSON.stringify(this.#history.now);
      sessionStorage.setItem(DRAFT(told.game), course);
      sessionStorage.setItem(OWN_SETUP(told.game), course);
      this.#leaving = true;
      location.href = `/matches/new?game=${told.game}`;
    });
    const play = h("div", { class: "buttons" }, match);
    const address = `/games/${told.game}/setups`;
    if (told.pools.length === 0) {
      const why = told.organises ? text.pool_none : text.pool_organisers;
      return h("div", { class: "stack close" }, play, h("p", { class: "help" }, `${why} `, h("a", { href: address }, text.pools)));
    }
    const error = h("p", { class: "error", role: "alert", hidden: true });
    const done = h("p", { role: "status" });
    const options = told.pools.map((it) => h("option", { value: it.name, selected: it.name === told.from?.[0] }, it.label));
    const pool = h("select", { class: "input", id: "pool" }, ...options);
    const name = h("input", { class: "input", id: "pool-name", autocomplete: "off", spellcheck: "false", "aria-describedby": "pool-name-help" });
    if (told.pools.some((it) => it.name === told.from?.[0])) name.value = told.from![1];
    const replaces = h("input", { type: "checkbox" });
    const form = h(
      "form",
      { class: "stack close" },
      h("div", { class: "field" }, h("label", { for: "pool" }, text.pool_which), pool),
      h("div", { class: "field" }, h("label", { for: "pool-name" }, text.pool_name), name, h("p", { class: "help", id: "pool-name-help" }, text.pool_name_help)),
      h("label", { class: "choice" }, replaces, text.pool_replace),
      error,
      done,
      h("div", { class: "buttons" }, h("button", { class: "button" }, text.pool_save), match),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      done.replaceChildren();
      void this.#attempt(error, async () => {
        const course = this.#history.now;
        const address = await this.#server.save(course, pool.value, name.value.trim(), replaces.checked);
        done.replaceChildren(text.pool_saved, h("a", { href: address }, `${pool.value}/${name.value.trim()}`));
        this.#saved = course;
      });
    });
    return form;
  }

  /** Lets files be dropped wherever the editor is. */
  #drop(place: HTMLElement): void {
    place.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      place.classList.add("dropping");
    });
    place.addEventListener("dragleave", () => place.classList.remove("dropping"));
    place.addEventListener("drop", (event) => {
      place.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.#open(file);
    });
  }

  /** Brings back what somebody was working on before the page was left. */
  #restore(): void {
    const key = DRAFT(this.told.game);
    const draft = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (draft === null || this.told.from !== null) return;
    const course: unknown = JSON.parse(draft);
    if (isCourse(course)) this.#take(course, text.restored);
  }

  /** Does what the server may refuse, and says so at `error`. */
  async #attempt(error: HTMLElement, act: () => Promise<void>): Promise<void> {
    error.hidden = true;
    setText(error, "");
    try {
      await act();
    } catch (why) {
      setText(error, why instanceof TypeError ? text.unreachable : why instanceof Error ? why.message : String(why));
      error.hidden = false;
    }
  }
}

function button(words: string, act: () => void, label: string | null = null): HTMLButtonElement {
  const it = h("button", { class: "button quiet small", type: "button", "aria-label": label }, words);
  it.addEventListener("click", act);
  return it;
}

function section(heading: string, ...children: HTMLElement[]): HTMLElement {
  return h("section", { class: "stack close" }, h("h2", {}, heading), ...children);
}

function lotField({ name, label, kind }: LotField): HTMLElement {
  const id = `lot-${name}`;
  const field = (input: HTMLElement, help: string | null) =>
    h("div", { class: "field" }, h("label", { for: id }, label), input, help === null ? null : h("p", { class: "help" }, help));
  if (kind.kind === "choice") {
    return field(h("select", { class: "input", id, name }, ...kind.options.map(([value, words]) => h("option", { value }, words))), null);
  }
  return field(h("input", { class: "input", id, name, inputmode: "numeric", value: kind.default, autocomplete: "off" }), text.allowed([kind.min, kind.max]));
}

const place = document.querySelector<HTMLElement>("#editor");
if (place?.dataset.told) new Editor(place, JSON.parse(place.dataset.told) as Told);
