// A whole judge of its own for a test: `agon up` on a free port, with data in
// a folder that is gone afterwards. AGON_BIN names the program; what it says
// is kept in web/test-results/agon.log.

import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
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
    return { url, said: () => said, stop };
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

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await end;
  clearTimeout(timer);
}
