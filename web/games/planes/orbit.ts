// Turns the camera by hand: drag with a mouse or a finger, two fingers to come
// nearer, the wheel, arrow keys. What the page needs for itself stays with it:
// a finger that goes up or down scrolls, and so does a wheel elsewhere.

import type { Camera } from "./camera";

/** How far a drag over the width of the arena turns, in radians. */
const TURN = 3.6;

/** Of a wheel's steps, in pixels. */
const WHEEL = 0.0012;

/** Turns `camera` by what happens on the picture in `place`. */
export function watch_hand(place: HTMLElement, signal: AbortSignal, camera: Camera, changed: () => void): void {
  const held = new Map<number, { x: number; y: number }>();
  const is_space = (event: globalThis.Event) => (event.target as Element).classList.contains("space");
  const let_go = (event: PointerEvent) => void held.delete(event.pointerId);

  place.addEventListener(
    "pointerdown",
    (event) => {
      if (!is_space(event) || event.button !== 0) return;
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      (event.target as Element).setPointerCapture(event.pointerId);
    },
    { signal },
  );
  place.addEventListener(
    "pointermove",
    (event) => {
      const was = held.get(event.pointerId);
      if (was === undefined) return;
      const apart = spread(held);
      const [dx, dy] = [event.clientX - was.x, event.clientY - was.y];
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const by = TURN / Math.max(1, place.clientWidth) / held.size;
      camera.turn(-dx * by, dy * by);
      if (apart !== null) camera.zoom(apart / Math.max(1, spread(held)!));
      changed();
    },
    { signal },
  );
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) place.addEventListener(end, let_go, { signal });

  place.addEventListener(
    "wheel",
    (event) => {
      const focused = (place.getRootNode() as ShadowRoot).activeElement === event.target;
      if (!is_space(event) || !(event.ctrlKey || focused)) return;
      event.preventDefault();
      camera.zoom(Math.exp(event.deltaY * WHEEL * (event.ctrlKey ? 5 : 1)));
      changed();
    },
    { signal, passive: false },
  );
  place.addEventListener(
    "keydown",
    (event) => {
      if (!is_space(event) || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || !camera.press(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      changed();
    },
    { signal },
  );
}

/** How far two fingers are apart; null where there are not two. */
function spread(held: ReadonlyMap<number, { x: number; y: number }>): number | null {
  if (held.size !== 2) return null;
  const [one, other] = [...held.values()];
  return Math.hypot(one!.x - other!.x, one!.y - other!.y);
}
