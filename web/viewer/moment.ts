// Links to a moment: `#t=37` is frame 37. Other parts of a fragment are kept.

/** The frame that `hash` names, if it names one. */
export function momentOf(hash: string): number | null {
  const found = /(?:^#|&)t=(\d{1,9})(?:&|$)/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** `hash` with its moment set to `frame`; frame 0 needs no mention. */
export function withMoment(hash: string, frame: number): string {
  const others = hash
    .replace(/^#/, "")
    .split("&")
    .filter((it) => it !== "" && !it.startsWith("t="));
  if (frame > 0) others.push(`t=${frame}`);
  return others.length === 0 ? "" : `#${others.join("&")}`;
}
