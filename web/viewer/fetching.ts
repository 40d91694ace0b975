// Fetches a replay and the viewer of its game, and says in words what went
// wrong where it does not work out.

import { games } from "agon:games";

import type { GameViewer } from "./game";
import { readReplay, ReplayError, type Replay } from "./replay";
import { text } from "./text";

/** A larger replay is refused before it is read, in bytes. */
export const REPLAY_BYTES_MAX = 128 << 20;

/** What went wrong, in words for the person in front of it. */
export class Trouble extends Error {
  constructor(
    message: string,
    /** Whether the same may work out later. */
    readonly again: boolean,
  ) {
    super(message);
  }
}

/** Fetches and checks the replay at `url`. */
export async function fetchReplay(url: string, signal?: AbortSignal): Promise<Replay> {
  const answer = await attempt(
    fetch(url, { signal: signal ?? null, headers: { accept: "application/json" }, credentials: "same-origin" }),
    () => new Trouble(text.errors.network, true),
  );
  if (!answer.ok) throw refusal(answer.status);
  const bytes = Number(answer.headers.get("content-length") ?? 0);
  if (bytes > REPLAY_BYTES_MAX) {
    throw new Trouble(text.errors.too_large(bytes >> 20, REPLAY_BYTES_MAX >> 20), false);
  }
  const body = await attempt(answer.text(), () => new Trouble(text.errors.network, true));
  try {
    return readReplay(JSON.parse(body));
  } catch (error) {
    throw troubleOf(error);
  }
}

/** Fetches the viewer of `game`. */
export async function fetchViewer(game: string): Promise<GameViewer> {
  // Not `games[game]`: a game called `constructor` would be found everywhere.
  const load = Object.hasOwn(games, game) ? games[game] : undefined;
  if (load === undefined) {
    throw new Trouble(text.errors.unknown_game(game, Object.keys(games).join(", ")), false);
  }
  const module = await attempt(load(), () => new Trouble(text.errors.viewer_lost, true));
  return module.create();
}

/** What `error` is in words. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  if (error instanceof ReplayError) return new Trouble(text.errors.bad_replay(error.message), true);
  if (error instanceof SyntaxError) return new Trouble(text.errors.no_json, true);
  return new Trouble(text.errors.broken(error instanceof Error ? error.message : String(error)), false);
}

function refusal(status: number): Trouble {
  if (status === 404) return new Trouble(text.errors.missing, true);
  if (status === 409) return new Trouble(text.errors.early, true);
  if (status === 410) return new Trouble(text.errors.gone, false);
  if (status === 401 || status === 403) return new Trouble(text.errors.denied, true);
  return new Trouble(text.errors.server(status), true);
}

async function attempt<T>(work: Promise<T>, trouble: () => Trouble): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw trouble();
  }
}
