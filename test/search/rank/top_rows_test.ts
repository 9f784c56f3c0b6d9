// The order of rows that nothing but their place tells apart: as in the log, whatever order they come in.

import assert from "node:assert/strict";
import type { RankedRow } from "../../../src/search/rank/rank.ts";
import { TopRows } from "../../../src/search/rank/top_rows.ts";

for (const limit of [2, Infinity]) {
  Deno.test(`rows of one id stay as in the log: the best ${limit} of them`, () => {
    for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) {
      const top = new TopRows(limit, () => "H-1");
      for (const global of order) top.add(rowAt(global));
      const told = top.rows().map(({ global }) => global);
      assert.deepEqual(told, [0, 1, 2].slice(0, limit), order.join());
    }
  });
}

function rowAt(global: number): RankedRow {
  const scores = { lexical: 1, context: 0, share: 1, final: 1 };
  return { global, timeMs: 0, ...scores, source: "lexical" };
}
