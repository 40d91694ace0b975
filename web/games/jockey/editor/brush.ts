// How pointers and keys become changes of the course.

import { between, type Cell, contains, type Course, type Ground, groundAt, GROUNDS, mirrored, paint, patch, rectangle } from "./course";
import type { Sheet } from "./sheet";
import { text } from "./text";

/** What a pointer does to the cells it touches. */
export type Shape = "brush" | "rectangle" | "fill" | "move";

/** What is chosen, and who is told. */
export interface Desk {
  readonly course: Course;
  ground: Ground;
  shape: Shape;
  mirror: boolean;
  /** Shows a change that is not yet done. */
  try(course: Course): void;
  /** Does it; gives up what was only tried. */
  do(course: Course): void;
  undo(): void;
  redo(): void;
  say(words: string): void;
}

/** A pointer that is down. */
interface Stroke {
  id: number;
  base: Course;
  now: Course;
  first: Cell;
  last: Cell;
  /** The player that is dragged to another column. */
  player: "x0" | "x1" | null;
}

/** Lets pointers and keys paint on a sheet. */
export function listen(sheet: Sheet, desk: Desk): void {
  const { canvas } = sheet;
  let stroke: Stroke | null = null;
  /** Where a mouse has hold of the sheet. A finger moves it without our doing. */
  let held: { id: number; x: number; y: number } | null = null;

  const cells = (of: readonly Cell[]) => (desk.mirror ? mirrored(desk.course, of) : of);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || stroke !== null) return;
    const at = sheet.cell_at(event);
    const player = at[1] < 0 ? nearest(desk.course, at[0]) : null;
    if (player === null && desk.shape === "move" && event.pointerType === "mouse") {
      held = { id: event.pointerId, x: event.clientX, y: event.clientY };
      canvas.setPointerCapture(event.pointerId);
      return;
    }
    if (player === null && (desk.shape === "move" || !contains(desk.course, at))) return;
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const base = desk.course;
    stroke = { id: event.pointerId, base, now: base, first: at, last: at, player };
    if (player === null) sheet.cursor = at;
    follow(at);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held?.id === event.pointerId) {
      sheet.element.scrollBy(held.x - event.clientX, held.y - event.clientY);
      held = { id: held.id, x: event.clientX, y: event.clientY };
    }
    if (stroke?.id === event.pointerId) follow(sheet.cell_at(event));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held?.id === event.pointerId) held = null;
    if (stroke?.id !== event.pointerId) return;
    const { now } = stroke;
    stroke = null;
    desk.do(now);
  });
  canvas.addEventListener("pointercancel", (event) => {
    if (held?.id === event.pointerId) held = null;
    if (stroke?.id !== event.pointerId) return;
    desk.do(stroke.base);
    stroke = null;
  });

  function follow(at: Cell): void {
    if (stroke === null) return;
    const { base, now, first, last, player } = stroke;
    if (player !== null) {
      const x = Math.max(0, Math.min(base.width - 1, at[0]));
      const other = player === "x0" ? base.x1 : base.x0;
      if (x !== other) stroke.now = { ...base, [player]: x };
    } else if (desk.shape === "rectangle") {
      stroke.now = paint(base, cells(rectangle(first, at)), desk.ground);
    } else if (desk.shape === "brush") {
      stroke.now = paint(now, cells(between(last, at)), desk.ground);
    } else if (now === base) {
      stroke.now = paint(base, cells(patch(base, first)), desk.ground);
    }
    stroke.last = at;
    if (player === null && contains(base, at)) sheet.cursor = at;
    desk.try(stroke.now);
  }

  canvas.addEventListener("keydown", (event) => {
    const { course } = desk;
    const [x, y] = sheet.cursor;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) desk.undo();
      else if (key === "y" || key === "z") desk.redo();
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey || stroke !== null) return;
    const to = target(event.key, course, [x, y]);
    if (to !== null) {
      sheet.cursor = to;
      // A hand that is held down paints on its way.
      if (event.shiftKey) desk.do(paint(course, cells(between([x, y], to)), desk.ground));
      desk.say(text.cell(to, groundAt(desk.course, to)));
      sheet.reveal(to);
    } else if (["1", "2", "3"].includes(event.key)) {
      desk.ground = GROUNDS[Number(event.key) - 1]!;
      desk.do(paint(course, cells([sheet.cursor]), desk.ground));
      desk.say(text.cell(sheet.cursor, groundAt(desk.course, sheet.cursor)));
    } else if (event.key === " ") {
      use();
    } else if (event.key === "Escape" && sheet.corner !== null) {
      sheet.corner = null;
      sheet.paint();
    } else {
      return;
    }
    event.preventDefault();
  });

  function use(): void {
    const { course, ground } = desk;
    const at = sheet.cursor;
    if (desk.shape === "rectangle" && sheet.corner === null) {
      sheet.corner = at;
      desk.say(text.corner);
      sheet.paint();
      return;
    }
    let of: readonly Cell[] = [at];
    if (desk.shape === "rectangle" && sheet.corner !== null) of = rectangle(sheet.corner, at);
    else if (desk.shape === "fill") of = patch(course, at);
    sheet.corner = null;
    desk.do(paint(course, cells(of), ground));
    desk.say(text.cell(at, groundAt(desk.course, at)));
    sheet.paint();
  }
}

/** The player whose start is nearer to a column. */
function nearest(course: Course, x: number): "x0" | "x1" {
  return Math.abs(course.x0 - x) <= Math.abs(course.x1 - x) ? "x0" : "x1";
}

/** Where a key takes the cursor; null where it takes it nowhere. */
function target(key: string, course: Course, [x, y]: Cell): Cell | null {
  const within = (to: number, n: number) => Math.max(0, Math.min(n - 1, to));
  switch (key) {
    case "ArrowUp":
      return [x, within(y + 1, course.length)];
    case "ArrowDown":
      return [x, within(y - 1, course.length)];
    case "ArrowLeft":
      return [within(x - 1, course.width), y];
    case "ArrowRight":
      return [within(x + 1, course.width), y];
    case "PageUp":
      return [x, within(y + 10, course.length)];
    case "PageDown":
      return [x, within(y - 10, course.length)];
    case "Home":
      return [x, 0];
    case "End":
      return [x, course.length - 1];
    default:
      return null;
  }
}
