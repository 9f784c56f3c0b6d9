// What is said once: one item for an entity, and for a file.

import { suggestionTypes } from "../../../src/core/row_kinds.ts";
import assert from "node:assert/strict";
import { rankSuggestions } from "../../../src/recall/edit/rank_suggestions.ts";
import type { Candidate } from "../../../src/recall/edit/signals/suggestion.ts";
import { emptyMemory } from "../../../src/recall/edit/suggestion_memory.ts";

function candidate(fields: Partial<Candidate> & { p: number }): Candidate {
  const { p, ...rest } = fields;
  return {
    type: "decision",
    title: "A decision",
    summary: "It was decided",
    entity_id: "H-1",
    fingerprint: "H-1",
    evidence: [{ kind: "decision_file", p, note: "it is about the file" }],
    ...rest,
  };
}

function told(...candidates: Candidate[]): string[] {
  const { items } = rankSuggestions(candidates, emptyMemory(), {
    limit: 10,
    minScore: 0,
    minPrecision: 0,
    enabled: new Set(suggestionTypes),
    repeat: true,
    now: 0,
  });
  return items.map(({ title }) => title);
}

Deno.test("of items about one entity the best is told", () => {
  assert.deepEqual(
    told(
      candidate({ title: "weak", p: 0.6 }),
      candidate({ title: "strong", type: "warning", p: 0.9 }),
      candidate({ title: "another", entity_id: "H-2", p: 0.8 }),
    ),
    ["strong", "another"],
  );
});

Deno.test("entries that share an id are two, whatever their order", () => {
  const [one, two] = ["S-a", "S-b"].map((session) =>
    candidate({ title: session, key: `["H-1","${session}"]`, p: 0.8 })
  );
  assert.deepEqual(told(one, two), ["S-a", "S-b"]);
  assert.deepEqual(told(two, one, two), ["S-a", "S-b"]);
});

Deno.test("of code and changes in one file the best is told", () => {
  const path = "src/auth.ts";
  assert.deepEqual(
    told(
      candidate({ title: "change", type: "change", entity_id: "commit:1", path, p: 0.9 }),
      candidate({ title: "code", type: "related_code", entity_id: "symbol:1", path, p: 0.8 }),
    ),
    ["change"],
  );
});
