// Sheets of what the ranker says, or nearly says, and no labeller has judged; and back from their
// labels into the fixtures: what is listed becomes judged. Labels that are there stay.
// Run: deno run -A bench/suggest_unjudged.ts sheets DIRECTORY KEYS_DIRECTORY
//      deno run -A bench/suggest_unjudged.ts merge DIRECTORY KEYS_DIRECTORY (takes labels-*.json)

import { nameOf } from "../src/recall/edit/graph/code_graph.ts";
import { openSources } from "../src/recall/edit/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../src/recall/edit/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/recall/edit/run_suggest.ts";
import { suggestionTypes } from "../src/recall/edit/signals/suggestion.ts";
import { emptyMemory } from "../src/recall/edit/suggestion_memory.ts";
import { HistoryReplay, type HistorySet, historySets } from "./suggest_history.ts";
import { type HistoryCase, historyCases, isJudged, keysOf } from "./suggest_history_cases.ts";
import { byHash, describe, maxDiffChars, read } from "./suggest_pool.ts";
import { idOf, type PoolCase, writeSheets } from "./suggest_sheets.ts";

const parts = 2;
/** Weights that are fitted anew say a little more or less: what is near is judged too. */
const limit = 7;
const minScore = 0.4;
const fixtures: Record<HistorySet, string> = {
  first: "suggest_history.json",
  second: "suggest_history_second.json",
};

async function main(): Promise<void> {
  const [action, directory, keys] = Deno.args;
  if (keys === undefined) throw new Error("sheets or merge, DIRECTORY, KEYS_DIRECTORY");
  if (action === "merge") return merge(directory, `${keys}/keys.json`);
  const cases: PoolCase[] = [];
  for (const set of historySets) cases.push(...await findUnjudged(set));
  for (const path of [directory, keys]) Deno.mkdirSync(path, { recursive: true });
  writeSheets(cases, directory, parts);
  const known = Object.fromEntries(
    cases.map(({ case_id, candidates }) => [case_id, candidates.map(({ key }) => key)]),
  );
  Deno.writeTextFileSync(`${keys}/keys.json`, JSON.stringify(known, null, 1));
}

async function findUnjudged(set: HistorySet): Promise<PoolCase[]> {
  const root = await Deno.makeTempDir({ prefix: "ctx-unjudged-" });
  const replay = await HistoryReplay.open(root);
  const cases: PoolCase[] = [];
  for (const oid of new Set(historyCases(set).map((item) => item.commit))) {
    const moment = await replay.before(oid);
    const { store, now } = moment;
    using sources = await openSources(store, { refresh: true, reports: [], now, days: 7 });
    for (const labelled of historyCases(set).filter((item) => item.commit === oid)) {
      const { path, symbol } = labelled;
      const said: RankedItem[] = [];
      for (const edit of [undefined, await replay.hunks(oid, path)]) {
        const request = { path, symbol, edit, recent: [], recentChangeDays: 7 };
        const candidates = findCandidates(toSubject(request, sources, now), sources);
        said.push(
          ...rankSuggestions(candidates, emptyMemory(), {
            limit,
            minScore,
            minPrecision: 0,
            enabled: new Set(suggestionTypes),
            repeat: true,
            now,
          }).items,
        );
      }
      const keys = said.map((item) => keysOf(item, moment))
        .filter((keys) => keys.length > 0 && !isJudged(keys, labelled))
        .map((keys) => keys.find((key) => key.startsWith("path:")) ?? keys[0]);
      if (keys.length === 0) continue;
      const names = [nameOf(path), ...(symbol === undefined ? [] : [symbol])];
      const world = { moment, sources, replay, names, warnings: new Map() };
      cases.push({
        case_id: labelled.id,
        kind: labelled.kind,
        file: path,
        symbol,
        commit: oid,
        commit_message: replay.commits.get(oid)!.message,
        diff_excerpt: labelled.kind === "still"
          ? "(this commit does not change the file; somebody opens it at this time)"
          : (await replay.diff(oid, path)).slice(0, maxDiffChars),
        file_excerpt_before: read(moment, path)?.slice(0, 1500) ?? "(does not exist yet)",
        candidates: byHash([...new Set(keys)], `${oid}:${path}`).map((key) => describe(key, world)),
      });
    }
  }
  await Deno.remove(root, { recursive: true });
  return cases;
}

/** Takes labels of all sheets into both fixtures. */
function merge(directory: string, keysPath: string): void {
  const keys: Record<string, string[]> = JSON.parse(Deno.readTextFileSync(keysPath));
  const labels: Record<string, string[]> = {};
  for (let part = 1; part <= parts; part++) {
    Object.assign(labels, JSON.parse(Deno.readTextFileSync(`${directory}/labels-${part}.json`)));
  }
  const missing = Object.keys(keys).filter((id) => labels[id] === undefined);
  if (missing.length > 0) throw new Error(`No labels of ${missing.join(", ")}`);
  for (const set of historySets) {
    const path = new URL(`fixtures/${fixtures[set]}`, import.meta.url);
    const fixture: { cases: HistoryCase[] } = JSON.parse(Deno.readTextFileSync(path));
    for (const item of fixture.cases) {
      for (const [i, key] of (keys[item.id] ?? []).entries()) {
        if (isJudged([key], item)) continue;
        item.pool?.push(key);
        if (labels[item.id].includes(idOf(i))) item.relevant.push(key);
      }
    }
    Deno.writeTextFileSync(path, `${JSON.stringify(fixture, null, 2)}\n`);
  }
}

await main();
