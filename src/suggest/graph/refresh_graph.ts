// Builds the symbol graph and keeps it up to date: only files whose size, time or content changed
// are parsed again. Few changes become a small delta beside the table; many, or new files, a new
// table. Both are replaced atomically, so that readers see the old graph or the new one.

import { breathe } from "../../core/breathe.ts";
import type { Files } from "../../store/files/files.ts";
import type { Layout } from "../../store/files/layout.ts";
import { ofVersion } from "../tables/changed_table.ts";
import {
  type CodeGraph,
  type DeltaRow,
  type GraphMeta,
  graphPaths,
  graphVersion,
  keysOf,
  openGraph,
} from "./code_graph.ts";
import { encodeDelta } from "../tables/delta_file.ts";
import { emptyFacts, type FileFacts, maxSourceBytes } from "./file_facts.ts";
import { hashBytes, isBinary } from "../../git/file_hash.ts";
import { readImportWorld } from "./import_world.ts";
import { findLanguage } from "./languages.ts";
import { loadParser } from "./load_parser.ts";
import { encodeTable } from "../tables/record_table.ts";
import { leastFiles, type RefreshBudget, slowFile } from "./refresh_budget.ts";
import { resolveImports } from "./resolve_imports.ts";
import { findFile, loadIgnoreRules, walkWorkspace, type WorkspaceFile } from "./walk_workspace.ts";

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

/** Brings the graph up to date. */
export async function refreshGraph(options: RefreshOptions): Promise<RefreshResult> {
  const { files, layout } = options;
  files.makeDirectory(layout.index);
  using graph = ofVersion(openGraph(files, layout), graphVersion);
  const known = knownFiles(graph);
  const plan = await planRefresh(options, known);
  const { parsed: changed, left } = await parseChanged(plan.changed, { ...options, graph });
  const total = plan.total;
  const result = { files: total, parsed: changed.length, removed: plan.gone.length, left };
  if (graph !== undefined && changed.length === 0 && plan.gone.length === 0) {
    return { ...result, rebuilt: false };
  }
  const isNew = changed.some((facts) => !known.has(facts.path));
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

function knownFiles(graph: CodeGraph | undefined): Map<string, Known> {
  const known = new Map<string, Known>();
  if (graph === undefined) return known;
  for (const [path, size, mtime, hash, module] of (graph.table.readMeta() as GraphMeta).files) {
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
  const wanted = (path: string): boolean => findLanguage(path) !== undefined;
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
  for (const path of options.only.filter(wanted)) {
    const file = rules.ignores(path, false) ? undefined : findFile(root, path);
    if (file !== undefined) consider(file);
    else if (known.has(path)) plan.gone.push(path);
  }
  plan.total = known.size;
  return plan;
}

/** Parses what really changed; a file that was only touched keeps its facts with the new time. */
async function parseChanged(
  changed: Plan["changed"],
  { layout, progress, signal, graph, budget }: RefreshOptions & { graph?: CodeGraph },
): Promise<{ parsed: FileFacts[]; left: number }> {
  const parsed: FileFacts[] = [];
  const asked = changed.filter(({ path }) => path === budget?.first);
  let done = 0;
  let slow = 0;
  for (const { path, size, mtime, before } of new Set([...asked, ...changed])) {
    signal?.throwIfAborted();
    await breathe(signal);
    if (done + slow * slowFile >= leastFiles && budget?.hasTime() === false) break;
    if (++done % 50 === 0) progress?.("reading the sources", done, changed.length);
    const language = findLanguage(path)!;
    if (size > maxSourceBytes) {
      const file = { path, language, hash: `${size}-${mtime}`, size, mtime };
      parsed.push({ ...emptyFacts(file), skipped: "too_large" });
      continue;
    }
    const bytes = findBytes(`${layout.workspace}/${path}`);
    if (bytes === undefined || isBinary(bytes)) continue;
    const touched = before?.hash === hashBytes(bytes) ? graph?.find(path) : undefined;
    if (touched !== undefined) {
      parsed.push({ ...touched, mtime });
      continue;
    }
    const { parse } = await loadParser();
    const facts = await parse({ path, language, bytes, mtime });
    if (facts?.skipped === "too_slow") slow++;
    if (facts !== undefined) parsed.push(facts);
  }
  return { parsed, left: changed.length - done };
}

interface Changes {
  changed: FileFacts[];
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
    [...known].map(([path, { module }]) => ({ path, language: findLanguage(path)!, module })),
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
  const world = readImportWorld(layout.workspace, sorted);
  for (const facts of sorted) facts.links = resolveImports(facts, world);
  const meta: GraphMeta = {
    version: graphVersion,
    files: sorted.map(({ path, size, mtime, hash, module }) =>
      module === undefined ? [path, size, mtime, hash] : [path, size, mtime, hash, module]
    ),
  };
  const table = encodeTable(
    meta,
    sorted.map((facts) => ({ value: facts, keys: keysOf(facts) })),
  );
  const paths = graphPaths(layout);
  files.remove(paths.delta);
  files.replace(paths.table, table, { sync: false });
}

function findBytes(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}
