// Modules that the build makes.

declare module "agon:games" {
  /** The games that have a viewer, by id; each is fetched when first asked for. */
  export const games: Record<string, () => Promise<import("./game").GameModule>>;
}

declare module "agon:hands" {
  /** The games that people can play here, by id; each is fetched when first asked for. */
  export const hands: Record<string, () => Promise<import("../play/hand").HandModule>>;
}

declare module "*.css?shadow" {
  /** The style sheet as text, for a shadow root. */
  const css: string;
  export default css;
}
