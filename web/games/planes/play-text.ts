// Every word that who flies planes is told, besides those of the arena.

import type { KeyWords } from "../../viewer/game";
import type { Scene } from "./match";
import type { Order, Outlook } from "./orders";
import { text as arena } from "./text";
import { type Cell, type Sight, signs, type View } from "./view";

const WHERE = ["north", "south"] as const;

const spoken = (to: string) => [...to].map((it) => ({ N: "north", S: "south", W: "west", E: "east", D: "down", U: "up" })[it] ?? it).join("-");
const cell = (at: Cell) => at.join(" ");
const planes = (n: number) => (n === 1 ? "1 plane" : `${n} planes`);

export const text = {
  invitation: "Order your planes, then send.",
  between: "Go on to the next fight.",
  keys: [
    ["1 – 9", "direction in the layer, as the numeric pad lies, north at the top"],
    ["← ↑ → ↓", "one step on the pad"],
    ["U D", "a layer up, down"],
    ["C", "step aside or turn"],
    ["F", "shoot or not"],
    ["P", "the other plane"],
    ["Backspace", "straight on"],
    ["Enter", "send, or go on to the next fight"],
  ] satisfies KeyWords,

  orders: "Orders of this round",
  crafts: "Which plane",
  craft: (no: number) => `Plane ${no + 1}`,
  pad: (no: number) => `Where plane ${no + 1} goes`,
  layers: ["Down", "Level", "Up"] as const,
  marks: { wall: "✕", crash: "=", trap: "!" } as const,
  fates: {
    wall: "leaves the arena: the plane is lost",
    crash: "meets your other plane: both are lost",
    trap: "no way leads on from there: the plane is lost soon",
  } as const,
  legend: "✕ leaves the arena · = meets your other plane · ! no way on · ● straight on",
  aside: "Step aside",
  aside_how: (heading: string) => `keeps heading ${heading}`,
  aside_straight: "straight on is no step aside",
  shoot: "Shoot",
  gun: (cooldown: number) => (cooldown === 0 ? "can shoot" : `cools for ${cooldown === 1 ? "1 round" : `${cooldown} rounds`}`),
  straight: "Straight on",
  send: "Send",
  none_left: "Both of your planes are down.",
  down: "down",
  out: "You are asked no more in this match. Your planes fly straight on, and every further fight is lost.",
  not_allowed: (from: string, to: string) => `A plane that heads ${from} may not turn ${to}.`,
  nowhere: "That is where the plane is; it has to move.",
  go_on: (fight: number) => `Go on to fight ${fight}`,

  /** Fight, round and standing, for who flies. */
  standing(view: View, seat: number, names: readonly string[]): string {
    const [own, other] = [view.won[seat]!, view.won[1 - seat]!];
    return `Fight ${view.fight + 1} of ${view.fights}, round ${view.round + 1} of ${view.rounds}. Fights: you ${own}, ${names[1 - seat]} ${other}, drawn ${view.drawn}.`;
  },

  /** One direction of the pad, with all that is to be known of it. */
  choice(from: string, to: string, it: Outlook | null): string {
    const way = `${to === from ? "straight on, " : ""}${spoken(to)}`;
    if (it === null) return `${way}, not a turn that a plane heading ${spoken(from)} may make`;
    return `${way}, to ${cell(it.at)}${it.fate === null ? "" : `, ${text.fates[it.fate]}`}`;
  },

  /** An order in short, on the button of its plane. */
  short: (order: Order) => `${order.to}${order.aside ? " ⇆" : ""}${order.shoots ? " ✹" : ""}`,
  short_spoken: (order: Order) => `${spoken(order.to)}${order.aside ? ", aside" : ""}${order.shoots ? ", shoots" : ""}`,

  /** What becomes of a plane, in a sentence. */
  outlook(no: number, before: Sight, order: Order, it: Outlook): string {
    const heading = before[3];
    const went = order.to === heading ? `flies on ${order.to}` : order.aside ? `steps aside ${order.to}, still heading ${heading}` : `turns ${order.to}`;
    const shot = !it.fires ? "" : it.endangers ? ", shoots, and has your other plane in its line of fire" : ", and shoots";
    const fate = it.fate === null ? "" : ` It ${it.fate === "trap" ? "has no way on from there" : text.fates[it.fate]}.`;
    return `Plane ${no + 1} ${went} to ${cell(it.at)}${shot}.${fate}`;
  },

  /** What filled in an order that is not straight on. */
  turned: (no: number, to: string) => `Straight on would lose plane ${no + 1}, so ${to} is filled in.`,

  /** A fight is over. */
  over: (fight: number) => `Fight ${fight} is over`,

  /** How it ended, and how the match stands, for `seat`. */
  result(scene: Scene, view: View, seat: number, names: readonly string[]): string[] {
    const over = scene.over!;
    const left = over.how === "rounds" ? ` after the last round, with ${planes(over.left[seat]!)} against ${over.left[1 - seat]}` : ` in round ${over.rounds}`;
    const who = over.winner === null ? "It is a draw" : over.winner === seat ? "You win it" : `${names[1 - seat]} wins it`;
    const lost = arena.deaths(scene);
    const standing = `Fights won: you ${view.won[seat]}, ${names[1 - seat]} ${view.won[1 - seat]}, drawn ${view.drawn}; ${view.fights - view.fight} to go.`;
    return [`${who}${left}.${lost.length === 0 ? "" : ` ${lost.join(", ")}.`}`, standing, text.starts(view, seat)];
  },

  /** Where the own planes begin. */
  starts(view: View, seat: number): string {
    const first = view.planes[seat]![0];
    if (first === null || first === undefined) return "";
    const north = signs(first[3])[0] > 0;
    return `Your planes now start in the ${WHERE[north ? 0 : 1]}, ${north ? "at the floor" : "at the top"}.`;
  },
};
