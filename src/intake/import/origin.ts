// Where `ctx import contextfs` reads: a workspace, its `.contextfs`, an export, or a directory of
// exports. Gives the rows in their order, session events and pins; writes nothing.

import { type Entry, tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import type { Tally } from "../sources/problem_tally.ts";
import { type Extras, readExtras } from "../../store/lifecycle/export_extras.ts";
import type { Files } from "../../disk/files.ts";
import { findTornTail } from "../../disk/lines.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import { parseLine } from "../../store/row.ts";
import { withoutEndedTitles } from "../../store/logs/ended_titles.ts";
import { readSessionEvents } from "../../store/logs/session_log.ts";
import { type Damage, openSnapshot, type Snapshot } from "../../store/snapshot.ts";
import { refuseNewer } from "../../store/state.ts";

/** Where rows are read from: pairs of logs, each pair one store or one file. */
export interface Origin {
  logs: OriginLogs[];
  /** The `.contextfs` directory, when it is a store. */
  directory?: string;
}

/** One store's logs, or an export with the lines in it that are no entries. */
export interface OriginLogs {
  hot: string;
  archive: string;
  extras?: Extras;
}

/** Finds what there is to read at a path. */
export function findOrigin(files: Files, root: string): Origin {
  const alone = (hot: string): OriginLogs => ({
    hot,
    archive: `${hot}.no-archive`,
    extras: readExtras(files, hot),
  });
  if (Deno.statSync(root).isFile) return { logs: [alone(root)] };
  for (const directory of [`${root}/.contextfs`, root]) {
    const hot = `${directory}/history.ndjson`;
    const archive = `${directory}/history.archive.ndjson`;
    if ([hot, archive].some((path) => files.findSize(path) !== undefined)) {
      refuseNewer(files, { state: `${directory}/state.json` });
      return { logs: [{ hot, archive }], directory };
    }
  }
  const exports = files.list(root).filter((name) => /\.(?:ndjson|jsonl)$/.test(name))
    .map((name) => `${root}/${name}`).filter((path) => Deno.statSync(path).isFile);
  if (exports.length > 0) return { logs: exports.map(alone) };
  throw new CtxError("NOT_FOUND", `Cannot import from "${root}": no store or export found there`, {
    hint: "ctx export > FILE, then ctx import contextfs --root FILE",
  });
}

/** Session events and pins: from a store's own files, or from the extra lines of each export. */
export function readBesides(
  files: Files,
  { directory, logs }: Origin,
): Omit<Extras, "offsets">[] {
  if (directory === undefined) return logs.flatMap(({ extras }) => extras ?? []);
  const layout = {
    sessions: `${directory}/sessions.ndjson`,
    gitattributes: `${directory}/.gitattributes`,
    pins: `${directory}/pins.md`,
  };
  return [{
    events: withoutEndedTitles(readSessionEvents(files, layout)),
    pins: parsePins(readPinsText({ files, layout })),
  }];
}

/** A row from elsewhere, and the line it is, when that is sound; a view, gone with the next row. */
export interface OriginRow {
  entry: Entry;
  line?: Uint8Array;
}

/** The rows of a pair of logs that are entries and not forgotten there, in their order. */
export function* readRows(
  files: Files,
  history: OriginLogs,
  tally: Tally,
): Generator<OriginRow> {
  using snapshot = openSnapshot(files, { history });
  const forgotten = snapshot.readForgotten(["archive", "hot"]);
  tally.files++;
  tally.bytes += snapshot.sizeOf("archive") + snapshot.sizeOf("hot");
  for (const row of readAll(files, { history, snapshot, tally })) {
    if (row.entry.type === tombstoneType || forgotten.ids.has(row.entry.id)) continue;
    yield row;
  }
}

/** All rows; a whole row at the end that lacks only its newline is one too. */
function* readAll(
  files: Files,
  from: { history: OriginLogs; snapshot: Snapshot; tally: Tally },
): Generator<OriginRow> {
  const { tally } = from;
  const isExtra = (offset: number): boolean => from.history.extras?.offsets.has(offset) ?? false;
  const onDamage = ({ saved, pool, offset }: Damage): void => {
    if (pool === "hot" && isExtra(offset)) return;
    tally.bad_lines++;
    tally.salvaged += saved;
  };
  yield* from.snapshot.rows({ onDamage, lines: true });
  const tail = findTornTail(files, from.history.hot);
  if (tail === undefined || isExtra(tail.offset)) return;
  const { entries, damage } = parseLine(tail.bytes);
  if (damage !== undefined) tally.bad_lines++;
  else for (const entry of entries) yield { entry, line: tail.bytes };
}
