// A whole judge of its own for a test: `agon up` on a free port, with data in
// a folder that is gone afterwards. AGON_BIN names the program; what it says
// is kept in web/test-results/agon.log.

import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { RESULTS, WEB } from "./folders";

const PROGRAM = process.env.AGON_BIN ?? join(WEB, "../target/debug/agon");

/** A fresh database, three parts, migrations: on a slow machine it takes a while. */
const START_MS_MAX = 120_000;
/** Stopping waits for bots and for Postgres. */
const STOP_MS_MAX = 60_000;

/** Of what it said, when it did not start. */
const SAID_CHARS_SHOWN = 4000;

/** A judge. */
export interface Agon {
  url: string;
  /** Everything it has said so far. */
  said(): string;
  /** Kills one of its parts, as if the power of that machine had gone, and waits until another has taken its place. */
  kill(part: "server" | "worker"): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a judge; `options` are those of `agon up`. */
export async function startAgon(...options: string[]): Promise<Agon> {
  if (!existsSync(PROGRAM)) throw new Error(`found no program ${PROGRAM}: build it, or name one by AGON_BIN`);
  const folder = mkdtempSync(join(tmpdir(), "agon-browser-test-"));
  // Its parts run under users of their own, who must be able to pass.
  chmodSync(folder, 0o755);
  mkdirSync(RESULTS, { recursive: true });
  const log = createWriteStream(join(RESULTS, "agon.log"));
  const child = spawn(PROGRAM, ["up", "--data", join(folder, "data"), "--listen", "127.0.0.1:0", ...options], {
    cwd: join(WEB, ".."),
    env: { ...process.env, RUST_BACKTRACE: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      said += text;
      log.write(text);
    });
  }
  const stop = async () => {
    await ended(child);
    log.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await within(START_MS_MAX, child, () => /the site is up at (http\S+)/.exec(said)?.[1]);
    return { url, said: () => said, kill: (part) => killed(child.pid!, part), stop };
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${said.slice(-SAID_CHARS_SHOWN)}`);
  }
}

async function within<T>(ms_max: number, child: ChildProcess, look: () => T | undefined): Promise<T> {
  for (let ms = 0; ms < ms_max; ms += 50) {
    const found = look();
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`agon ended with ${child.exitCode} before its site was up`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the site was not up within ${ms_max / 1000} s`);
}

/** The process that is a part of `agon up`, whose process is `up`. */
function partOf(up: number, part: "server" | "worker"): number | undefined {
  const word = { server: "serve", worker: "worker" }[part];
  const parents = new Map<number, number>();
  const is_part = new Set<number>();
  for (const pid of readdirSync("/proc").filter((it) => /^[0-9]+$/.test(it)).map(Number)) {
    try {
      parents.set(pid, Number(/^PPid:\s*([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0));
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] === word) is_part.add(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  const is_ours = (pid: number): boolean => pid === up || (pid > 1 && is_ours(parents.get(pid) ?? 0));
  return [...is_part].find((pid) => is_ours(pid));
}

async function killed(up: number, part: "server" | "worker"): Promise<void> {
  const before = partOf(up, part);
  if (before === undefined) throw new Error(`there is no ${part} to kill`);
  process.kill(before, "SIGKILL");
  for (let ms = 0; ms < START_MS_MAX; ms += 50) {
    const now = partOf(up, part);
    if (now !== undefined && now !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no other ${part} has come in ${START_MS_MAX / 1000} s`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await end;
  clearTimeout(timer);
}
