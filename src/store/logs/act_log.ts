// What was done by whom, so that it can be taken back: `acts.ndjson`, rotated by size. Holds ids, keys
// and values of settings, and lines that people pinned by hand; never the text of entries, and no
// secret. Only read here: writing brings the rules of redaction along.

import { isObject } from "../../core/json.ts";
import { actLog, type ActPlace } from "./act_place.ts";
import { readRows } from "./rotate_log.ts";
import { actKinds } from "../../core/row_kinds.ts";
import type { act, givenTitle, writtenFile } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** What was done. */
export type ActKind = typeof actKinds[number];

/** A title that a session was given: whose, and when; the words are in the log of sessions only. */
export type GivenTitle = RowOf<typeof givenTitle>;

/** A file that was written for another program. */
export type WrittenFile = RowOf<typeof writtenFile>;

/** What is kept of an act, beside who and when. */
export type ActDraft = Omit<Act, "act_id" | "ts" | "session_id" | "surface" | "agent">;

/** One line. */
export type Act = RowOf<typeof act>;

/** All acts, oldest first. */
export function readActs({ files, layout }: ActPlace): Act[] {
  return [...readRows(files, actLog(layout), isAct)];
}

/** Whether an act did something, rather than took something back; so does an undo of an undo. */
export function isForward({ undoes, redo = false }: Act): boolean {
  return undoes === undefined || redo;
}

const kinds: ReadonlySet<unknown> = new Set(actKinds);

function isAct(value: unknown): value is Act {
  return isObject(value) && typeof value.act_id === "string" && typeof value.ts === "string" &&
    kinds.has(value.act) && isMade(value) && isTexts(value.ids) && isTexts(value.tombstones) &&
    isPlaces(value.pins) && isTitle(value.title) && isTexts(value.made) && isWritten(value.wrote) &&
    (value.untitled === undefined ||
      (isObject(value.untitled) && isTexts(value.untitled.sessions)));
}

/** Whether what is shown of an act is what we write. */
function isMade(value: Record<string, unknown>): boolean {
  const isOf = (type: string) => (name: string): boolean =>
    value[name] === undefined || typeof value[name] === type;
  return ["key", "supersedes", "command", "session_id", "undoes", "agent"].every(isOf("string")) &&
    ["user", "redo"].every(isOf("boolean")) && isOf("number")("count");
}

function isTitle(value: unknown): boolean {
  return value === undefined ||
    (isObject(value) && typeof value.session === "string" && typeof value.ts === "string");
}

function isWritten(value: unknown): boolean {
  return value === undefined ||
    (Array.isArray(value) &&
      value.every((item) =>
        isObject(item) && typeof item.path === "string" && typeof item.sha256 === "string"
      ));
}

function isTexts(value: unknown): boolean {
  return value === undefined ||
    (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

function isPlaces(value: unknown): boolean {
  return value === undefined ||
    (Array.isArray(value) &&
      value.every((item) =>
        isObject(item) && Number.isInteger(item.at) &&
        [item.id, item.text].every((said) =>
          said === undefined || typeof said === "string" && !said.includes("\n")
        )
      ));
}
