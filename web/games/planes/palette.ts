// The colours of the arena by day and by night. Sides differ in colour, in the
// shape of their planes, in stripes on the wings, and in beads on their trails.

/** Colours of the arena, as CSS knows them. */
export interface Palette {
  night: boolean;
  /** Of the players, by seat. */
  seats: readonly [string, string];
  ink: string;
  soft: string;
  paper: string;
  grid: string;
  wall: string;
  shot: string;
  burst: string;
  stripe: string;
}

/** The tokens of the page that are asked for, in the order in which `palette` takes them. */
export const TOKENS = ["var(--r-seat-0)", "var(--r-seat-1)", "var(--r-ink)", "var(--r-soft)", "var(--r-sunk)"];

/** Colours for a page in light or dark. */
export function palette(night: boolean, [first, second, ink, soft, paper]: readonly string[]): Palette {
  const own = { night, seats: [first!, second!] as const, ink: ink!, soft: soft!, paper: paper! };
  return night
    ? { ...own, grid: "#4a525c", wall: "#2c3238", shot: "#ffe08a", burst: "#ff8a5c", stripe: "#101214" }
    : { ...own, grid: "#b3ab99", wall: "#d6d0c2", shot: "#7a1fa2", burst: "#c4321f", stripe: "#ffffff" };
}
