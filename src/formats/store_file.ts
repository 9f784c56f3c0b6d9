// The files of a store that are one JSON value each, and pins.

import * as z from "zod/mini";
import { formatVersion } from "../core/entry.ts";
import { count, maybe, needed } from "./row_schema.ts";

export const logCount = z.looseObject({
  bytes: needed(count, "how many bytes were counted"),
  rows: needed(count, "rows up to that point"),
  tombstones: needed(count, "how many of them are tombstones"),
  conflicts: maybe(count, "how many merge conflicts start in it"),
  tail: maybe(z.string(), "the fingerprint of the (at most 96) bytes before `bytes`"),
});

/** `state.json`. */
export const state = z.looseObject({
  version: needed(z.literal(formatVersion), "the format version; newer ones are refused"),
  revision: needed(count, "grows with every transaction"),
  session_id: needed(z.nullable(z.string()), "the current session"),
  logs: needed(
    z.looseObject({
      archive: needed(logCount, "the archive"),
      hot: needed(logCount, "the hot log"),
      team: maybe(logCount, "other members' rows"),
    }),
    "how far each log was counted",
  ),
  lost: maybe(
    z.looseObject({
      archive: maybe(logCount, "the archive"),
      hot: maybe(logCount, "the hot log"),
    }),
    "the counts of a log before something other than ctx cut it",
  ),
  copied: maybe(
    z.boolean(),
    "entries from another store were copied in, or may have been",
  ),
  rule_files: maybe(
    z.string(),
    "times and sizes of the rule files when they were last indexed",
  ),
});

/** `move.json`. */
export const move = z.looseObject({
  version: needed(z.literal(1), "the format"),
  archive_bytes: needed(count, "where the archive ended before the move"),
});

/** `remote.json`. */
export const remote = z.looseObject({
  version: needed(z.literal(1), "the format"),
  space: needed(z.string(), "the space's name"),
  writer: needed(z.guid(), "this store, among the member's stores"),
  name: needed(z.string(), "the member's own name"),
  owner: needed(z.boolean(), "whether the member owns the space"),
  encrypted: needed(z.boolean(), "whether rows are encrypted before they are sent"),
  confirmed: maybe(z.string(), "the sharing policy that the user confirmed"),
});

/** A pin: in an export, or a list line of `pins.md`. */
export const pin = z.looseObject({
  id: maybe(z.string(), "the entry; absent for a pin without an entry"),
  text: needed(z.string(), "what it says"),
  waiting: maybe(
    z.literal(true),
    "an agent requested it and the user has not accepted it yet; never in an export",
  ),
});
