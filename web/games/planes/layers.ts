// What may be shown in the arena or not.

/** Layers to tick. */
export interface Layers {
  trails: boolean;
  labels: boolean;
  aims: boolean;
}
