// Builds the table of words and keeps it up to date: only files whose size or time changed are read
// again. Few changes become a small delta beside the table; many a new table. Both are replaced
// atomically.

import { ofVersion } from "./changed_table.ts";
import { encodeDelta } from "./delta_file.ts";
import { isBinary } from "./file_hash.ts";
import { encodeTable } from "./record_table.ts";
import type { RefreshOptions } from "./refresh_graph.ts";
import { profileOf } from "./term_weight.ts";
import { findFile, loadIgnoreRules, walkWorkspace, type WorkspaceFile } from "./walk_workspace.ts";
import {
  type FileWords,
  isWorded,
  maxWordedBytes,
  partsOf,
  readWords,
  stemWords,
} from "./word_facts.ts";
import {
  openWords,
  termKey,
  wordKeys,
  type WordMeta,
  wordPaths,
  type WordRecord,
  type WordRow,
  type WordTable,
  wordVersion,
} from "./word_table.ts";

const maxDelta = 64;
/** More files than this are not read for their words. */
const maxWordedFiles = 50_000;

/** Brings the words up to date; returns how many files were read. */
export async function refreshWords(options: RefreshOptions): Promise<number> {
  const { files, layout, only } = options;
  files.makeDirectory(layout.index);
  using words = ofVersion(openWords(files, layout), wordVersion);
  const known = knownFiles(words);
  const rules = await loadIgnoreRules(layout.workspace);
  const walkAll = (): WorkspaceFile[] =>
    [...walkWorkspace(layout.workspace, { rules, wanted: () => true })].slice(0, maxWordedFiles);
  const found = only !== undefined && words !== undefined
    ? only.filter((path) => !rules.ignores(path, false))
      .map((path) => findFile(layout.workspace, path)).filter((file) => file !== undefined)
    : walkAll();
  const changed = found.filter(({ path, size, mtime }) => {
    const before = known.get(path);
    return before === undefined || before.size !== size || before.mtime !== mtime;
  });
  const there = new Set(found.map((file) => file.path));
  const asked = only !== undefined && words !== undefined ? new Set(only) : undefined;
  const gone = [...known.keys()].filter((path) =>
    !there.has(path) && (asked === undefined || asked.has(path))
  );
  if (words !== undefined && changed.length === 0 && gone.length === 0) return 0;
  if (words !== undefined && words.delta.size + changed.length + gone.length <= maxDelta) {
    writeDelta(words, { changed, gone, options });
    return changed.length;
  }
  const all = asked === undefined ? found : walkAll();
  writeTable(all, options);
  return all.length;
}

function knownFiles(words: WordTable | undefined): Map<string, { size: number; mtime: number }> {
  const known = new Map<string, { size: number; mtime: number }>();
  if (words === undefined) return known;
  for (const [path, size, mtime] of (words.table.readMeta() as WordMeta).files) {
    known.set(path, { size, mtime });
  }
  for (const row of words.delta.values()) {
    if ("gone" in row) known.delete(row.path);
    else known.set(row.path, row);
  }
  return known;
}

function writeDelta(
  words: WordTable,
  { changed, gone, options }: { changed: WorkspaceFile[]; gone: string[]; options: RefreshOptions },
): void {
  const { files, layout } = options;
  const delta = new Map<string, WordRow>(words.delta);
  for (const file of changed) {
    const { size, mtime } = file;
    const read = readFile(layout.workspace, file);
    // Rare as the table knows it; a term that it does not know is new with this file.
    const profile = profileOf(read.terms, {
      holdersOf: (term) => Math.max(1, words.countTerm(term)),
      files: words.count,
    });
    const terms = Object.fromEntries(read.terms);
    delta.set(file.path, { ...read, ...profile, terms, size, mtime });
  }
  for (const path of gone) delta.set(path, { path, gone: true });
  const bytes = encodeDelta(words.table.stamp, delta.values());
  files.replace(wordPaths(layout).delta, bytes, { sync: false });
}

function writeTable(found: WorkspaceFile[], { files, layout, signal }: RefreshOptions): void {
  const called = new Set(found.flatMap(({ path }) => stemWords(path)));
  const all = found.map((file) => {
    signal?.throwIfAborted();
    return readFile(layout.workspace, file);
  });
  const holders = new Map<string, number>();
  for (const { terms } of all) {
    for (const term of terms.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  const world = { holdersOf: (term: string) => holders.get(term)!, files: all.length };
  const records = all.map((words) => {
    // How often a word is said counts only for words that files are called by.
    const said = [...partsOf(words.words)].filter((word) => called.has(word));
    const { norm, telling } = profileOf(words.terms, world);
    const value: WordRecord = [words.path, norm, telling];
    return {
      value,
      keys: [...wordKeys(words), ...said.map((word) => `v:${word}`)],
      counts: new Map([...words.terms].map(([term, count]) => [termKey(term), count])),
    };
  });
  const meta: WordMeta = {
    version: wordVersion,
    files: found.map(({ path, size, mtime }) => [path, size, mtime]),
  };
  const paths = wordPaths(layout);
  files.remove(paths.delta);
  files.replace(paths.table, encodeTable(meta, records), { sync: false });
}

/** The words of a file; none where it is data, binary or too large. */
function readFile(workspace: string, { path, size }: WorkspaceFile): FileWords {
  const nothing = { path, words: [], files: [], terms: new Map<string, number>() };
  if (size > maxWordedBytes || !isWorded(path)) return nothing;
  try {
    const bytes = Deno.readFileSync(`${workspace}/${path}`);
    return isBinary(bytes) ? nothing : readWords(path, new TextDecoder().decode(bytes));
  } catch {
    return nothing;
  }
}
