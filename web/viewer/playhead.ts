// Where a replay stands, and how time moves it: a number line of frames with a
// point on it. Knows no page and no clock; time comes in as seconds passed.

/** Speeds on offer, in times the game's own pace. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** How long a single step takes to be shown, in seconds. */
const STEP_S = 0.22;

/** A live match that has run ahead is caught up with: the gap shrinks to a third in this time, in seconds. */
const CATCH_UP_S = 0.8;

/** The point on the line. */
export class Playhead {
  #position = 0;
  #last: number;
  #playing = false;
  #speed = 1;
  /** Where a single step is on its way to. */
  #target: number | null = null;
  #live = false;
  /** In a live match: whether new frames are followed as they come. */
  #following = false;
  /** Whether steps glide. */
  motion = true;

  /** `last` is the last frame's number, `frames_per_s` the pace at speed 1. */
  constructor(
    last: number,
    private readonly frames_per_s: number,
  ) {
    this.#last = last;
  }

  /** The frame shown, or left behind while moving on. */
  get frame(): number {
    return Math.floor(this.#position);
  }

  /** How far towards the next frame, from 0 up to 1. */
  get fraction(): number {
    return this.#position - this.frame;
  }

  /** The frame meant: where a step is on its way to. Links and words speak of this one. */
  get meant(): number {
    return this.#target ?? this.frame;
  }

  get last(): number {
    return this.#last;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get speed(): number {
    return this.#speed;
  }

  get following(): boolean {
    return this.#following;
  }

  /** Frames a second while playing. */
  get pace(): number {
    return this.#speed * this.frames_per_s;
  }

  /** Whether time changes anything. */
  get moving(): boolean {
    return this.#target !== null || (this.#playing && this.#position < this.#last);
  }

  set speed(speed: number) {
    this.#speed = Math.min(SPEEDS[SPEEDS.length - 1]!, Math.max(SPEEDS[0], speed));
  }

  /** Plays on; from the end, all over again. */
  play(): void {
    this.#target = null;
    if (this.#position >= this.#last) {
      if (this.#live) this.#following = true;
      else this.#position = 0;
    }
    this.#playing = true;
  }

  /** Stops on a whole frame: the one that is being reached. */
  pause(): void {
    this.#playing = false;
    this.#following = false;
    if (this.#target === null) this.#position = Math.round(this.#position);
  }

  /** Goes to `frame` at once. */
  seek(frame: number): void {
    this.#target = null;
    this.#position = this.#clamp(frame);
    this.#playing = this.#playing && this.#position < this.#last;
    this.#following = this.#live && this.#position >= this.#last;
    if (this.#following) this.#playing = true;
  }

  /** Goes `n` frames on, or back where negative; a single step glides. Playing ends. */
  step(n: number): void {
    const from = this.#target ?? (n > 0 ? Math.floor(this.#position) : Math.ceil(this.#position));
    const to = this.#clamp(from + n);
    this.#playing = false;
    this.#following = false;
    if (this.motion && Math.abs(n) === 1 && Math.abs(to - this.#position) <= 1) {
      this.#target = to === this.#position ? null : to;
    } else {
      this.#target = null;
      this.#position = to;
    }
  }

  /** The match is under way: at the end, wait for more. */
  follow(): void {
    this.#live = true;
    this.#following = true;
    this.#playing = true;
    this.#target = null;
    this.#position = this.#last;
  }

  /** The match has come to its end; who follows is still shown how. */
  finish(): void {
    this.#live = false;
    if (this.#position >= this.#last) this.#stop();
  }

  /** There are now frames up to `last`. */
  grow(last: number): void {
    this.#last = Math.max(last, this.#last);
  }

  /** Lets `seconds` pass. */
  tick(seconds: number): void {
    if (this.#target !== null) {
      this.#glide(this.#target, seconds / STEP_S);
    } else if (this.#playing) {
      const behind = this.#last - this.#position;
      const pace = this.#following ? Math.max(this.pace, behind / CATCH_UP_S) : this.pace;
      this.#position = Math.min(this.#last, this.#position + pace * seconds);
      if (this.#position >= this.#last) {
        if (this.#live) this.#following = true;
        else this.#stop();
      }
    }
  }

  #stop(): void {
    this.#playing = false;
    this.#following = false;
  }

  #glide(target: number, by: number): void {
    const way = target - this.#position;
    if (Math.abs(way) <= by) {
      this.#position = target;
      this.#target = null;
    } else {
      this.#position += Math.sign(way) * by;
    }
  }

  #clamp(frame: number): number {
    return Math.min(this.#last, Math.max(0, Math.round(frame)));
  }
}
