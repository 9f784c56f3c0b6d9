// A sync that is killed at any of its writes: the next one goes on, nothing is lost or there twice, and
// what was forgotten in between is gone everywhere.

import assert from "node:assert/strict";
import { failingFiles } from "../support/failing_files.ts";
import { hasNoPostgres } from "../support/postgres.ts";
import { madeTeam, type Teammate } from "../support/teammates.ts";

/** Syncs, and dies at a write; true when there were fewer. */
async function syncAndDie(mate: Teammate, failAt: number): Promise<boolean> {
  return await mate.sync({ files: failingFiles(failAt) }).then(() => true, () => false);
}

Deno.test({
  name: "a sync that is killed at any of its writes is gone on with",
  ignore: hasNoPostgres(),
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    for (let n = 1, isWhole = false; !isWhole; n++) {
      const kept = await ada.save(`Kept after ${n}.`);
      const gone = await ada.save(`Gone after ${n}.`);
      isWhole = await syncAndDie(ada, n);
      // What the server has by now, others may have: forgetting must reach them.
      isWhole = await syncAndDie(bob, n) && isWhole;
      await bob.sync();
      await ada.run("forget", { ids: [gone], now: true });
      assert.deepEqual((await ada.sync()).refused, []);
      assert.ok(!ada.t.exists("team/push.json"), "the push is settled");
      isWhole = await syncAndDie(bob, n) && isWhole;
      assert.deepEqual((await bob.sync()).refused, []);
      assert.deepEqual([...bob.texts()].sort(), [...ada.texts()].sort(), `killed at ${n}`);
      assert.ok(ada.texts().has(kept));
      assert.deepEqual(idsTwice(bob), [], `killed at ${n}`);
      assert.ok(n < 40);
    }
    assert.deepEqual(await bob.t.ailments(), []);
  },
});

/** The ids that are in others' logs more than once. */
function idsTwice({ t }: Teammate): string[] {
  using store = t.open();
  using snapshot = store.openSnapshot();
  const ids = [...snapshot.rows({ pools: ["team"] })].map(({ entry }) => entry.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}
