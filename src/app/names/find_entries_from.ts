// Entries whose ids begin with what was said: through the index where there is one, else in the logs;
// then among the user's own documents and in the transcripts of chats.

import { askIndex, minIndexedBytes } from "../../index/ask_index.ts";
import {
  docType,
  type Entry,
  ownPools,
  type Pool,
  pools,
  tombstoneType,
} from "../../core/entry.ts";
import { isRecord } from "../../core/rows/record.ts";
import { firstLine } from "../../core/text.ts";
import type { LogIndex } from "../../index/log_index.ts";
import { ChatStore, hasChats } from "../../store/chat_log.ts";
import { toNeedles } from "../../store/find.ts";
import { findLogSize } from "../../store/log_files.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import { beginningsOf, type Candidate, isAbout, mostListed, preferWhole } from "./candidate.ts";

/** The entries that a word may mean; one more than are listed at most. */
export async function findEntryCandidates(word: string, context: Context): Promise<Candidate[]> {
  const store = await context.openStore();
  const found = await findIn(store, word);
  if (found.length > 0) return found.map(toCandidate);
  const user = await context.openUserStore();
  const own = user ? (await findIn(user, word)).filter(({ type }) => type === docType) : [];
  if (own.length > 0 || !hasChats(store)) return own.map(toCandidate);
  return (await findIn(new ChatStore(store), word)).map(toCandidate);
}

/** The id of the entry that was saved last: not imported, not derived, not forgotten. */
export function findLastSaved(store: Store): string | undefined {
  const forgotten = store.readForgotten();
  using snapshot = store.openSnapshot();
  for (const pool of ownPools.toReversed()) {
    for (let window = 1 << 16;; window *= 16) {
      const at = Math.max(0, snapshot.sizeOf(pool) - window);
      const rows = [
        ...snapshot.rows({ pools: [pool], from: { [pool]: lineStart(snapshot, pool, at) } }),
      ];
      const last = rows.findLast(({ entry }) => isSaved(entry) && !forgotten.has(entry.id));
      if (last !== undefined) return last.entry.id;
      if (at === 0) break;
    }
  }
  return undefined;
}

/** The newest entries in the last part of the hot log, newest first. */
export function readLastOfLog(store: Store, most: number): (Candidate & { entry: Entry })[] {
  const forgotten = store.readForgotten();
  using snapshot = store.openSnapshot();
  const at = Math.max(0, snapshot.sizeOf("hot") - (1 << 18));
  const from = { hot: lineStart(snapshot, "hot", at) };
  const rows = [...snapshot.rows({ pools: ["hot"], from })];
  return rows.filter(({ entry }) => entry.type !== tombstoneType && !forgotten.has(entry.id))
    .reverse().slice(0, most).map(({ entry }) => ({ ...toCandidate(entry), entry }));
}

async function findIn(store: Store, word: string): Promise<Entry[]> {
  const beginnings = beginningsOf(word, "H");
  using snapshot = store.openSnapshot();
  const ask = (index: LogIndex): Entry[] | undefined => {
    const known = index.gatherFacts([word]).get(word);
    if (known?.row && !known.forgotten) return [known.row.entry];
    const runs = beginnings.map((beginning) => index.rowsFrom(beginning, mostListed + 1));
    return runs.some((rows) => rows === undefined)
      ? undefined
      : runs.flatMap((rows) => rows ?? []).map(({ entry }) => entry);
  };
  const found = await askIndex(store, snapshot, ask) ?? scan(store, word);
  // Entries that share an id are one name.
  return preferWhole([...new Map(found.map((entry) => [entry.id, entry])).values()], word);
}

/** What the logs have; of long ones only lines are read that hold the beginning as it was said. */
function scan(store: Store, word: string): Entry[] {
  const size = pools.reduce(
    (sum, pool) => sum + findLogSize(store.files, store.layout, pool),
    0,
  );
  const beginnings = beginningsOf(word, "H");
  const said = [word, ...beginnings.flatMap((one) => [one, one.toUpperCase(), `H${one.slice(1)}`])];
  const needles = toNeedles(said)?.map((needle) => needle.slice(0, -1));
  const isMeant = isAbout(word, "H");
  const found: Entry[] = [];
  for (
    const { entry } of store.entries({ needles: size < minIndexedBytes ? undefined : needles })
  ) {
    if (entry.id === word) return [entry];
    if (isMeant(entry) && found.length <= mostListed) found.push(entry);
  }
  return found;
}

function toCandidate({ id, ts, title, summary, text, session_id }: Entry): Candidate {
  return { id, ts, title: title ?? summary ?? firstLine(text, 80), session_id };
}

function isSaved(entry: Entry): boolean {
  return entry.type !== tombstoneType && entry.type !== docType && entry.source === undefined &&
    !isRecord(entry);
}

/** Where the first line begins from a byte on. */
function lineStart(snapshot: Snapshot, pool: Pool, at: number): number {
  if (at === 0) return 0;
  const newline = snapshot.readBytes(pool, at, 1 << 16).indexOf(10);
  return newline < 0 ? 0 : at + newline + 1;
}
