// Programs that the browser tests upload: the documented ones of the house,
// and those that fail, each in its own way.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { WEB } from "./folders";

/** A program to upload. */
export interface Program {
  file_name: string;
  source: string | Uint8Array;
}

/** A documented bot of `config/games/labyrinth/bots`. */
export function documented(file_name: string): Program {
  const source = readFileSync(join(WEB, "../config/games/labyrinth/bots", file_name), "utf8");
  return { file_name, source };
}

/** The documented architect in C++, with a line that every compiler remarks on. */
export function remarkable(): Program {
  const { source } = documented("architect.cpp");
  return { file_name: "remarkable.cpp", source: `#warning "hedges wanted"\n${source}` };
}

/** The documented adventurer in a tar.gz, beside the file that begins it. */
export function archived(): Program {
  const folder = mkdtempSync(join(tmpdir(), "agon-archive-"));
  const bot = join(folder, "bot");
  mkdirSync(join(bot, "data"), { recursive: true });
  writeFileSync(join(bot, "walker.py"), documented("adventurer.py").source);
  writeFileSync(join(bot, "main.py"), "import walker\n");
  writeFileSync(join(bot, "data/openings.txt"), "right\n".repeat(2000));
  execFileSync("tar", ["czf", "bot.tar.gz", "bot"], { cwd: folder });
  const source = readFileSync(join(folder, "bot.tar.gz"));
  rmSync(folder, { recursive: true });
  return { file_name: "my adventurer.tar.gz", source };
}

/** Does not compile. */
export const broken: Program = {
  file_name: "broken.cpp",
  source: "#include <iostream>\nint main() { std::cout << undeclared_treasure; }\n",
};

/** Answers its first turns, and ends with an exception in the sixth. */
export const crashing: Program = {
  file_name: "crashing.py",
  source: `import sys
for turn in range(5):
    print("#END", flush=True)
sys.stderr.write("about to look for the treasure\\n")
print({}["treasure"])
`,
};

/** Writes a line without end. */
export const flooding: Program = {
  file_name: "flooding.py",
  source: `while True:
    print("x" * 1000, end="")
`,
};

/** Sleeps in its first turn for longer than any turn may take. */
export const sleeping: Program = {
  file_name: "sleeping.py",
  source: `import time
time.sleep(3600)
`,
};

/** Ends its turns as it should, but says nothing that means anything; twice in each, so that patience ends within 64 rounds. */
export const babbling: Program = {
  file_name: "babbling.py",
  source: `while True:
    print("Open Sesame", flush=True)
    print("MakeStep home", flush=True)
    print("#END", flush=True)
`,
};

/** Walks along the edge, thinking for a while before each step, and says so. */
export const dreaming: Program = {
  file_name: "dreaming.py",
  source: `import time
for turn in range(10000):
    time.sleep(0.4)
    print("#PRINT dreaming of gold in turn", turn + 1)
    print("MakeStep", 3 if turn % 2 else 0)
    print("#END", flush=True)
`,
};
