// Every word the transport says, kept apart so that it can be said in other
// languages.

export const text = {
  loading: "Loading the replay…",
  replay: "Replay",
  board: (seats: string) => `Board. ${seats}. Space plays and pauses, arrow keys step, question mark for help.`,
  controls: "Replay controls",
  play: "Play",
  pause: "Pause",
  start: "To the start",
  end: "To the end",
  to_live: "To the live end",
  back: "One step back",
  on: "One step on",
  speed: "Speed",
  speed_of: (speed: number) => `${speed}×`,
  position: "Position in the match",
  moment_back: "Previous marked moment",
  moment_on: "Next marked moment",
  copy: "Copy a link to this moment",
  copied: "Link copied",
  copy_by_hand: "Copy this link:",
  fullscreen: "Full screen",
  fullscreen_off: "Leave full screen",
  help: "Keyboard help",
  close: "Close",
  live: "Live",
  live_behind: (n: number) => `${n} behind live`,
  live_lost: "The connection is lost. Trying again…",
  live_over: "The match is over.",
  plies: "What happened",
  only_remarks: "Only log lines and warnings",
  nothing_yet: "Nothing yet: this is before the first move.",
  no_remarks: "No log lines or warnings up to here.",
  log: "log",
  warning: "warning",
  took: (cpu: string, wall: string) => `computed for ${cpu}, ${wall} in all`,
  ms(ms: number): string {
    if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
    if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
    if (ms >= 10) return `${Math.round(ms)} ms`;
    if (ms >= 0.1) return `${+ms.toFixed(1)} ms`;
    // An answer that lay ready in the pipe took no time that can be measured.
    return ms >= 0.001 ? `${Math.round(ms * 1000)} µs` : "under 1 µs";
  },
  moment_at: (label: string, frame: number) => `${label} (step ${frame})`,
  step_of: (frame: number, last: number) => `${frame} / ${last}`,
  spoken_step: (frame: number, last: number) => `Step ${frame} of ${last}.`,
  playing: (speed: number) => `Playing at ${speed} times speed.`,
  paused: "Paused.",
  retry: "Try again",
  help_title: "Keys",
  keys: [
    ["Space", "play or pause"],
    ["← →", "one step back or on"],
    ["Shift ← →", "ten steps back or on"],
    ["Home End", "to the start, to the end"],
    ["0 – 9", "to 0 % … 90 % of the match"],
    ["P N", "previous, next marked moment"],
    ["- +", "slower, faster"],
    ["C", "copy a link to this moment"],
    ["F", "full screen"],
    ["?", "this help"],
  ] as const,
  errors: {
    no_source: "No replay was named, so there is nothing to show.",
    network: "The replay could not be fetched. Check your connection, then try again.",
    missing: "There is no such replay. The match may have been removed, or may not have started yet.",
    early: "This match is not over yet. Its replay is made when it ends; then try again.",
    gone: "This replay cannot be shown any more: the match was void, or was played under rules that this server has no longer.",
    denied: "You may not see this replay. Sign in as somebody who may.",
    server: (status: number) => `The server could not hand out the replay (status ${status}). Try again in a minute.`,
    too_large: (mb: number, mb_max: number) =>
      `The replay is ${mb} MB large; more than ${mb_max} MB cannot be shown. Download the record instead.`,
    no_json: "The replay arrived damaged: it is not valid JSON. Try again; if that does not help, tell the organiser.",
    bad_replay: (why: string) => `The replay cannot be read: ${why}. Reload the page; if that does not help, tell the organiser.`,
    unknown_game: (game: string, known: string) =>
      `There is no viewer for the game “${game}”. Known here: ${known}. Reload the page to get the newest viewers.`,
    viewer_lost: "The viewer of this game could not be fetched. Check your connection, then try again.",
    broken: (why: string) => `The viewer stopped because of a fault of ours (${why}). Reload the page, and please report it.`,
  },
} as const;
