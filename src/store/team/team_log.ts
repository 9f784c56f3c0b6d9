// What a sync keeps of others beside the order: their rows, how far each writer was pulled, and who the
// members are. Everything here is written under the store's lock, through its writer.

import { tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";
import { concat, decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTailOf, makeByteSearch, readLineAt } from "../../disk/lines.ts";
import { readText } from "../../disk/text_files.ts";
import { appendExtent } from "./settle_order.ts";
import { teamLogOf } from "./team_order.ts";

type TeamLayout = Pick<Layout, "team">;

export interface TeamWriter {
  files: Files;
  layout: Layout;
  state: { logs: { team: { bytes: number; rows: number; tombstones: number } } };
}

/** How far a writer was pulled: the last row, the link of the chain there, the size of its log. */
export interface TeamCursor {
  seq: number;
  /** base64url. */
  link: string;
  bytes: number;
}

/** A member of the space, as the last sync was told. */
export interface TeamMember {
  name: string;
  owner: boolean;
  revoked_at?: string;
}

/** A store of a member; keys and certificates are base64url. */
export interface TeamStore {
  writer: string;
  name: string;
  sign_key: string;
  /** The invitation that it joined with; the owner's own stores have none. */
  invite_key?: string;
  invite_cert?: string;
  cert: string;
  /** Who answers for it, once that was checked. */
  by?: "root" | "invite";
  age_recipient?: string;
  left_at?: string;
}

/** Who is in the space; the root key is pinned: it never changes. */
export interface TeamMembers {
  version: 1;
  space: string;
  root_key: string;
  members: TeamMember[];
  writers: TeamStore[];
}

const newline = Uint8Array.of(10);
const findTombstone = makeByteSearch(new TextEncoder().encode(JSON.stringify(tombstoneType)));

/**
 * Adds rows to a writer's log, each the signed bytes as they are. They are on disk when this returns;
 * the order follows, and is made up by the next writer where it does not.
 */
export function appendTeam(
  writer: TeamWriter,
  writerId: string,
  lines: readonly (Uint8Array | string)[],
): void {
  if (lines.length === 0) return;
  const { files, layout } = writer;
  const path = teamLogOf(layout, writerId);
  const rows = lines.map((line) => typeof line === "string" ? encodeExact(line) : line);
  if (rows.some((row) => row.length === 0 || row.includes(10))) {
    throw new CtxError("INTERNAL", `Cannot append to "${path}": a row is not one line`);
  }
  files.makeDirectory(layout.team);
  const bytes = concat(rows.flatMap((row) => [row, newline]));
  const to = files.append(path, bytes, { sync: true });
  appendExtent(files, layout, { writer: writerId, from: to - bytes.length, to });
  const { team } = writer.state.logs;
  team.bytes += bytes.length;
  team.rows += rows.length;
  team.tombstones += rows.filter((row) => findTombstone(row, 0) >= 0).length;
}

/** The seq of the last whole row of a writer's log; 0 when there is none. */
export function lastSeqOf(files: Files, layout: TeamLayout, writerId: string): number {
  using reader = files.openReader(teamLogOf(layout, writerId));
  if (reader === undefined) return 0;
  let end = findTailOf(reader)?.offset ?? reader.size;
  while (end > 0) {
    const start = lineStart(reader, end - 1);
    const row = findJson(decodeLossy(readLineAt(reader, start) ?? new Uint8Array()));
    if (isObject(row) && Number.isSafeInteger(row.seq)) return Number(row.seq);
    end = start;
  }
  return 0;
}

/** Where the line begins that ends before a newline at an offset. */
function lineStart(reader: { readAt(offset: number, buffer: Uint8Array): number }, at: number) {
  for (let size = 4096;; size *= 16) {
    const from = Math.max(0, at - size);
    const bytes = new Uint8Array(at - from);
    reader.readAt(from, bytes);
    const last = bytes.lastIndexOf(10);
    if (last >= 0) return from + last + 1;
    if (from === 0) return 0;
  }
}

/** How far each writer was pulled; a file that cannot be read says of nobody. */
export function readCursors(files: Files, layout: TeamLayout): Record<string, TeamCursor> {
  const value = findJson(readText(files, cursorsOf(layout)));
  if (!isObject(value)) return {};
  const known = Object.entries(value).filter(([, cursor]) => isCursor(cursor));
  return Object.fromEntries(known) as Record<string, TeamCursor>;
}

/** Replaces the cursors, after the rows they tell of are on disk. */
export function writeCursors(
  { files, layout }: Pick<TeamWriter, "files" | "layout">,
  cursors: Record<string, TeamCursor>,
): void {
  replaceJson(files, layout, cursorsOf(layout), cursors);
}

/** The members as the last sync was told; undefined when there was none. */
export function readMembers(files: Files, layout: TeamLayout): TeamMembers | undefined {
  const value = findJson(readText(files, membersOf(layout)));
  const isWhole = isObject(value) && value.version === 1 && typeof value.space === "string" &&
    typeof value.root_key === "string" && Array.isArray(value.members) &&
    Array.isArray(value.writers);
  return isWhole ? value as unknown as TeamMembers : undefined;
}

/** Replaces what is known of the members. */
export function writeMembers(
  { files, layout }: Pick<TeamWriter, "files" | "layout">,
  members: TeamMembers,
): void {
  replaceJson(files, layout, membersOf(layout), members);
}

function cursorsOf({ team }: TeamLayout): string {
  return `${team}/cursors.json`;
}

function membersOf({ team }: TeamLayout): string {
  return `${team}/members.json`;
}

function replaceJson(files: Files, layout: TeamLayout, path: string, value: object): void {
  files.makeDirectory(layout.team);
  const bytes = new TextEncoder().encode(JSON.stringify(value, null, 2) + "\n");
  files.replace(path, bytes, { sync: true });
}

function isCursor(value: unknown): value is TeamCursor {
  return isObject(value) && Number.isSafeInteger(value.seq) && typeof value.link === "string" &&
    Number.isSafeInteger(value.bytes);
}
