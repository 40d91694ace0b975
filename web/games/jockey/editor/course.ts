// A course as the editor changes it: every change makes a new one, so that
// undoing is only going back. It knows no page and no server.

/** What a cell is made of, by the letters of files: grass, rock, pond. */
export type Ground = "0" | "1" | "2";

export const GROUNDS: readonly Ground[] = ["0", "1", "2"];

/** Column and row. */
export type Cell = readonly [number, number];

/** A set-up of the game, with the names that the server knows. */
export interface Course {
  readonly width: number;
  readonly length: number;
  readonly vision: number;
  readonly step_limit: number;
  readonly think_ms: number;
  readonly x0: number;
  readonly x1: number;
  /** From row 0 on, each from left to right. */
  readonly rows: readonly string[];
}

/** What can be filled in as a number. */
export type Field = Exclude<keyof Course, "rows">;

/** Steps that the official formulas count in. */
const STEPS_ROUNDED_TO = 5;

/** The least and the greatest value of a field. */
export function bounds(course: Course, field: Field): readonly [number, number] {
  switch (field) {
    case "width":
      return [2, 100];
    case "length":
      return [1, 1000];
    case "vision":
      return [1, 1000];
    case "step_limit":
      return [1, 10_000];
    case "think_ms":
      return [1, 3_600_000];
    case "x0":
    case "x1":
      return [0, course.width - 1];
  }
}

/** Grass from side to side. */
export function blank(width = 15, length = 50): Course {
  const rows = Array.from({ length }, () => "0".repeat(width));
  const course = { width, length, vision: 10, step_limit: 1, think_ms: 1, x0: Math.floor(width / 3), x1: Math.floor((width * 2) / 3), rows };
  return byFormula(course);
}

/** Whether something that came from elsewhere can be shown at all; the rules say the rest. */
export function isCourse(it: unknown): it is Course {
  if (typeof it !== "object" || it === null) return false;
  const { width, length, rows, ...rest } = it as Course;
  const numbers = [width, length, rest.vision, rest.step_limit, rest.think_ms, rest.x0, rest.x1];
  return (
    numbers.every(Number.isInteger) &&
    Array.isArray(rows) &&
    rows.length === length &&
    rows.every((row) => typeof row === "string" && row.length === width && /^[012]+$/.test(row))
  );
}

export function contains({ width, length }: Course, [x, y]: Cell): boolean {
  return x >= 0 && x < width && y >= 0 && y < length;
}

export function groundAt(course: Course, [x, y]: Cell): Ground {
  return (course.rows[y]?.[x] ?? "0") as Ground;
}

/** The same course where nothing changes. Cells beside it are left out. */
export function paint(course: Course, cells: Iterable<Cell>, ground: Ground): Course {
  const rows = course.rows.slice();
  let changed = false;
  for (const [x, y] of cells) {
    if (!contains(course, [x, y]) || rows[y]![x] === ground) continue;
    rows[y] = rows[y]!.slice(0, x) + ground + rows[y]!.slice(x + 1);
    changed = true;
  }
  return changed ? { ...course, rows } : course;
}

/** The cells between two, so that a quick brush leaves no gaps. */
export function between(from: Cell, to: Cell): Cell[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const n = Math.max(Math.abs(dx), Math.abs(dy), 1);
  return Array.from({ length: n + 1 }, (_, k): Cell => [from[0] + Math.round((dx * k) / n), from[1] + Math.round((dy * k) / n)]);
}

/** The cells of a rectangle with these corners. */
export function rectangle(one: Cell, other: Cell): Cell[] {
  const [left, right] = [Math.min(one[0], other[0]), Math.max(one[0], other[0])];
  const [low, high] = [Math.min(one[1], other[1]), Math.max(one[1], other[1])];
  const cells: Cell[] = [];
  for (let y = low; y <= high; y++) for (let x = left; x <= right; x++) cells.push([x, y]);
  return cells;
}

/** The cells of one ground that hang together with a cell, by their sides. */
export function patch(course: Course, at: Cell): Cell[] {
  if (!contains(course, at)) return [];
  const ground = groundAt(course, at);
  const seen = new Set<number>();
  const cells: Cell[] = [];
  const open: Cell[] = [at];
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const [x, y] = cell;
    const key = y * course.width + x;
    if (!contains(course, cell) || seen.has(key) || groundAt(course, cell) !== ground) continue;
    seen.add(key);
    cells.push(cell);
    open.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
  }
  return cells;
}

/** The same cells, and those opposite to them. */
export function mirrored({ width }: Course, cells: readonly Cell[]): Cell[] {
  return cells.flatMap(([x, y]): Cell[] => [[x, y], [width - 1 - x, y]]);
}

/** Cuts off at the right and at the goal, or puts grass there. */
export function resize(course: Course, width: number, length: number): Course {
  const fit = (row: string) => row.slice(0, width).padEnd(width, "0");
  const rows = Array.from({ length }, (_, y) => fit(course.rows[y] ?? ""));
  let [x0, x1] = [Math.min(course.x0, width - 1), Math.min(course.x1, width - 1)];
  // Two start in one column no more than they did.
  if (x0 === x1 && x0 > 0) x0 -= 1;
  else if (x0 === x1) x1 += 1;
  return { ...course, width, length, rows, x0, x1 };
}

/** The course with another number; null where that is out of its bounds. */
export function withField(course: Course, field: Field, value: number): Course | null {
  const [min, max] = bounds(course, field);
  if (!Number.isInteger(value) || value < min || value > max) return null;
  if (course[field] === value) return course;
  if (field === "width") return resize(course, value, course.length);
  if (field === "length") return resize(course, course.width, value);
  return { ...course, [field]: value };
}

/** The official step limit: so many steps as a player without momentum needs from the cell that is farthest from the last row, and one more, rounded up. */
export function stepLimitOf(course: Course): number {
  const { width, length } = course;
  const seen = new Uint8Array(width * length);
  const isNew = (x: number, y: number): boolean => {
    if (!contains(course, [x, y]) || seen[y * width + x] || groundAt(course, [x, y]) === "1") return false;
    seen[y * width + x] = 1;
    return true;
  };
  let wave: Cell[] = [];
  for (let x = 0; x < width; x++) if (isNew(x, length - 1)) wave.push([x, length - 1]);
  let waves = 0;
  while (wave.length > 0) {
    waves += 1;
    const next: Cell[] = [];
    for (const [x, y] of wave) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) if (isNew(x + dx, y + dy)) next.push([x + dx, y + dy]);
    }
    wave = next;
  }
  return Math.ceil(Math.max(waves, 1) / STEPS_ROUNDED_TO) * STEPS_ROUNDED_TO;
}

/** The official thinking time for so many steps. */
export function thinkMsOf(step_limit: number): number {
  return (Math.floor(step_limit / STEPS_ROUNDED_TO) + 1) * 1000;
}

/** The course with the limits that the official formulas give it. */
export function byFormula(course: Course): Course {
  const step_limit = Math.min(stepLimitOf(course), 10_000);
  return { ...course, step_limit, think_ms: thinkMsOf(step_limit) };
}

/** Seconds as people write them, in milliseconds; null where it is none, or finer than that. */
export function readSeconds(text: string): number | null {
  const found = /^\s*(\d{1,7})(?:[.,](\d{1,3})0*)?\s*$/.exec(text);
  return found ? Number(found[1]) * 1000 + Number((found[2] ?? "").padEnd(3, "0")) : null;
}
