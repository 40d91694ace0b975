// The colours of the board by day and by night. They differ in lightness as
// well as in hue, and what matters has a shape or a pattern besides.

/** Colours of a board. */
export interface Palette {
  night: boolean;
  /** Two greens that take turns, so that fields can be counted. */
  grass: readonly [string, string];
  blade_dark: string;
  blade_light: string;
  flowers: readonly string[];
  grid: string;
  soil: string;
  shadow: string;
  /** Leaves from the deepest to the brightest. */
  leaves: readonly string[];
  /** Leaves of the ring, which is always there. */
  ring_leaves: readonly string[];
  hedge_side: string;
  hedge_edge: string;
  forbidden: string;
  forbidden_line: string;
  dark: string;
  lantern: string;
  trail: string;
  trail_edge: string;
  coat: string;
  coat_edge: string;
  skin: string;
  hat: string;
  hat_band: string;
  wood: string;
  wood_dark: string;
  gold: string;
  gold_light: string;
  sign: string;
  sign_edge: string;
  number: string;
}

/** Colours for a page in light or dark; `coat` is the adventurer's colour on it. */
export function palette(night: boolean, coat: string, number: string): Palette {
  const own = { night, coat, number };
  return night ? { ...NIGHT, ...own } : { ...DAY, ...own };
}

type Fixed = Omit<Palette, "night" | "coat" | "number">;

const DAY: Fixed = {
  grass: ["#a9d27c", "#9dc96f"],
  blade_dark: "#7fb154",
  blade_light: "#c3e39a",
  flowers: ["#ffffff", "#fff1a8", "#f6d3e6"],
  grid: "rgb(58 92 30 / 0.13)",
  soil: "#6f5b3e",
  shadow: "rgb(28 46 12 / 0.34)",
  leaves: ["#1d4d27", "#276333", "#33793d", "#44914a", "#62ab5c"],
  ring_leaves: ["#1a4030", "#22523d", "#2b654a", "#387a59", "#4f9170"],
  hedge_side: "#17371d",
  hedge_edge: "#12301a",
  forbidden: "rgb(255 152 0 / 0.62)",
  forbidden_line: "rgb(150 64 0 / 0.62)",
  dark: "rgb(12 16 40 / 0.66)",
  lantern: "rgb(255 226 140 / 0.30)",
  trail: "#fffdf2",
  trail_edge: "rgb(70 52 20 / 0.55)",
  coat_edge: "#ffffff",
  skin: "#f0c8a0",
  hat: "#8a5a2b",
  hat_band: "#3a2411",
  wood: "#8f5424",
  wood_dark: "#4f2b0e",
  gold: "#ffc629",
  gold_light: "#fff0b0",
  sign: "#a8231a",
  sign_edge: "#ffffff",
};

const NIGHT: Fixed = {
  grass: ["#45653a", "#3e5d34"],
  blade_dark: "#324e2a",
  blade_light: "#5c8050",
  flowers: ["#b9c4b0", "#b5a868", "#a988a0"],
  grid: "rgb(0 0 0 / 0.2)",
  soil: "#2c251b",
  shadow: "rgb(0 0 0 / 0.5)",
  leaves: ["#0d2a19", "#143924", "#1c4b2e", "#266039", "#3a7d4b"],
  ring_leaves: ["#0b2624", "#11332f", "#18413c", "#20514a", "#2f6b63"],
  hedge_side: "#071a0f",
  hedge_edge: "#04110a",
  forbidden: "rgb(232 134 0 / 0.62)",
  forbidden_line: "rgb(70 30 0 / 0.72)",
  dark: "rgb(3 5 16 / 0.70)",
  lantern: "rgb(255 214 120 / 0.20)",
  trail: "#f3ead0",
  trail_edge: "rgb(0 0 0 / 0.6)",
  coat_edge: "#10130f",
  skin: "#f0c8a0",
  hat: "#b07a3f",
  hat_band: "#4d3117",
  wood: "#9a5f2c",
  wood_dark: "#2c1808",
  gold: "#ffcb3d",
  gold_light: "#fff3c0",
  sign: "#ff8377",
  sign_edge: "#1b0503",
};
