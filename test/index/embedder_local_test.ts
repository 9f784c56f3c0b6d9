import assert from "node:assert/strict";
import { openLocalEmbedder } from "../../src/index/embedder_local.ts";

interface TestVector {
  text: string;
  ids: number[];
  vector: number[];
}

function findVectors(): TestVector[] | undefined {
  try {
    const url = new URL("../../../shared/model/test_vectors.json", import.meta.url);
    return JSON.parse(Deno.readTextFileSync(url));
  } catch {
    return undefined;
  }
}

Deno.test("the local embedder reproduces the model's test vectors", () => {
  const vectors = findVectors();
  if (vectors === undefined) {
    // deno-lint-ignore no-console
    console.log("skipped: ../shared/model/test_vectors.json is absent");
    return;
  }
  const whole = openLocalEmbedder({ whole: true });
  const lazy = openLocalEmbedder({ whole: false });
  for (const { text, vector } of vectors) {
    const mine = whole.embedText(text);
    const worst = Math.max(...vector.map((value, i) => Math.abs(value - mine[i])));
    assert.ok(worst < 1e-5, `${text.slice(0, 40)}: off by ${worst}`);
    assert.deepEqual(lazy.embedText(text), mine);
  }
});
