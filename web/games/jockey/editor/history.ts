// What was done, to be undone and done again.

/** Steps that can be undone. */
const STEPS_MAX = 500;

/** The states of something, of which one is now. */
export class History<T> {
  #past: T[] = [];
  #future: T[] = [];

  constructor(private present: T) {}

  get now(): T {
    return this.present;
  }

  get can_undo(): boolean {
    return this.#past.length > 0;
  }

  get can_redo(): boolean {
    return this.#future.length > 0;
  }

  /** Goes on to another state; whether it is another one. */
  do(next: T): boolean {
    if (next === this.present) return false;
    this.#past.push(this.present);
    if (this.#past.length > STEPS_MAX) this.#past.shift();
    this.#future = [];
    this.present = next;
    return true;
  }

  undo(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    this.#future.push(this.present);
    this.present = before;
    return true;
  }

  redo(): boolean {
    const next = this.#future.pop();
    if (next === undefined) return false;
    this.#past.push(this.present);
    this.present = next;
    return true;
  }
}
