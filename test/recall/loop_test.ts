// Sessions in a row on one topic, with the built file: what ctx told is not found again as if it were
// knowledge, nothing is there twice, and a session starts with the decision that holds.

import assert from "node:assert/strict";
import { playLoop } from "../../bench/recall/play_loop.ts";
import { ctxCommand, homeOf, isolatedEnv } from "../support/processes/run_ctx.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test("four sessions: no echoes, nothing twice, and the next one knows what was decided", async () => {
  await using t = await tempStore({ init: false });
  const { workspace } = t;
  const { sessions, listed, imported } = await playLoop({
    program: ctxCommand(),
    workspace,
    home: homeOf(workspace),
    env: isolatedEnv(workspace),
  }, 4);
  for (const { about, found, echoes, twice, names, stale, ...told } of sessions) {
    const { startTokens, promptTokens } = told;
    assert.deepEqual(
      { echoes, twice, names, stale },
      { echoes: 0, twice: [], names: true, stale: [] },
      about,
    );
    // Otherwise that there are no echoes proves nothing.
    assert.ok(found >= 10, about);
    assert.ok(startTokens <= 1200 && promptTokens <= 400, `${startTokens}, ${promptTokens}`);
  }
  const [first, ...later] = sessions.map(({ startTokens }) => startTokens);
  assert.equal(first, 0);
  assert.ok(later.every((tokens) => tokens > 0));
  assert.deepEqual({ listed, imported }, { listed: 4, imported: 0 });
});
