// Every shared fixture through its source: message and session counts are the manifest's.

import assert from "node:assert/strict";
import { sourceTable } from "../../../src/intake/import/source_table.ts";
import { collect } from "../../support/collect.ts";
import { type Fixture, fixtureRoot, readFixtures } from "../../support/fixtures.ts";

/**
 * The manifest counts Codex messages as response items only. These files have texts that exist as
 * events alone (or in the shape before response items), and those are messages too.
 */
const eventOnly: Record<string, number> = {
  "codex/agent-sessions/legacy/session_branch.jsonl": 2,
  "codex/agent-sessions/legacy/session_simple.jsonl": 2,
  "codex/agent-sessions/legacy/session_toolcall.jsonl": 2,
  "codex/agent-sessions/small.jsonl": 8,
  "codex/codemie-code/incremental/turn-spawn-skill.jsonl": 1,
  "codex/codex-history/thr_command.jsonl": 3,
  "codex/codex-history/thr_malformed.jsonl": 2,
  "codex/codex-history/thr_missing_meta.jsonl": 2,
  "codex/codex-history/thr_simple.jsonl": 3,
  "codex/codex-history/thr_simple_shard.jsonl": 2,
  "codex/opensession/rollout-desktop.jsonl": 2,
  "codex/opensession/web-search-actions.jsonl": 1,
};

for (const fixture of readFixtures()) {
  Deno.test(`fixture ${fixture.path} has the manifest's counts`, async () => {
    const source = await sourceTable[fixture.source]();
    const root = `${fixtureRoot}/${fixture.path}`;
    const { sessions: all, tally } = await collect(source, root);
    // A transcript comes with its sub-agents, which have fixtures of their own.
    const isFile = /\.(?:jsonl|zst)$/.test(fixture.path);
    const sessions = isFile ? all.filter(({ session }) => session.path === root) : all;
    const messages = sessions.reduce((sum, { tally }) => sum + tally.messages, 0);
    assert.equal(messages, expectedMessages(fixture));
    assert.deepEqual(tally.problems, []);
    assert.equal(sessions.length, expectedSessions(fixture, sessions.length));
    if (isFile && messages > 0) assert.equal(sessions.length, 1);
  });
}

function expectedMessages(fixture: Fixture): number {
  // Damaged files have two true counts: without and with saving what is in bad lines.
  return eventOnly[fixture.path] ?? fixture.details.expect_salvage ?? fixture.messages;
}

function expectedSessions({ path, details }: Fixture, found: number): number {
  // A tree without session records still has the messages of one session.
  if (path === "opencode/git-ai/opencode-storage") return 1;
  return details.session ?? details.sessions ?? details.composers ?? found;
}
