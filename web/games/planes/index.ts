// The arena of Planes in a replay: the picture in 3D or from three sides, the
// cameras, the choice of fight and round, cards of the players, legend, words.
// What draws in 3D is fetched only where the browser can show it.

import { colours_of_page, layer_box, watch_page, wear } from "../../viewer/board";
import { h, setAttribute, setText } from "../../viewer/dom";
import type { Caption, GameViewer, KeyWords, Moment, Pace } from "../../viewer/game";
import type { Replay } from "../../viewer/replay";
import type { Arena } from "./arena";
import { Camera, type Preset } from "./camera";
import { Cameras, type Choice } from "./cameras";
import { Cards } from "./cards";
import { Chooser } from "./chooser";
import { Flat } from "./flat";
import type { Layers } from "./layers";
import { Match } from "./match";
import { watch_hand } from "./orbit";
import { palette, TOKENS } from "./palette";
import { isFast, type Picture, pictureOf, type Plan, planned } from "./picture";
import css from "./planes.css?shadow";
import { Strip } from "./strip";
import { text } from "./text";

/** Room that everything but the arena takes from top to bottom, in CSS pixels. */
const AROUND_PX = 300;
/** The arena is never lower or higher, in CSS pixels. */
const ARENA_PX_MIN = 300;
const ARENA_PX_MAX = 720;
/** Its height by its width, at most. */
const ARENA_SHAPE = 0.95;
/** Wide enough for cards beside the arena, in CSS pixels. */
const BESIDE_PX = 620;
/** Room of the cards beside the arena, in CSS pixels. */
const CARDS_WIDTH_PX = 216;
const GAP_PX = 10;
/** A picture that has been still for so long is drawn as sharp as can be. */
const SHARP_MS = 200;

export function create(): GameViewer {
  return new PlanesViewer();
}

export class PlanesViewer implements GameViewer {
  readonly frames_per_s = 2;

  #match!: Match;
  #replay!: Replay;
  #root!: HTMLElement;
  #place!: HTMLElement;
  #flat!: Flat;
  #arena: Arena | null = null;
  #camera!: Camera;
  #cameras!: Cameras;
  #cards!: Cards;
  #chooser!: Chooser;
  #strip!: Strip;
  #note!: HTMLElement;
  #message!: HTMLElement;
  #layers: Layers = { trails: true, labels: true, aims: false };
  /** What a player has in mind, while it is asked. */
  #plans: readonly Plan[] = [];
  /** Room for what has to be in sight together with the arena, in CSS pixels. */
  #with_px = 0;
  #shown: { frame: number; fraction: number; pace: Pace } | null = null;
  /** The frame that the words are of, and whether it went by fast. */
  #told = "";
  /** Whether the camera was turned by hand since the last picture. */
  #turned = false;
  #choice: Choice = "whole";
  #draw_request = 0;
  #sharp_timer = 0;
  #fetching = false;
  #ending = new AbortController();

  mount(root: HTMLElement, replay: Replay, seek?: (frame: number) => void): void {
    this.#root = root;
    this.#replay = replay;
    this.#match = new Match(replay);
    this.#flat = new Flat(this.#match.size);
    this.#camera = new Camera(this.#match.size);
    this.#cards = new Cards(replay);
    this.#chooser = new Chooser(this.#match, seek ?? null);
    this.#strip = new Strip(this.#match, seek ?? null);
    this.#cameras = new Cameras(this.#names, {
      choose: (it) => this.#look(it),
      zoom: (way) => {
        this.#camera.step(way);
        this.#soon(true);
      },
    });
    wear(root, css);
    this.#build();
    this.#listen();
    this.#fit();
    this.#dress();
    if (has_webgl()) void this.#fetch_arena();
    else this.#go_flat(text.no_webgl);
  }

  show(frame: number, fraction: number, pace: Pace): void {
    this.#shown = { frame, fraction, pace };
    const stands = frame === this.#match.scenes.length - 1;
    const picture = planned(pictureOf(this.#match, frame, fraction, pace), stands ? this.#plans : []);
    if (this.#arena !== null && this.#choice !== "flat") this.#paint_arena(this.#arena, picture, pace);
    else if (this.#flat.canvas.isConnected) this.#flat.paint(picture, this.#layers);
    const told = `${frame} ${isFast(pace)}`;
    if (told !== this.#told) this.#tell(frame, isFast(pace));
    this.#told = told;
  }

  grow(): void {
    this.#match.read_on();
    this.#chooser.grow();
    this.#told = "";
  }

  describe(frame: number): string {
    return text.describe(this.#match.scenes[frame]!, this.#names, this.#match.views[frame]!.fights);
  }

  caption(frame: number): Caption {
    const scene = this.#match.scenes[frame]!;
    const amiss = scene.events.some((it) => ["late", "out", "garbled", "refused"].includes(it.event));
    return { heading: text.heading(scene), seat: null, text: text.lines(scene, this.#names), amiss };
  }

  moments(): Moment[] {
    return this.#match.moments();
  }

  unmount(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#draw_request);
    window.clearTimeout(this.#sharp_timer);
    this.#arena?.close();
    this.#arena = null;
  }

  get keys(): KeyWords {
    return [...text.keys.cameras, ...(this.#chooser.leads ? text.keys.fights : []), ...text.keys.arena];
  }

  /** For who plays: the match. */
  get match(): Match {
    return this.#match;
  }

  /** Leaves so much room for what has to be in sight together with an arena that has nothing beside it. */
  leave_room(px: number): void {
    this.#with_px = px;
    this.#fit();
  }

  /** Shows what a player has in mind. */
  plan(plans: readonly Plan[]): void {
    this.#plans = plans;
  }

  /** Another scene is to be shown in the frame that stands. */
  tell_again(): void {
    this.#chooser.grow();
    this.#told = "";
  }

  /** Does what `key` asks for; false where it asks for nothing here. */
  press(key: string): boolean {
    return this.#cameras.press(key, this.#choice) || this.#chooser.press(key);
  }

  get #names(): string[] {
    return this.#replay.seats.map((it) => it.name);
  }

  #build(): void {
    this.#place = h("div", { class: "place" }, h("p", { class: "coming" }, text.loading));
    this.#note = h("p", { class: "arena-note", role: "status", hidden: true });
    this.#message = h("p", { class: "message" });
    this.#root.append(
      h("div", { class: "head" }, this.#chooser.element, h("span", { class: "facts" }, text.facts(this.#match.views[0]!.fights, this.#match.size))),
      h("div", { class: "lane" }, h("div", { class: "view" }, this.#place, this.#note, this.#cameras.element), h("div", { class: "scores" }, this.#cards.element, this.#strip.element)),
      this.#message,
      this.#legend(),
    );
  }

  #legend(): HTMLElement {
    const layer = (key: keyof Layers) => layer_box(this.#layers, key, text.layers[key], () => this.#again());
    const sign = (key: keyof typeof text.signs) => h("span", {}, h("i", { class: `swatch ${key}` }), text.signs[key]);
    return h("div", { class: "legend", role: "group", "aria-label": text.legend }, layer("trails"), layer("labels"), layer("aims"), sign("shot"), sign("aside"), sign("wreck"));
  }

  #listen(): void {
    const signal = this.#ending.signal;
    const colours = () => {
      this.#dress();
      this.#again();
    };
    const size = () => {
      this.#fit();
      this.#again();
    };
    watch_page(this.#root, signal, { colours, size });
    watch_hand(this.#place, signal, this.#camera, () => this.#soon(true));
    this.#root.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #key(event: KeyboardEvent): void {
    const at = event.composedPath()[0] as Element;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || at.closest("select, input")) return;
    if (this.press(event.key)) event.preventDefault();
  }

  /** Looks from somewhere else; where 3D is missing, tries once more to have it. */
  #look(choice: Choice): void {
    if (choice === "flat") return this.#go_flat(null);
    if (this.#arena === null && !has_webgl()) return this.#go_flat(text.no_webgl);
    const was_flat = this.#choice === "flat";
    this.#choice = choice;
    this.#cameras.show(choice);
    const motion = !was_flat && (this.#shown?.pace.motion ?? false);
    this.#camera.go(choice as Preset, performance.now(), motion);
    if (this.#arena === null) return void this.#fetch_arena();
    this.#put(this.#arena.element);
    this.#again();
  }

  #go_flat(why: string | null): void {
    this.#choice = "flat";
    this.#cameras.show("flat");
    this.#say(why);
    this.#put(this.#flat.canvas);
    this.#fit();
    this.#again();
  }

  async #fetch_arena(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      const { Arena } = await import("./arena");
      if (this.#ending.signal.aborted || this.#choice === "flat") return;
      this.#arena = new Arena(this.#match.size, () => this.#lose());
    } catch (error) {
      console.warn(error);
      if (!this.#ending.signal.aborted) this.#go_flat(has_webgl() ? text.unfetched : text.no_webgl);
      return;
    } finally {
      this.#fetching = false;
    }
    this.#say(null);
    this.#cameras.show(this.#choice);
    this.#put(this.#arena.element);
    this.#fit();
    this.#dress();
    this.#again();
  }

  /** The browser has taken the picture away, as it does where memory runs out. */
  #lose(): void {
    this.#arena?.close();
    this.#arena = null;
    this.#go_flat(text.lost);
  }

  #put(element: HTMLElement): void {
    if (!element.isConnected) this.#place.replaceChildren(element);
  }

  #say(words: string | null): void {
    this.#note.hidden = words === null;
    setText(this.#note, words ?? "");
  }

  /** Cards stand beside the arena where there is room for them. */
  #fit(): void {
    const width = this.#root.clientWidth;
    if (width === 0) return;
    const beside = width >= BESIDE_PX;
    this.#root.classList.toggle("beside", beside);
    const room = width - (beside ? CARDS_WIDTH_PX + GAP_PX : 0);
    const around = beside ? AROUND_PX : Math.max(AROUND_PX, this.#with_px);
    const high = Math.min(ARENA_PX_MAX, Math.max(ARENA_PX_MIN, window.innerHeight - around));
    const height = Math.round(Math.min(high, room * ARENA_SHAPE));
    this.#arena?.resize(room, height);
    this.#flat.resize(room, high);
    this.#place.style.minHeight = this.#choice === "flat" ? "" : `${height}px`;
  }

  /** Takes the colours of the page as they are now. */
  #dress(): void {
    const { night, colours } = colours_of_page(this.#root, TOKENS);
    const dressed = palette(night, colours);
    this.#flat.dress(dressed);
    this.#arena?.dress(dressed);
  }

  #again(): void {
    if (this.#shown) this.show(this.#shown.frame, this.#shown.fraction, this.#shown.pace);
  }

  /** Draws with the next frame of the screen; `turned` by hand. */
  #soon(turned: boolean): void {
    this.#turned ||= turned;
    cancelAnimationFrame(this.#draw_request);
    this.#draw_request = requestAnimationFrame(() => this.#again());
  }

  /** A slow machine draws coarsely while things move, and sharply once they have come to rest. */
  #paint_arena(arena: Arena, picture: Picture, pace: Pace): void {
    const paint = (how: "moving" | "still" | "sharp") => arena.paint(picture, this.#camera, this.#layers, performance.now(), how);
    const moving = pace.playing || this.#camera.gliding || this.#turned;
    this.#turned = false;
    window.clearTimeout(this.#sharp_timer);
    paint(moving ? "moving" : "still");
    if (this.#camera.gliding) this.#soon(false);
    else if (arena.is_coarse && !pace.playing) this.#sharp_timer = window.setTimeout(() => paint("sharp"), SHARP_MS);
  }

  /** All the words around the arena. */
  #tell(frame: number, fast: boolean): void {
    const scene = this.#match.scenes[frame]!;
    this.#chooser.show(frame);
    this.#cards.show(scene);
    this.#strip.show(frame);
    const amiss = scene.events.some((it) => ["late", "out", "garbled", "refused"].includes(it.event));
    // What changes with every round would only flicker.
    const words = fast && !scene.end ? "" : scene.round === 0 ? text.ready_to_fight : text.message(scene, this.#names);
    setText(this.#message, words);
    setAttribute(this.#message, "class", `message${scene.over !== null ? " over" : amiss ? " amiss" : ""}`);
  }
}

/** Whether 3D can be shown at all. */
function has_webgl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
