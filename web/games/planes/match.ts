// A whole match of Planes, from its positions: one scene a frame, what each
// plane did and how it died, how the fights ended, where to find a round. The
// last round of a fight is a scene of that fight, though the position after it
// is the start of the next one. Knows no page.

import type { Moment } from "../../viewer/game";
import { ReplayError, type Replay } from "../../viewer/replay";
import { text } from "./text";
import {
  type Cell,
  cellOf,
  type Event,
  letters,
  type Name,
  N_SEATS,
  perPlane,
  type PerPlane,
  readEvents,
  readView,
  SEATS,
  PLANES,
  type Sight,
  type View,
} from "./view";

/** Steps of a trail; what is older is forgotten. */
export const TRAIL_MAX = 14;

/** How a plane flew in a round. */
export type Flight = "straight" | "turn" | "lane";

/** What a plane died of. */
export type Death = "wall" | "crash" | "shot";

/** A plane in a scene. */
export interface Plane {
  /** Where it is, or was when it died: for who flew into a wall, the cell outside. */
  at: Cell;
  heading: string;
  cooldown: number;
  alive: boolean;
  /** Where it was before the round; null where it did not fly in it. */
  from: Cell | null;
  /** Where it headed then. */
  heading_before: string;
  /** In which direction it went. */
  went: string;
  flight: Flight;
  /** What it died of in this round. */
  death: Death | null;
  /** The rounds before are seen as a trail, the newest last; the cell before the first one comes first. */
  trail: readonly Step[];
}

/** A step of a trail, and where it led. */
export interface Step {
  at: Cell;
  flight: Flight;
}

/** A shot of a round. */
export interface Shot {
  by: Name;
  from: Cell;
  to: Cell;
  hit: readonly Name[];
}

/** A place where a plane died in this fight. */
export interface Wreck {
  of: Name;
  at: Cell;
  /** Whether it was in the round of the scene. */
  fresh: boolean;
}

/** What is to be seen in one frame. */
export interface Scene {
  fight: number;
  /** Rounds that were flown; 0 at the start of a fight. */
  round: number;
  planes: PerPlane<Plane>;
  shots: readonly Shot[];
  wrecks: readonly Wreck[];
  /** How the fight ended, if it did with this round. */
  over: Extract<Event, { event: "fight_ended" }> | null;
  won: readonly [number, number];
  drawn: number;
  late: readonly [number, number];
  out: readonly [boolean, boolean];
  first: number;
  events: readonly Event[];
  /** The match is over. */
  end: boolean;
}

/** One fight, as far as it has been flown. */
export interface Fight {
  /** Its frames in order; of a fight after the first one, the first is the one after its first round. */
  first_frame: number;
  last_frame: number;
  winner: number | null;
  over: boolean;
}

/** A match, read as far as it has come. */
export class Match {
  readonly views: View[] = [];
  readonly scenes: Scene[] = [];
  readonly fights: Fight[] = [];
  readonly size: number;

  /** Throws `ReplayError` where a position is not this game's. */
  constructor(private readonly replay: Replay) {
    if (replay.seats.length !== N_SEATS) throw new ReplayError(`seats has ${replay.seats.length} entries, a match has ${N_SEATS}`);
    this.size = readView(replay.frames[0]!, 0).size;
    this.read_on();
  }

  /** Reads frames that have been appended. */
  read_on(): void {
    const { frames } = this.replay;
    for (let index = this.views.length; index < frames.length; index++) {
      const view = readView(frames[index]!, index);
      if (view.size !== this.size) throw new ReplayError(`frames[${index}].view: size is ${view.size}, it was ${this.size}`);
      const events = readEvents(frames[index]!, index);
      this.views.push(view);
      const scene = index === 0 ? opening(view, events) : this.#next(index, events);
      this.scenes.push(scene);
      this.#note(scene, index);
    }
  }

  /** Whether the last frame is the end of a fight while the next one waits for its first round. */
  get is_between(): boolean {
    const index = this.views.length - 1;
    return this.scenes[index]!.over !== null && this.views[index]!.end === null;
  }

  /** Shows the fight that has begun in place of the end of the one before: for who is asked its first round. */
  begin_fight(): void {
    if (!this.is_between) return;
    const index = this.views.length - 1;
    const scene = opening(this.views[index]!, []);
    this.scenes[index] = scene;
    this.#note(scene, index);
  }

  /** The start of the round that led to `frame`: the scene before, or the start of a fight. */
  before(frame: number): Scene {
    const last = this.scenes[frame - 1];
    if (last === undefined) return this.scenes[frame]!;
    return last.fight === this.scenes[frame]!.fight ? last : opening(this.views[frame - 1]!, []);
  }

  /** The frame after round `round` of `fight`, both counted from 1; the nearest where there is none. */
  frame_of(fight: number, round: number): number {
    const last = this.fights.length - 1;
    const { first_frame, last_frame } = this.fights[Math.min(last, Math.max(0, fight - 1))]!;
    for (let frame = first_frame; frame <= last_frame; frame++) if (this.scenes[frame]!.round >= round) return frame;
    return last_frame;
  }

  /** Moments worth a mark, in order. */
  moments(): Moment[] {
    const found: Moment[] = [];
    let warned = false;
    const names = this.replay.seats.map((it) => it.name);
    this.scenes.forEach((scene, frame) => {
      const at = text.heading(scene);
      const add = (kind: Moment["kind"], weight: number, words: string) => found.push({ frame, kind, weight, label: `${at}: ${words}` });
      const out = scene.events.find((it) => it.event === "out");
      if (scene.end) add("end", 1000, text.result(scene, names));
      else if (out?.event === "out") add("bad", 100, text.event(out, names)!);
      else if (scene.over !== null) add("end", 40, text.event(scene.over, names)!);
      else if (scene.planes.some((of) => of.some((it) => it.death !== null))) add("good", 10, text.deaths(scene).join(", "));
      else if (!warned && this.replay.frames[frame]!.remarks.some((it) => it.kind === "warning")) {
        warned = true;
        add("note", 1, text.first_warning);
      }
    });
    return found;
  }

  #next(index: number, events: Event[]): Scene {
    const view = this.views[index]!;
    const before = this.#origin(index);
    let scene = before;
    // Where both seats are out, one ply flies all that is left of a fight.
    for (const [no, it] of events.entries()) if (it.event === "flown") scene = flown(scene, it, events.slice(no + 1));
    const over = events.find((it) => it.event === "fight_ended");
    const { won, drawn, late, out } = view;
    return { ...scene, events, over: over?.event === "fight_ended" ? over : null, won, drawn, late, out, end: view.end !== null };
  }

  /** What a ply was played from. */
  #origin(index: number): Scene {
    const last = this.scenes[index - 1]!;
    return last.over === null ? last : opening(this.views[index - 1]!, []);
  }

  #note(scene: Scene, frame: number): void {
    for (let fight = this.fights.length; fight <= scene.fight; fight++) {
      this.fights.push({ first_frame: frame, last_frame: frame, winner: null, over: false });
    }
    const fight = this.fights[scene.fight]!;
    fight.last_frame = frame;
    fight.over = scene.over !== null;
    fight.winner = scene.over?.winner ?? null;
  }
}

/** The start of a fight, as `view` has it; also a position in its middle, with nothing known of what was before. */
function opening(view: View, events: Event[]): Scene {
  const planes = perPlane((seat, no): Plane => {
    const sight = view.planes[seat]![no]!;
    if (sight === null) return { ...GONE };
    const [, , , heading, cooldown] = sight;
    const at = cellOf(sight);
    return { ...GONE, at, heading, cooldown, alive: true, heading_before: heading, trail: [{ at, flight: "straight" }] };
  });
  const { fight, round, won, drawn, late, out, first, end } = view;
  return { fight, round, planes, shots: [], wrecks: [], over: null, won, drawn, late, out, first, events, end: end !== null };
}

const GONE: Plane = {
  at: [0, 0, 0],
  heading: "N",
  cooldown: 0,
  alive: false,
  from: null,
  heading_before: "N",
  went: "",
  flight: "straight",
  death: null,
  trail: [],
};

/** A round is flown; `after` is what was told of it, and of what came then. */
function flown(before: Scene, round: Extract<Event, { event: "flown" }>, after: readonly Event[]): Scene {
  const until = after.findIndex((it) => it.event === "flown");
  const told = until === -1 ? after : after.slice(0, until);
  const shots = told.flatMap((it): Shot[] => (it.event === "shot" ? [{ by: it.plane, from: it.from, to: it.to, hit: it.hit }] : []));
  const planes = perPlane((seat, no): Plane => {
    const was = before.planes[seat]![no]!;
    const sight = round.planes[seat]![no]!;
    // Who died before this round is told of no more.
    if (sight === null) return { ...was, alive: false, from: null, death: null, trail: [] };
    return fly(was, sight, deathOf([seat, no], told));
  });
  const old = before.wrecks.map((it) => ({ ...it, fresh: false }));
  const fresh = SEATS.flatMap((seat) => PLANES.map((no) => [seat, no] as const))
    .filter(([seat, no]) => planes[seat]![no]!.death !== null)
    .map((of) => ({ of, at: planes[of[0]]![of[1]]!.at, fresh: true }));
  return { ...before, round: round.round + 1, planes, shots, wrecks: [...old, ...fresh] };
}

function fly(was: Plane, sight: Sight, death: Death | null): Plane {
  const [, , , heading, cooldown] = sight;
  const at = cellOf(sight);
  const went = letters(was.at, at);
  const flight: Flight = heading !== was.heading ? "turn" : went === heading ? "straight" : "lane";
  const trail = [...was.trail, { at, flight }].slice(-TRAIL_MAX - 1);
  return { at, heading, cooldown, alive: death === null, from: was.at, heading_before: was.heading, went, flight, death, trail };
}

function deathOf([seat, no]: Name, told: readonly Event[]): Death | null {
  const is = (it: Name) => it[0] === seat && it[1] === no;
  for (const it of told) {
    if (it.event === "wall" && is(it.plane)) return "wall";
    if (it.event === "crash" && is(it.plane)) return "crash";
    if (it.event === "shot" && it.hit.some(is)) return "shot";
  }
  return null;
}
