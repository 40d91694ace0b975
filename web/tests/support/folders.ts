// Where things are, seen from the tests.

import { join } from "node:path";

declare global {
  interface ImportMeta {
    /** The folder of the tests; set by tests/run.mjs. */
    tests: string;
  }
}

export const TESTS = import.meta.tests;
export const WEB = join(TESTS, "..");
export const DIST = join(WEB, "dist");
/** Pictures of what went wrong, and of what there is to see. */
export const RESULTS = join(WEB, "test-results");
