// Chooses the cases from this repository's history by a fixed rule and writes, for each, a pool of
// candidates for a labeller: several methods, in an order that says nothing, without scores.
// Run: deno run -A bench/suggest_pool.ts OUT

import { hashHex } from "../src/core/hash.ts";
import { catchUp } from "../src/index/catch_up.ts";
import { openLocalEmbedder } from "../src/index/embedder_local.ts";
import { closeIndex, search } from "../src/retrieval/search.ts";
import { nameOf } from "../src/suggest/code_graph.ts";
import { findSymbolAt } from "../src/suggest/file_facts.ts";
import { openSources } from "../src/suggest/open_sources.ts";
import { rankSuggestions } from "../src/suggest/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/suggest/suggest.ts";
import { type Sources, suggestionTypes } from "../src/suggest/suggestion.ts";
import { emptyMemory } from "../src/suggest/suggestion_memory.ts";
import { isTestOf } from "../src/suggest/test_pair.ts";
import { type HistoryCommit, HistoryReplay, type Moment } from "./suggest_history.ts";

interface Chosen {
  commit: HistoryCommit;
  path: string;
  kind: Kind;
}

type Kind = "code" | "test" | "doc" | "config" | "new" | "data" | "still";

const quotas: Record<Kind, number> = {
  code: 34,
  test: 16,
  doc: 12,
  config: 6,
  new: 8,
  data: 8,
  still: 8,
};
const perCommit = 2;
const maxFiles = 12;
const minBefore = 20;
const poolSize = 18;

/** The kind of a changed file. */
function kindOf(path: string, status: string): Kind | undefined {
  if (path.startsWith("assets/embed/") || status === "D") return undefined;
  if (
    /(^|\/)(LICENSE|\.gitignore)$|\.(lock|jsonl|ndjson|txt|tsv|wat|1|bin)$/.test(path) ||
    path.startsWith("bench/results/") || path.startsWith("test/samples/") ||
    (path.endsWith(".json") && path !== "deno.json")
  ) return "data";
  if (status === "A") return /\.ts$/.test(path) ? "new" : undefined;
  if (path.endsWith(".md")) return "doc";
  if (/\.ts$/.test(path)) return path.startsWith("test/") ? "test" : "code";
  return "config";
}

function choose(replay: HistoryReplay): Chosen[] {
  const commits = [...replay.commits.values()].filter((commit) =>
    commit.parents.length === 1 && commit.files.length >= 1 && commit.files.length <= maxFiles &&
    replay.countBefore(commit.oid) >= minBefore
  );
  const pairs: Chosen[] = commits.flatMap((commit) => [
    ...commit.files.flatMap(({ path, status }) => {
      const kind = kindOf(path, status);
      return kind === undefined ? [] : [{ commit, path, kind }];
    }),
    // Files that lie still: somebody opens them while the project moves on.
    ...["LICENSE", ".gitignore", ".github/workflows/release.yml", "test/samples/codex/auth.json"]
      .filter((path) => !commit.files.some((file) => file.path === path))
      .map((path) => ({ commit, path, kind: "still" as const })),
  ]);
  const order = (item: Chosen): string => hashHex(`${item.commit.oid}:${item.path}`);
  pairs.sort((a, b) => order(a) < order(b) ? -1 : 1);
  const left = { ...quotas };
  const byCommit = new Map<string, number>();
  const byPath = new Map<string, number>();
  // Rare kinds choose first, so that common ones do not use up their commits.
  const kinds: Kind[] = ["config", "data", "still", "new", "doc", "test", "code"];
  return kinds.flatMap((kind) =>
    pairs.filter((item) => {
      if (item.kind !== kind || left[kind] === 0) return false;
      const used = byCommit.get(item.commit.oid) ?? 0;
      const asked = byPath.get(item.path) ?? 0;
      if (used >= perCommit || asked >= 2) return false;
      byCommit.set(item.commit.oid, used + 1);
      byPath.set(item.path, asked + 1);
      left[kind]--;
      return true;
    })
  );
}

interface PoolItem {
  key: string;
  type: string;
  title: string;
  excerpt: string;
}

async function main(): Promise<void> {
  const out = Deno.args[0];
  const root = await Deno.makeTempDir({ prefix: "ctx-pool-" });
  const replay = await HistoryReplay.open(root);
  const chosen = choose(replay);
  chosen.sort((a, b) => a.commit.ts - b.commit.ts || (a.path < b.path ? -1 : 1));
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
        case_id: `c${String(cases.length + 1).padStart(3, "0")}`,
        kind: item.kind,
        file: item.path,
        ...(symbol === undefined ? {} : { symbol }),
        commit: commit.oid,
        commit_message: commit.message,
        diff_excerpt: item.kind === "still"
          ? "(this commit does not change the file; somebody opens it at this time)"
          : diff.slice(0, 1500),
        file_excerpt_before: read(moment, item.path)?.slice(0, 1500) ?? "(does not exist yet)",
        candidates,
      });
    }
    closeIndex(moment.store);
  }
  // The kind of a case would tell the labeller what is expected.
  const shown = cases.map(({ kind: _, ...item }) => item);
  if (Deno.args[1]) {
    Deno.writeTextFileSync(Deno.args[1], JSON.stringify(cases.map((c) => [c.case_id, c.kind])));
  }
  Deno.writeTextFileSync(`${out}.tmp`, JSON.stringify(shown, null, 1));
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
  const subject = toSubject({ path, symbol, recent: [], recentChangeDays: 7 }, sources, moment.now);
  const ranked = rankSuggestions(findCandidates(subject, sources), emptyMemory(), {
    limit: 60,
    minScore: 0.1,
    minPrecision: 0,
    enabled: new Set(suggestionTypes),
    repeat: true,
    now: moment.now,
  }).items;
  const warnings = new Map(
    ranked.filter((item) => item.type === "warning").map((item) => [
      `warning:${item.entity_id}`,
      { title: item.title, excerpt: item.summary },
    ]),
  );
  const own = ranked.map((item) =>
    item.path !== undefined
      ? `path:${item.path}`
      : item.type === "warning"
      ? `warning:${item.entity_id}`
      : moment.keys.get(item.entity_id)!
  );
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
  const words = [path.replace(/\.\w+$/, "").replace(/[/_.-]+/g, " "), ...names.slice(0, 6)];
  const find = async (query: string, scope: "all" | "docs", k: number): Promise<string[]> => {
    const answer = await search(moment.store, { query, k, offset: 0, scope, mode: "auto" });
    return answer.rows.map((row) => moment.keys.get(row.id)!).filter((key) => key !== undefined);
  };
  const methods = [
    own,
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
  ];
  const keys = new Set<string>();
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

function describe(
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

function byHash(items: string[], salt: string): string[] {
  return [...items].sort((a, b) => hashHex(`${salt}:${a}`) < hashHex(`${salt}:${b}`) ? -1 : 1);
}

function read({ store }: Moment, path: string): string | undefined {
  try {
    return Deno.readTextFileSync(`${store.layout.workspace}/${path}`);
  } catch {
    return undefined;
  }
}

await main();
