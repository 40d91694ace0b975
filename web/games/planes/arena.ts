// The arena in 3D, drawn with three.js: grids, planes, trails, shots and
// explosions. Draws only when it is told to. Letters and names lie above the
// picture as text of the page, so that they stay sharp.

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Scene as Stage,
  Vector3,
  WebGLRenderer,
} from "three";

import { h, setAttribute, setText } from "../../viewer/dom";
import type { Camera } from "./camera";
import { Fleet } from "./fleet";
import { Grids } from "./grids";
import { type Label, places } from "./labels";
import type { Layers } from "./layers";
import { Marks } from "./marks";
import type { Palette } from "./palette";
import type { Picture, Point } from "./picture";
import { Plans } from "./plans";
import { place } from "./space";
import { text } from "./text";
import { PLANES, SEATS } from "./view";

const FIELD_OF_VIEW = 40;

/** Sharper than this is not drawn. */
const RATIO_MAX = 2;
/** Coarser neither. */
const RATIO_MIN = 0.5;

/** Where frames come slower than this while time goes by, they become coarser, in ms. */
const SLOW_MS = 36;
/** Longer pauses are no slow frames, but a picture that stood still. */
const PAUSE_MS = 400;
/** Of a name, in CSS pixels: a character, what is around all of them, its height, and how far it keeps from the middle of its plane; the edge of a letter of the axes. */
const NAME_PX = 9;
const LETTER_PX = 16;
const NAME_EDGE_PX = 10;
const NAME_HIGH_PX = 18;
const PLANE_PX = 13;

/** Frames that are looked at before the picture becomes coarser. */
const SLOW_FRAMES = 8;

/** The picture in 3D. */
export class Arena {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  #renderer: WebGLRenderer;
  #stage = new Stage();
  #eye = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 400);
  #grids: Grids;
  #fleet = new Fleet();
  #marks = new Marks();
  #plans = new Plans();
  #sky = new HemisphereLight(0xffffff, 0x808080, 2.2);
  #sun = new DirectionalLight(0xffffff, 1.6);
  #letters: { element: HTMLElement; at: Point }[];
  #names: HTMLElement[][];
  #width = 1;
  #height = 1;
  /** How sharp it is drawn while things move. */
  #moving_ratio = RATIO_MAX;
  #ratio = 0;
  #drawn_ms = 0;
  #slow = 0;
  #release: () => void;

  /** Throws where there is no WebGL. `lost` is called when the picture is lost for good. */
  constructor(
    private readonly size: number,
    lost: () => void,
  ) {
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": text.arena, class: "space" });
    this.#renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.canvas.addEventListener("webglcontextlost", lost);
    this.#release = () => this.canvas.removeEventListener("webglcontextlost", lost);
    this.#grids = new Grids(size);
    this.#sun.position.set(0.5, 1, 0.8);
    this.#stage.add(this.#sky, this.#sun, this.#grids.group, this.#fleet.group, this.#marks.group, this.#plans.group);
    this.#letters = ends(size).map(({ letter, at }) => ({ element: h("span", { class: "letter" }, letter), at }));
    this.#names = SEATS.map((seat) => PLANES.map((no) => h("span", { class: `name seat-${seat}` }, text.plane([seat, no]))));
    const signs = h("div", { class: "signs", "aria-hidden": "true" }, ...this.#letters.map((it) => it.element), ...this.#names.flat());
    this.element = h("div", { class: "arena" }, this.canvas, signs);
  }

  /** Whether the last picture was coarser than the screen, because this machine draws slowly. */
  get is_coarse(): boolean {
    return this.#ratio < Math.min(RATIO_MAX, window.devicePixelRatio);
  }

  resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#eye.aspect = width / height;
    this.#eye.updateProjectionMatrix();
    this.#ratio = 0;
  }

  dress(colours: Palette): void {
    this.#grids.dress(colours);
    this.#fleet.dress(colours);
    this.#marks.dress(colours);
    this.#plans.dress(colours);
    this.#sky.groundColor = new Color(colours.night ? "#50565e" : "#a8a294");
  }

  /** Draws: while things move no sharper than this machine is quick, and else as sharp as can be where `sharp` is wanted. */
  paint(picture: Picture, camera: Camera, layers: Layers, now_ms: number, how: "moving" | "still" | "sharp"): void {
    this.#watch(now_ms, how === "moving");
    this.#sharpen(how === "sharp" ? RATIO_MAX : this.#moving_ratio);
    const { at, target } = camera.stand(picture, now_ms, this.#eye.aspect);
    place(this.#eye.position, at, this.size);
    this.#eye.lookAt(place(new Vector3(), target, this.size));
    this.#eye.updateMatrixWorld();
    this.#grids.show(this.#eye.position);
    this.#fleet.show(picture, this.size, layers.aims);
    this.#marks.show(picture, this.size, this.#eye, layers.trails);
    this.#plans.show(picture, this.size, this.#eye);
    this.#renderer.render(this.#stage, this.#eye);
    this.#letter(picture, layers.labels);
  }

  close(): void {
    this.#release();
    this.#grids.close();
    this.#fleet.close();
    this.#marks.close();
    this.#plans.close();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.element.remove();
  }

  #letter(picture: Picture, labels: boolean): void {
    for (const { element, at } of this.#letters) put(element, this.#seen(at), LETTER_PX, LETTER_PX);
    const shown: { element: HTMLElement; label: Label }[] = [];
    for (const seat of SEATS) {
      for (const no of PLANES) {
        const element = this.#names[seat]![no]!;
        const pose = labels ? picture.poses.find((it) => it.name[0] === seat && it.name[1] === no) : undefined;
        const at = pose === undefined ? null : this.#seen(pose.at);
        if (pose === undefined || at === null) {
          element.hidden = true;
          continue;
        }
        setText(element, text.label(pose));
        setAttribute(element, "class", `name seat-${seat}${pose.cooldown > 0 ? " cooling" : ""}`);
        const [x, y] = at;
        shown.push({ element, label: { x, y, width: text.label(pose).length * NAME_PX + NAME_EDGE_PX, height: NAME_HIGH_PX, above: seat === 0 } });
      }
    }
    for (const [no, at] of places(shown.map((it) => it.label), PLANE_PX).entries()) {
      const { element, label } = shown[no]!;
      put(element, at, label.width, label.height);
    }
  }

  /** Where a point is on the screen, in CSS pixels; null where it is out of sight. */
  #seen(at: Point): [number, number] | null {
    const point = place(new Vector3(), at, this.size).project(this.#eye);
    const [x, y] = [((point.x + 1) / 2) * this.#width, ((1 - point.y) / 2) * this.#height];
    return point.z < 1 && x > 0 && y > 8 && x < this.#width && y < this.#height ? [x, y] : null;
  }

  /** Makes the picture coarser where it comes too slowly. */
  #watch(now_ms: number, moving: boolean): void {
    const took_ms = now_ms - this.#drawn_ms;
    this.#drawn_ms = now_ms;
    if (!moving || took_ms > PAUSE_MS) return;
    this.#slow = took_ms > SLOW_MS ? this.#slow + 1 : Math.max(0, this.#slow - 1);
    if (this.#slow < SLOW_FRAMES) return;
    this.#slow = 0;
    this.#moving_ratio = Math.max(RATIO_MIN, Math.min(this.#moving_ratio, window.devicePixelRatio) * 0.75);
  }

  #sharpen(wanted: number): void {
    const ratio = Math.min(wanted, window.devicePixelRatio);
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(this.#width, this.#height);
  }
}

/** Puts the middle of a sign somewhere, or away; on whole pixels, where text is sharp. */
function put(element: HTMLElement, at: readonly [number, number] | null, width: number, height: number): void {
  element.hidden = at === null;
  if (at === null) return;
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
  element.style.transform = `translate(${Math.round(at[0] - width / 2)}px, ${Math.round(at[1] - height / 2)}px)`;
}

/** The letters of the axes, where they stand: around the floor, and at one upright edge. */
function ends(size: number): { letter: string; at: Point }[] {
  const [middle, low, high] = [(size - 1) / 2, -1.2, size + 0.2];
  return [
    { letter: "N", at: [low, middle, -0.5] },
    { letter: "S", at: [high, middle, -0.5] },
    { letter: "W", at: [middle, low, -0.5] },
    { letter: "E", at: [middle, high, -0.5] },
    { letter: "D", at: [-0.5, -0.5, low] },
    { letter: "U", at: [-0.5, -0.5, high] },
  ];
}
