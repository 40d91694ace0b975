// Building elements without markup, so that no text of a bot can ever become any.

type Child = Node | string | null;

/** Attributes as written in HTML; functions listen to the event of that name. */
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** `<tag ...attributes>...children</tag>`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((it): it is Node | string => it !== null));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A 24 by 24 picture of one path, in the colour of the text around it. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Sets the text of `element`, touching the page only where it changes. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, touching the page only where it changes. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
