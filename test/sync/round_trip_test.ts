// What one member saves another finds; what is forgotten, corrected or taken back follows.

import assert from "node:assert/strict";
import { hasNoPostgres } from "../support/postgres.ts";
import { madeTeam } from "../support/teammates.ts";

const ignore = hasNoPostgres();

Deno.test({
  name: "what one member saves, the others have after their next sync",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob", "cyd"]);
    const [ada, bob, cyd] = team.mates;
    const id = await ada.save("We rotate tokens every hour.");
    const own = await bob.save("The build runs on two cores.");
    const first = await ada.sync();
    assert.deepEqual(first.pushed.entries, 1);
    assert.deepEqual((await bob.sync()).pulled, { ada: 1 });
    assert.deepEqual((await cyd.sync()).pulled, { ada: 1, bob: 1 });
    assert.deepEqual((await ada.sync()).pulled, { bob: 1 });
    const all = [[id, "We rotate tokens every hour."], [own, "The build runs on two cores."]];
    for (const mate of team.mates) {
      assert.deepEqual([...mate.texts()].sort(), all.sort(), mate.name);
      assert.deepEqual(await mate.t.ailments(), [], mate.name);
    }
    assert.deepEqual((await ada.sync()).pulled, {});
  },
});
