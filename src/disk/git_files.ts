// What a store says to git, in `.gitignore` and `.gitattributes` of its own. A store that git versions
// is one that others write too: rows come and go with branches, and merges bring back what one side
// had removed.

import type { Files } from "./files.ts";
import { isVersioned } from "./conflicts.ts";
import { type Layout, ownNames } from "./layout.ts";
import { readText, replaceText } from "./text_files.ts";

/** What people share; everything else is derived, or of one machine and one user. */
const versioned: ReadonlySet<string> = new Set([
  "history.ndjson",
  "history.archive.ndjson",
  "history.bad.ndjson",
  "sessions.ndjson",
  "collections.ndjson",
  "pins.md",
  "summary.md",
  "manifest.md",
  "config.jsonc",
  "guards.jsonc",
  ".gitignore",
  ".gitattributes",
]);

const ignored: ReadonlySet<string> = ownNames.difference(versioned);

/** Whether a name in the store is for one machine alone. */
export function isIgnoredName(name: string): boolean {
  return ignored.has(name) || /\.ndjson\.\d+$|\.tmp$/.test(name);
}

const ignoreAll = ["# ctx keeps this store out of git; `ctx init --commit` versions it.", "*"];

const ignoreOwn = [
  "# ctx versions the logs and leaves out what is derived, or of one machine.",
  ...[...ignored].map((name) => `/${name}${name.includes(".") ? "" : "/"}`),
  "*.tmp",
  "*.ndjson.*",
];

const attributes = [
  "# Lines of ctx's logs are rows of their own: a merge keeps those of both sides, as they are.",
  "* -text",
  "*.ndjson merge=union",
  "*.md merge=union",
  // Ignored today; of a store that still has it in git, what a merge makes of it is made anew.
  "state.json merge=union",
];

/** Whether the store's rules let git see its logs. */
export function mayVersion(files: Files, { gitignore }: Pick<Layout, "gitignore">): boolean {
  const lines = linesOf(files, gitignore);
  return lines.length > 0 && !lines.includes("*");
}

/** The files for git that lack rules of a store that git versions. */
export function findGitGaps(files: Files, layout: Layout): string[] {
  return [
    ...(hasLines(files, layout.gitignore, ignoreOwn) ? [] : [".gitignore"]),
    ...(hasLines(files, layout.gitattributes, attributes) ? [] : [".gitattributes"]),
  ];
}

/** Lets git version the store; rules that people wrote stay. Returns the names that changed. */
export function versionStore(files: Files, layout: Layout): string[] {
  const gaps = findGitGaps(files, layout);
  if (gaps.includes(".gitignore")) addLines(files, layout.gitignore, ignoreOwn);
  if (gaps.includes(".gitattributes")) addLines(files, layout.gitattributes, attributes);
  return [...gaps, ...addEmpty(files, layout)];
}

/** A file that one side changes and the other does not have is a conflict; an empty one is none. */
function addEmpty(files: Files, layout: Layout): string[] {
  const { history, quarantine, sessions, collections, pins, summary } = layout;
  const paths = [history.archive, quarantine, sessions, collections, pins, summary]
    .filter((path) => files.findSize(path) === undefined);
  for (const path of paths) files.append(path, new Uint8Array(), { sync: true });
  return paths.map((path) => path.slice(layout.root.length + 1));
}

/** Keeps the store out of git. Returns the names that changed. */
export function unversionStore(files: Files, layout: Layout): string[] {
  replaceText(files, layout.gitignore, toText(ignoreAll));
  if (!isVersioned(files, layout)) return [".gitignore"];
  const rest = linesOf(files, layout.gitattributes).filter((line) => !attributes.includes(line));
  if (rest.length === 0) files.remove(layout.gitattributes);
  else replaceText(files, layout.gitattributes, toText(rest));
  return [".gitignore", ".gitattributes"];
}

function hasLines(files: Files, path: string, wanted: readonly string[]): boolean {
  const lines = new Set(linesOf(files, path));
  return !lines.has("*") && wanted.every((line) => line.startsWith("#") || lines.has(line));
}

/** Ours first: in both files the last rule that fits counts, and that is then theirs. */
function addLines(files: Files, path: string, wanted: readonly string[]): void {
  const known = [...ignoreAll, ...wanted];
  const rest = linesOf(files, path).filter((line) => !known.includes(line) && !oldLines.test(line));
  replaceText(files, path, toText([...wanted, ...rest]));
}

/** What earlier versions wrote into `.gitignore`. */
const oldLines =
  /^(?:# ctx versions the logs .*|index\/|\.lock|watch\.json|\.watch\.lock|chat\/|(?:acts|retrieval\.traces)\.ndjson\*)$/;

function linesOf(files: Files, path: string): string[] {
  return readText(files, path).split(/\r?\n/).filter((line) => line.trim() !== "");
}

function toText(lines: readonly string[]): string {
  return lines.join("\n") + "\n";
}
