// Repairs what is safe to repair. Bytes that are taken out of a log are first put aside whole, so a
// repair never loses anything (invariant 7).

import { type Entry, type Pool, pools } from "../core/entry.ts";
import { hashHex } from "../core/hash.ts";
import type { ParsedLine } from "./row.ts";
import { rewriteFile, rewritePool, type Verdict } from "./rewrite.ts";
import { parseSessionEvent } from "./sessions.ts";
import type { Store } from "./store.ts";
import type { Writer } from "./writer.ts";

const ignoreAll = "# ctx keeps this store out of git; `ctx init --commit` versions it.\n*\n";

/** Mends a store under its lock; returns what was done. */
export async function mendStore(store: Store): Promise<string[]> {
  return await store.write("doctor", (writer) => {
    const done: string[] = [];
    const seen = new Map<string, { pool: Pool; row: string }>();
    for (const pool of pools) {
      const changed = rewritePool(
        writer,
        pool,
        (line, place) => judge(line, place, { writer, pool, seen }),
      );
      if (changed > 0) done.push(`${changed} lines of the ${pool} log were mended or put aside`);
    }
    const events = mendSessions(writer);
    if (events > 0) done.push(`${events} session events were put aside`);
    const drafts = removeDrafts(writer);
    if (drafts > 0) done.push(`${drafts} unfinished files were removed`);
    if (writer.files.findSize(writer.layout.gitignore) === undefined) {
      const bytes = new TextEncoder().encode(ignoreAll);
      writer.files.replace(writer.layout.gitignore, bytes, { sync: true });
      done.push("a .gitignore was written");
    }
    writer.recount();
    return done;
  });
}

interface Judging {
  writer: Writer;
  pool: Pool;
  seen: Map<string, { pool: Pool; row: string }>;
}

/** A sound line stays as it is; a damaged one gives its rows, and its bytes are kept aside. */
function judge(
  line: ParsedLine,
  place: { bytes: Uint8Array; offset: number },
  judging: Judging,
): Verdict {
  const { writer, pool, seen } = judging;
  const rows = line.entries.map((entry) => toUnique(entry, pool, seen)).filter((row) =>
    row !== undefined
  );
  const same = rows.length === line.entries.length &&
    rows.every((row, i) => row === line.entries[i]);
  if (line.damage === undefined && same) return "keep";
  const file = pool === "hot" ? "history.ndjson" : "history.archive.ndjson";
  // Rows are written anew in today's form, so the line as it was is kept even when all was understood.
  if (!line.complete || line.entries.length > 0) {
    const reason = line.damage ?? "duplicate_id";
    writer.quarantine(place.bytes, { file, offset: place.offset, reason });
  }
  return rows.length === 0 ? "drop" : { rows };
}

/** The same row twice is one row; another row with a used id gets an id of its own. */
function toUnique(
  entry: Entry,
  pool: Pool,
  seen: Map<string, { pool: Pool; row: string }>,
): Entry | undefined {
  const row = JSON.stringify(entry);
  const known = seen.get(entry.id);
  if (known === undefined) {
    seen.set(entry.id, { pool, row: hashHex(row) });
    return entry;
  }
  if (known.row === hashHex(row)) return undefined;
  const renamed = { ...entry, id: `${entry.id}-${hashHex(row).slice(0, 6)}`, refs: entry.refs };
  return toUnique(renamed, pool, seen);
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
