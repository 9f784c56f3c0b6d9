// Repairs what is safe to repair. Bytes that are taken out of a log are first put aside whole, so a
// repair never loses anything (invariant 7).

import { type Entry, type OwnPool, ownPools, tombstoneType } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import { findRejected } from "../catalog_file.ts";
import { dropForgottenMentions } from "./forget_entries.ts";
import { hasManifest, isSearchIndex } from "./inspect.ts";
import { mendGitRules, mendMergedLogs, mendMergedTexts } from "./mend_merge.ts";
import { findRepeatedIds } from "./shared_ids.ts";
import { repeatKey } from "../snapshot.ts";
import type { ParsedLine } from "../row.ts";
import { rewriteFile, rewritePool, type Verdict } from "../rewrite.ts";
import { parseSessionEvent } from "../logs/session_log.ts";
import { findLosses } from "../state.ts";
import type { Store } from "../store.ts";
import type { Writer } from "../writer.ts";

/** Mends a store under its lock; returns what was done. */
export async function mendStore(store: Store): Promise<string[]> {
  return await store.write("doctor", (writer) => {
    const done = mendMergedLogs(writer);
    const repeated = findRepeatedIds(store).difference(store.readForgotten());
    const judging: Judging = {
      writer,
      repeated,
      seen: new Map(),
      said: new Set(),
      named: new Map(),
    };
    for (const pool of ownPools) {
      const changed = rewritePool(writer, pool, (line, place) => judge(line, place, judging));
      if (changed > 0) {
        done.push(`${changed} lines of the ${pool} log were repaired or quarantined`);
      }
    }
    const events = mendSessions(writer);
    if (events > 0) done.push(`${events} session events were quarantined`);
    for (const name of dropForgottenMentions(writer, store.readForgotten())) {
      done.push(`forgotten entries were removed from ${name}`);
    }
    done.push(...mendMergedTexts(writer));
    const drafts = removeDrafts(writer);
    if (drafts > 0) done.push(`${drafts} unfinished files were removed`);
    // What cannot be read is for its owner to move away.
    if (store.findUnreadable() === undefined) done.push(...mendIndex(store, writer));
    done.push(...mendGitRules(writer));
    writer.recount();
    for (const loss of findLosses(writer.files, writer.layout, writer.state)) {
      done.push(`accepted that ${loss}`);
    }
    delete writer.state.lost;
    return done;
  });
}

function mendIndex(store: Store, writer: Writer): string[] {
  const done: string[] = [];
  if (removeBrokenIndex(writer)) done.push("an index without a manifest was removed");
  for (const { name, label, fault } of findRejected(store)) {
    writer.files.remove(`${writer.layout.index}/${name}`);
    done.push(`a ${fault} ${label} was removed`);
  }
  return done;
}

interface Judging {
  writer: Writer;
  /**
   * Ids that more than one row has; only these are looked at twice. Those that are forgotten stay: under
   * a new id, which no tombstone names, a row would come back.
   */
  repeated: ReadonlySet<string>;
  /** The hash of the row that keeps a repeated id. */
  seen: Map<string, string>;
  /** What was said under a repeated id, by session: said again, as by two imports of it, it is the same. */
  said: Set<string>;
  /** What a repeated id is now in a session: of several rows there, the first was meant. */
  named: Map<string, string>;
}

/** A sound line stays as it is; a damaged one gives its rows, and its bytes are kept aside. */
function judge(
  line: ParsedLine,
  place: { bytes: Uint8Array; offset: number; pool: OwnPool },
  judging: Judging,
): Verdict {
  const rows = line.entries.map((entry) => toUnique(entry, judging))
    .filter((row) => row !== undefined).map((row) => followNamed(row, judging));
  const same = rows.length === line.entries.length &&
    rows.every((row, i) => row === line.entries[i]);
  if (line.damage === undefined && same) return "keep";
  // The very same row stays, where it was first.
  const isRepeat = (entry: Entry): boolean => judging.seen.get(entry.id) === hashRow(entry);
  if (line.damage === undefined && rows.length === 0 && line.entries.every(isRepeat)) return "drop";
  // Rows are written anew in today's form, so the line as it was is kept even when all was understood.
  if (!line.complete || line.entries.length > 0) {
    judging.writer.quarantine(place.bytes, {
      file: place.pool === "hot" ? "history.ndjson" : "history.archive.ndjson",
      offset: place.offset,
      reason: line.damage ?? "duplicate_id",
    });
  }
  return rows.length === 0 ? "drop" : { rows };
}

/** The same row twice is one row; another row with a used id gets an id of its own. */
function toUnique(entry: Entry, judging: Judging): Entry | undefined {
  const { repeated, seen, said, named } = judging;
  if (!repeated.has(entry.id) && !seen.has(entry.id)) return entry;
  const words = JSON.stringify([repeatKey(entry), entry.type, entry.text]);
  const isSaid = said.has(words) && entry.type !== tombstoneType;
  said.add(words);
  const row = hashRow(entry);
  const known = seen.get(entry.id);
  if (known === undefined) {
    seen.set(entry.id, row);
    named.set(repeatKey(entry), entry.id);
    return entry;
  }
  if (known === row || isSaid) return undefined;
  const renamed = { ...entry, id: `${entry.id}-${row.slice(0, 6)}` };
  if (seen.get(renamed.id) === row) return undefined;
  seen.set(renamed.id, row);
  if (!named.has(repeatKey(entry))) named.set(repeatKey(entry), renamed.id);
  return renamed;
}

function hashRow(entry: Entry): string {
  return hashHex(JSON.stringify(entry));
}

/** What a row says of an entry of its own session that has a new id, it says of that one. */
function followNamed(entry: Entry, { named }: Judging): Entry {
  const { session_id, supersedes, refs } = entry;
  const find = (id: string): string => named.get(repeatKey({ id, session_id })) ?? id;
  const isNew = (id: string | undefined): boolean => id !== undefined && find(id) !== id;
  if (named.size === 0 || ![supersedes, ...refs ?? []].some(isNew)) return entry;
  return {
    ...entry,
    ...(supersedes === undefined ? {} : { supersedes: find(supersedes) }),
    ...(refs === undefined ? {} : { refs: refs.map(find) }),
  };
}

function mendSessions(writer: Writer): number {
  const { sessions } = writer.layout;
  if (writer.files.findSize(sessions) === undefined) return 0;
  return rewriteFile(writer, sessions, ({ bytes, offset }) => {
    if (bytes.length === 0) return "drop";
    if (parseSessionEvent(bytes)) return "keep";
    writer.quarantine(bytes, { file: "sessions.ndjson", offset, reason: "bad_json" });
    return "drop";
  });
}

function removeDrafts(writer: Writer): number {
  const drafts = writer.files.list(writer.layout.root).filter((name) => name.endsWith(".tmp"));
  for (const name of drafts) writer.files.remove(`${writer.layout.root}/${name}`);
  return drafts.length;
}

/** An index that does not say what it covers is of no use; it is made again when it is needed. */
function removeBrokenIndex({ files, layout }: Writer): boolean {
  const paths = files.listTree(layout.index)
    .filter((path) => isSearchIndex(path.slice(layout.index.length + 1)));
  if (paths.length === 0 || hasManifest(files, layout)) return false;
  for (const path of paths) files.remove(path);
  return true;
}
