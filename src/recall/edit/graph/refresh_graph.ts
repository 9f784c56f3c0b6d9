// Builds the symbol graph and keeps it up to date: only files whose size, time or content changed
// are read again. Few changes become a small delta beside the table; many, or new sources, a new
// table. Both are replaced atomically, so that readers see the old graph or the new one.

import { breathe } from "../../../core/breathe.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import {
  type CodeGraph,
  type DeltaRow,
  type GraphFile,
  type GraphMeta,
  graphPaths,
  graphVersion,
  keysOf,
  openGraph,
} from "./code_graph.ts";
import { encodeDelta } from "../tables/delta_file.ts";
import { emptyFacts, type FileFacts, maxSourceBytes } from "./file_facts.ts";
import { isWorded } from "../../../code/git/is_worded.ts";
import { hashBytes, isBinary } from "../../../code/git/file_hash.ts";
import { readImportWorld } from "./import_world.ts";
import { findLanguage } from "./languages.ts";
import { loadParser } from "./load_parser.ts";
import { encodeTable } from "../tables/record_table.ts";
import { leastFiles, type RefreshBudget, slowFile } from "./refresh_budget.ts";
import { resolveImports } from "./resolve_imports.ts";
import { findFile, loadIgnoreRules, walkWorkspace, type WorkspaceFile } from "./walk_workspace.ts";
import { type FileWords, maxWordedBytes, noWords, readWords } from "./word_facts.ts";

/** What a refresh works on. */
export interface RefreshOptions {
  files: Files;
  layout: Layout;
  /** Only these files, when the caller knows what changed; otherwise the whole workspace. */
  only?: string[];
  progress?: (message: string, done?: number, total?: number) => void;
  signal?: AbortSignal;
  /** Limits what is done at once; without it all is done. */
  budget?: RefreshBudget;
}

/** What a refresh found. */
export interface RefreshResult {
  files: number;
  parsed: number;
  removed: number;
  /** Files that changed and are left for another time: the graph has them as they were. */
  left: number;
  rebuilt: boolean;
}

const maxDelta = 64;
/** More files than this are only looked at where they are sources. */
const maxTexts = 50_000;

/** Brings the graph up to date. */
export async function refreshGraph(options: RefreshOptions): Promise<RefreshResult> {
  const { files, layout } = options;
  files.makeDirectory(layout.index);
  using opened = openGraph(files, layout);
  const meta = opened?.table.readMeta() as GraphMeta | undefined;
  const graph = meta?.version === graphVersion ? opened : undefined;
  const known = knownFiles(graph, meta);
  const plan = await planRefresh(options, known);
  const { read: changed, left } = await readChanged(plan.changed, { ...options, graph });
  const total = plan.total;
  const result = { files: total, parsed: changed.length, removed: plan.gone.length, left };
  if (graph !== undefined && changed.length === 0 && plan.gone.length === 0) {
    return { ...result, rebuilt: false };
  }
  // What imports it is to be resolved anew.
  const isNew = changed.some(({ path, language }) => language !== undefined && !known.has(path));
  const size = changed.length + plan.gone.length + (graph?.delta.size ?? 0);
  if (graph !== undefined && !isNew && size <= maxDelta) {
    writeDelta(graph, { changed, gone: plan.gone, known, options });
    return { ...result, rebuilt: false };
  }
  writeTable(graph, { changed, gone: plan.gone, options });
  return { ...result, rebuilt: true };
}

interface Known {
  size: number;
  mtime: number;
  hash: string;
  module?: string;
}

function knownFiles(graph: CodeGraph | undefined, meta?: GraphMeta): Map<string, Known> {
  const known = new Map<string, Known>();
  if (graph === undefined || meta === undefined) return known;
  for (const [path, size, mtime, hash, module] of meta.files) {
    known.set(path, { size, mtime, hash, module });
  }
  for (const row of graph.delta.values()) {
    if ("gone" in row) known.delete(row.path);
    else known.set(row.path, row);
  }
  return known;
}

interface Plan {
  changed: (WorkspaceFile & { before?: Known })[];
  gone: string[];
  total: number;
}

async function planRefresh(options: RefreshOptions, known: Map<string, Known>): Promise<Plan> {
  const root = options.layout.workspace;
  const rules = await loadIgnoreRules(root);
  let texts = 0;
  const wanted = (path: string): boolean => findLanguage(path) !== undefined || texts++ < maxTexts;
  const plan: Plan = { changed: [], gone: [], total: 0 };
  const seen = new Set<string>();
  const consider = (file: WorkspaceFile): void => {
    seen.add(file.path);
    const before = known.get(file.path);
    const same = before !== undefined && before.size === file.size && before.mtime === file.mtime;
    if (!same) plan.changed.push({ ...file, before });
  };
  if (options.only === undefined) {
    for (const file of walkWorkspace(root, { rules, wanted })) {
      consider(file);
      await breathe(options.signal);
    }
    plan.gone = [...known.keys()].filter((path) => !seen.has(path));
    plan.total = seen.size;
    return plan;
  }
  for (const path of options.only) {
    const file = rules.ignores(path, false) ? undefined : findFile(root, path);
    if (file !== undefined) consider(file);
    else if (known.has(path)) plan.gone.push(path);
  }
  plan.total = known.size;
  return plan;
}

/** Reads what changed, as far as there is time: what is asked about first. */
async function readChanged(
  changed: Plan["changed"],
  options: RefreshOptions & { graph?: CodeGraph },
): Promise<{ read: GraphFile[]; left: number }> {
  const { progress, signal, budget } = options;
  const read: GraphFile[] = [];
  const asked = changed.filter(({ path }) => path === budget?.first);
  let done = 0;
  let slow = 0;
  for (const file of new Set([...asked, ...changed])) {
    signal?.throwIfAborted();
    await breathe(signal);
    if (done + slow * slowFile >= leastFiles && budget?.hasTime() === false) break;
    if (++done % 50 === 0) progress?.("reading the sources", done, changed.length);
    const found = await readFile(file, options);
    if (found?.skipped === "too_slow") slow++;
    if (found !== undefined) read.push(found);
  }
  return { read, left: changed.length - done };
}

/** Reads one file; one that was only touched keeps what is known of it with the new time. */
async function readFile(
  { path, size, mtime, before }: Plan["changed"][number],
  { layout, graph }: RefreshOptions & { graph?: CodeGraph },
): Promise<GraphFile | undefined> {
  const language = findLanguage(path);
  const hasWords = isWorded(path) && size <= maxWordedBytes;
  const unread = { path, hash: `${size}-${mtime}`, size, mtime };
  if (language !== undefined && size > maxSourceBytes) {
    return { ...emptyFacts({ ...unread, language }), skipped: "too_large", words: noWords };
  }
  if (language === undefined && !hasWords) return { ...emptyFacts(unread), words: noWords };
  const bytes = findBytes(`${layout.workspace}/${path}`);
  if (bytes === undefined) return undefined;
  if (isBinary(bytes)) return { ...emptyFacts(unread), words: noWords };
  const hash = hashBytes(bytes);
  const touched = before?.hash === hash ? graph?.findFile(path) : undefined;
  if (touched !== undefined) return { ...touched, mtime };
  const facts = language === undefined
    ? emptyFacts({ ...unread, hash })
    : await (await loadParser()).parse({ path, language, bytes, mtime });
  const words = hasWords ? readWords(new TextDecoder().decode(bytes)) : noWords;
  return { ...facts, words };
}

interface Changes {
  changed: GraphFile[];
  gone: string[];
  options: RefreshOptions;
}

function writeDelta(
  graph: CodeGraph,
  { changed, gone, known, options }: Changes & { known: Map<string, Known> },
): void {
  const { files, layout } = options;
  const world = readImportWorld(
    layout.workspace,
    [...known].map(([path, { module }]) => ({ path, language: findLanguage(path), module })),
  );
  const delta = new Map<string, DeltaRow>(graph.delta);
  for (const facts of changed) {
    delta.set(facts.path, { ...facts, links: resolveImports(facts, world) });
  }
  for (const path of gone) delta.set(path, { path, gone: true });
  const paths = graphPaths(layout);
  files.replace(paths.delta, encodeDelta(graph.table.stamp, delta.values()), { sync: false });
}

function writeTable(
  graph: CodeGraph | undefined,
  { changed, gone, options }: Changes,
): void {
  const { files, layout } = options;
  const all = new Map<string, GraphFile>();
  for (const [path, facts, words] of graph?.table.readAll() ?? []) {
    all.set(path as string, { ...facts as FileFacts, words: words as FileWords });
  }
  for (const row of graph?.delta.values() ?? []) {
    if ("gone" in row) all.delete(row.path);
    else all.set(row.path, row);
  }
  for (const path of gone) all.delete(path);
  for (const file of changed) all.set(file.path, file);
  const sorted = [...all.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  const world = readImportWorld(layout.workspace, sorted);
  for (const facts of sorted) facts.links = resolveImports(facts, world);
  const meta: GraphMeta = {
    version: graphVersion,
    files: sorted.map(({ path, size, mtime, hash, module }) =>
      module === undefined ? [path, size, mtime, hash] : [path, size, mtime, hash, module]
    ),
  };
  const records = sorted.map((file) => {
    const { words, ...facts } = file;
    return { parts: [file.path, facts, words], keys: keysOf(file) };
  });
  const table = encodeTable(meta, records);
  const paths = graphPaths(layout);
  for (const path of [paths.delta, ...paths.former]) files.remove(path);
  files.replace(paths.table, table, { sync: false });
}

function findBytes(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}
