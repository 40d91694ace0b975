// The colours of a course by day and by night. Rock, water and grass differ in
// lightness and in shape; the players in colour, in shape, and in the dots of
// their ways.

/** Colours of a course. */
export interface Palette {
  night: boolean;
  /** Two greens that take turns, so that cells can be counted. */
  grass: readonly [string, string];
  /** The rows behind the start and beyond the goal. */
  verge: readonly [string, string];
  tuft: string;
  grid: string;
  rock: string;
  rock_light: string;
  rock_dark: string;
  water: string;
  water_light: string;
  water_edge: string;
  shadow: string;
  line: string;
  line_dark: string;
  veil: string;
  veil_line: string;
  unknown: string;
  unknown_dot: string;
  /** Around everything that lies on the course. */
  halo: string;
  /** Of the players, by seat. */
  seats: readonly [string, string];
  sign: string;
  sign_ink: string;
  label: string;
  label_ink: string;
  number: string;
}

type Own = Pick<Palette, "night" | "seats" | "number">;

/** Colours for a page in light or dark; `seats` are those of the players on it. */
export function palette(night: boolean, seats: readonly [string, string], number: string): Palette {
  const own: Own = { night, seats, number };
  return night ? { ...NIGHT, ...own } : { ...DAY, ...own };
}

const DAY: Omit<Palette, keyof Own> = {
  grass: ["#cfe3ad", "#c5dca0"],
  verge: ["#e3d7b5", "#dccfa9"],
  tuft: "rgb(96 140 50 / 0.45)",
  grid: "rgb(58 92 30 / 0.12)",
  rock: "#6b6a70",
  rock_light: "#9a99a0",
  rock_dark: "#45444a",
  water: "#6db7d9",
  water_light: "#d3eefa",
  water_edge: "#2f7fa6",
  shadow: "rgb(30 40 15 / 0.28)",
  line: "#ffffff",
  line_dark: "#2b2b2b",
  veil: "rgb(34 38 58 / 0.46)",
  veil_line: "rgb(20 24 44 / 0.75)",
  unknown: "#777d8c",
  unknown_dot: "rgb(255 255 255 / 0.35)",
  halo: "#ffffff",
  sign: "#a8231a",
  sign_ink: "#ffffff",
  label: "#1d1b17",
  label_ink: "#ffffff",
};

const NIGHT: Omit<Palette, keyof Own> = {
  grass: ["#3c4f33", "#37492f"],
  verge: ["#4a4333", "#443d2e"],
  tuft: "rgb(120 160 90 / 0.35)",
  grid: "rgb(0 0 0 / 0.22)",
  rock: "#79777f",
  rock_light: "#a3a1a9",
  rock_dark: "#504f56",
  water: "#1f5876",
  water_light: "#6fb1d2",
  water_edge: "#0d3348",
  shadow: "rgb(0 0 0 / 0.45)",
  line: "#f3efe4",
  line_dark: "#121212",
  veil: "rgb(4 6 16 / 0.58)",
  veil_line: "rgb(170 180 215 / 0.6)",
  unknown: "#242833",
  unknown_dot: "rgb(255 255 255 / 0.22)",
  halo: "#10130f",
  sign: "#ff8377",
  sign_ink: "#1b0503",
  label: "#f0ede4",
  label_ink: "#15171a",
};
