// A match under way. The server's stream begins with `start`, the replay up to
// its first position; each `ply` is one frame more, whose id is
// `attempt-frame`; `restart` says that the attempt was lost and all but the
// start is void; `over` is the last. A stream that breaks is opened again by
// the browser, which says where it was; one that was refused, by us, which
// ignores what it knows already.

import { readFrame, readReplay, type Replay } from "./replay";

/** First wait before a stream that was refused is opened again, in ms; doubled each time. */
const RETRY_MS = 1000;
/** Longest such wait, in ms. */
const RETRY_MS_MAX = 30_000;

/** Who is told what comes in. */
export interface LiveEars {
  /** Frames were appended to the replay. */
  grown(): void;
  /** The match begins anew: everything so far is void. */
  restarted(): void;
  /** The match has ended. */
  over(): void;
  /** Whether the stream is connected now. */
  connected(is: boolean): void;
  /** What whoever plays is asked now; told again whenever that changes. */
  asked?(now: Asked): void;
  /** Whether the match is being played now; not while a machine of ours has been lost. */
  played?(is: boolean): void;
}

/** What a player is asked. */
export interface Asked {
  /** Index of the ply that comes next. */
  ply: number;
  /** Whether it is theirs to decide. */
  asked: boolean;
  /** Whether they have decided it, and the match has not gone on yet. */
  decided: boolean;
  /** When their time is over, by the clock of `performance`. */
  until_ms: number | null;
}

/** The stream of a match. */
export class LiveStream {
  /** The replay as it was at the start; it grows from then on. Rejects where the stream is refused. */
  readonly started: Promise<Replay>;
  #replay: Replay | null = null;
  #attempt: string | null = null;
  #source: EventSource | null = null;
  #ears: LiveEars | null = null;
  #asked: Asked | null = null;
  #played = true;
  #retry_ms = RETRY_MS;
  #timer = 0;
  #closed = false;
  #over = false;
  #start!: (replay: Replay) => void;
  #refuse!: (error: unknown) => void;

  constructor(private readonly url: string) {
    this.started = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#refuse = reject;
    });
    this.#open();
  }

  /** Tells `ears` from now on; at once, where it is over already. */
  listen(ears: LiveEars): void {
    this.#ears = ears;
    if (this.#asked !== null) ears.asked?.(this.#asked);
    ears.played?.(this.#played);
    if (this.#over) ears.over();
  }

  close(): void {
    this.#closed = true;
    window.clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open(): void {
    const source = new EventSource(this.url);
    this.#source = source;
    const on = (name: string, hear: (event: MessageEvent<string>) => void) =>
      source.addEventListener(name, (event) => hear(event as MessageEvent<string>));
    on("open", () => {
      this.#retry_ms = RETRY_MS;
      this.#ears?.connected(true);
    });
    on("start", (event) => this.#take_start(event.data));
    on("ply", (event) => this.#take_ply(event));
    on("restart", () => this.#restart());
    on("asked", (event) => this.#take_asked(event.data));
    on("state", (event) => {
      this.#played = !event.data.includes('"queued"');
      this.#ears?.played?.(this.#played);
    });
    on("over", () => {
      this.#over = true;
      this.close();
      this.#ears?.over();
    });
    on("error", () => {
      if (this.#closed) return;
      this.#ears?.connected(false);
      // While it says CONNECTING the browser tries again by itself.
      if (source.readyState !== EventSource.CLOSED) return;
      if (this.#replay === null) return this.#fail(new Error("the stream was refused"));
      this.#reopen(this.#retry_ms);
      this.#retry_ms = Math.min(RETRY_MS_MAX, this.#retry_ms * 2);
    });
  }

  #take_start(data: string): void {
    if (this.#replay !== null) return;
    try {
      this.#replay = readReplay(JSON.parse(data));
    } catch (error) {
      return this.#fail(error);
    }
    this.#start(this.#replay);
  }

  #take_ply(event: MessageEvent<string>): void {
    const replay = this.#replay;
    const [attempt, number] = event.lastEventId.split("-");
    const index = Number(number);
    if (replay === null || attempt === undefined || !Number.isInteger(index)) return;
    if (this.#attempt !== null && this.#attempt !== attempt) return this.#restart();
    this.#attempt = attempt;
    if (index < replay.frames.length) return;
    // A gap should not be: from the start, then.
    if (index > replay.frames.length) return this.#reopen(0);
    try {
      replay.frames.push(readFrame(JSON.parse(event.data), index, replay.seats.length));
    } catch (error) {
      // What cannot be read now will hardly be read in a second.
      console.error(error);
      this.#ears?.connected(false);
      return this.#reopen(RETRY_MS_MAX);
    }
    this.#ears?.grown();
  }

  #take_asked(data: string): void {
    try {
      const it = JSON.parse(data) as { ply: number; asked: boolean; decided: boolean; left_ms: number | null };
      const until_ms = typeof it.left_ms === "number" ? performance.now() + it.left_ms : null;
      this.#asked = { ply: Number(it.ply), asked: it.asked === true, decided: it.decided === true, until_ms };
    } catch (error) {
      return console.error(error);
    }
    this.#ears?.asked?.(this.#asked);
  }

  #restart(): void {
    this.#attempt = null;
    if (this.#ears === null) {
      // Nobody has seen anything yet.
      if (this.#replay !== null) this.#replay.frames.length = 1;
      return this.#reopen(0);
    }
    this.close();
    this.#ears.restarted();
  }

  #reopen(wait_ms: number): void {
    this.#source?.close();
    window.clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = window.setTimeout(() => this.#open(), wait_ms);
  }

  #fail(error: unknown): void {
    this.close();
    this.#refuse(error);
  }
}
