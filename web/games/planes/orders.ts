// What a person may order two planes to do in a round, what becomes of each
// order as far as that is certain, and the text that says it. Enemies are left
// out: what they order is not known. Knows no page.

import { type Cell, cellOf, letters, N_PLANES, PLANES, type Sight, signs, type View } from "./view";

/** What one plane is to do. */
export interface Order {
  /** Where it goes. */
  to: string;
  /** It goes there, and heads where it did. */
  aside: boolean;
  shoots: boolean;
}

/** How an order ends a plane for certain: at once by the wall, at once by its own other plane, or soon, because no way leads on. */
export type Fate = "wall" | "crash" | "trap";

/** What is certain of a plane after an order. */
export interface Outlook {
  /** Its new cell; outside the arena for one that leaves it. */
  at: Cell;
  /** Its new heading. */
  heading: string;
  fate: Fate | null;
  /** Whether it fires: it is asked to, its gun is cool, and it lives to do so. */
  fires: boolean;
  /** Whether its own other plane is in its line of fire. */
  endangers: boolean;
}

/** A thing of each of the two planes; none where a plane is down. */
export type Pair<T> = readonly [T | null, T | null];

const AXIS: readonly number[] = [-1, 0, 1];

/** All directions: north to south, in each west to east, in each down to up. */
export const DIRECTIONS: readonly string[] = AXIS.flatMap((x) => AXIS.flatMap((y) => AXIS.map((z) => lettersOf([x, y, z])))).filter((it) => it !== "");

/** Rounds that are looked ahead for a way on: who has one for so long has one for ever. */
const AHEAD = 4;

/** The letters of a direction; none for no direction. */
export function lettersOf(way: Cell): string {
  return letters([0, 0, 0], way);
}

/** Whether a plane that heads `from` may turn `to`. */
export function mayTurn(from: string, to: string): boolean {
  const [one, other] = [signs(from), signs(to)];
  return [0, 1, 2].every((axis) => Math.abs(one[axis]! - other[axis]!) <= 1) && [0, 1, 2].some((axis) => one[axis] !== 0 && one[axis] === other[axis]);
}

/** Where a plane that heads `from` may turn to. */
export function turnsOf(from: string): readonly string[] {
  return TURNS.get(from) ?? [];
}

const TURNS = new Map(DIRECTIONS.map((from) => [from, DIRECTIONS.filter((to) => mayTurn(from, to))]));

/** The cell beside `at` in direction `to`. */
export function beside(at: Cell, to: string): Cell {
  const by = signs(to);
  return [at[0] + by[0], at[1] + by[1], at[2] + by[2]];
}

/** Whether a cell is in the arena. */
export function isInside(at: Cell, size: number): boolean {
  return at.every((it) => it >= 0 && it < size);
}

/** Whether no order keeps a plane in the arena, now or some rounds later. */
export function isTrapped(at: Cell, heading: string, size: number, rounds = AHEAD): boolean {
  if (rounds === 0) return false;
  return turnsOf(heading).every((to) => {
    const next = beside(at, to);
    return !isInside(next, size) || (isTrapped(next, to, size, rounds - 1) && isTrapped(next, heading, size, rounds - 1));
  });
}

/** The own planes of a seat. */
export function ownOf(view: View, seat: number): Pair<Sight> {
  const own = view.planes[seat]!;
  return [own[0]!, own[1]!];
}

/** What becomes of both planes of a seat. */
export function outlook(view: View, seat: number, orders: Pair<Order>): Pair<Outlook> {
  const own = ownOf(view, seat);
  const alone = PLANES.map((no) => {
    const [sight, order] = [own[no], orders[no]];
    return sight === null || sight === undefined || order === null || order === undefined ? null : flown(sight, order, view.size);
  });
  const [one, other] = alone as [Outlook | null, Outlook | null];
  if (one === null || other === null) return [one, other];
  if (one.fate !== "wall" && other.fate !== "wall" && isSame(one.at, other.at)) {
    const crash = { fate: "crash", fires: false } as const;
    return [{ ...one, ...crash }, { ...other, ...crash }];
  }
  const endangers = (it: Outlook, whom: Outlook) => it.fires && whom.fate !== "wall" && isAhead(it.at, it.heading, whom.at);
  return [
    { ...one, endangers: endangers(one, other) },
    { ...other, endangers: endangers(other, one) },
  ];
}

/** What becomes of plane `no` for each turn that it may make, everything else as ordered. */
export function ways(view: View, seat: number, no: 0 | 1, orders: Pair<Order>): { to: string; outlook: Outlook }[] {
  const [sight, order] = [ownOf(view, seat)[no], orders[no]];
  if (sight === null || order === null) return [];
  return turnsOf(sight[3]).map((to) => {
    const changed = PLANES.map((it) => (it === no ? { ...order, to } : orders[it]!)) as unknown as Pair<Order>;
    return { to, outlook: outlook(view, seat, changed)[no]! };
  });
}

/** What both planes do where nobody has ordered anything: straight on; where that ends them, the turn nearest to it that does not. */
export function usual(view: View, seat: number): Pair<Order> {
  const orders: [Order | null, Order | null] = [null, null];
  for (const no of PLANES) {
    const sight = ownOf(view, seat)[no];
    if (sight === null) continue;
    const heading = sight[3];
    orders[no] = { to: heading, aside: false, shoots: false };
    if (outlook(view, seat, orders)[no]!.fate === null) continue;
    const good = ways(view, seat, no, orders).filter((it) => it.outlook.fate === null);
    const apart = (to: string) => signs(to).reduce((sum, it, axis) => sum + Math.abs(it - signs(heading)[axis]!), 0);
    good.sort((a, b) => apart(a.to) - apart(b.to));
    if (good[0] !== undefined) orders[no] = { to: good[0].to, aside: false, shoots: false };
  }
  return orders;
}

/** The direction that lies one step along an axis from another; none where that is none. */
export function nudged(to: string, axis: 0 | 1 | 2, by: 1 | -1): string | null {
  const way = [...signs(to)];
  way[axis] = Math.min(1, Math.max(-1, way[axis]! + by));
  const found = lettersOf(way as unknown as Cell);
  return found === "" ? null : found;
}

/** The orders as the judge takes them: `SU! N~` is a turn with a shot, and a step aside. */
export function actionOf(orders: Pair<Order>): string {
  return Array.from({ length: N_PLANES }, (_, no) => {
    const order = orders[no];
    // Of a plane that is down nobody asks anything.
    return order === null || order === undefined ? "?" : `${order.to}${order.aside ? "~" : ""}${order.shoots ? "!" : ""}`;
  }).join(" ");
}

function flown(sight: Sight, { to, aside, shoots }: Order, size: number): Outlook {
  const [, , , before, cooldown] = sight;
  const at = beside(cellOf(sight), to);
  const heading = aside ? before : to;
  const fate = !isInside(at, size) ? "wall" : isTrapped(at, heading, size) ? "trap" : null;
  return { at, heading, fate, fires: shoots && cooldown === 0 && fate !== "wall", endangers: false };
}

function isSame(one: Cell, other: Cell): boolean {
  return one.every((it, axis) => it === other[axis]);
}

/** Whether `whom` lies straight ahead of `at`. */
function isAhead(at: Cell, heading: string, whom: Cell): boolean {
  const way = signs(heading);
  const far = Math.max(...[0, 1, 2].map((axis) => Math.abs(whom[axis]! - at[axis]!)));
  return far > 0 && [0, 1, 2].every((axis) => whom[axis]! - at[axis]! === way[axis]! * far);
}
