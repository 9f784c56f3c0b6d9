// Rows that have no chance of a place are passed over; who is among the best, and with what score, is
// as if all were looked at.

import assert from "node:assert/strict";
import fc from "fast-check";
import { openIndex } from "../../../src/index/search_index.ts";
import { locate } from "../../../src/index/segment/corpus.ts";
import { makeFilters } from "../../../src/search/filter.ts";
import { termsOf } from "../../../src/search/rank/terms_of.ts";
import type { AskedTimes, Ranking } from "../../../src/search/rank/rank.ts";
import { Ranker } from "../../../src/search/rank/ranker.ts";
import { type RowDraft, SearchStore } from "../../support/stores/search_store.ts";

const words = ["cache", "deploy", "retry", "token", "user", "server", "queue", "index"];
/** Common words first, as they are in a store. */
const word = fc.nat(words.length * words.length - 1)
  .map((n) => words[words.length - 1 - Math.floor(Math.sqrt(n))]);
const text = fc.array(word, { minLength: 1, maxLength: 30 }).map((list) => list.join(" "));

const kinds: RowDraft[] = [
  { role: "user", type: "turn" },
  { role: "assistant", type: "turn" },
  { role: "assistant", type: "tool_call", tool: { name: "Read", effect: "read" } },
  { role: "tool", type: "tool_output", tool: { name: "Read" } },
  { role: "note", type: "decision" },
  { role: "assistant", type: "thinking" },
];
const row = fc.record({
  kind: fc.constantFrom(...kinds),
  text,
  day: fc.nat(27),
  session: fc.nat(6),
});

/** What a query says that names a day. */
function timesOf(day: number): AskedTimes {
  const fromMs = Date.UTC(2026, 0, 1 + day);
  const spans = [{ fromMs, toMs: fromMs + 86_400_000 }];
  return { spans, terms: new Set(), said: new Date(fromMs).toISOString().slice(0, 10) };
}

/** How filters are given: as the kernel tests them, as tests of a row, or not at all. */
type Sight = "marks" | "tests" | "nothing";

Deno.test("the best rows and their scores are those of a ranking that looks at every row", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 120, maxLength: 400 }),
      // Words that no row has, and cosines that are low: then the best score decides whether anything is found.
      fc.uniqueArray(fc.oneof(word, word, fc.constantFrom("zebra", "quartz")), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom(1, 0.54, 0.5),
      fc.option(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), {
        minLength: 400,
        maxLength: 400,
      })),
      fc.option(fc.nat(27)),
      fc.boolean(),
      async (rows, query, nearest, similar, day, asksForTime) => {
        await using t = new SearchStore(rows.map(({ kind, text, day, session }, i) => ({
          ...kind,
          id: `H-${i}`,
          text,
          ts: new Date(Date.UTC(2026, 0, 1 + day, 0, i)).toISOString(),
          session_id: `S-${session}`,
        })));
        using index = openIndex(t.store, { warn: () => {} });
        await index.load();
        const corpus = index.openCorpus(() => true);
        const exact = similar &&
          Float32Array.from(similar.slice(0, corpus.size), (cosine) => cosine * nearest);
        const rank = (limit: number, sees: Sight): Ranking => {
          const filters = sees === "nothing"
            ? []
            : makeFilters(corpus, { thinking: false, not: { session: "S-1" } });
          const tests = filters.map(({ marks: _marks, ...filter }) => filter);
          return new Ranker({
            corpus,
            terms: termsOf(query.join(" ")),
            required: [],
            excluded: [],
            filters: sees === "marks" ? filters : tests,
            limit,
            readEntry: (global) => {
              const { segment, row } = locate(corpus, global);
              return index.log.read(segment, row);
            },
            pinned: new Set([3]),
            ...(day === null ? {} : { times: timesOf(day), asksForTime }),
            ownSession: (_, row) => row % 7 === 0,
            branch: exact === null ? "lexical" : "hybrid",
            cosines: exact ?? undefined,
          }).rank();
        };
        const best = (ranking: Ranking): { global: number; final: number }[] =>
          ranking.rows.map(({ global, final }) => ({ global, final }));
        for (const limit of [1, 5, 60]) {
          for (const sees of ["marks", "tests", "nothing"] as const) {
            const expected = best(rank(Infinity, sees)).slice(0, limit);
            assert.deepEqual(best(rank(limit, sees)), expected);
          }
          // Filters that the kernel tests leave the same rows, and count what they removed.
          const [marked, tested] = [rank(limit, "marks"), rank(limit, "tests")];
          assert.deepEqual(best(marked), best(tested));
          const { total, removed, candidates, belowFloor } = marked;
          assert.deepEqual({ total, removed, candidates, belowFloor }, {
            total: tested.total,
            removed: tested.removed,
            candidates: tested.candidates,
            belowFloor: tested.belowFloor,
          });
        }
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
});
