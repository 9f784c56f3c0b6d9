// A sync that is killed at any of its writes: the next one goes on, nothing is lost or there twice, and
// what was forgotten in between is gone everywhere.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { failingFiles } from "../../support/stores/failing_files.ts";
import { openGate, parseRules } from "../../../src/team/sync/gate.ts";
import { getIdentity, openSpace } from "../../../src/team/sync/open_space.ts";
import { syncStore } from "../../../src/team/sync/sync_store.ts";
import { readPushed } from "../../../src/store/team/pushed_log.ts";
import { transports } from "../../support/servers/transports.ts";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { madeTeam, type Teammate } from "../../support/servers/teammates.ts";

/** Syncs, and dies at a write; true when there were fewer. */
async function syncAndDie(mate: Teammate, failAt: number): Promise<boolean> {
  return await mate.sync({ files: failingFiles(failAt) }).then(() => true, () => false);
}

for (const on of transports) {
  Deno.test({
    name: `${on.name}: a sync that is killed at any of its writes is gone on with`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
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
        const { writer } = JSON.parse(ada.t.read("remote.json"));
        const rows = (await team.rows()).filter((row) => row.writer === writer)
          .map(({ seq, id, kind }) => ({ seq, id, kind }));
        assert.deepEqual([...readPushed(ada.t.open())], rows, `written down, killed at ${n}`);
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
}

for (const on of transports) {
  Deno.test({
    name: `${on.name}: an id that others have is given up once, wherever the sync is killed`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      for (let n = 1, isWhole = false; !isWhole; n++) {
        await bob.save(`In both histories ${n}.`);
        await bob.sync();
        const line = bob.t.read("history.ndjson").trim().split("\n").at(-1);
        ada.t.append("history.ndjson", line + "\n");
        isWhole = await syncAndDie(ada, n);
        await ada.sync();
        assert.equal((await team.rows()).filter(({ kind }) => kind === "void").length, n);
        assert.ok(n < 40);
      }
    },
  });
}

for (const on of transports) {
  Deno.test({
    name: `${on.name}: an entry that is forgotten while it is pushed is forgotten by the others`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      const id = await ada.save("Said in haste.");
      const tombstone = { id: "H-forgotten", ts: "2026-01-01T00:00:00.000Z", role: "note" };
      let isForgotten = false;
      const { pushed } = await ada.sync({
        files: {
          ...diskFiles,
          remove(path) {
            diskFiles.remove(path);
            if (isForgotten || !path.endsWith("/push.json")) return;
            isForgotten = true;
            const row = { ...tombstone, type: "tombstone", text: "", refs: [id] };
            ada.t.append("history.ndjson", JSON.stringify(row) + "\n");
          },
        },
      });
      assert.deepEqual([pushed.entries, pushed.tombstones], [1, 1]);
      await bob.sync();
      assert.equal(bob.texts().size, 0);
    },
  });
}

for (const on of transports) {
  Deno.test({
    name:
      `${on.name}: a push that lands after its sync was killed is taken for what it is by the next`,
    ignore: on.ignore,
    async fn() {
      // Sealed rows never come out the same twice: the server sees two.
      await using team = await on.team(["ada"], { encrypt: true });
      const [ada] = team.mates;
      await ada.sync();
      await ada.save("Said once.");
      const store = ada.t.open();
      const warn = (): void => {};
      const { signal } = new AbortController();
      const world = { store, files: diskFiles, env, warn, now: Date.now, signal };
      function env(name: string): string | undefined {
        return name === "HOME" ? ada.home : undefined;
      }
      const session = await openSpace(world, await getIdentity(world));
      await using _remote = session.remote;
      await ada.sync();
      for (const name of ["cursors.json", "pushed.ndjson", "scan.json"]) {
        Deno.removeSync(ada.t.path(`team/${name}`));
      }
      const gate = openGate(store, { rules: parseRules("decisions"), name: "ada" });
      const { pushed } = await syncStore(session, gate);
      assert.equal(pushed.rows, 0);
      const rows = await team.rows();
      assert.deepEqual([rows.length, [...readPushed(store)].length], [1, 1]);
    },
  });
}

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
    await ada.run("unshare", { targets: [id] });
    await team.cluster.run(team.database, "drop trigger refuse on ctx.log");
    assert.equal((await ada.sync()).pushed.entries, 0);
    assert.ok(!ada.t.exists("team/push.json"), "it did not leave: nobody is to be told");
    await ada.run("share", { targets: [id] });
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
