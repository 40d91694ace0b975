// What moves on a course, or was left on it: players, arrows, lines, signs,
// labels. Knows pixels, and no rules.

import type { Palette } from "./palette";

type Context = CanvasRenderingContext2D;
type Point = readonly [number, number];

/** The shape of a seat: a square and a disc, here as on the pages. */
export function shape(ctx: Context, seat: number, [x, y]: Point, radius: number): void {
  ctx.beginPath();
  if (seat === 0) {
    const side = radius * 0.9;
    ctx.roundRect(x - side, y - side, 2 * side, 2 * side, radius * 0.22);
  } else ctx.arc(x, y, radius, 0, 2 * Math.PI);
}

/** A player; `out` is one that is in the race no more. */
export function drawPlayer(ctx: Context, seat: 0 | 1, at: Point, radius: number, out: boolean, colours: Palette): void {
  ctx.save();
  ctx.globalAlpha = out ? 0.6 : 1;
  ctx.fillStyle = colours.shadow;
  shape(ctx, seat, [at[0] + radius * 0.14, at[1] + radius * 0.2], radius);
  ctx.fill();
  shape(ctx, seat, at, radius);
  ctx.fillStyle = colours.halo;
  ctx.fill();
  shape(ctx, seat, at, radius * 0.8);
  ctx.fillStyle = colours.seats[seat];
  ctx.fill();
  if (radius >= 6) {
    ctx.fillStyle = colours.halo;
    ctx.font = `700 ${Math.round(radius * 1.05)}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(String(seat + 1), at[0], at[1] + radius * 0.06);
  }
  ctx.restore();
}

/** A line that was gone, with a light edge so that it can be seen on everything. */
export function drawLine(ctx: Context, from: Point, to: Point, width: number, colour: string, halo: string, dashes: number): void {
  ctx.save();
  ctx.lineCap = dashes > 0 ? "butt" : "round";
  const stroke = (style: string, wide: number) => {
    ctx.strokeStyle = style;
    ctx.lineWidth = wide;
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
  };
  stroke(halo, width * 2);
  if (dashes > 0) ctx.setLineDash([dashes, dashes * 0.8]);
  stroke(colour, width);
  ctx.restore();
}

/** An arrow for a velocity; none where somebody stands. */
export function drawArrow(ctx: Context, from: Point, to: Point, clear: number, width: number, colour: string, halo: string): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy);
  const head = width * 3.4;
  if (far < clear + head * 0.6) return;
  const [ux, uy] = [dx / far, dy / far];
  const along = (it: number, aside = 0): Point => [from[0] + ux * it - uy * aside, from[1] + uy * it + ux * aside];
  ctx.save();
  ctx.lineJoin = "round";
  ctx.beginPath();
  const neck = Math.max(clear, far - head);
  ctx.moveTo(...along(clear, width / 2));
  ctx.lineTo(...along(neck, width / 2));
  ctx.lineTo(...along(neck, head * 0.55));
  ctx.lineTo(...along(far));
  ctx.lineTo(...along(neck, -head * 0.55));
  ctx.lineTo(...along(neck, -width / 2));
  ctx.lineTo(...along(clear, -width / 2));
  ctx.closePath();
  ctx.strokeStyle = halo;
  ctx.lineWidth = Math.max(2, width);
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.restore();
}

/** A round sign with a cross: here a line was not gone. */
export function drawStop(ctx: Context, [x, y]: Point, radius: number, colours: Palette): void {
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = colours.sign;
  ctx.fill();
  ctx.lineWidth = Math.max(1, radius * 0.2);
  ctx.strokeStyle = colours.sign_ink;
  ctx.stroke();
  cross(ctx, [x, y], radius * 0.42);
  ctx.lineWidth = Math.max(1.5, radius * 0.3);
  ctx.lineCap = "round";
  ctx.stroke();
  ctx.restore();
}

/** A small cross in a way, where there was a stop. */
export function drawCross(ctx: Context, at: Point, radius: number, colour: string, halo: string): void {
  ctx.save();
  ctx.lineCap = "round";
  cross(ctx, at, radius);
  ctx.strokeStyle = halo;
  ctx.lineWidth = radius * 1.5;
  ctx.stroke();
  ctx.strokeStyle = colour;
  ctx.lineWidth = radius * 0.7;
  ctx.stroke();
  ctx.restore();
}

function cross(ctx: Context, [x, y]: Point, far: number): void {
  ctx.beginPath();
  ctx.moveTo(x - far, y - far);
  ctx.lineTo(x + far, y + far);
  ctx.moveTo(x + far, y - far);
  ctx.lineTo(x - far, y + far);
}

/** Words on the board, on a pad of their own that stays between `left` and `right`; `[x, y]` is its middle. */
export function drawLabel(
  ctx: Context,
  words: string,
  [x, y]: Point,
  px: number,
  within: readonly [left: number, right: number, top: number, bottom: number],
  colour: string,
  ink: string,
): void {
  ctx.save();
  ctx.font = `600 ${px}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const half = ctx.measureText(words).width / 2 + px * 0.5;
  const tall = px * 0.8;
  const [left, right, top, bottom] = within;
  const at_x = Math.max(left + half, Math.min(right - half, x));
  const at_y = Math.max(top + tall, Math.min(bottom - tall, y));
  ctx.beginPath();
  ctx.roundRect(at_x - half, at_y - tall, 2 * half, 2 * tall, px * 0.4);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.fillStyle = ink;
  ctx.fillText(words, at_x, at_y + px * 0.06);
  ctx.restore();
}
