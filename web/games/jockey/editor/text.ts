// Every word the editor says, kept apart so that it can be said in other
// languages.

import type { Cell, Field, Ground } from "./course";

const GROUND: Record<Ground, string> = { "0": "Grass", "1": "Rock", "2": "Pond" };

const FIELD: Record<Field, string> = {
  width: "Width",
  length: "Length",
  vision: "Rows seen ahead",
  step_limit: "Step limit",
  think_ms: "Thinking time, seconds",
  x0: "Start column, first player",
  x1: "Start column, second player",
};

export const text = {
  sheet: "Course",
  sheet_help: "Arrow keys move the cursor, Page Up and Page Down by ten rows, Home and End to start and goal. 1, 2 and 3 paint grass, rock and pond; Space uses the chosen tool. Ctrl+Z undoes.",
  ground: (it: Ground) => GROUND[it],
  field: (it: Field) => FIELD[it],
  allowed: ([min, max]: readonly [number, number]) => `${min} to ${max}`,
  wrong: (found: string, [min, max]: readonly [number, number]) => `“${found.slice(0, 40)}” was given; a whole number from ${min} to ${max} is allowed.`,
  wrong_seconds: (found: string, max: number) => `“${found.slice(0, 40)}” was given; seconds from 0.001 to ${max} are allowed.`,
  same_start: "Both players would start in one column.",
  paint: "Paint",
  shape: "With",
  brush: "Brush",
  rectangle: "Rectangle",
  fill: "Fill",
  move: "Move",
  mirror: "Left and right alike",
  undo: "Undo",
  redo: "Redo",
  smaller: "Smaller",
  larger: "Larger",
  cell: ([x, y]: Cell, ground: Ground) => `Column ${x}, row ${y}: ${GROUND[ground].toLowerCase()}.`,
  corner: "The first corner is set. Space sets the other one, Escape gives up.",
  numbers: "Numbers",
  formula: "Usual step limit and time",
  fresh: "A new course",
  lot: "By lot",
  draw: "Make it",
  drawn: "A course was made by lot. Undo brings the last one back.",
  files: "Files",
  open: "Open a file",
  open_help: "Or drop it on the course.",
  opened: (name: string) => `${name} is open. Undo brings the last course back.`,
  write: (extension: string) => `Save as .${extension}`,
  writes: (formats: readonly { extension: string; about: string }[]) => `${formats.map((it) => `.${it.extension}: ${it.about}`).join("; ")}.`,
  own: "Agon’s own files",
  pool: "Pools",
  pool_which: "Pool",
  pool_name: "Name of the course",
  pool_name_help: "Letters, digits, hyphens, low lines and dots.",
  pool_replace: "Replace one of this name",
  pool_save: "Save to the pool",
  pool_saved: "It is in the pool: ",
  pool_none: "Make a pool first; then courses can be saved to it.",
  pools: "Pools of courses",
  pool_organisers: "Only organisers save to pools. You can save the course as a file, or start a match on it.",
  match: "Start a match on it",
  sign_in: "Sign in to start a match on it",
  restored: "The course you were working on is here again.",
  start_over: "All grass",
  started_over: "All is grass. Undo brings the last course back.",
  checking: "Checking…",
  good: "This course is good.",
  show: "Show the cell",
  too_often: (s: number) => `That was a lot at once. It is checked again in ${s} s.`,
  unreachable: "The server cannot be reached. Your course is still here; it is checked again with the next change.",
  /** What the server says of a part of the set-up, in the words of this page. */
  flaw: (why: string) => {
    const found = /^([A-Za-z0-9_]+): (.*)$/s.exec(why);
    if (!found) return why;
    const field = found[1]!.toLowerCase();
    const rest = found[2]!;
    return field in FIELD ? `${FIELD[field as Field]}: ${rest}` : rest.charAt(0).toUpperCase() + rest.slice(1);
  },
} as const;
