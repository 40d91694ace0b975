// Small dialogs, and the table of keys that stands in one of them.

import { h } from "./dom";
import type { KeyWords } from "./game";
import { text } from "./text";

/** A table of keys and what they do. */
export function keyTable(keys: KeyWords): HTMLElement {
  const rows = keys.map(([keys, what]) =>
    h("tr", {}, h("th", { scope: "row" }, ...keys.split(" ").flatMap(keyCap)), h("td", {}, what)),
  );
  return h("table", {}, h("tbody", {}, ...rows));
}

function keyCap(key: string): (Node | string)[] {
  return key === "–" ? [" – "] : [h("kbd", {}, key), " "];
}

/** A dialog that closes by its button, by Escape, and by a click beside it. */
export function dialog(title: string, ...content: Node[]): HTMLDialogElement {
  const box = h("dialog", { "aria-label": title }, h("h2", {}, title), ...content);
  // method=dialog closes it without a script, Escape does so anyway.
  box.append(h("form", { method: "dialog" }, h("button", { class: "wide" }, text.close)));
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  return box;
}
