import assert from "node:assert/strict";
import { compareRankings } from "../../src/search/replay.ts";

const facts = {
  isThere: (id: string) => id !== "H-lost",
  isNewer: (id: string) => id === "H-fresh",
};

Deno.test("compareRankings() finds equal rankings identical", () => {
  const ranking = [{ id: "H-1", score_final: 0.5 }, { id: "H-2", score_final: 0.4 }];
  const replay = compareRankings(ranking, ranking, facts);
  assert.equal(replay.identical, true);
  assert.equal(replay.counts.same, 2);
});

Deno.test("compareRankings() tells what is new, gone, moved and rescored, and why", () => {
  const before = [
    { id: "H-lost", score_final: 0.9 },
    { id: "H-1", score_final: 0.5 },
    { id: "H-2", score_final: 0.4 },
    { id: "H-out", score_final: 0.3 },
  ];
  const after = [
    { id: "H-fresh", score_final: 0.8 },
    { id: "H-2", score_final: 0.4 },
    { id: "H-1", score_final: 0.45 },
    { id: "H-up", score_final: 0.2 },
  ];
  const { rows, identical, counts } = compareRankings(before, after, facts);
  assert.equal(identical, false);
  assert.deepEqual(rows.map(({ id, change, reason }) => [id, change, reason]), [
    ["H-fresh", "new", "saved_since"],
    ["H-2", "moved", undefined],
    ["H-1", "rescored", undefined],
    ["H-up", "new", "risen"],
    ["H-lost", "gone", "forgotten"],
    ["H-out", "gone", "outranked"],
  ]);
  assert.deepEqual(counts, { same: 0, moved: 1, rescored: 1, new: 2, gone: 2 });
});
