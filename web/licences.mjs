// Licences of the packages whose code goes to browsers: each must be one that
// leaves Agon under its own, and its notice is written beside that code.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Licences that ask for no more than their notice. */
export const ALLOWED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];

/** Names of files that hold a licence, or the notice that comes with one. */
const NOTICE = /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i;

/** The packages among the files that a build took in, by name. */
export function packagesOf(inputs) {
  const found = inputs.map((it) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(it)?.[1]);
  return [...new Set(found.filter((it) => it !== undefined))].sort();
}

/** The notices of these packages, as one text; throws where a licence does not fit, or its text is missing. */
export function noticesOf(packages, folder) {
  const notices = packages.map((name) => {
    const home = join(folder, name);
    const { version, license, homepage } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    if (!ALLOWED.includes(license)) throw new Error(`${name} ${version}: its licence is ${license ?? "not said"}, allowed are ${ALLOWED.join(", ")}`);
    const files = readdirSync(home).filter((it) => NOTICE.test(it)).sort();
    if (files.length === 0) throw new Error(`${name} ${version}: found no text of its licence ${license} in ${home}`);
    const texts = files.map((it) => readFileSync(join(home, it), "utf8").trim());
    return [`${name} ${version}${homepage ? `, ${homepage}` : ""} (${license})`, ...texts].join("\n\n");
  });
  const head = "Parts of what Agon sends to browsers were written by others, who let everybody use them under these licences.";
  return `${[head, ...notices].join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}
