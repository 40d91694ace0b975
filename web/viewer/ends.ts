// How programs end, in words: the same for every game that has processes.

/** How a program ended, as records have it. */
export type End = string | { exited: number } | { signalled: number };

const ENDS: Record<string, string> = {
  out_of_memory: "the program used more memory than it may",
  closed_output: "the program closed its output",
  unread: "the program left too much of what it was told unread",
  not_started: "the program could not be started",
};

/** How a program ended. */
export function end_words(end: End): string {
  if (typeof end === "string") return ENDS[end] ?? "the program ended";
  if ("exited" in end) return `the program ended by itself with exit code ${end.exited}`;
  return `the program was ended by signal ${end.signalled}`;
}
