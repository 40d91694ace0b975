// <agon-replay src="..." live="...">: the board of a game, and time going by.
// Fetches the replay, fetches the viewer of its game, and joins the parts:
// playhead, controls, list of plies, live stream, spoken words.
//
// Attributes: `src` the replay's JSON; `live` the stream of a match under way,
// whose `src` is there when it is over; `game` the game's id, so that its
// viewer comes while the replay is still on its way;
// `autofocus` takes the keyboard at once; `autoplay` starts by itself where
// motion is welcome.

import { Announcer } from "./announcer";
import { Controls } from "./controls";
import { h, setText } from "./dom";
import { fetchReplay, fetchViewer, Trouble, troubleOf } from "./fetching";
import type { GameViewer, Moment } from "./game";
import { commandOf, type Command } from "./keys";
import { LiveStream } from "./live";
import { momentBeside } from "./marks";
import { momentOf, withMoment } from "./moment";
import { Playhead, SPEEDS } from "./playhead";
import { PlyList } from "./plies";
import type { Replay } from "./replay";
import controls_css from "./controls.css?shadow";
import help_css from "./help.css?shadow";
import plies_css from "./plies.css?shadow";
import replay_css from "./replay.css?shadow";
import { text } from "./text";

/** Browsers allow only so many changes of the address a minute; this long one waits for the next. */
const ADDRESS_PAUSE_MS = 350;

/** A long pause between two screen refreshes (a hidden page) is no time watched, in seconds. */
const TICK_S_MAX = 0.25;

/** The custom element. */
export class ReplayElement extends HTMLElement {
  static readonly observedAttributes = ["src", "live"];

  #root: ShadowRoot;
  #shown: Shown | null = null;
  #loading: AbortController | null = null;

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.#root.adoptedStyleSheets = [replay_css, controls_css, help_css, plies_css].map((css) => {
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

  attributeChangedCallback(_name: string, before: string | null): void {
    if (this.isConnected && before !== null) void this.load();
  }

  /** Fetches everything and starts at the moment that the address names. */
  async load(): Promise<void> {
    this.#close();
    const loading = new AbortController();
    this.#loading = loading;
    this.#say(text.loading, "status");
    try {
      const game = this.getAttribute("game");
      // What becomes of it is asked below, for the game that the replay names.
      if (game) void fetchViewer(game).catch(() => {});
      const live = this.#open_live(loading.signal);
      const replay = await (live?.started.catch(() => this.replay(loading.signal)) ?? this.replay(loading.signal));
      const viewer = await fetchViewer(replay.game);
      if (loading.signal.aborted) return;
      this.#root.replaceChildren();
      this.#shown = new Shown(this, this.#root, replay, viewer, replay.outcome === null ? live : null);
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#fail(error);
    }
  }

  /** Fetches the whole replay. */
  async replay(signal?: AbortSignal): Promise<Replay> {
    const src = this.getAttribute("src");
    if (!src) throw new Trouble(text.errors.no_source, false);
    return fetchReplay(src, signal);
  }

  /** The stream of a match under way; where there is none, the finished replay will say more. */
  #open_live(signal: AbortSignal): LiveStream | null {
    const url = this.getAttribute("live");
    if (!url) return null;
    const live = new LiveStream(url);
    signal.addEventListener("abort", () => live.close());
    return live;
  }

  /** The viewer broke down: says so in place of the board. */
  fail(error: unknown): void {
    this.#close();
    this.#fail(error);
  }

  #fail(error: unknown): void {
    const trouble = troubleOf(error);
    if (!trouble.again) console.error(error);
    this.#say(trouble.message, "alert", trouble.again);
  }

  #say(words: string, role: "status" | "alert", again = false): void {
    const retry = again ? h("button", { type: "button", click: () => void this.load() }, text.retry) : null;
    this.#root.replaceChildren(h("div", { class: `notice ${role}`, role }, h("p", {}, words), retry));
  }

  #close(): void {
    this.#loading?.abort();
    this.#shown?.close();
    this.#shown = null;
  }
}

/** A replay on the screen. */
class Shown {
  #playhead: Playhead;
  #controls: Controls;
  #plies: PlyList;
  #announcer = new Announcer();
  #moments: Moment[];
  #stage: HTMLElement;
  #box: HTMLElement;
  #closing = new AbortController();
  #frame_request = 0;
  #before_ms = 0;
  #address_timer = 0;
  #drawn = "";
  #calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly host: ReplayElement,
    root: ShadowRoot,
    private readonly replay: Replay,
    private readonly viewer: GameViewer,
    live: LiveStream | null,
  ) {
    const seats = replay.seats.map((it) => `${it.role}: ${it.name}`).join(", ");
    const signal = this.#closing.signal;
    this.#stage = h("div", { class: "stage", tabindex: 0, role: "group", "aria-label": text.board(seats) });
    this.#playhead = new Playhead(replay.frames.length - 1, viewer.frames_per_s);
    this.#controls = new Controls((command) => this.#run(command), {
      seek: (frame) => this.#seek(frame),
      speed: (speed) => this.#set_speed(speed),
    });
    this.#plies = new PlyList(replay, viewer, (frame) => this.#seek(frame));
    this.#box = h(
      "section",
      { class: "replay", "aria-label": text.replay },
      h("div", { class: "main" }, this.#stage, this.#controls.element),
      this.#plies.element,
      this.#controls.help,
      this.#announcer.element,
    );
    root.append(this.#box);
    viewer.mount(this.#stage, replay, (frame) => this.#seek(frame));
    this.#controls.add_keys(viewer.keys ?? []);
    this.#moments = viewer.moments();
    this.#controls.set_range(this.#playhead.last, this.#moments);

    this.#box.addEventListener("keydown", (event) => this.#key(event), { signal });
    document.addEventListener("keydown", (event) => this.#page_key(event), { signal });
    window.addEventListener("hashchange", () => this.#go_to_address(), { signal });
    document.addEventListener("visibilitychange", () => this.#wake(), { signal });
    document.addEventListener("fullscreenchange", () => this.#controls.set_fullscreen(this.#is_full()), { signal });
    this.#calm.addEventListener("change", () => this.#set_calm(), { signal });
    this.#set_calm();

    const moment = momentOf(location.hash);
    if (live !== null) this.#follow(live, moment === null);
    if (moment !== null) this.#playhead.seek(moment);
    else if (host.hasAttribute("autoplay") && live === null && !this.#calm.matches) this.#playhead.play();
    if (host.hasAttribute("autofocus")) this.#stage.focus({ preventScroll: true });
    this.#draw();
    this.#wake();
  }

  /** Lets go of everything. */
  close(): void {
    this.#closing.abort();
    cancelAnimationFrame(this.#frame_request);
    window.clearTimeout(this.#address_timer);
    this.#announcer.close();
    this.#plies.close();
    this.viewer.unmount();
  }

  #key(event: KeyboardEvent): void {
    // The list of speeds and the help dialog keep their own keys; the slider's
    // own steps are the same frames, so ours go first.
    const at = event.composedPath()[0] as Element;
    if (event.defaultPrevented || at.closest("dialog[open], select, input:not([type=range]), .plies")) return;
    const on_button = at.closest("button, a") !== null;
    if (on_button && event.key === " ") return;
    const command = commandOf(event);
    if (command === null) return;
    event.preventDefault();
    this.#run(command);
  }

  /** The arrows work with the focus nowhere, too, while the board is in sight: they would do nothing else. */
  #page_key(event: KeyboardEvent): void {
    const nowhere = document.activeElement === null || document.activeElement === document.body;
    if (!nowhere || event.defaultPrevented || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const { top, bottom } = this.#stage.getBoundingClientRect();
    const command = commandOf(event);
    if (command === null || bottom < 0 || top > window.innerHeight) return;
    event.preventDefault();
    this.#run(command);
  }

  #run(command: Command): void {
    const playhead = this.#playhead;
    switch (command.do) {
      case "toggle":
        if (playhead.playing) playhead.pause();
        else playhead.play();
        this.#announcer.say(playhead.playing ? text.playing(playhead.speed) : `${text.paused} ${this.#words()}`);
        break;
      case "start":
        return this.#seek(0);
      case "end":
        return this.#seek(playhead.last);
      case "tenth":
        return this.#seek((playhead.last * command.n) / 10);
      case "step":
        playhead.step(command.n);
        this.#announcer.say(this.#words());
        break;
      case "moment": {
        const moment = momentBeside(this.#moments, playhead.meant, command.n);
        if (moment === null) return;
        return this.#seek(moment.frame);
      }
      case "faster":
      case "slower": {
        const place = SPEEDS.findIndex((it) => it >= playhead.speed) + (command.do === "faster" ? 1 : -1);
        return this.#set_speed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))]!);
      }
      case "copy":
        void this.#copy();
        return;
      case "fullscreen":
        void this.#toggle_full();
        return;
      case "help":
        return this.#controls.show_help();
    }
    this.#moved();
  }

  #seek(frame: number): void {
    this.#playhead.seek(frame);
    this.#announcer.say(this.#words());
    this.#moved();
  }

  #set_speed(speed: number): void {
    this.#playhead.speed = speed;
    this.#controls.set_speed(this.#playhead.speed);
    if (this.#playhead.playing) this.#announcer.say(text.playing(this.#playhead.speed));
    this.#wake();
  }

  #set_calm(): void {
    this.#playhead.motion = !this.#calm.matches;
    this.#wake();
  }

  /** The person moved: the address follows a little later. */
  #moved(): void {
    this.#wake();
    window.clearTimeout(this.#address_timer);
    if (this.#playhead.playing && !this.#playhead.following) return;
    this.#address_timer = window.setTimeout(() => {
      // Who follows a match is at no moment that a link could name.
      const { following, meant } = this.#playhead;
      const hash = withMoment(location.hash, following ? 0 : meant);
      if (hash !== location.hash) history.replaceState(history.state, "", this.#address(hash));
    }, ADDRESS_PAUSE_MS);
  }

  #go_to_address(): void {
    const moment = momentOf(location.hash);
    if (moment !== null && moment !== this.#playhead.meant) this.#seek(moment);
  }

  #address(hash: string): string {
    return location.pathname + location.search + hash;
  }

  async #copy(): Promise<void> {
    const hash = withMoment(location.hash, this.#playhead.meant);
    const link = new URL(this.#address(hash), location.href).href;
    history.replaceState(history.state, "", this.#address(hash));
    try {
      // Only there where the page came over TLS or from this machine.
      await navigator.clipboard.writeText(link);
      this.#controls.note(text.copied);
      this.#announcer.say(text.copied);
    } catch {
      this.#controls.show_link(link);
    }
  }

  #is_full(): boolean {
    return document.fullscreenElement === this.host;
  }

  async #toggle_full(): Promise<void> {
    try {
      if (this.#is_full()) await document.exitFullscreen();
      else await this.host.requestFullscreen();
    } catch (error) {
      // Embedded where it is not allowed: the button has no effect, and no harm is done.
      console.warn(error);
    }
  }

  #follow(live: LiveStream, stick: boolean): void {
    if (stick) this.#playhead.follow();
    this.#controls.set_live("on");
    live.listen({
      grown: () => this.#grow(),
      restarted: () => void this.host.load(),
      over: () => void this.#end_live(),
      connected: (is) => this.#controls.set_live(is ? "on" : "lost"),
    });
  }

  /** Frames have been appended. */
  #grow(): void {
    const last = this.replay.frames.length - 1;
    this.#playhead.grow(last);
    this.viewer.grow();
    this.#moments = this.viewer.moments();
    this.#controls.set_range(last, this.#moments);
    this.#wake();
  }

  /** The match is over: now there is the whole replay, with what was not told before. */
  async #end_live(): Promise<void> {
    try {
      const whole = this.host.hasAttribute("src") ? await this.host.replay(this.#closing.signal) : this.replay;
      // Another attempt than the one that was watched.
      if (whole.frames.length < this.replay.frames.length) return void this.host.load();
      this.replay.frames = whole.frames;
      this.replay.outcome = whole.outcome;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#controls.note(troubleOf(error).message);
    }
    this.#grow();
    this.#plies.refresh();
    this.#playhead.finish();
    this.#controls.set_live(null);
    this.#announcer.say(`${text.live_over} ${this.replay.outcome?.why ?? ""}`);
    this.host.dispatchEvent(new CustomEvent("agon-over", { bubbles: true, composed: true }));
  }

  #words(): string {
    const { meant, last } = this.#playhead;
    return `${text.spoken_step(meant, last)} ${this.viewer.describe(meant)}`;
  }

  /** Draws at the next screen refresh, and goes on for as long as something moves. */
  #wake(): void {
    if (this.#frame_request !== 0) return;
    this.#before_ms = 0;
    this.#frame_request = requestAnimationFrame((now_ms) => this.#refresh(now_ms));
  }

  #refresh(now_ms: number): void {
    this.#frame_request = 0;
    const playhead = this.#playhead;
    const was_playing = playhead.playing;
    if (this.#before_ms > 0) playhead.tick(Math.min(TICK_S_MAX, (now_ms - this.#before_ms) / 1000));
    this.#before_ms = now_ms;
    try {
      this.#draw();
    } catch (error) {
      return this.host.fail(error);
    }
    if (playhead.moving) {
      this.#frame_request = requestAnimationFrame((later_ms) => this.#refresh(later_ms));
    } else if (was_playing && !playhead.playing) {
      this.#announcer.say(this.#words());
      this.#moved();
    }
  }

  #draw(): void {
    const playhead = this.#playhead;
    const { frame, meant, playing, following, last } = playhead;
    const fraction = playhead.motion ? playhead.fraction : 0;
    this.viewer.show(frame, fraction, { playing, frames_per_s: playhead.pace, motion: playhead.motion });
    const drawn = `${meant} ${last} ${playing} ${following}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#controls.show(playhead, () => this.viewer.describe(meant));
    this.#plies.show(meant);
    setText(this.#announcer.board, playing ? "" : this.viewer.describe(meant));
  }
}
