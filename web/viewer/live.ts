// Frames of a match under way. The server's stream has one event for each
// frame, whose id is the frame's number, and a last one, `end`, with how the
// match ended. `restart` says that what was sent so far is void. A gap, or a
// connection that was given up, is healed by asking again from the last frame.

import { readFrame, readOutcome, type Outcome, type Replay } from "./replay";

/** First wait before a stream that was closed is opened again, in ms; doubled each time. */
const RETRY_MS = 1000;
/** Longest such wait, in ms. */
const RETRY_MS_MAX = 30_000;

/** Who is told what comes in. */
export interface LiveEars {
  /** Frames were appended to the replay. */
  grown(): void;
  /** The match has ended. */
  ended(outcome: Outcome | null): void;
  /** The match begins anew: everything so far is void. */
  restarted(): void;
  /** Whether the stream is connected now. */
  connected(is: boolean): void;
}

/** Follows the stream at `url`, appending to `replay.frames`. Returns what ends that. */
export function followLive(url: string, replay: Replay, ears: LiveEars): () => void {
  let source: EventSource | null = null;
  let retry_ms = RETRY_MS;
  let timer = 0;
  let over = false;

  const stop = () => {
    over = true;
    window.clearTimeout(timer);
    source?.close();
  };

  const reopen = (wait_ms: number) => {
    source?.close();
    window.clearTimeout(timer);
    if (!over) timer = window.setTimeout(open, wait_ms);
  };

  const open = () => {
    const at = new URL(url, document.baseURI);
    at.searchParams.set("after", String(replay.frames.length - 1));
    source = new EventSource(at);
    source.addEventListener("open", () => {
      retry_ms = RETRY_MS;
      ears.connected(true);
    });
    source.addEventListener("message", (event) => take(event));
    source.addEventListener("frame", (event) => take(event));
    source.addEventListener("restart", () => {
      stop();
      ears.restarted();
    });
    source.addEventListener("end", (event) => {
      stop();
      ears.ended(outcomeOf((event as MessageEvent<string>).data));
    });
    source.addEventListener("error", () => {
      ears.connected(false);
      // While it says CONNECTING the browser tries again by itself.
      if (source?.readyState !== EventSource.CLOSED) return;
      reopen(retry_ms);
      retry_ms = Math.min(RETRY_MS_MAX, retry_ms * 2);
    });
  };

  const take = (event: MessageEvent<string>) => {
    const index = Number(event.lastEventId);
    if (!Number.isInteger(index) || index < replay.frames.length) return;
    if (index > replay.frames.length) return reopen(0);
    try {
      replay.frames.push(readFrame(JSON.parse(event.data), index, replay.seats.length));
    } catch (error) {
      // What cannot be read now cannot be read next time: wait before asking again.
      console.error(error);
      return reopen(RETRY_MS_MAX);
    }
    ears.grown();
  };

  open();
  return stop;
}

function outcomeOf(data: string): Outcome | null {
  try {
    return readOutcome(JSON.parse(data));
  } catch (error) {
    console.error(error);
    return null;
  }
}
