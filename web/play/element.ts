// <agon-play game="…" seat="0" live="…" deeds="…">: a board that somebody plays
// on. What is to be seen comes from the player's own stream and from nowhere
// else; what they decide goes to the server, which says whether it may be done.

import { h, setText } from "../viewer/dom";
import { Trouble } from "../viewer/fetching";
import { LiveStream, type Asked } from "../viewer/live";
import type { Replay } from "../viewer/replay";
import help_css from "../viewer/help.css?shadow";
import { dialog, keyTable } from "../viewer/help";
import replay_css from "../viewer/replay.css?shadow";
import { Console, type Taken } from "./console";
import { fetchHand } from "./fetching";
import type { GameHand } from "./hand";
import play_css from "./play.css?shadow";
import { text } from "./text";

/** How long a board takes from one position to the next, in ms. */
const MOVE_MS = 350;
/** How often the clock is shown anew, in ms. */
const CLOCK_MS = 200;
/** So many seconds before the end a person is told. */
const LAST_S = 10;
/** After how long a decision that did not get through is sent again, in ms. */
const AGAIN_MS = 1000;

/** A decision of a person, as it is sent: an action, or a line of the console. */
interface Decision {
  action?: unknown;
  line?: string;
}

/** The custom element. */
export class PlayElement extends HTMLElement {
  #root: ShadowRoot;
  #shown: Shown | null = null;
  #live: LiveStream | null = null;
  /** What has been decided and has not got through yet; a board that is set up anew sends it. */
  undelivered: { ply: number; decision: Decision } | null = null;

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.#root.adoptedStyleSheets = [replay_css, help_css, play_css].map((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      return sheet;
    });
  }

  connectedCallback(): void {
    void this.load();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  /** Fetches everything, and sits down. */
  async load(): Promise<void> {
    this.#close();
    this.#say(text.loading, "status");
    const live = new LiveStream(this.getAttribute("live") ?? "");
    this.#live = live;
    try {
      const [replay, hand] = await Promise.all([live.started, fetchHand(this.getAttribute("game") ?? "")]);
      if (this.#live !== live) return;
      this.#root.replaceChildren();
      this.#shown = new Shown(this, this.#root, replay, hand, live);
    } catch (error) {
      if (this.#live !== live) return;
      this.fail(error);
    }
  }

  /** The board broke down, or was never there: says so in its place. */
  fail(error: unknown): void {
    this.#close();
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    this.#say(error instanceof Trouble ? why : text.broken(why), "alert");
  }

  #say(words: string, role: "status" | "alert"): void {
    this.#root.replaceChildren(h("div", { class: `notice ${role}`, role }, h("p", {}, words)));
  }

  #close(): void {
    this.#live?.close();
    this.#live = null;
    this.#shown?.close();
    this.#shown = null;
  }
}

/** A board on the screen. */
class Shown {
  #box: HTMLElement;
  #stage: HTMLElement;
  #pads: HTMLElement;
  #turn: HTMLElement;
  #clock: HTMLElement;
  #message: HTMLElement;
  #words: HTMLElement;
  #help: HTMLDialogElement;
  #console: Console | null = null;
  #closing = new AbortController();
  #asked: Asked | null = null;
  /** A decision is on its way. */
  #sending = false;
  /** It has not been answered yet. */
  #posting = false;
  /** All that was said at the console so far is answered. */
  #spoken: Promise<void> = Promise.resolve();
  #connected = true;
  #played = true;
  #over = false;
  /** The frame that the board has come to, and that it stands on. */
  #frame = 0;
  #began_ms = 0;
  #request = 0;
  #clock_timer = 0;
  #told_s = Infinity;
  #calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly host: PlayElement,
    root: ShadowRoot,
    private readonly replay: Replay,
    private readonly hand: GameHand,
    live: LiveStream,
  ) {
    const seats = replay.seats.map((it) => `${it.role}: ${it.name}`).join(", ");
    this.#stage = h("div", { class: "stage", tabindex: 0, role: "group", "aria-label": text.board(seats) });
    this.#pads = h("div", { class: "pads" });
    this.#turn = h("p", { class: "turn-words", role: "status" });
    this.#clock = h("span", { class: "turn-clock", "aria-label": text.clock, role: "timer" });
    this.#message = h("p", { class: "told", role: "alert" });
    this.#words = h("p", { class: "unseen", "aria-live": "polite" });
    if (hand.console !== null) this.#console = new Console(hand.console, (line) => this.#say_next(line));
    const keys = h("dl", { class: "key-list", "aria-label": text.keys });
    this.#help = dialog(text.keys);
    const help = h("button", { type: "button", class: "help", "aria-label": text.help, title: text.help, click: () => this.#show_help() }, "?");
    this.#box = h(
      "section",
      { class: `play${this.#console === null ? "" : " has-console"}`, "aria-label": text.play },
      h("div", { class: "turn-bar" }, this.#turn, this.#clock, help),
      this.#message,
      h("div", { class: "main" }, this.#stage, this.#pads, keys),
      this.#console?.element ?? null,
      this.#words,
      this.#help,
    );
    root.append(this.#box);
    hand.viewer.mount(this.#stage, replay);
    hand.mount(this.#stage, this.#pads, {
      replay,
      seat: Number(host.getAttribute("seat") ?? 0),
      act: (action) => void this.#act(action),
      say: (words) => setText(this.#message, words),
      again: () => this.#show_state(),
      redraw: () => this.#wake(),
    });
    // What there is to press depends on where the person sits.
    const caps = (it: string) => it.split(" ").map((key) => h("kbd", {}, key));
    keys.append(...hand.keys.map(([pressed, what]) => h("div", {}, h("dt", {}, ...caps(pressed)), h("dd", {}, what))));
    this.#help.querySelector("h2")?.after(...[hand.keys, hand.viewer.keys ?? [], text.own_keys].filter((it) => it.length > 0).map(keyTable));
    this.#frame = replay.frames.length - 1;
    const signal = this.#closing.signal;
    this.#box.addEventListener("keydown", (event) => this.#key(event), { signal });
    document.addEventListener("keydown", (event) => this.#page_key(event), { signal });
    document.addEventListener("visibilitychange", () => this.#wake(), { signal });
    this.#clock_timer = window.setInterval(() => this.#show_clock(), CLOCK_MS);
    live.listen({
      grown: () => this.#grow(),
      restarted: () => void host.load(),
      over: () => this.#end(),
      connected: (is) => {
        this.#connected = is;
        this.#show_state();
      },
      asked: (now) => {
        this.#asked = now;
        this.#sending = this.#posting;
        this.#show_state();
        this.#deliver();
      },
      played: (is) => {
        this.#played = is;
        this.#show_state();
      },
    });
    this.#show_state();
    this.#wake();
  }

  /** Lets go of everything. */
  close(): void {
    this.#closing.abort();
    cancelAnimationFrame(this.#request);
    window.clearInterval(this.#clock_timer);
    this.hand.unmount();
    this.hand.viewer.unmount();
  }

  /** Whether the person is to decide, and can. */
  get #is_asked(): boolean {
    const now = this.#asked;
    return now !== null && now.asked && this.#played && !this.#sending && !this.#over && now.ply === this.#last;
  }

  get #last(): number {
    return this.replay.frames.length - 1;
  }

  #grow(): void {
    try {
      this.hand.viewer.grow();
    } catch (error) {
      return this.host.fail(error);
    }
    setText(this.#message, "");
    // Of many at once, only the last is gone through.
    if (this.#frame < this.#last - 1) this.#frame = this.#last - 1;
    this.#show_state();
    this.#wake();
  }

  async #act(action: unknown): Promise<void> {
    if (!this.#is_asked) return;
    await this.#send({ action });
  }

  /** Lines that are typed quickly, or pasted, wait for each other. */
  #say_next(line: string): void {
    this.#spoken = this.#spoken.then(() => this.#speak(line));
  }

  async #speak(line: string): Promise<void> {
    const [ply, before] = [this.#last, this.#said()];
    this.#console?.echo(line);
    if (!this.#is_asked) {
      this.#console?.fail(this.#state_words());
      return;
    }
    const taken = await this.#send({ line });
    if (taken === null) {
      const why = this.#message.textContent ?? "";
      if (why !== "") this.#console?.fail(why);
      return;
    }
    this.#console?.answer(taken);
    this.#remember(ply, taken.taken || taken.refused !== null ? "" : before + line);
    if (taken.refused !== null) setText(this.#message, taken.refused);
  }

  /** What an earlier board could not get through is still to be sent, where its turn is open. */
  #deliver(): void {
    const kept = this.host.undelivered;
    if (kept === null || this.#posting || !this.#is_asked) return;
    if (kept.ply !== this.#last) this.host.undelivered = null;
    else if (kept.decision.line !== undefined) this.#say_next(kept.decision.line);
    else void this.#act(kept.decision.action);
  }

  /**
   * Sends a decision, again and again while a machine of ours or the way to it is at fault and the
   * turn is open; null where it is refused, which the page then says.
   */
  async #send(decision: Decision): Promise<Taken | null> {
    const ply = this.#last;
    const body = JSON.stringify({ ply, ...decision, before: this.#said() });
    this.host.undelivered = { ply, decision };
    this.#sending = this.#posting = true;
    this.#show_state();
    let answer: Taken | string | null = null;
    while ((answer = await this.#post(body)) === null) {
      if (this.#closing.signal.aborted) return null;
      if (this.#last !== ply || this.#over || this.#asked?.decided === true) break;
      setText(this.#message, text.kept);
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    }
    this.host.undelivered = null;
    this.#posting = false;
    const taken = typeof answer === "object" ? answer : null;
    setText(this.#message, typeof answer === "string" ? answer : "");
    // Where the turn is decided, the stream says so next.
    this.#sending = taken?.taken === true && this.#asked?.ply === ply && this.#asked.asked;
    this.#show_state();
    return taken;
  }

  /** What came of a decision, or why it is refused; null where it did not get through. */
  async #post(body: string): Promise<Taken | string | null> {
    try {
      const answer = await fetch(this.host.getAttribute("deeds") ?? "", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        credentials: "same-origin",
        body,
        signal: this.#closing.signal,
      });
      // Behind these is a restart; what a 500 is about would only come again.
      if (answer.status > 500) return null;
      const told = (await answer.json()) as Taken & { detail?: string };
      return answer.ok ? told : (told.detail ?? text.not_sent);
    } catch {
      return null;
    }
  }

  /** What was said at the console in this turn; a page that is loaded anew knows it still. */
  #said(): string {
    const [ply, said] = JSON.parse(sessionStorage.getItem(this.#key_of_said) ?? "[-1, \"\"]") as [number, string];
    return ply === this.#last ? said : "";
  }

  #remember(ply: number, said: string): void {
    sessionStorage.setItem(this.#key_of_said, JSON.stringify([ply, said]));
  }

  get #key_of_said(): string {
    return `said ${this.host.getAttribute("deeds") ?? ""}`;
  }

  #key(event: KeyboardEvent): void {
    const at = event.composedPath()[0] as Element;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || at.closest("input, select, .lines, dialog[open]")) return;
    // A button keeps the keys that press it.
    if (at.closest("button, a") !== null && (event.key === " " || event.key === "Enter")) return;
    if (this.#take(event)) event.preventDefault();
  }

  #take(event: KeyboardEvent): boolean {
    if (event.key !== "?") return this.hand.key(event);
    this.#show_help();
    return true;
  }

  #show_help(): void {
    if (!this.#help.open) this.#help.showModal();
  }

  /** The keys of the board work with the focus nowhere, too. */
  #page_key(event: KeyboardEvent): void {
    const nowhere = document.activeElement === null || document.activeElement === document.body;
    if (!nowhere || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.#take(event)) event.preventDefault();
  }

  #end(): void {
    this.#over = true;
    this.#show_state();
    const again = h("button", { type: "button", class: "again" }, text.replay);
    again.addEventListener("click", () => location.reload());
    this.#pads.replaceChildren(again);
    again.focus();
    this.host.dispatchEvent(new CustomEvent("agon-over", { bubbles: true, composed: true }));
  }

  #state_words(): string {
    if (this.#over) return text.over;
    if (!this.#connected) return text.lost;
    if (!this.#played) return text.interrupted;
    if (this.#is_asked) return `${text.your_turn} ${this.hand.invitation}`;
    if (this.#sending || this.#asked?.decided === true) return text.sent;
    return this.#asked === null ? text.waiting : text.others;
  }

  #show_state(): void {
    setText(this.#turn, this.#state_words());
    this.#box.setAttribute("data-ply", String(this.#last));
    this.#stage.classList.toggle("asked", this.#is_asked);
    this.#console?.enable(!this.#over);
    this.hand.turn(this.#frame === this.#last || this.#is_asked ? this.#last : this.#frame, this.#is_asked);
    this.#show_clock();
  }

  #show_clock(): void {
    const until_ms = this.#asked?.asked === true && !this.#over ? this.#asked.until_ms : null;
    this.#clock.hidden = until_ms === null;
    if (until_ms === null) {
      this.#told_s = Infinity;
      return;
    }
    const left_s = Math.max(0, Math.ceil((until_ms - performance.now()) / 1000));
    setText(this.#clock, text.seconds(left_s));
    this.#clock.classList.toggle("short", left_s <= LAST_S);
    if (left_s <= LAST_S && this.#told_s > LAST_S) setText(this.#words, text.few_seconds(left_s));
    this.#told_s = left_s;
  }

  /** Draws at the next screen refresh, and goes on for as long as something moves. */
  #wake(): void {
    if (this.#request !== 0) return;
    this.#request = requestAnimationFrame((now_ms) => this.#refresh(now_ms));
  }

  #refresh(now_ms: number): void {
    this.#request = 0;
    const motion = !this.#calm.matches;
    let fraction = 0;
    if (this.#frame < this.#last) {
      if (this.#began_ms === 0) this.#began_ms = now_ms;
      fraction = motion ? (now_ms - this.#began_ms) / MOVE_MS : 1;
      if (fraction >= 1) {
        this.#frame = this.#last;
        this.#began_ms = 0;
        fraction = 0;
        this.#show_state();
        setText(this.#words, this.hand.viewer.describe(this.#frame));
      }
    }
    try {
      this.hand.viewer.show(this.#frame, fraction, { playing: false, frames_per_s: 1000 / MOVE_MS, motion });
    } catch (error) {
      return this.host.fail(error);
    }
    if (this.#frame < this.#last) this.#wake();
  }
}
