// What a shell may offer for a word: ids with titles, the newest first, and the sources, types and tags
// that there are. Reads ends of logs and the index's dictionary, never a whole log.

import { tombstoneType } from "../../core/entry.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import type { Candidate } from "./candidate.ts";
import { findEntryCandidates, readLastOfLog } from "./find_entries_from.ts";
import { listSessions } from "./find_sessions_from.ts";

export const offered = ["H", "S", "T", "G", "B", "source", "type", "tag"] as const;
export type Offered = typeof offered[number];

const mostOffered = 50;

/** The values that a word may become, each with what it is. */
export async function listOffered(
  of: Offered,
  word: string,
  context: Context,
): Promise<{ value: string; about: string }[]> {
  const store = await context.openStore();
  if (of === "source" || of === "type" || of === "tag") {
    return (await listValues(store, of)).map((value) => ({ value, about: "" }));
  }
  const said = word.toLowerCase();
  const letter = `${of.toLowerCase()}-`;
  const isBare = !letter.startsWith(said) && !said.startsWith(letter);
  const found = await listIds(of, word, context);
  return found.map(({ id, title }) => ({
    value: isBare ? id.replace(/^[A-Z]-/, "") : id,
    about: title,
  }))
    .filter(({ value }) => value.toLowerCase().startsWith(said)).slice(0, mostOffered);
}

async function listIds(of: Offered, word: string, context: Context): Promise<Candidate[]> {
  const store = await context.openStore();
  if (of === "H") {
    return word.length > 4
      ? await findEntryCandidates(word, context)
      : readLastOfLog(store, mostOffered);
  }
  if (of === "S") return newestFirst(listSessions(store));
  const { findLogged } = await import("./find_logged.ts");
  return newestFirst(findLogged(of === "T" ? "T" : of === "G" ? "G" : "B", store));
}

function newestFirst(all: Candidate[]): Candidate[] {
  return all.sort((a, b) => a.ts < b.ts ? 1 : -1);
}

async function listValues(store: Store, field: "source" | "type" | "tag"): Promise<string[]> {
  using snapshot = store.openSnapshot();
  const { askIndex } = await import("../../index/ask_index.ts");
  const known = await askIndex(store, snapshot, (index) => index.valuesOf(field), { minBytes: 0 });
  const newest = readLastOfLog(store, 500).flatMap(({ entry }) =>
    field === "source"
      ? entry.source?.agent ?? []
      : field === "type"
      ? entry.type
      : entry.tags ?? []
  );
  return [...new Set([...known ?? [], ...newest])].filter((value) =>
    field !== "type" || value !== tombstoneType
  ).sort();
}
