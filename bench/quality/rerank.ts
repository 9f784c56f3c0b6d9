// What reranking is worth: the judged sets as people search by default, and with every row's vector at
// hand; and what the model takes. Vectors are kept under dist/bench, because making them takes an hour.
// Run: deno task model && deno task bench rerank

import { openIndex } from "../../src/index/search_index.ts";
import { embeddableText } from "../../src/index/vectors/embedder.ts";
import { type MiniLm, openMiniLm } from "../../src/search/rerank/minilm.ts";
import { hasModel } from "../../src/search/rerank/model_file.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import { rerankBy } from "../../src/search/rank/rerank_rows.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { searchIndex } from "../../src/search/run_search.ts";
import { hashHex } from "../../src/core/hash.ts";
import { type BenchTable, round } from "../table.ts";
import { bootstrap, toDifference } from "./bootstrap.ts";
import { type JudgedGroup, loadJudgedSets, shared } from "./judged_sets.ts";
import { meanOf, type Scores } from "./measures.ts";
import { type Find, openStore } from "./open_store.ts";

/** The tables for `deno task bench rerank`. */
export async function run(): Promise<BenchTable[]> {
  const sets = hasModel() ? await loadJudgedSets() : [];
  if (sets.length === 0) {
    const title = `Rerank: skipped, there is no model (deno task model) or no set in ${shared}`;
    return [{ title, head: ["set"], rows: [] }];
  }
  const before = Deno.memoryUsage().rss;
  const started = performance.now();
  const model = await openMiniLm();
  const costs = await measureCosts(model, { before, loadMs: performance.now() - started });
  const vectors = await KeptVectors.open(model);
  const rows: (string | number)[][] = [];
  for (const { name, groups } of sets) {
    const plain: Scores[] = [];
    const reranked: Scores[] = [];
    for (const group of groups) {
      plain.push(...await scoreGroup(group));
      reranked.push(...await scoreGroup(group, vectors));
    }
    for (const [engine, scores] of [["default", plain], ["reranked", reranked]] as const) {
      const means = (["ndcg", "first", "five"] as const).map((measure) =>
        round(meanOf(scores.map((score) => score[measure])), 4)
      );
      const gain = bootstrap(scores.map((score, i) => score.ndcg - plain[i].ndcg));
      rows.push([name, engine, ...means, scores === plain ? "" : toDifference(gain)]);
    }
  }
  const head = ["set", "engine", "nDCG@10", "success@1", "success@5", "gained nDCG, 95 %"];
  return [{ title: "Rerank of the best 20, all with vectors", head, rows }, costs];
}

async function scoreGroup(
  { workspace, questions }: JudgedGroup,
  vectors?: KeptVectors,
): Promise<Scores[]> {
  const find = openReranked(workspace, vectors);
  const scores: Scores[] = [];
  for (const { text, isAnswerable, score } of questions) {
    if (isAnswerable) scores.push(score(await find(text)));
  }
  return scores;
}

/** A search that is asked until every row has its vector. */
function openReranked(workspace: string, vectors: KeptVectors | undefined): Find {
  const index = openIndex(openStore(workspace), { warn: () => {} });
  const common = { k: 10, offset: 0, scope: "all", mode: "auto", unasked: true } as const;
  return async (text) => {
    const request: SearchRequest = { ...common, query: text };
    const query = await vectors?.make(text);
    while (true) {
      const missing: string[] = [];
      const rerank = query && vectors && rerankBy((entry) => {
        const own = embeddableText(entry).slice(0, 4096);
        const found = vectors.find(own);
        if (found === undefined) missing.push(own);
        return found && dot(query, found);
      });
      const { rows } = await searchIndex(index, await planSearch(request), { rerank });
      if (missing.length === 0) return rows.map(({ id }) => id);
      for (const one of missing) await vectors?.make(one);
    }
  };
}

/** Vectors by text, in memory and in a file that is only appended to. */
class KeptVectors {
  static readonly #path = new URL("../../dist/bench/rerank-vectors.ndjson", import.meta.url);
  readonly #model: MiniLm;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(model: MiniLm) {
    this.#model = model;
  }

  static async open(model: MiniLm): Promise<KeptVectors> {
    const kept = new KeptVectors(model);
    const text = await Deno.readTextFile(KeptVectors.#path).catch(() => "");
    for (const line of text.split("\n").filter(Boolean)) {
      const [key, data] = line.split(" ");
      kept.#vectors.set(key, new Float32Array(Uint8Array.fromBase64(data).buffer));
    }
    return kept;
  }

  find(text: string): Float32Array | undefined {
    return this.#vectors.get(hashHex(text));
  }

  async make(text: string): Promise<Float32Array> {
    const found = this.find(text);
    if (found) return found;
    const vector = await this.#model.embed(text);
    this.#vectors.set(hashHex(text), vector);
    const line = `${hashHex(text)} ${new Uint8Array(vector.buffer).toBase64()}\n`;
    await Deno.writeTextFile(KeptVectors.#path, line, { append: true });
    return vector;
  }
}

async function measureCosts(
  model: MiniLm,
  { before, loadMs }: { before: number; loadMs: number },
): Promise<BenchTable> {
  const median = async (text: string): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 15; i++) {
      const started = performance.now();
      await model.embed(text);
      times.push(performance.now() - started);
    }
    return round(times.sort((a, b) => a - b)[7], 1);
  };
  const passage = "The refresh token is rotated on every use and the old one is revoked. ";
  const query = await median("how do we rotate refresh tokens");
  const text = await median(passage.repeat(7));
  const memory = Math.round((Deno.memoryUsage().rss - before) / 1e6);
  return {
    title: "What the model takes, in process",
    head: ["to load, ms", "a query, ms", "490 characters, ms", "memory, MB"],
    rows: [[Math.round(loadMs), query, text, memory]],
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
