// What was done by whom, so that it can be taken back: `acts.ndjson`, rotated by size. Holds ids, keys
// and values of settings, and lines that people pinned by hand; never the text of entries, and no
// secret. Only read here: writing brings the rules of redaction along.

import { isObject } from "../../core/json.ts";
import { actLog, type ActPlace } from "./act_place.ts";
import type { PinPlace } from "./pins.ts";
import { readRows } from "./rotate_log.ts";

/** What was done. `restore` is a forget that was taken back, `erase` cannot be. */
export const actKinds = [
  "save",
  "pin",
  "unpin",
  "forget",
  "restore",
  "title",
  "erase",
  "config",
  "share",
  "unshare",
  "handoff",
] as const;

/** What was done. */
export type ActKind = typeof actKinds[number];

/** A title that a session was given: whose, and when; the words are in the log of sessions only. */
export interface GivenTitle {
  session: string;
  ts: string;
}

/** A file that was written for another program. */
export interface WrittenFile {
  path: string;
  sha256: string;
}

/** What is kept of an act, beside who and when. */
export interface ActDraft {
  act: ActKind;
  /** The act that this one took back. */
  undoes?: string;
  /** Whether what it took back was an undo. */
  redo?: boolean;
  /** The entries that were saved or restored; of a share entries and sessions. */
  ids?: string[];
  /** The entry that was corrected. */
  supersedes?: string;
  /** How many entries were forgotten or erased. */
  count?: number;
  /** The rows that hide what was forgotten. */
  tombstones?: string[];
  /** Pins that came or went. */
  pins?: PinPlace[];
  /** The sessions whose titles ended with it, and when. */
  untitled?: { ts: string; sessions: string[] };
  title?: GivenTitle;
  /** A setting: its key, whose file, and its values there. */
  key?: string;
  user?: boolean;
  /** Of a handoff: its files, and the directories that were made for them. */
  wrote?: WrittenFile[];
  made?: string[];
  /** Of what is the user's own, a setting or a handoff: where it was done. */
  workspace?: string;
  before?: unknown;
  after?: unknown;
  /** The command, where the kind does not say it. */
  command?: string;
}

/** One line. */
export interface Act extends ActDraft {
  act_id: string;
  ts: string;
  session_id?: string;
  surface: string;
  /** The agent that did it over a server, where it was not the user. */
  agent?: string;
}

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
