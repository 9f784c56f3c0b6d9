// What an agent saved when it was asked to, as records: held against what was said and done in the
// session, and put in the place of what the rules found on the same subject. Pure.

import type { Entry } from "../../core/entry.ts";
import { isRecord, isRecordType } from "../../core/rows/record.ts";
import { firstLine } from "../../core/text.ts";
import { makeRecord, type RecordDraft } from "./distil_session.ts";
import { findSymbols, keyWords, shareOf } from "./key_words.ts";

/** Of a claim's words so many must have been said in the session. */
const minSupport = 0.6;
const maxEvidence = 4;

/** The entries that the agent saved since it was asked. */
export function findAuthored(entries: readonly Entry[], asked: string): Entry[] {
  return entries.filter((entry) =>
    entry.role === "note" && entry.source === undefined && !isRecord(entry) &&
    isRecordType(entry.type) && entry.ts >= asked
  );
}

/**
 * The records of a session with what its agent wrote: a supported one takes over the evidence of
 * those that say the same, unless the user's own words say it. What the session does not bear out
 * stays as it was saved, no record.
 */
export function mergeAuthored(
  drafts: readonly RecordDraft[],
  { entries, authored }: { entries: readonly Entry[]; authored: readonly Entry[] },
): RecordDraft[] {
  const said = entries.filter((entry) => !authored.includes(entry) && entry.type !== "thinking");
  const kept = new Set(drafts);
  const ofUser = new Set(said.filter(({ role }) => role === "user").map(({ id }) => id));
  const written = authored.flatMap((entry) => {
    const evidence = findEvidence(entry.text, said);
    if (evidence.length === 0) return [];
    const words = keyWords(`${entry.title ?? ""} ${entry.text}`);
    const merged = [...kept].filter((draft) =>
      draft.type === entry.type && draft.type !== "preference" && !ofUser.has(draft.refs[0]) &&
      shareOf(keyWords(draft.text), words) >= minShared
    );
    for (const draft of merged) kept.delete(draft);
    return [toDraft(entry, { evidence, merged })];
  });
  return [...kept, ...written];
}

const minShared = 0.5;

/** The rows that bear a text out, best first; none when too little of it was said. */
export function findEvidence(text: string, said: readonly Entry[]): Entry[] {
  const words = keyWords(text);
  if (words.size === 0) return [];
  const left = new Set(words);
  const found: Entry[] = [];
  while (found.length < maxEvidence) {
    let best: { entry: Entry; count: number } | undefined;
    for (const entry of said) {
      const own = wordsOf(entry);
      const count = [...left].filter((word) => own.has(word)).length;
      if (count > (best?.count ?? 0)) best = { entry, count };
    }
    if (best === undefined) break;
    found.push(best.entry);
    for (const word of wordsOf(best.entry)) left.delete(word);
  }
  const isNamed = findSymbols(text).every((name) =>
    said.some(({ text, files = [] }) =>
      text.includes(name) || files.some((file) => file.includes(name))
    )
  );
  return isNamed && 1 - left.size / words.size >= minSupport ? found : [];
}

function wordsOf({ text, files = [] }: Entry): ReadonlySet<string> {
  return keyWords(`${text.slice(0, 3900)} ${files.join(" ")}`);
}

function toDraft(
  entry: Entry,
  { evidence, merged }: { evidence: readonly Entry[]; merged: readonly RecordDraft[] },
): RecordDraft {
  const { id, ts, text, title, type, saved_by } = entry;
  return makeRecord(entry, {
    ts,
    type: isRecordType(type) ? type : "outcome",
    title: title ?? firstLine(text, 100),
    text,
    refs: [id, ...evidence.map((row) => row.id), ...merged.flatMap((draft) => draft.refs)],
    files: [...entry.files ?? [], ...merged.flatMap((draft) => draft.files ?? [])],
    supersedes: id,
    ...(saved_by === undefined ? {} : { saved_by }),
    record: { by: "agent" },
  });
}
