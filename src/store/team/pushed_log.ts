// `team/pushed.ndjson`: what this store has pushed, by seq. Appended; lost, it is made anew from the
// server. `team/push.json` says what a push under way was about to send, until it is settled.

import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTornTail, readRecords } from "../../disk/lines.ts";
import { readText } from "../../disk/text_files.ts";
import { takenBackId } from "./share_log.ts";

export interface PushedRow {
  seq: number;
  id: string;
  kind: string;
}

export interface PushIntent {
  /** The seq of the first row. */
  first: number;
  ids: string[];
}

interface Place {
  files: Files;
  layout: Pick<Layout, "team">;
}

/** What was pushed, in order; lines that are no such row are passed over. */
export function* readPushed({ files, layout }: Place): Generator<PushedRow> {
  yield* readRecords(files, pushedOf(layout), isPushedRow);
}

/** What was pushed, by id: its kind. */
export function findPushedKinds(place: Place): Map<string, string> {
  return new Map([...readPushed(place)].map(({ id, kind }) => [id, kind]));
}

/** Those of some ids that others may have from here: pushed and not taken back, or about to be. */
export function findPushed(place: Place, ids: ReadonlySet<string>): Set<string> {
  const kinds = findPushedKinds(place);
  const sent = new Set(readPushIntent(place)?.ids);
  const isThere = (id: string): boolean =>
    (kinds.get(id) ?? "void") !== "void" && !kinds.has(takenBackId(id));
  return new Set([...ids].filter((id) => sent.has(id) || isThere(id)));
}

/** Notes what has reached the server; an unfinished last line is cut first. */
export function appendPushed({ files, layout }: Place, rows: readonly PushedRow[]): void {
  if (rows.length === 0) return;
  files.makeDirectory(layout.team);
  const path = pushedOf(layout);
  const tail = findTornTail(files, path);
  if (tail !== undefined) files.truncate(path, tail.offset);
  files.append(path, toBytes(rows), { sync: true });
}

/** Replaces the log by what the server says. */
export function replacePushed({ files, layout }: Place, rows: readonly PushedRow[]): void {
  files.makeDirectory(layout.team);
  files.replace(pushedOf(layout), toBytes(rows), { sync: true });
}

/** The push under way, if one is. */
export function readPushIntent({ files, layout }: Place): PushIntent | undefined {
  const value = findJson(readText(files, intentOf(layout)));
  return isIntent(value) ? value : undefined;
}

/** Says what is about to be sent; on disk before the first byte leaves. */
export function writePushIntent({ files, layout }: Place, intent: PushIntent): void {
  files.makeDirectory(layout.team);
  const bytes = new TextEncoder().encode(JSON.stringify(intent) + "\n");
  files.replace(intentOf(layout), bytes, { sync: true });
}

export function clearPushIntent({ files, layout }: Place): void {
  files.remove(intentOf(layout));
}

/** Where it is. */
export function pushedOf({ team }: Pick<Layout, "team">): string {
  return `${team}/pushed.ndjson`;
}

function intentOf({ team }: Pick<Layout, "team">): string {
  return `${team}/push.json`;
}

function toBytes(rows: readonly PushedRow[]): Uint8Array {
  const lines = rows.map(({ seq, id, kind }) => JSON.stringify({ seq, id, kind }) + "\n");
  return new TextEncoder().encode(lines.join(""));
}

function isPushedRow(value: unknown): value is PushedRow {
  return isObject(value) && Number.isSafeInteger(value.seq) && typeof value.id === "string" &&
    typeof value.kind === "string";
}

function isIntent(value: unknown): value is PushIntent {
  return isObject(value) && Number.isSafeInteger(value.first) && Array.isArray(value.ids) &&
    value.ids.every((id) => typeof id === "string");
}
