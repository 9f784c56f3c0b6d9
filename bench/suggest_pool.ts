// Writes, for each chosen case of this repository's history, a pool of candidates for a labeller:
// several methods, in an order that says nothing, without scores. suggest_sheets.ts makes sheets of
// it. Run: deno run -A bench/suggest_pool.ts first|second OUT.json

import { hashHex } from "../src/core/hash.ts";
import { catchUp } from "../src/index/catch_up.ts";
import { openLocalEmbedder } from "../src/index/vectors/embedder_local.ts";
import { closeIndex, search } from "../src/search/run_search.ts";
import { nameOf } from "../src/recall/edit/graph/code_graph.ts";
import { findSymbolAt } from "../src/recall/edit/graph/file_facts.ts";
import { openSources } from "../src/recall/edit/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../src/recall/edit/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/recall/edit/run_suggest.ts";
import {
  type Sources,
  type Subject,
  suggestionTypes,
} from "../src/recall/edit/signals/suggestion.ts";
import { emptyMemory } from "../src/recall/edit/suggestion_memory.ts";
import { isTestOf } from "../src/recall/edit/graph/paired_test.ts";
import { chooseCases, type Chosen } from "./suggest_choice.ts";
import { HistoryReplay, type Moment } from "./suggest_history.ts";
import { keysOf } from "./suggest_history_cases.ts";

const poolSize = 20;
const saidItems = 5;
export const maxDiffChars = 2500;

/** A candidate as a labeller sees it, and its key. */
export interface PoolItem {
  key: string;
  type: string;
  title: string;
  excerpt: string;
}

async function main(): Promise<void> {
  const [set, out] = Deno.args;
  if (set !== "first" && set !== "second") throw new Error("first or second?");
  const root = await Deno.makeTempDir({ prefix: "ctx-pool-" });
  const replay = await HistoryReplay.open(root);
  const chosen = await chooseCases(replay, set);
  const cases = [];
  for (const commit of new Set(chosen.map((item) => item.commit))) {
    const moment = await replay.before(commit.oid);
    await catchUp(moment.store, { embedder: openLocalEmbedder({ whole: true }) });
    using sources = await openSources(moment.store, {
      refresh: true,
      reports: [],
      now: moment.now,
      days: 7,
    });
    for (const item of chosen.filter((item) => item.commit === commit)) {
      const diff = item.kind === "still" ? "" : await replay.diff(commit.oid, item.path);
      const symbol = symbolOf(item, diff, sources);
      const candidates = await poolOf(item, symbol, { moment, sources, replay });
      cases.push({
        case_id: `${set === "first" ? "c" : "n"}${String(cases.length + 1).padStart(3, "0")}`,
        kind: item.kind,
        file: item.path,
        ...(symbol === undefined ? {} : { symbol }),
        commit: commit.oid,
        commit_message: commit.message,
        diff_excerpt: item.kind === "still"
          ? "(this commit does not change the file; somebody opens it at this time)"
          : diff.slice(0, maxDiffChars),
        file_excerpt_before: read(moment, item.path)?.slice(0, 1500) ?? "(does not exist yet)",
        candidates,
      });
    }
    closeIndex(moment.store);
  }
  Deno.writeTextFileSync(`${out}.tmp`, JSON.stringify(cases, null, 1));
  Deno.renameSync(`${out}.tmp`, out);
  await Deno.remove(root, { recursive: true });
}

/** Every third code case asks for the symbol that the commit changes first. */
function symbolOf({ commit, path, kind }: Chosen, diff: string, { graph }: Sources) {
  if (
    kind !== "code" ||
    Number.parseInt(hashHex(`symbol:${commit.oid}:${path}`).slice(0, 8), 16) % 3 !== 0
  ) {
    return undefined;
  }
  const start = /^@@ -(\d+)/m.exec(diff)?.[1];
  const facts = graph?.find(path);
  if (start === undefined || facts === undefined) return undefined;
  return findSymbolAt(facts, Number(start) + 3)?.name;
}

async function poolOf(
  { commit, path }: Chosen,
  symbol: string | undefined,
  { moment, sources, replay }: { moment: Moment; sources: Sources; replay: HistoryReplay },
): Promise<PoolItem[]> {
  const request = { path, symbol, recent: [], recentChangeDays: 7 };
  const subject = toSubject(request, sources, moment.now);
  const hunks = await replay.hunks(commit.oid, path);
  const edited = toSubject({ ...request, edit: hunks }, sources, moment.now);
  const [byFile, byEdit] = [subject, edited].map((asked) => rank(asked, { moment, sources }));
  const warnings = new Map(
    [...byFile, ...byEdit].filter((item) => item.type === "warning").map((item) => [
      `warning:${item.entity_id}`,
      { title: item.title, excerpt: item.summary },
    ]),
  );
  const toKeys = (items: RankedItem[]): string[] =>
    items.map((item) => keysOf(item, moment).sort(preferPath)[0]).filter((key) => key);
  const names = [
    nameOf(path),
    ...(symbol ? [symbol] : []),
    ...(subject.facts?.symbols ?? []).map((item) => item.name).filter((name) => name.length > 7),
  ];
  const touched = moment.before.filter((item) => item.files.some((file) => file.path === path))
    .reverse();
  const naming = moment.before.filter((item) => names.some((name) => item.message.includes(name)))
    .reverse();
  const earlier = [...touched.slice(0, 4), ...naming.slice(0, 3), ...touched.slice(4)].slice(0, 6);
  const together = commit.files.map((file) => file.path)
    .filter((other) => other !== path && read(moment, other) !== undefined);
  const importers = sources.graph?.findImporters(path, 50).map((facts) => facts.path) ?? [];
  const imported = subject.facts?.links.filter((link) => !link.endsWith("/")) ?? [];
  const tests = [...importers, ...imported].filter((other) =>
    isTestOf(other, path) || isTestOf(path, other)
  );
  const docs = docRows(moment).filter((row) =>
    names.some((name) => row.text.includes(name)) && row.document !== path
  );
  const changed = [...(edited.edit?.changed ?? [])].filter((name) => name.length > 3).slice(0, 30);
  const words = [path.replace(/\.\w+$/, "").replace(/[/_.-]+/g, " "), ...names.slice(0, 6)];
  const find = async (query: string, scope: "all" | "docs", k: number): Promise<string[]> => {
    const answer = await search(moment.store, { query, k, offset: 0, scope, mode: "auto" });
    return answer.rows.map((row) => moment.keys.get(row.id)!).filter((key) => key !== undefined);
  };
  // What the ranker would say is judged in any case, said with the edit or without.
  const said = [...toKeys(byEdit.slice(0, saidItems)), ...toKeys(byFile.slice(0, saidItems))];
  const methods = [
    toKeys(byEdit.slice(saidItems)),
    toKeys(byFile.slice(saidItems)),
    byHash(namedAlike(path, moment).map((other) => `path:${other}`), path).slice(0, 3),
    byHash(together.map((other) => `path:${other}`), commit.oid),
    earlier.map((item) => `commit:${item.oid.slice(0, 12)}`),
    [...tests, ...byHash(importers, commit.oid).slice(0, 3), ...byHash(imported, path).slice(0, 3)]
      .map((other) => `path:${other}`),
    byHash(docs.map((row) => moment.keys.get(row.id)!), path).slice(0, 3),
    [
      ...await find(words.join(" "), "all", 4),
      ...await find(words.slice(0, 2).join(" "), "docs", 2),
    ],
    changed.length === 0 ? [] : [
      ...await find(changed.join(" "), "all", 3),
      ...await find(changed.join(" "), "docs", 2),
    ],
  ];
  const keys = new Set<string>(said);
  for (let i = 0; keys.size < poolSize && methods.some((list) => i < list.length); i++) {
    for (const list of methods) {
      if (i >= list.length || keys.size >= poolSize) continue;
      if (list[i] === `path:${path}` || list[i].startsWith(`doc:${path}#`)) continue;
      keys.add(list[i]);
    }
  }
  return byHash([...keys], `${commit.oid}:${path}`).map((key) =>
    describe(key, { moment, sources, replay, names, warnings })
  );
}

function rank(
  subject: Subject,
  { moment, sources }: { moment: Moment; sources: Sources },
): RankedItem[] {
  return rankSuggestions(findCandidates(subject, sources), emptyMemory(), {
    limit: 40,
    minScore: 0.1,
    minPrecision: 0,
    enabled: new Set(suggestionTypes),
    repeat: true,
    now: moment.now,
  }).items;
}

/** A change is judged by its file where it has one. */
function preferPath(a: string, b: string): number {
  return Number(b.startsWith("path:")) - Number(a.startsWith("path:"));
}

/** Files whose names share a word that few names have. */
function namedAlike(path: string, { store }: Moment): string[] {
  const wordsOf = (name: string): string[] =>
    nameOf(name).replace(/\.\w+$/, "").split(/[_.-]/).filter((word) => word.length > 3);
  const all = [...listFiles(store.layout.workspace)];
  const counts = new Map<string, number>();
  for (const name of all) {
    for (const word of wordsOf(name)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rare = wordsOf(path).filter((word) => (counts.get(word) ?? 0) <= 8 && word !== "test");
  return all.filter((name) => name !== path && wordsOf(name).some((word) => rare.includes(word)));
}

function* listFiles(root: string, prefix = ""): Generator<string> {
  for (const entry of Deno.readDirSync(`${root}/${prefix}`)) {
    if (entry.name === ".git" || entry.name === ".contextfs") continue;
    if (entry.isDirectory) yield* listFiles(root, `${prefix}${entry.name}/`);
    else yield prefix + entry.name;
  }
}

/** A candidate by its key; a section is shown around the first of the names. */
export function describe(
  key: string,
  { moment, sources, replay, names, warnings }: {
    moment: Moment;
    sources: Sources;
    replay: HistoryReplay;
    names: string[];
    warnings: Map<string, { title: string; excerpt: string }>;
  },
): PoolItem {
  if (key.startsWith("path:")) {
    const path = key.slice(5);
    const text = read(moment, path) ?? "";
    const head = /^(?:\s*\/\/.*\n)+/.exec(text)?.[0] ?? text.slice(0, 200);
    const defines = sources.graph?.find(path)?.symbols.map((symbol) => symbol.name) ?? [];
    const excerpt = `${head.trim()}${defines.length > 0 ? `\nDefines: ${defines.join(", ")}` : ""}`;
    return { key, type: "related_code", title: `File: ${path}`, excerpt: excerpt.slice(0, 400) };
  }
  if (key.startsWith("commit:")) {
    const commit = [...replay.commits.values()].find((item) => item.oid.startsWith(key.slice(7)))!;
    const [subject, ...body] = commit.message.split("\n");
    const files = commit.files.map((file) => file.path).join(", ");
    const text = body.join(" ").trim().slice(0, 220);
    const excerpt = `${text}\nChanged ${commit.files.length} files: ${files}`.trim();
    return { key, type: "earlier_change", title: subject, excerpt: excerpt.slice(0, 400) };
  }
  const warning = warnings.get(key);
  if (warning !== undefined) {
    return { key, type: "warning", title: warning.title, excerpt: warning.excerpt.slice(0, 400) };
  }
  const row = docRows(moment).find((item) => moment.keys.get(item.id) === key)!;
  const at = Math.max(0, ...names.map((name) => row.text.indexOf(name)).filter((i) => i >= 0));
  const from = Math.max(0, at - 150);
  return {
    key,
    type: "doc",
    title: `${row.document}: ${row.title}`,
    excerpt: row.text.slice(from, from + 400),
  };
}

function docRows(
  { store }: Moment,
): { id: string; document: string; title: string; text: string }[] {
  return [...store.entries()].map(({ entry }) => entry).filter((entry) => entry.type === "doc")
    .map((entry) => ({
      id: entry.id,
      document: String(entry.document),
      title: entry.title ?? "",
      text: entry.text,
    }));
}

/** In an order that says nothing. */
export function byHash(items: string[], salt: string): string[] {
  return [...items].sort((a, b) => hashHex(`${salt}:${a}`) < hashHex(`${salt}:${b}`) ? -1 : 1);
}

/** A file as it was at the moment, or undefined. */
export function read({ store }: Moment, path: string): string | undefined {
  try {
    return Deno.readTextFileSync(`${store.layout.workspace}/${path}`);
  } catch {
    return undefined;
  }
}

if (import.meta.main) await main();
