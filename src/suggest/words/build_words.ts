// Builds the table of words from the one before and the files that changed: only those are read. The
// bytes are the same as those of a table built from nothing. Pure but for the texts it asks for.

import { hash64, hashStart } from "../../core/hash.ts";
import { KeyStore } from "../tables/key_store.ts";
import {
  countKeys,
  emptyRun,
  entryWords,
  idMask,
  type MergeInput,
  mergeRuns,
  type PostingRun,
} from "../tables/posting_run.ts";
import { encodeSorted, type RecordTable } from "../tables/record_table.ts";
import { profilesOf } from "./term_profiles.ts";
import type { WorkspaceFile } from "../graph/walk_workspace.ts";
import { partsOf, stemWords } from "./word_facts.ts";
import { type ManyTimes, WordReader } from "./word_reader.ts";
import { wordLabel, type WordMeta, type WordRecord, wordVersion } from "./word_table.ts";
import { decodeTail, encodeTail } from "./word_tail.ts";

/** More postings (eight bytes each) are not collected at once: what was read is merged first. */
const maxPostings = 16_000_000;

/** What a table is built from. */
export interface WordPlan {
  /** The table before; files of it are taken over where that can be done. */
  before?: RecordTable;
  /** All files that there are, in order. */
  found: WorkspaceFile[];
  /** Those that changed, in the order in which they are to be read. */
  changed: WorkspaceFile[];
  /** The text of a file; empty for one that has no words. */
  readText: (file: WorkspaceFile) => string;
  /** Asked before each file: whether there still is time to read it. */
  hasTime: (done: number) => boolean | Promise<boolean>;
}

/** The table, and how far it got: files that were left are in it as they were before, or not yet. */
export interface BuiltWords {
  bytes: Uint8Array;
  read: number;
  left: number;
}

/** Builds the table of words. */
export async function buildWords(plan: WordPlan): Promise<BuiltWords> {
  const before = takeBefore(plan.before);
  const changed = before === undefined
    ? [...new Set([...plan.changed, ...plan.found])]
    : plan.changed;
  const called = new Set(plan.found.flatMap(({ path }) => stemWords(path)));
  const fresh = await readChanged({ ...plan, changed }, called);
  const left = new Set(changed.slice(fresh.read).map(({ path }) => path));
  const numbers = numberFiles(plan, { left, changed, before });
  const kept: Before = before ?? { run: emptyRun, many: [], files: [] };
  const merged = mergeAll(kept, fresh, { ...numbers, called });
  const many = [
    ...renumberMany(kept.many, numbers.ofBefore),
    ...renumberMany(fresh.many, numbers.ofFound),
  ].sort((a, b) => a.id - b.id || (a.term < b.term ? -1 : 1));
  const { files } = numbers;
  const profiles = profilesOf(merged, { files: files.length, many });
  const meta: WordMeta = { version: wordVersion, files };
  const values = files.map(([path], id): WordRecord => {
    const { norm, telling } = profiles[id];
    return [path, norm, telling];
  });
  const { keys, postings, texts } = merged;
  const tail = encodeTail({ texts, many });
  const bytes = encodeSorted(meta, { values, keys, postings, tail });
  return { bytes, read: fresh.read, left: left.size };
}

interface Before {
  run: PostingRun;
  many: ManyTimes[];
  files: WordMeta["files"];
}

/** What a table holds, or undefined when there is none, or one of the time before tails. */
function takeBefore(table: RecordTable | undefined): Before | undefined {
  const tail = table?.readTail();
  if (table === undefined || tail === undefined) return undefined;
  const { keys, postings } = table.readSorted();
  const { texts, many } = decodeTail(tail, keys.length / entryWords);
  const { files } = table.readMeta() as WordMeta;
  return { run: { keys, postings, texts }, many, files };
}

interface Fresh {
  run: PostingRun;
  many: ManyTimes[];
  read: number;
}

/** Reads what changed, while there is time. Files are numbered by their place in all that there are. */
async function readChanged(
  { found, changed, readText, hasTime }: WordPlan,
  called: ReadonlySet<string>,
): Promise<Fresh> {
  const idOf = new Map(found.map(({ path }, id) => [path, id]));
  const many: ManyTimes[] = [];
  let run = emptyRun;
  let read = 0;
  while (read < changed.length && await hasTime(read)) {
    const reader = new WordReader(called);
    // The records of a key come in order, so that a file out of order begins another batch.
    for (let last = -1; read < changed.length && await hasTime(read); read++) {
      const id = idOf.get(changed[read].path)!;
      if (id < last || reader.keys.postings > maxPostings) break;
      reader.read({ id, path: changed[read].path }, readText(changed[read]));
      last = id;
    }
    run = mergeRuns([{ run }, { run: reader.keys.toRun() }]);
    many.push(...reader.many);
  }
  return { run, many, read };
}

interface Numbers {
  /** The files of the new table. */
  files: WordMeta["files"];
  /** The new number of each file of the table before, and of each that there is; -1 for none. */
  ofBefore: Int32Array;
  ofFound: Int32Array;
}

/** Numbers the files: those that were left stay as the table before has them, if it has them. */
function numberFiles(
  { found }: WordPlan,
  { left, changed, before }: {
    left: ReadonlySet<string>;
    changed: WorkspaceFile[];
    before: Before | undefined;
  },
): Numbers {
  const known = new Map(before?.files.map((file, id) => [file[0], { file, id }]));
  const isRead = new Set(changed.map(({ path }) => path).filter((path) => !left.has(path)));
  const files: WordMeta["files"] = [];
  const ofBefore = new Int32Array(before?.files.length ?? 0).fill(-1);
  const ofFound = new Int32Array(found.length).fill(-1);
  for (const [place, { path, size, mtime }] of found.entries()) {
    if (isRead.has(path)) {
      ofFound[place] = files.push([path, size, mtime]) - 1;
      continue;
    }
    const kept = known.get(path);
    if (kept !== undefined) ofBefore[kept.id] = files.push(kept.file) - 1;
  }
  return { files, ofBefore, ofFound };
}

/** Merges what is kept and what is new; which words count as said depends on all files together. */
function mergeAll(
  kept: Before,
  fresh: Fresh,
  { files, ofBefore, ofFound, called }: Numbers & { called: ReadonlySet<string> },
): PostingRun {
  const calledBefore = new Set(kept.files.flatMap(([path]) => stemWords(path)));
  const calledNow = new Set(files.flatMap(([path]) => stemWords(path)));
  const dropped = new Set<number>();
  for (const word of [...calledBefore, ...called]) {
    if (!calledNow.has(word)) dropped.add(hashNumber(...hash64(`v:${word}`)));
  }
  const drops = dropped.size === 0
    ? undefined
    : (high: number, low: number) => dropped.has(hashNumber(high, low));
  const both: [MergeInput, MergeInput] = [
    { run: kept.run, renumber: ofBefore },
    { run: fresh.run, renumber: ofFound },
  ];
  const merged = mergeRuns(both, drops);
  const added = new Set([...calledNow].filter((word) => !calledBefore.has(word)));
  if (added.size === 0 || kept.files.length === 0) return merged;
  return mergeRuns([{ run: merged }, { run: findSaying(merged, added) }]);
}

/** Who says some words, by the names that files hold. */
function findSaying(run: PostingRun, words: ReadonlySet<string>): PostingRun {
  const holders = new Map<string, Set<number>>();
  const decoder = new TextDecoder();
  const { bytes, ends } = run.texts;
  const labelByte = wordLabel.charCodeAt(0);
  for (let key = 0; key < countKeys(run); key++) {
    const from = key === 0 ? 0 : ends[key - 1];
    if (ends[key] === from || bytes[from] !== labelByte) continue;
    for (const word of partsOf([decoder.decode(bytes.subarray(from + 1, ends[key]))])) {
      if (!words.has(word)) continue;
      const found = holders.get(word) ?? new Set<number>();
      holders.set(word, found);
      const first = run.keys[key * entryWords + 2];
      for (let i = first; i < first + run.keys[key * entryWords + 3]; i++) {
        found.add(run.postings[i] & idMask);
      }
    }
  }
  const keys = new KeyStore();
  for (const [word, found] of holders) {
    const key = keys.add(hashStart("v:"), word);
    for (const id of [...found].sort((a, b) => a - b)) keys.post(key, id);
  }
  return keys.toRun();
}

function renumberMany(many: ManyTimes[], numbers: Int32Array): ManyTimes[] {
  return many.filter(({ id }) => numbers[id] >= 0).map((item) => ({
    ...item,
    id: numbers[item.id],
  }));
}

/** A hash as one number; some digits are lost, which two words of file names do not share. */
function hashNumber(high: number, low: number): number {
  return high * 2 ** 21 + (low >>> 11);
}
