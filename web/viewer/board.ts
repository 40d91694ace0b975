// What viewers that draw a board on a canvas have in common: when to draw anew,
// what is pointed at, the page's colours, layers to choose, the words of the tip.

import css from "./board.css?shadow";
import { h, setText } from "./dom";

/** Column and row of a cell. */
export type Cell = readonly [number, number];

/** Dresses the tree in which `root` is as every board is, and as this game's is. */
export function wear(root: HTMLElement, of_game: string): void {
  const shadow = root.getRootNode() as ShadowRoot;
  const sheets = [css, of_game].map((it) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(it);
    return sheet;
  });
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, ...sheets];
}

/** Calls when the page has other colours, or the viewer another size. */
export function watch_page(root: HTMLElement, signal: AbortSignal, on: { colours: () => void; size: () => void }): void {
  for (const media of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    window.matchMedia(media).addEventListener("change", on.colours, { signal });
  }
  window.addEventListener("resize", on.size, { signal });
  const observer = new ResizeObserver(on.size);
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Calls when another cell is pointed at, or none any more. */
export function watch_pointer(
  place: HTMLElement,
  signal: AbortSignal,
  cell_at: (x: number, y: number) => Cell | null,
  changed: (cell: Cell | null) => void,
): void {
  let pointed: Cell | null = null;
  const point = (cell: Cell | null) => {
    if (cell?.[0] === pointed?.[0] && cell?.[1] === pointed?.[1]) return;
    pointed = cell;
    changed(cell);
  };
  const at = (event: PointerEvent) => point(cell_at(event.clientX, event.clientY));
  place.addEventListener("pointermove", at, { signal });
  place.addEventListener("pointerdown", at, { signal });
  place.addEventListener(
    "pointerleave",
    (event) => {
      // A finger that was lifted has left, but what it pointed at is still to be read.
      if (event.pointerType === "mouse") point(null);
    },
    { signal },
  );
}

/** What a canvas is to be painted with: whether it is night, and the colours as they are now. */
export function colours_of_page(root: HTMLElement, values: string[]): { night: boolean; colours: string[] } {
  const probe = h("span");
  root.append(probe);
  const colour = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const night = colour("light-dark(rgb(0 0 0), rgb(255 255 255))") === "rgb(255, 255, 255)";
  const colours = values.map(colour);
  probe.remove();
  return { night, colours };
}

/** A box to tick for each layer, with its swatch. */
export function layer_box<L extends object>(layers: L, key: keyof L & string, words: string, changed: () => void): HTMLElement {
  const box = h("input", { type: "checkbox", checked: layers[key] === true });
  box.addEventListener("change", () => {
    Object.assign(layers, { [key]: box.checked });
    changed();
  });
  return h("label", {}, box, h("i", { class: `swatch ${key}` }), words);
}

/** Shows words at the upper edge of a cell, `left` and `top` being its middle on the canvas. */
export function show_tip(tip: HTMLElement, words: string, canvas: HTMLElement, [left, top]: Cell): void {
  setText(tip, words);
  const width = tip.offsetWidth;
  const room = (tip.parentElement?.clientWidth ?? width) - width;
  tip.style.left = `${Math.max(0, Math.min(room, canvas.offsetLeft + left - width / 2))}px`;
  tip.style.top = `${canvas.offsetTop + top}px`;
  tip.classList.toggle("below", top < 40);
}
