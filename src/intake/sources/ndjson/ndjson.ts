// The generic import format (docs/IMPORT.md): one JSON object per line with at least `text`. For
// agents ctx does not know: write a small converter, not a new source. The sessions in a file are listed
// by the byte ranges of their rows, so that each is read alone.

import { roles, toEntry, typePattern } from "../../../core/entry.ts";
import { hashHex } from "../../../core/hash.ts";
import { findIdTime } from "../../../core/id.ts";
import { keepText } from "../content.ts";
import { readAt } from "../database/read_at.ts";
import { findJson, type Json, toObject, toText, toTime } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import { LineReader } from "../read_lines.ts";
import type { Source, SourceEntry, SourceSession } from "../source.ts";
import { findFileInfo, walk } from "../walk.ts";

/** Files in the generic format; found only where `--root` points. */
export const ndjson: Source = {
  name: "ndjson",
  title: "NDJSON files",
  locate: () => [],
  async *list(root, { tally }) {
    const accept = (name: string, path: string) =>
      path === root || /\.(?:ndjson|jsonl)$/.test(name);
    const enter = (name: string) => !name.startsWith(".") && name !== "node_modules";
    for (const file of walk(root, { tally, accept, enter, filled: true })) {
      yield* await tally.attempt(file.path, () => listRowFile(file.path, tally)) ?? [];
    }
  },
  async read(session, sink) {
    sink.tally.files++;
    using file = Deno.openSync(session.path, { read: true });
    for (const range of (session.key ?? "").split(",")) {
      const [from, to] = range.split("-").map(Number);
      if (!(to > from)) continue;
      const bytes = new Uint8Array(to - from);
      readAt(file, from, bytes);
      sink.tally.bytes += bytes.length;
      let offset = from;
      for (const text of new TextDecoder().decode(bytes).split("\n")) {
        const row = toRow(text, String(offset), session);
        offset += new TextEncoder().encode(text).length + 1;
        if (text.trim() === "") continue;
        sink.tally.messages++;
        if (row === undefined) sink.tally.bad_lines++;
        else await sink.entry(row);
      }
    }
  },
};

interface Found {
  ranges: [number, number][];
  session: SourceSession;
}

/** The sessions in one file; rows without one belong to a session named after the file. */
function listRowFile(path: string, tally: Tally): SourceSession[] {
  const sessions = new Map<string, Found>();
  const loose = path.replace(/^.*\//, "").replace(/\.[a-z]+$/, "");
  const created = new Date(findFileInfo(path)?.mtime ?? 0).toISOString();
  using reader = new LineReader(path, { tally });
  const decoder = new TextDecoder();
  for (const line of reader.lines()) {
    const text = decoder.decode(line.bytes);
    const row = toObject(findJson(text));
    if (row === undefined) {
      if (text.trim() !== "") tally.bad_lines++;
      continue;
    }
    const id = toText(row.session_id) ?? toText(row.sessionId) ?? toText(row.session) ?? loose;
    const end = line.offset + line.bytes.length;
    const ts = toTime(row.ts ?? row.timestamp);
    const known = sessions.get(id);
    if (known === undefined) {
      const session: SourceSession = {
        id,
        path,
        signature: "",
        started: ts ?? created,
        updated: ts,
        cwd: cwdOf(row),
        branch: toText(row.branch),
      };
      sessions.set(id, { ranges: [[line.offset, end]], session });
      continue;
    }
    known.session.cwd ??= cwdOf(row);
    known.session.updated = ts ?? known.session.updated;
    const last = known.ranges[known.ranges.length - 1];
    if (line.offset === last[1] + 1) last[1] = end;
    else known.ranges.push([line.offset, end]);
  }
  return [...sessions.values()].map(({ ranges, session }) => {
    const key = ranges.map(([from, to]) => `${from}-${to}`).join();
    return { ...session, key, signature: hashHex(key) };
  });
}

/** A row as an entry: its own id is kept where it cannot clash with another store's. */
function toRow(text: string, key: string, session: SourceSession): SourceEntry | undefined {
  const value = toObject(findJson(text));
  if (value === undefined) return undefined;
  const message = toText(value.id) ?? key;
  const entry = toEntry({
    role: "user",
    ...value,
    id: message,
    ts: value.ts ?? value.timestamp ?? session.started,
  });
  if (entry === undefined || !typePattern.test(entry.type)) return undefined;
  const {
    id,
    session_id: _session,
    index: _index,
    source: _source,
    session_title: _title,
    cwd: _cwd,
    ...fields
  } = entry;
  const cwd = cwdOf(value);
  return {
    ...fields,
    ...keepText(entry.text),
    role: roles.includes(entry.role) ? entry.role : "note",
    message,
    ...(findIdTime(id) === undefined ? {} : { id }),
    ...(cwd === undefined ? {} : { project: cwd }),
  };
}

function cwdOf(row: Json): string | undefined {
  return toText(row.cwd) ?? toText(row.project);
}
