import assert from "node:assert/strict";
import { bootstrap, toDifference } from "../../bench/quality/bootstrap.ts";
import { openMiniSearch } from "../../bench/quality/engines.ts";
import { scoreIds } from "../../bench/quality/measures.ts";
import { openPlainBm25, plainWords } from "../../bench/quality/plain_bm25.ts";
import { strangersOf } from "../../bench/quality/quality.ts";
import { scoreAnswer } from "../../bench/quality/recall_set.ts";
import { parseSetting } from "../../bench/quality/try_weights.ts";
import { applySetting, shippedAt, weightPaths } from "../../bench/quality/weight_paths.ts";
import { fieldModel, weights } from "../../src/search/rank/ranking.ts";

Deno.test("scoreIds() has nDCG over all that is relevant, recall, and where the first hit stands", () => {
  const { ndcg, ...others } = scoreIds(["x", "a", "y", "z", "v", "b"], new Set(["a", "b", "c"]));
  const ideal = 1 + 1 / Math.log2(3) + 1 / Math.log2(4);
  assert.equal(ndcg, (1 / Math.log2(3) + 1 / Math.log2(7)) / ideal);
  assert.deepEqual(others, {
    recall5: 1 / 3,
    recall10: 2 / 3,
    reciprocal: 1 / 2,
    first: 0,
    five: 1,
    empty: 0,
  });
  assert.equal(scoreIds([], new Set(["a"])).empty, 1);
  assert.equal(scoreIds(Array.from({ length: 11 }, (_, i) => `${i}`), new Set(["10"])).ndcg, 0);
});

Deno.test("scoreAnswer() agrees with eval.py: a quote counts once, the rarest of a row first", () => {
  const texts = {
    a: "we use redis for locks",
    b: "redis it is, and postgres",
    c: "nothing here",
    d: "we use redis for locks",
  };
  const rows = new Map(Object.entries(texts).map(([id, text]) => [id, { id, text }]));
  const quotes: [string, number, number][] = [
    ["redis", 2, 3],
    ["for locks", 2, 2],
    ["postgres", 1, 1],
    ["it is", 2, 1],
  ];
  const gold = quotes.map(([quote, grade, rows]) => ({ quote, grade, rows }));
  const question = { id: "q", query: "x", kind: "decision", gold };
  // What eval.py prints for the same rows and quotes: nDCG, success@1, success@5, MRR.
  const printed: [string[], number, number, number, number][] = [
    [["a", "b", "c", "d"], 0.9064043257760946, 1, 1, 1],
    [["c", "b", "a"], 0.497223749750845, 0, 1, 0.5],
    [["c", "c", "c", "c", "c", "d"], 0.15660979181308693, 0, 0, 1 / 6],
    [[], 0, 0, 0, 0],
  ];
  for (const [ids, ndcg, first, five, reciprocal] of printed) {
    const scores = scoreAnswer(question, ids, rows);
    assert.ok(Math.abs(scores.ndcg - ndcg) < 1e-12, `${ids}: ${scores.ndcg}`);
    assert.deepEqual([scores.first, scores.five, scores.reciprocal], [first, five, reciprocal]);
  }
  const both = [{ quote: "we use", grade: 2, rows: 2 }, { quote: "redis", grade: 2, rows: 3 }];
  assert.equal(scoreAnswer({ ...question, gold: both }, ["a", "b"], rows).ndcg, 1);
});

Deno.test("bootstrap() gives the same bounds each time, and they hold the mean", () => {
  const values = Array.from({ length: 200 }, (_, i) => i % 4 === 0 ? 1 : 0);
  const found = bootstrap(values);
  assert.deepEqual(bootstrap(values), found);
  assert.equal(found.mean, 0.25);
  // The standard error is .0306: 95 % of the means lie within about two of it.
  assert.ok(Math.abs(found.low - 0.19) < 0.012 && Math.abs(found.high - 0.31) < 0.012);
  assert.equal(toDifference({ mean: 0.02, low: 0.01, high: 0.03 }), "+0.020 [+0.010, +0.030]*");
  assert.equal(toDifference({ mean: 0.02, low: -0.01, high: 0.05 }), "+0.020 [-0.010, +0.050]");
});

Deno.test("plain BM25 has the textbook's scores: k1 and b change the order as they should", () => {
  const documents = [
    { id: "long", text: "cat cat dog owl fox elk bee ant yak" },
    { id: "short", text: "cat dog" },
  ];
  const find = (b: number) => openPlainBm25(documents, { tokenize: plainWords, b })("cat");
  assert.deepEqual([find(0.75), find(0)], [["short", "long"], ["long", "short"]]);
});

Deno.test("MiniSearch gets stems and no stop words, as the others", async () => {
  const find = openMiniSearch([
    { id: "stop", text: "what is the" },
    { id: "stem", text: "rotating tokens" },
  ]);
  assert.deepEqual(await find("what is a token rotation"), ["stem"]);
});

Deno.test("strangersOf() is a tenth of every other set, and nothing of its own", () => {
  const makeSet = (name: string) => ({
    name,
    groups: [{
      workspace: "",
      readDocuments: () => [],
      questions: Array.from({ length: 20 }, (_, i) => ({
        text: `${name}${i}`,
        isAnswerable: true,
        fold: "",
        score: () => scoreIds([], new Set()),
      })),
    }],
  });
  const sets = ["a", "b", "c"].map(makeSet);
  assert.deepEqual(strangersOf(sets[1], sets), ["a0", "a10", "c0", "c10"]);
});

Deno.test("a setting changes the weights that it names, what follows from them, and no others", () => {
  const before = JSON.stringify(weights);
  try {
    applySetting(parseSetting("field.title=7 context.turns.0=0.5"));
    const changed = structuredClone(JSON.parse(before));
    changed.field.title = 7;
    changed.context.turns[0] = 0.5;
    assert.deepEqual(JSON.parse(JSON.stringify(weights)), changed);
    assert.equal(fieldModel(0, 10).weight, 7);
  } finally {
    applySetting({});
  }
  assert.equal(JSON.stringify(weights), before);
  assert.ok(weightPaths().includes("k1") && shippedAt("k1") === weights.k1);
  assert.throws(() => applySetting({ nosuch: 1 }), /Cannot read weight "nosuch"/);
  assert.throws(() => parseSetting("k1"), /Cannot read "k1"/);
});
