// Builds the symbol graph and keeps it up to date: only files whose size, time or content changed
// are read again. Few changes become a small delta beside the table; many, or new sources, a new
// table. Both are replaced atomically, so that readers see the old graph or the new one.

import { breathe } from "../../../core/breathe.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { hashBytes, isBinary } from "../../../code/git/file_hash.ts";
import { keepJson } from "../tables/checked_json.ts";
import { encodeTable } from "../tables/record_table.ts";
import {
  type CodeGraph,
  type DeltaRow,
  type GraphDelta,
  type GraphMeta,
  graphPaths,
  graphVersion,
  keysOf,
  openGraph,
} from "./code_graph.ts";
import { type FileFacts, maxSourceBytes } from "./file_facts.ts";
import { findLanguage } from "./languages.ts";
import { parseSource } from "./parse_source.ts";
import { ImportWorld, resolveImports } from "./resolve_imports.ts";
import { findFile, loadIgnoreRules, walkWorkspace, type WorkspaceFile } from "./walk_workspace.ts";

/** What a refresh works on. */
export interface RefreshOptions {
  files: Files;
  layout: Layout;
  /** Only these files, when the caller knows what changed; otherwise the whole workspace. */
  only?: string[];
  progress?: (message: string, done?: number, total?: number) => void;
  signal?: AbortSignal;
  /** Whether there still is time for another file; without it all is done. */
  hasTime?: () => boolean;
  /** The file that is asked about: it is read before others. */
  first?: string;
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
/** So many files are read however long it takes: small changes are never left, and all get done. */
export const leastFiles = 128;

/** Brings the graph up to date. */
export async function refreshGraph(options: RefreshOptions): Promise<RefreshResult> {
  const { files, layout } = options;
  files.makeDirectory(layout.index);
  using opened = openGraph(files, layout);
  const meta = opened?.table.readMeta() as GraphMeta | undefined;
  const graph = meta?.version === graphVersion ? opened : undefined;
  const known = graph === undefined ? new Map<string, Known>() : knownFiles(graph, meta!);
  const plan = await planRefresh(options, known);
  const { read: changed, left } = await readChanged(plan.changed, { ...options, graph });
  const { gone, total } = plan;
  const result = { files: total, parsed: changed.length, removed: gone.length, left };
  const size = changed.length + gone.length;
  if (graph !== undefined && size === 0) return { ...result, rebuilt: false };
  // What imports a new file is to be resolved anew.
  const isNew = changed.some(({ path }) => !known.has(path));
  if (graph !== undefined && !isNew && size + graph.delta.size <= maxDelta) {
    writeDelta(graph, { changed, gone, options }, worldOf(known.keys(), layout));
    return { ...result, rebuilt: false };
  }
  writeTable(graph, { changed, gone, options });
  return { ...result, rebuilt: true };
}

type Known = Pick<FileFacts, "size" | "mtime" | "hash">;

function knownFiles(graph: CodeGraph, meta: GraphMeta): Map<string, Known> {
  const known = new Map<string, Known>(
    meta.files.map(([path, size, mtime, hash]) => [path, { size, mtime, hash }]),
  );
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
  const wanted = (path: string): boolean => findLanguage(path) !== undefined;
  const plan: Plan = { changed: [], gone: [], total: known.size };
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
  for (const path of options.only.filter(wanted)) {
    const file = rules.ignores(path, false) ? undefined : findFile(root, path);
    if (file !== undefined) consider(file);
    else if (known.has(path)) plan.gone.push(path);
  }
  return plan;
}

/** Reads what changed, as far as there is time: what is asked about first. */
async function readChanged(
  changed: Plan["changed"],
  options: RefreshOptions & { graph?: CodeGraph },
): Promise<{ read: FileFacts[]; left: number }> {
  const { progress, signal, hasTime, first } = options;
  const read: FileFacts[] = [];
  const asked = changed.filter(({ path }) => path === first);
  let done = 0;
  for (const file of new Set([...asked, ...changed])) {
    signal?.throwIfAborted();
    await breathe(signal);
    if (done >= leastFiles && hasTime?.() === false) break;
    if (++done % 50 === 0) progress?.("reading the sources", done, changed.length);
    const found = readFile(file, options);
    if (found !== undefined) read.push(found);
  }
  return { read, left: changed.length - done };
}

/** Reads one file; one that was only touched keeps what is known of it with the new time. */
function readFile(
  { path, size, mtime, before }: Plan["changed"][number],
  { layout, graph }: RefreshOptions & { graph?: CodeGraph },
): FileFacts | undefined {
  const language = findLanguage(path)!;
  const none = { symbols: [], refs: [], specs: [], links: [] };
  const unread = { path, language, hash: `${size}-${mtime}`, size, mtime, ...none };
  if (size > maxSourceBytes) return { ...unread, skipped: "too_large" };
  const bytes = findBytes(`${layout.workspace}/${path}`);
  if (bytes === undefined) return undefined;
  if (isBinary(bytes)) return { ...unread, skipped: "binary" };
  const hash = hashBytes(bytes);
  const touched = before?.hash === hash ? graph?.find(path) : undefined;
  if (touched !== undefined) return { ...touched, mtime };
  return { ...unread, hash, ...parseSource(new TextDecoder().decode(bytes), language) };
}

interface Changes {
  changed: FileFacts[];
  gone: string[];
  options: RefreshOptions;
}

function writeDelta(
  graph: CodeGraph,
  { changed, gone, options }: Changes,
  world: ImportWorld,
): void {
  const { files, layout } = options;
  const delta = new Map<string, DeltaRow>(graph.delta);
  for (const facts of changed) {
    delta.set(facts.path, { ...facts, links: resolveImports(facts, world) });
  }
  for (const path of gone) delta.set(path, { path, gone: true });
  const kept: GraphDelta = { base: graph.table.stamp, rows: [...delta.values()] };
  keepJson(files, graphPaths(layout).delta, kept);
}

function writeTable(graph: CodeGraph | undefined, { changed, gone, options }: Changes): void {
  const { files, layout } = options;
  const all = new Map<string, FileFacts>();
  for (const facts of graph?.table.readAll() ?? []) {
    all.set((facts as FileFacts).path, facts as FileFacts);
  }
  for (const row of graph?.delta.values() ?? []) {
    if ("gone" in row) all.delete(row.path);
    else all.set(row.path, row);
  }
  for (const path of gone) all.delete(path);
  for (const facts of changed) all.set(facts.path, facts);
  const sorted = [...all.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  const world = worldOf(all.keys(), layout);
  const records = sorted.map((facts) => {
    const value = { ...facts, links: resolveImports(facts, world) };
    return { value, keys: keysOf(value) };
  });
  const meta: GraphMeta = {
    version: graphVersion,
    files: sorted.map(({ path, size, mtime, hash }) => [path, size, mtime, hash]),
  };
  const table = encodeTable(meta, records);
  const paths = graphPaths(layout);
  for (const path of [paths.delta, ...paths.former]) files.remove(path);
  files.replace(paths.table, table, { sync: false });
}

function worldOf(paths: Iterable<string>, { workspace }: Layout): ImportWorld {
  const size = findFile(workspace, "go.mod")?.size ?? 0;
  const bytes = size > 0 && size < maxModuleBytes ? findBytes(`${workspace}/go.mod`) : undefined;
  const module = /^module\s+(\S+)/m.exec(new TextDecoder().decode(bytes))?.[1];
  return new ImportWorld(paths, module);
}

const maxModuleBytes = 256 << 10;

function findBytes(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}
