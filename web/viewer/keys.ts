// What each key does. Keys are heard only while the focus is inside the
// replay, so that they never get in the way of the page or of a screen reader.

/** What a key or a button asks for. */
export type Command =
  | { do: "toggle" | "start" | "end" | "faster" | "slower" | "fullscreen" | "help" | "copy" }
  | { do: "step"; n: number }
  | { do: "moment"; n: 1 | -1 }
  | { do: "tenth"; n: number };

/** The part of a keyboard event that matters here. */
export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** How many frames an arrow with shift goes. */
export const LEAP = 10;

/** What `key` asks for, if anything. */
export function commandOf(key: Key): Command | null {
  if (key.ctrlKey || key.altKey || key.metaKey) return null;
  switch (key.key) {
    case " ":
    case "k":
    case "K":
      return { do: "toggle" };
    case "ArrowRight":
      return { do: "step", n: key.shiftKey ? LEAP : 1 };
    case "ArrowLeft":
      return { do: "step", n: key.shiftKey ? -LEAP : -1 };
    case "PageDown":
      return { do: "step", n: LEAP };
    case "PageUp":
      return { do: "step", n: -LEAP };
    case "Home":
      return { do: "start" };
    case "End":
      return { do: "end" };
    case "+":
    case "=":
      return { do: "faster" };
    case "-":
      return { do: "slower" };
    case "n":
    case "N":
      return { do: "moment", n: 1 };
    case "p":
    case "P":
      return { do: "moment", n: -1 };
    case "f":
    case "F":
      return { do: "fullscreen" };
    case "c":
    case "C":
      return { do: "copy" };
    case "?":
      return { do: "help" };
  }
  return /^[0-9]$/.test(key.key) ? { do: "tenth", n: Number(key.key) } : null;
}
