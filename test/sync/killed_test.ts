// A sync that is killed at any of its writes: the next one goes on, nothing is lost or there twice, and
// what was forgotten in between is gone everywhere.

import assert from "node:assert/strict";
import { diskFiles } from "../../src/store/files/files.ts";
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
      const { refused, pushed } = await ada.sync();
      assert.deepEqual([refused, pushed.taken], [[], 0], `killed at ${n}`);
      assert.ok(!ada.t.exists("team/push.json"), "the push is settled");
      isWhole = await syncAndDie(bob, n) && isWhole;
      assert.deepEqual((await bob.sync()).refused, []);
      assert.deepEqual([...bob.texts()].sort(), [...ada.texts()].sort(), `killed at ${n}`);
      assert.ok(ada.texts().has(kept));
      assert.deepEqual(idsTwice(bob), [], `killed at ${n}`);
      const holding = diskFiles.listTree(bob.t.root).filter((path) =>
        Deno.readTextFileSync(path).includes(`Gone after ${n}.`)
      );
      assert.deepEqual(holding, [], `killed at ${n}`);
      assert.ok(n < 40);
    }
    assert.deepEqual(await bob.t.ailments(), []);
  },
});

Deno.test({
  name: "what a server does not take leaves with the next sync",
  ignore: hasNoPostgres(),
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const id = await ada.save("Said to a server that is full.");
    await team.cluster.run(
      team.database,
      `create function public.refuse() returns trigger language plpgsql
         as $$ begin raise exception 'full' using errcode = '53100'; end $$;
       create trigger refuse before insert on ctx.log for each row execute function public.refuse()`,
    );
    assert.equal((await ada.fail("sync")).code, "REMOTE_FAILED");
    await team.cluster.run(team.database, "drop trigger refuse on ctx.log");
    assert.equal((await ada.sync()).pushed.entries, 1);
    await bob.sync();
    assert.ok(bob.texts().has(id));
  },
});

/** The ids that are in others' logs more than once. */
function idsTwice({ t }: Teammate): string[] {
  using store = t.open();
  using snapshot = store.openSnapshot();
  const ids = [...snapshot.rows({ pools: ["team"] })].map(({ entry }) => entry.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}
