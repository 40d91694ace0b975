// Fetches what a game brings for its players.

import { hands } from "agon:hands";

import { Trouble } from "../viewer/fetching";
import type { GameHand } from "./hand";
import { text } from "./text";

/** Fetches the hand of `game`. */
export async function fetchHand(game: string): Promise<GameHand> {
  // Not `hands[game]`: a game called `constructor` would be found everywhere.
  const load = Object.hasOwn(hands, game) ? hands[game] : undefined;
  if (load === undefined) throw new Trouble(text.no_hand(game), false);
  return (await load()).createHand();
}
