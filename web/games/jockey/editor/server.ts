// What the editor asks of the server.

import { type Cell, type Course, isCourse } from "./course";

/** What the page tells the editor. */
export interface Told {
  game: string;
  setup: unknown;
  from: [string, string] | null;
  pools: { name: string; label: string }[];
  signed_in: boolean;
  /** Whether the visitor runs contests. */
  organises: boolean;
  formats: { name: string; extension: string; about: string }[];
  fields: LotField[];
}

/** A field of the form that makes courses by lot. */
export interface LotField {
  name: string;
  label: string;
  kind: { kind: "whole"; min: number; max: number; default: number } | { kind: "choice"; options: [string, string][] };
}

/** What is wrong with a course, and where. */
export interface Flaw {
  why: string;
  at: { cell: Cell } | { field: string } | null;
}

/** The server said no, in words for the visitor. */
export class Refused extends Error {
  constructor(
    words: string,
    readonly status: number,
    /** When to try again, where that was too often. */
    readonly retry_s: number | null,
  ) {
    super(words);
  }
}

/** One game's tools. Whatever goes wrong on the way is thrown as it is; `Refused` where the server says no. */
export class Server {
  constructor(private readonly game: string) {}

  /** The flaw of a course; null where it is good. */
  async check(course: Course, signal: AbortSignal): Promise<Flaw | null> {
    const answer = await this.#ask(`editor/check`, { method: "POST", body: JSON.stringify(course), signal });
    return ((await answer.json()) as { flaw: Flaw | null }).flaw;
  }

  /** The course in a file. */
  async read(file: File): Promise<Course> {
    const answer = await this.#ask(`editor/check?file=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    return course(((await answer.json()) as { setup: unknown }).setup);
  }

  /** A course by lot. */
  async draw(filled: URLSearchParams): Promise<Course> {
    const answer = await this.#ask(`editor/draw?${filled}`, {});
    return course(await answer.json());
  }

  /** The course as a file. */
  async write(it: Course, format: string): Promise<Blob> {
    const answer = await this.#ask(`editor/write?format=${encodeURIComponent(format)}`, { method: "POST", body: JSON.stringify(it) });
    return answer.blob();
  }

  /** Puts the course into a pool; its address there. */
  async save(it: Course, pool: string, name: string, replaces: boolean): Promise<string> {
    const query = new URLSearchParams({ setup: name, replaces: replaces ? "yes" : "no" });
    const answer = await this.#ask(`pools/${encodeURIComponent(pool)}/save?${query}`, { method: "POST", body: JSON.stringify(it) });
    return ((await answer.json()) as { address: string }).address;
  }

  async #ask(path: string, request: RequestInit): Promise<Response> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const answer = await fetch(`/games/${this.game}/${path}`, { ...request, headers });
    if (answer.ok) return answer;
    const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
    const retry = Number(answer.headers.get("retry-after") ?? Number.NaN);
    throw new Refused(problem.detail ?? `The server answered with ${answer.status}.`, answer.status, Number.isFinite(retry) ? retry : null);
  }
}

function course(it: unknown): Course {
  if (isCourse(it)) return it;
  throw new Error("The server sent a course that this page does not understand. Load the page anew.");
}
