// Builds the table of words and keeps it up to date: only files whose size or time changed are read
// again. Few changes become a small delta beside the table; many a new table, which takes over from
// the old one what did not change. Both are replaced atomically.

import { breathe } from "../../core/breathe.ts";
import { buildWords } from "./build_words.ts";
import { ofVersion } from "../tables/changed_table.ts";
import { encodeDelta } from "../tables/delta_file.ts";
import { isBinary } from "../../git/file_hash.ts";
import type { RefreshOptions } from "../graph/refresh_graph.ts";
import { leastFiles } from "../graph/refresh_budget.ts";
import { profileOf } from "./term_weight.ts";
import {
  findFile,
  loadIgnoreRules,
  walkWorkspace,
  type WorkspaceFile,
} from "../graph/walk_workspace.ts";
import { isWorded } from "../../git/is_worded.ts";
import { maxWordedBytes, readWords } from "./word_facts.ts";
import {
  openWords,
  type WordMeta,
  wordPaths,
  type WordRow,
  type WordTable,
  wordVersion,
} from "./word_table.ts";

const maxDelta = 64;
/** More files than this are not read for their words. */
const maxWordedFiles = 50_000;

/** How many files were read, and how many of those that changed are left for another time. */
export interface WordsRefreshed {
  read: number;
  left: number;
}

/** Brings the words up to date, as far as there is time. */
export async function refreshWords(options: RefreshOptions): Promise<WordsRefreshed> {
  const { files, layout, only } = options;
  files.makeDirectory(layout.index);
  using words = ofVersion(openWords(files, layout), wordVersion);
  const known = knownFiles(words);
  const rules = await loadIgnoreRules(layout.workspace);
  const walkAll = async (): Promise<WorkspaceFile[]> => {
    const all: WorkspaceFile[] = [];
    for (const file of walkWorkspace(layout.workspace, { rules, wanted: () => true })) {
      if (all.push(file) === maxWordedFiles) break;
      await breathe(options.signal);
    }
    return all;
  };
  const found = only !== undefined && words !== undefined
    ? only.filter((path) => !rules.ignores(path, false))
      .map((path) => findFile(layout.workspace, path)).filter((file) => file !== undefined)
    : await walkAll();
  const changed = found.filter(({ path, size, mtime }) => {
    const before = known.get(path);
    return before === undefined || before.size !== size || before.mtime !== mtime;
  });
  const there = new Set(found.map((file) => file.path));
  const asked = only !== undefined && words !== undefined ? new Set(only) : undefined;
  const gone = [...known.keys()].filter((path) =>
    !there.has(path) && (asked === undefined || asked.has(path))
  );
  if (words !== undefined && changed.length === 0 && gone.length === 0) return { read: 0, left: 0 };
  if (words !== undefined && words.delta.size + changed.length + gone.length <= maxDelta) {
    writeDelta(words, { changed, gone, options });
    return { read: changed.length, left: 0 };
  }
  return await writeTable(words, {
    found: asked === undefined ? found : await walkAll(),
    options,
  });
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
    const read = readWords(file.path, readText(layout.workspace, file));
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

async function writeTable(
  words: WordTable | undefined,
  { found, options }: { found: WorkspaceFile[]; options: RefreshOptions },
): Promise<WordsRefreshed> {
  const { files, layout, signal, budget } = options;
  const inTable = new Map(
    (words?.table.readMeta() as WordMeta | undefined)?.files
      .map(([path, size, mtime]) => [path, { size, mtime }]),
  );
  const changed = found.filter(({ path, size, mtime }) => {
    const before = inTable.get(path);
    return before?.size !== size || before.mtime !== mtime;
  });
  // What is asked about comes first, then what the delta knows, which goes with the old table.
  const rankOf = ({ path }: WorkspaceFile): number =>
    path === budget?.first ? 0 : words?.delta.has(path) ? 1 : 2;
  const ranks = new Map(changed.map((file) => [file, rankOf(file)]));
  changed.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  const { bytes, read, left } = await buildWords({
    before: words?.table,
    found,
    changed,
    readText: (file) => readText(layout.workspace, file),
    hasTime: async (done) => {
      signal?.throwIfAborted();
      await breathe(signal);
      return done < leastFiles || budget === undefined || budget.hasTime();
    },
  });
  const paths = wordPaths(layout);
  files.remove(paths.delta);
  files.replace(paths.table, bytes, { sync: false });
  return { read, left };
}

/** The text of a file; none where it is data, binary or too large. */
function readText(workspace: string, { path, size }: WorkspaceFile): string {
  if (size > maxWordedBytes || !isWorded(path)) return "";
  try {
    const bytes = Deno.readFileSync(`${workspace}/${path}`);
    return isBinary(bytes) ? "" : new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}
