// Purging by pattern: every entry and every line of the store's own files that matches goes, in
// one transaction; scanning afterwards proves it. Strings are compared as they read, not as JSON
// escapes them. Files of other products are looked at, never touched.

import { findJson, isObject } from "../../core/json.ts";
import { ownPools, pools, tombstoneType } from "../../core/entry.ts";
import { decodeLossy, findUtf8 } from "../../core/utf8.ts";
import { forgetNow, sideLogs } from "./forget_entries.ts";
import { isOwnName } from "../../disk/layout.ts";
import { readLines } from "../../disk/lines.ts";
import { dropLines, readText, replaceText } from "../../disk/text_files.ts";
import { listIndex, removeDerived, removeIndex } from "./remove_derived.ts";
import { decodeBase64 } from "./repeats.ts";
import { rewriteFile, rewritePool } from "../rewrite.ts";
import { rewriteTeam } from "./rewrite_team.ts";
import { parseLine } from "../row.ts";
import { foldSessions, readSessionEvents } from "../logs/session_log.ts";
import { refuseSharing } from "./shared_ids.ts";
import type { Store } from "../store.ts";
import { dropModelSummary, dropSummaryLines, isSummaryMark } from "../summary.ts";
import { endTitles } from "./untitle.ts";
import type { Writer } from "../writer.ts";

export type Matcher = (text: string) => boolean;

/** How many matching lines a file has. */
export interface PatternHit {
  /** Relative to the store. */
  path: string;
  lines: number;
  /** Whether a purge reaches it: configuration and foreign files are for their owners. */
  ours: boolean;
}

/** The ids of entries that have a matching text in any field; throws USAGE where other entries share one. */
export function findMatchingIds(store: Store, matches: Matcher): string[] {
  const ids = new Set<string>();
  for (const { entry } of store.rows({ pools: ownPools })) {
    if (entry.type !== tombstoneType && matchesEntry(entry, matches)) ids.add(entry.id);
  }
  refuseSharing(store, ids, {
    action: "purge",
    isMeant: (entry) => matchesEntry(entry, matches),
  });
  return [...ids];
}

/** Removes all that matches from the store's own files; returns how many lines beside entries went. */
export function purge(writer: Writer, ids: string[], matches: Matcher): number {
  removeIndex(writer);
  if (ids.length > 0) forgetNow(writer, ids);
  let lines = 0;
  for (const pool of ownPools) {
    lines += rewritePool(writer, pool, ({ entries, damage }, { bytes }) => {
      const isTombstone = entries[0]?.type === tombstoneType;
      return damage !== undefined && !isTombstone && matchesLine(bytes, matches) ? "drop" : "keep";
    });
  }
  lines += rewriteTeam(writer, (bytes) => matchesLine(bytes, matches) ? "drop" : "keep");
  writer.recount();
  for (const path of [...sideLogs(writer), writer.layout.quarantine]) {
    lines += rewriteFile(
      writer,
      path,
      ({ bytes }) => says(nameOf(writer, path), bytes, matches) ? "drop" : "keep",
    );
  }
  lines += purgeSessions(writer, matches);
  lines += dropLines(writer.files, writer.layout.pins, matches);
  lines += dropLines(writer.files, writer.layout.manifest, matches);
  lines += purgeWatch(writer, matches);
  lines += dropSummaryLines(writer, (line) => !isSummaryMark(line) && matches(line));
  dropModelSummary(writer);
  removeDerived(writer);
  return lines;
}

/** Looks through every file of the store; empty when nothing matches. */
export function scanForPattern(store: Store, matches: Matcher): {
  hits: PatternHit[];
  files: number;
  bytes: number;
} {
  const { files, layout } = store;
  listIndex(store);
  const paths = files.listTree(layout.root);
  const hits: PatternHit[] = [];
  let bytes = 0;
  for (const path of paths) {
    bytes += files.findSize(path) ?? 0;
    const name = nameOf(store, path);
    const lines = countMatches(store, name, matches);
    const ours = isOwnName(name.split("/")[0]) && !forOwners.has(name) &&
      !fromWorkspace.test(name);
    if (lines > 0) hits.push({ path: name, lines, ours });
  }
  return { hits, files: paths.length, bytes };
}

function nameOf({ layout }: Pick<Store, "layout">, path: string): string {
  return path.slice(layout.root.length + 1);
}

/** What people write in the store, or agree with git about: theirs to change. */
const forOwners: ReadonlySet<string> = new Set([
  "config.jsonc",
  ".gitignore",
  ".gitattributes",
]);

/** How many lines of a file match by their content; names of fields that ctx wrote do not count. */
function countMatches(store: Store, name: string, matches: Matcher): number {
  const path = `${store.layout.root}/${name}`;
  const rest = ownSchemas[name]?.(findJson(readText(store.files, path)));
  if (rest !== undefined) return matchesValue(rest, matches) ? 1 : 0;
  let lines = 0;
  for (const line of readWhole(store, path)) if (says(name, line, matches)) lines++;
  return lines;
}

/** Files with a schema of ctx's own: the fields outside it; undefined for one that cannot be read. */
const ownSchemas: Record<string, (content: unknown) => object | undefined> = {
  "state.json"(content) {
    if (!isObject(content)) return undefined;
    const { version: _v, revision: _r, session_id: _s, logs, lost, copied: _c, ...rest } = content;
    return [rest, ...[logs, lost].map(withoutCounts)];
  },
  "index/manifest.json"(content) {
    if (!isObject(content) || !isObject(content.manifest)) return undefined;
    return content.manifest.format === "ctx-index" ? {} : undefined;
  },
};

/** The fields of the log counts other than the counts themselves. */
function withoutCounts(logs: unknown): unknown[] {
  if (!isObject(logs)) return [logs];
  const { hot = {}, archive = {}, team = {}, ...rest } = logs;
  const others = [hot, archive, team].map((count) => {
    if (!isObject(count)) return count;
    const { bytes: _b, rows: _r, tombstones: _t, conflicts: _c, tail: _f, ...other } = count;
    return other;
  });
  return [rest, ...others];
}

/** As `matchesLine`; the names of fields are ctx's own in a trace, and so are those in a segment. */
function says(name: string, line: Uint8Array, matches: Matcher): boolean {
  if (name === "summary.md" && isSummaryMark(decodeLossy(line))) return false;
  if (name.startsWith("retrieval.traces.")) return matchesLine(line, matches, { names: false });
  if (!/^index\/.*\.seg$/.test(name)) return matchesLine(line, matches);
  return matches(decodeLossy(line).replace(keywordNames, "\u0001"));
}

/** How the index names the field of an exact value; a word that ends so is a word. */
const keywordNames =
  // deno-lint-ignore no-control-regex
  /(?<![\p{L}\p{N}_])(session|role|type|source|project|branch|file|tag|collection|supersedes|forgets|author)\u0001/gu;

/** Names in the workspace's files, not in entries: they are there as long as those have them. */
const fromWorkspace = /^index\/graph\.(words\.)?(bin|ndjson)$/;

/** All lines of a file and what comes after the last newline. */
function* readWhole({ files }: Store, path: string): Generator<Uint8Array> {
  let end = 0;
  for (const line of readLines(files, path)) {
    end = line.offset + line.bytes.length + 1;
    yield line.bytes;
  }
  using reader = files.openReader(path);
  const rest = new Uint8Array(Math.max(0, (reader?.size ?? 0) - end));
  if (reader && reader.readAt(end, rest) > 0) yield rest;
}

/** A JSON line matches by its strings or by its text as it stands; any other line by its text. */
function matchesLine(
  bytes: Uint8Array,
  matches: Matcher,
  options: { names: boolean } = { names: true },
): boolean {
  const text = findUtf8(bytes) ?? decodeLossy(bytes);
  if (text.trimStart().startsWith("{")) {
    const value = findJson(text);
    if (isObject(value)) {
      return matchesEntry(value, matches, options) || decodeBase64(value.base64).some(matches);
    }
    if (parseLine(bytes).entries.some((entry) => matchesEntry(entry, matches))) return true;
  }
  return matches(text);
}

/** What a row is, rather than what it says: a pattern such as `user` must not match every turn. */
const structural: ReadonlySet<string> = new Set([
  "id",
  "ts",
  "role",
  "type",
  "event",
  "session_id",
  "refs",
  "supersedes",
]);

function matchesEntry(
  entry: object,
  matches: Matcher,
  options: { names: boolean } = { names: true },
): boolean {
  return Object.entries(entry).some(([name, item]) =>
    !isStructural(name, item) && matchesValue(item, matches, options)
  );
}

/** Only texts are structure: another value in such a field is content. */
function isStructural(name: string, item: unknown): boolean {
  const texts = Array.isArray(item) ? item : [item];
  return structural.has(name) && texts.every((text) => typeof text === "string");
}

function matchesValue(
  value: unknown,
  matches: Matcher,
  options: { names: boolean } = { names: true },
): boolean {
  if (typeof value === "string") return matches(value);
  if (typeof value !== "object" || value === null) return false;
  const names = options.names && !Array.isArray(value);
  return Object.entries(value).some(([name, item]) =>
    (names && matches(name)) ||
    (options.names || !isPool(name, item)) && matchesValue(item, matches, options)
  );
}

/** Where a row of a trace was found. */
function isPool(name: string, item: unknown): boolean {
  return name === "pool" && pools.some((pool) => pool === item);
}

/** Session events keep their place; a text in them that matches does not, nor does it come back. */
function purgeSessions(writer: Writer, matches: Matcher): number {
  const ended = new Map<string, undefined>();
  for (const meta of foldSessions(readSessionEvents(writer.files, writer.layout)).values()) {
    const { session_id: id, title, source } = meta;
    if (source !== undefined && title !== undefined && matches(title)) ended.set(id, undefined);
  }
  endTitles(writer, ended);
  return rewriteFile(writer, writer.layout.sessions, ({ bytes }) => {
    if (!matchesLine(bytes, matches)) return "keep";
    const event = findJson(decodeLossy(bytes));
    if (typeof event !== "object" || event === null) return "drop";
    const clean = Object.entries(event).filter(([name, item]) =>
      structural.has(name) || !matchesValue(item, matches)
    );
    return { rows: [Object.fromEntries(clean)] };
  });
}

/** Drops matching file names from the watcher's state; it will report them again. */
function purgeWatch({ files, layout }: Writer, matches: Matcher): number {
  const bytes = files.findBytes(layout.watch);
  if (bytes === undefined || !matchesLine(bytes, matches)) return 0;
  const snapshot = findJson(decodeLossy(bytes));
  const seen = isObject(snapshot) && isObject(snapshot.files) ? snapshot.files : {};
  const kept = Object.entries(seen).filter(([name]) => !matches(name));
  const rest = isObject(snapshot) ? { ...snapshot, files: Object.fromEntries(kept) } : {};
  const text = JSON.stringify(rest);
  if (matchesLine(new TextEncoder().encode(text), matches)) files.remove(layout.watch);
  else replaceText(files, layout.watch, text);
  return 1;
}
