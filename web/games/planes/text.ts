// Every word the arena of Planes says.

import { end_words } from "../../viewer/ends";
import type { KeyWords } from "../../viewer/game";
import type { Flight, Plane, Scene } from "./match";
import { type Cause, type Cell, type Event, type Name, PLANES, SEATS } from "./view";

/** A cell as bots name it. */
const cell = (at: Cell) => at.join(", ");

const WAYS: Record<string, string> = { N: "north", S: "south", W: "west", E: "east", D: "down", U: "up" };

/** `NWU` for people who hear it: `north-west-up`. */
const spoken = (heading: string) => [...heading].map((it) => WAYS[it] ?? it).join("-");

const fights = (n: number) => (n === 1 ? "1 fight" : `${n} fights`);
const more = (n: number) => (n === 1 ? "1 more fight is" : `${n} more fights are`);
const rounds = (n: number) => (n === 1 ? "1 round" : `${n} rounds`);

export const text = {
  fight: "Fight",
  of: (n: number) => `of ${n}`,
  round: "Round",
  fight_back: "Previous fight",
  fight_on: "Next fight",
  start: "start",
  facts: (n_fights: number, size: number) => `${fights(n_fights)}, ${size} × ${size} × ${size} cells`,
  version: (n: number) => `v${n}`,
  fight_no: (no: number) => `Fight ${no + 1}`,
  marks: ["▲", "✚"] as const,
  mark_drawn: "–",
  standing: ({ fight, won: [one, other], drawn }: Scene) => `Fight ${fight + 1}: ▲ has won ${one}, ✚ has won ${other}, ${drawn} drawn`,
  player: (no: number) => `player ${no}`,
  won: "Fights won",
  drawn: (n: number) => `${fights(n)} drawn`,
  points: (n: number) => (n === 1 ? "1 match point" : `${n} match points`),
  late: (n: number) => `${n} late`,
  out: "asked no more",
  dead: "down",
  ready: "can shoot",
  cooling: "cooling",
  cooldown: (n: number) => `cools for ${rounds(n)}`,
  first_warning: "first warning of the judge",
  legend: "Shown in the arena",
  layers: { trails: "Trails", labels: "Names", aims: "Lines of fire" },
  signs: { shot: "Shot", aside: "Lane change", wreck: "Lost" },
  no_webgl: "This browser shows no 3D here, so the arena is drawn from three sides.",
  lost: "The 3D picture was lost, so the arena is drawn from three sides. Choose a camera to try again.",
  loading: "The 3D picture is on its way…",
  unfetched: "The 3D picture could not be fetched, so the arena is drawn from three sides. Choose a camera to try again.",
  arena: "Arena in 3D. Arrow keys turn it, plus and minus come nearer and go away, 0 puts it back.",
  sides: ["from above", "from the south", "from the east"] as const,
  cameras: "Cameras",
  camera: {
    whole: "Whole arena",
    above: "From above",
    side: "From the side",
    flat: "Three sides",
  },
  camera_keys: { whole: "W", above: "A", side: "S", flat: "T", follow: "L" },
  follow: (name: string) => `Follow ${name}`,
  key: (what: string, key: string) => `${what} (key ${key})`,
  /** For the help: those that go on in the arena itself only work with the focus there. */
  keys: {
    cameras: [
      ["W A S", "look at the whole arena, from above, from the side"],
      ["T", "the arena from three sides"],
      ["L", "follow the next plane"],
    ],
    fights: [["[ ]", "previous, next fight"]],
    arena: [
      ["← → ↑ ↓", "turn the arena, with the focus on it"],
      ["+ - 0", "nearer, farther, back, with the focus on it"],
    ],
  } satisfies Record<string, KeyWords>,
  near: "Nearer",
  far: "Farther",

  /** A plane on the picture: `▲1`. */
  plane: ([seat, no]: Name): string => `${text.marks[seat as 0 | 1]}${no + 1}`,

  /** The same beside its picture, where a change of lane has a sign. */
  label: ({ name, flight }: { name: Name; flight: Flight }): string => `${text.plane(name)}${flight === "lane" ? " ⇆" : ""}`,

  heading: (scene: Scene) => `Fight ${scene.fight + 1}, ${scene.round === 0 ? "start" : `round ${scene.round}`}`,

  /** The end of a match. */
  result(scene: Scene, names: readonly string[]): string {
    const [one, other] = scene.won;
    const drawn = scene.drawn === 0 ? "" : `, ${scene.drawn} drawn`;
    if (one === other) return `A draw: ${one} fights won each${drawn}`;
    const winner = one > other ? 0 : 1;
    return `${names[winner]} wins the match: ${scene.won[winner]} fights against ${scene.won[1 - winner]}${drawn}`;
  },

  /** What a plane did in a round, without its name. */
  flight({ flight, went, at, heading }: Plane, where: (at: Cell) => string = cell): string {
    if (flight === "lane") return `changes its lane ${went} to ${where(at)}, still heading ${heading}`;
    return flight === "turn" ? `turns ${heading} to ${where(at)}` : `flies on ${heading} to ${where(at)}`;
  },

  death(name: string, plane: Plane): string {
    if (plane.death === "wall") return `${name} flies into the wall`;
    return plane.death === "crash" ? `${name} crashes at ${cell(plane.at)}` : `${name} is shot down`;
  },

  /** Who died in a round, and of what. */
  deaths(scene: Scene): string[] {
    return planesOf(scene)
      .filter(({ plane }) => plane.death !== null)
      .map(({ name, plane }) => text.death(text.plane(name), plane));
  },

  shots(scene: Scene): string[] {
    return scene.shots.map(({ by, to, hit }) => {
      const words = hit.length > 0 ? `hits ${hit.map(text.plane).join(" and ")} at ${cell(to)}` : `to ${cell(to)}, hits nothing`;
      return `${text.plane(by)} shoots ${hit.length > 0 ? "and " : ""}${words}`;
    });
  },

  /** What an event says besides flights, shots and deaths; null where those say it. */
  event(it: Event, names: readonly string[]): string | null {
    switch (it.event) {
      case "late":
        return `${names[it.seat]} is late: its planes fly straight on (late turn ${it.turns})`;
      case "out":
        return `${names[it.seat]} is asked no more: ${text.cause(it.cause)}`;
      case "garbled":
        return `${text.plane(it.plane)} got no move that can be read, and flies straight on`;
      case "refused":
        return `${text.plane(it.plane)} may not turn ${it.turn}, and flies straight on`;
      case "fight_ended": {
        const left = it.how === "rounds" ? `after the last round, ${it.left[0]} planes against ${it.left[1]}` : `after ${rounds(it.rounds)}`;
        return it.winner === null ? `the fight is a draw ${left}` : `${names[it.winner]} wins the fight ${left}`;
      }
      case "forfeited":
        return it.winner === null
          ? `${more(it.fights)} not fought, and drawn`
          : `${more(it.fights)} not fought, and won by ${names[it.winner]}`;
      default:
        return null;
    }
  },

  cause(cause: Cause): string {
    switch (cause.kind) {
      case "late":
        return "too many turns were late";
      case "total":
        return "its thinking time for the match is used up";
      case "gone":
        return end_words(cause.end);
      case "protocol":
        return `against the protocol: ${cause.why}`;
    }
  },

  /** What is worth a line under the arena. */
  message(scene: Scene, names: readonly string[]): string {
    const told = [...scene.events.filter((it) => it.event !== "fight_ended" && it.event !== "forfeited").map((it) => text.event(it, names))];
    const hits = text.shots({ ...scene, shots: scene.shots.filter((it) => it.hit.length > 0) });
    const others = text.deaths({ ...scene, planes: scene.planes.map((of) => of.map((it) => (it.death === "shot" ? { ...it, death: null } : it))) });
    const ends = scene.events.filter((it) => it.event === "fight_ended" || it.event === "forfeited").map((it) => text.event(it, names));
    const parts = [...told, ...hits, ...others, ...ends, scene.end ? text.result(scene, names) : null];
    return sentences(parts.filter((it) => it !== null));
  },

  /** The list beside the arena: a line for each plane, then what happened. */
  lines(scene: Scene, names: readonly string[]): string {
    const flights = planesOf(scene)
      .filter(({ plane }) => plane.from !== null && plane.death !== "wall")
      .map(({ name, plane }) => `${text.plane(name)} ${text.flight(plane)}`);
    const events = scene.events.map((it) => text.event(it, names)).filter((it) => it !== null);
    const all = [...flights, ...text.shots(scene), ...text.deaths(scene), ...events];
    if (scene.end) all.push(text.result(scene, names));
    return all.map(capital).join("\n") || text.ready_to_fight;
  },
  ready_to_fight: "All planes are at their starts.",

  /** The whole position in words. */
  describe(scene: Scene, names: readonly string[], n_fights: number): string {
    const parts = [`Fight ${scene.fight + 1} of ${n_fights}, ${scene.round === 0 ? "at the start" : `round ${scene.round}`}`];
    const happened = text.message(scene, names);
    for (const seat of SEATS) {
      const planes = PLANES.map((no) => {
        const { alive, at, heading, cooldown, flight, from } = scene.planes[seat]![no]!;
        if (!alive) return `plane ${no + 1} is down`;
        const lane = flight === "lane" && from !== null ? ", having changed its lane" : "";
        return `plane ${no + 1} is at ${cell(at)}, heading ${spoken(heading)}${lane}, ${cooldown > 0 ? text.cooldown(cooldown) : "can shoot"}`;
      });
      parts.push(`${names[seat]}: ${planes.join("; ")}`);
    }
    const misses = text.shots({ ...scene, shots: scene.shots.filter((it) => it.hit.length === 0) });
    parts.push(...misses);
    parts.push(`Fights won: ${names[0]} ${scene.won[0]}, ${names[1]} ${scene.won[1]}, drawn ${scene.drawn}`);
    const said = sentences(parts);
    return happened === "" ? said : `${said} ${happened}`;
  },
};

function planesOf(scene: Scene): { name: Name; plane: Plane }[] {
  return SEATS.flatMap((seat) => PLANES.map((no) => ({ name: [seat, no] as const, plane: scene.planes[seat]![no]! })));
}

function sentences(parts: readonly string[]): string {
  return parts.map((it) => `${capital(it)}.`).join(" ");
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
