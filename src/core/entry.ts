// The domain type: one row of history. Pure; knows the on-disk fields and the legacy aliases,
// does no I/O. Fields are snake_case everywhere: on disk, in --json and over MCP.

import { isObject } from "./json.ts";

/** The format version this build writes; a larger one is refused (invariant 8). */
export const formatVersion = 1;

/** Who speaks. */
export const roles = ["user", "assistant", "system", "tool", "note"] as const;
/** One of `roles`. */
export type Role = typeof roles[number];

/** The logs of this store's own rows: `hot` is recent history, `archive` is compacted history. */
export const ownPools = ["archive", "hot"] as const;
/** One of `ownPools`. */
export type OwnPool = typeof ownPools[number];

/** All logs, in the order in which they are read; `team` is what other members of a space wrote. */
export const pools = [...ownPools, "team"] as const;
/** One of `pools`. */
export type Pool = typeof pools[number];

/** Where an imported entry came from. */
export interface EntrySource {
  agent: string;
  conversation?: string;
  message?: string;
  path?: string;
  /** A fingerprint of the content, where the producer changes messages in place. */
  revision?: string;
}

/** A tool call or its result. */
export interface EntryTool {
  name: string;
  input?: unknown;
  output_bytes?: number;
  error?: boolean | string;
  [field: string]: unknown;
}

/** The fields of an entry that its author gives. */
export interface EntryFields {
  role: Role;
  type: string;
  text: string;
  session_id?: string;
  title?: string;
  summary?: string;
  refs?: string[];
  tags?: string[];
  files?: string[];
  index?: number;
  source?: EntrySource;
  project?: string;
  branch?: string;
  model?: string;
  tool?: EntryTool;
  supersedes?: string;
  /** How many secrets of each rule redaction replaced in it, where it holds marks of redaction. */
  redacted?: Record<string, number>;
  /** Who of the team wrote it, in rows of others; it says nothing in an own log. */
  author?: string;
  /** The agent that saved it over a server; the user's own rows have none. */
  saved_by?: string;
  v?: number;
}

/** One row of history; unknown fields are kept. */
export interface Entry extends EntryFields {
  id: string;
  ts: string;
  [field: string]: unknown;
}

/** A new entry: id and time are filled in by the store when they are not given. */
export interface Draft extends EntryFields {
  id?: string;
  ts?: string;
  [field: string]: unknown;
}

/** Who of the team wrote a row; undefined for one's own. */
export function authorOf({ entry, pool }: { entry: Entry; pool: Pool }): string | undefined {
  if (pool !== "team") return undefined;
  return typeof entry.author === "string" ? entry.author : "unknown";
}

/** The longest text that is saved, in UTF-8; older logs, and those of others, may hold longer ones. */
export const maxTextBytes = 8 << 20;

/** What an entry's `type` may be. */
export const typePattern = /^[a-z0-9_.:-]{1,64}$/;

/** The type of a row that deletes the entries in its `refs`. */
export const tombstoneType = "tombstone";

/** The type of a row by which somebody confirms another entry; its `refs` name it. */
export const confirmType = "confirm";
/** The type of the row that `ctx review` writes when the user rejects a line or puts it off. */
export const verdictType = "verdict";
/** The type of a section of a document in a collection. */
export const docType = "doc";

/** Other memory tools whose memories can be imported. */
export const memorySources: ReadonlySet<string> = new Set([
  "beads",
  "claude-mem",
  "mem0",
  "server-memory",
]);

/** Whether a note is another tool's: the user did not save it, so it is found, but not sent or shared. */
export function isImportedMemory(
  { role, source }: { role: string; source?: { agent: string } },
): boolean {
  return role === "note" && source !== undefined && memorySources.has(source.agent);
}

const roleAliases: Record<string, Role> = { human: "user", ai: "assistant" };
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Reads a parsed JSON value as an entry, or returns undefined when it is none. The value is taken
 * over and completed in place. Rows of the original ContextFS and their aliases are accepted;
 * unknown fields stay.
 */
export function toEntry(value: unknown): Entry | undefined {
  if (!isObject(value)) return undefined;
  renameAliases(value);
  if (typeof value.id !== "string" || value.id === "" || typeof value.text !== "string") {
    return undefined;
  }
  value.ts = toTimestamp(value.ts);
  value.role = toRole(value.role);
  if (typeof value.type !== "string" || value.type === "") value.type = "turn";
  if (value.session_id === "") delete value.session_id;
  dropMistyped(value);
  return value as Entry;
}

function renameAliases(value: Record<string, unknown>): void {
  for (const alias in aliases) {
    if (value[alias] === undefined) continue;
    const field = aliases[alias];
    // Beside the field itself, the name means something of its own and stays.
    if (value[field] !== undefined && value[field] !== null) continue;
    value[field] = value[alias];
    delete value[alias];
  }
}

/** Optional fields of another type than theirs are converted where that is plain, or go. */
function dropMistyped(value: Record<string, unknown>): void {
  for (const field of optionalStrings) {
    if (value[field] !== undefined && typeof value[field] !== "string") delete value[field];
  }
  // Whatever stands there, it was not the user who put it there.
  if (value.saved_by !== undefined && typeof value.saved_by !== "string") value.saved_by = "agent";
  for (const field of optionalLists) {
    if (value[field] !== undefined) value[field] = toStrings(value[field]);
  }
  if (typeof value.source === "string") value.source = { agent: value.source };
  else if (value.source !== undefined && !isSource(value.source)) delete value.source;
  if (value.index !== undefined && !Number.isInteger(value.index)) delete value.index;
}

const aliases: Record<string, string> = {
  author: "role",
  messageRole: "role",
  content: "text",
  message: "text",
  timestamp: "ts",
  sessionId: "session_id",
  session: "session_id",
};
const optionalLists = ["refs", "tags", "files"] as const;
const optionalStrings = [
  "session_id",
  "title",
  "summary",
  "project",
  "branch",
  "model",
  "supersedes",
] as const;

/** A time in any accepted form as ISO 8601 UTC with milliseconds; the epoch when it is no time. */
export function toTimestamp(value: unknown): string {
  if (typeof value === "string" && isoUtc.test(value)) return value;
  const time = typeof value === "number"
    ? (value < 1e11 ? value * 1000 : value)
    : typeof value === "string"
    ? Date.parse(value)
    : NaN;
  const date = new Date(Number.isFinite(time) ? time : 0);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

function toRole(value: unknown): Role {
  if (typeof value !== "string") return "note";
  const name = value.toLowerCase();
  return roles.find((role) => role === name) ?? roleAliases[name] ?? "note";
}

function toStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isSource(value: unknown): value is EntrySource {
  return isObject(value) && typeof value.agent === "string";
}
