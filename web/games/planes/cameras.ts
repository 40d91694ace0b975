// The buttons of the cameras: where to look from, whom to follow, how near.

import { h, setAttribute } from "../../viewer/dom";
import type { Preset } from "./camera";
import { text } from "./text";
import { type Name, PLANES, SEATS } from "./view";

/** A camera of the picture in 3D, or the picture from three sides. */
export type Choice = Preset | "flat";

const NAMED = ["whole", "above", "side", "flat"] as const;

const CRAFTS: readonly Name[] = SEATS.flatMap((seat) => PLANES.map((no) => [seat, no] as const));

/** The row of buttons. */
export class Cameras {
  readonly element: HTMLElement;
  #buttons: { choice: Choice; button: HTMLButtonElement }[];
  #near: HTMLButtonElement;
  #far: HTMLButtonElement;

  constructor(
    names: readonly string[],
    private readonly on: { choose: (it: Choice) => void; zoom: (way: 1 | -1) => void },
  ) {
    const named = NAMED.map((it) => ({ choice: it as Choice, button: this.#button(it, text.camera[it], text.key(text.camera[it], text.camera_keys[it])) }));
    const following = CRAFTS.map((it) => {
      const words = text.follow(`${names[it[0]]} ${it[1] + 1}`);
      return { choice: it as Choice, button: this.#button(it, text.plane(it), text.key(words, text.camera_keys.follow), words) };
    });
    this.#buttons = [...named, ...following];
    this.#near = h("button", { type: "button", "aria-label": text.near, title: text.near, click: () => on.zoom(1) }, "+");
    this.#far = h("button", { type: "button", "aria-label": text.far, title: text.far, click: () => on.zoom(-1) }, "−");
    this.element = h(
      "div",
      { class: "cameras", role: "group", "aria-label": text.cameras },
      ...named.map((it) => it.button),
      h("span", { class: "follows" }, ...following.map((it) => it.button)),
      h("span", { class: "zooms" }, this.#near, this.#far),
    );
    this.show("whole");
  }

  /** Marks what is looked from. */
  show(choice: Choice): void {
    for (const it of this.#buttons) setAttribute(it.button, "aria-pressed", String(it.choice === choice));
    this.#near.disabled = this.#far.disabled = choice === "flat";
  }

  /** Does what `key` asks for; false where it asks for nothing here. */
  press(key: string, now: Choice): boolean {
    const pressed = key.toUpperCase();
    const named = NAMED.find((it) => text.camera_keys[it] === pressed);
    if (named !== undefined) this.on.choose(named);
    else if (pressed === text.camera_keys.follow) this.on.choose(CRAFTS[(CRAFTS.indexOf(now as Name) + 1) % CRAFTS.length]!);
    else return false;
    return true;
  }

  #button(choice: Choice, words: string, title: string, label = words): HTMLButtonElement {
    return h("button", { type: "button", title, "aria-label": label, click: () => this.on.choose(choice) }, words);
  }
}
