// What people read on a terminal is broken between words: no line is wider than it.

import assert from "node:assert/strict";
import { chats } from "../../src/commands/agent/chats.ts";
import { stale } from "../../src/commands/memory/stale.ts";
import { why } from "../../src/commands/retrieval/why.ts";
import { suggestCommand as suggest } from "../../src/commands/proactive/suggest.ts";
import { toSummaryScreen } from "../../src/view/summary_screen.ts";
import { makeTerminalView } from "../../src/view/terminal_view.ts";

const sentence = "TokenRefresher.ts uses AuthService and validateToken; both changed together. ";
const ts = "2026-11-16T10:00:00.000Z";

const answer = {
  id: "G-1m7j03jjvg65k2b9t",
  session_id: null,
  created_at: ts,
  status: "shown" as const,
  trigger: { type: "file" as const, source: "src/auth/AuthService.ts" },
  suggestions: [{
    type: "doc" as const,
    title: `Doc: ${sentence.repeat(2)}`,
    summary: `It says: ${sentence.repeat(3)}`,
    relevance_score: 0.5,
    entity_id: "H-1m7hzvpmt18mevqzn",
    reason: sentence.repeat(2),
    action: "ctx get H-1m7hzvpmt18mevqzn",
  }],
  withheld: { below_score: 0, repeated: 0, over_limit: 0 },
  silenced: [],
  cooling_ms: 0,
  notes: [],
};

const talks = {
  total: 1,
  chats: [{ id: "S-1m7j09cq4he1r4dyn", ts, started: ts, questions: 1, title: sentence.repeat(2) }],
};

const item = { id: "H-1m7hzyz7vafczkqry", day: "2026-11-16", kind: "decided", text: sentence };
const summed = {
  over_budget: 0,
  estimated_tokens: 0,
  sessions: [],
  items: [{ ...item, kind: "decided" as const, ts, refs: [] }],
};

const said = { id: "H-1m7hzyz7vafczkqry", ts, text: sentence.repeat(3) };
const told = {
  target: "src/auth/TokenRefresher.ts:12",
  results: [{
    path: "src/auth/TokenRefresher.ts",
    lines: "12",
    commit: "0".repeat(40),
    subject: sentence,
    author: "A Person",
    committed: ts,
    session_id: "S-1m7j09cq4he1r4dyn",
    title: sentence,
    id: said.id,
    by: "line" as const,
    confidence: 0.9,
    note: sentence,
    prompt: said,
    decisions: [said],
    evidence: [],
    others: Array.from({ length: 5 }, () => ({ session_id: "S-1m7j09cq4he1r4dyn", lines: 2 })),
  }],
};
const moved = {
  hits: 1,
  looked_at: 1,
  more: false,
  results: [{
    ...said,
    type: "decision",
    summary: sentence.repeat(2),
    freshness: "drifted" as const,
    because: sentence.repeat(2),
    supersede: `ctx save --supersedes ${said.id} "…"`,
    confirm: `ctx records --confirm ${said.id}`,
  }],
};

for (let width = 60; width <= 120; width += 20) {
  Deno.test(`suggestions, chats, summaries, why and stale fit into ${width} columns`, async () => {
    const view = makeTerminalView({ width, color: false, now: Date.parse(ts) });
    const summary = toSummaryScreen(summed, view);
    assert.match(summary, /\(saved outside of sessions\)\n {2}decided/);
    const screens = [suggest.render(answer, view), chats.render(talks, view), summary];
    for await (const text of [...screens, why.render(told, view), stale.render(moved, view)]) {
      for (const line of text.split("\n")) {
        assert.ok(view.widthOf(line) <= width, line);
        assert.doesNotMatch(line, /TokenRef$/);
      }
    }
  });
}
