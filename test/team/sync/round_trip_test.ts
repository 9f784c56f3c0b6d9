// What one member saves another finds; what is forgotten, corrected or taken back follows.

import assert from "node:assert/strict";
import { teammate } from "../../support/servers/teammates.ts";
import { transports } from "../../support/servers/transports.ts";

for (const on of transports) {
  Deno.test({
    name: `${on.name}: what one member saves, the others have after their next sync`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob", "cyd"]);
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
}

for (const on of transports) {
  Deno.test({
    name:
      `${on.name}: what the owner erases is gone everywhere but at its author, who is told once`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob", "cyd"]);
      const [ada, bob, cyd] = team.mates;
      const id = await bob.save("Bob says too much.");
      const other = await bob.save("Bob says enough.");
      const third = await bob.save("Bob says more.");
      await bob.sync();
      await cyd.sync();
      await ada.sync();
      await ada.run("forget", { ids: [id], now: true });
      assert.equal((await ada.sync()).pushed.erased, 1);
      const bodyOf = async () => (await team.rows()).find((row) => row.id === id)?.body;
      // Of files only its own store may change one; whoever reads it before takes the body for gone.
      if (on.name === "PostgreSQL") assert.equal(await bodyOf(), null);
      const synced = await cyd.sync();
      assert.deepEqual([synced.erased, synced.refused], [1, []]);
      assert.ok(!cyd.texts().has(id) && cyd.texts().has(other));
      assert.deepEqual((await bob.sync()).taken_out, [id]);
      assert.equal(await bodyOf(), null);
      const again = await bob.sync();
      assert.deepEqual([again.taken_out, again.pushed.entries], [[], 0]);
      assert.ok(bob.texts().has(id), "Bob's own history is Bob's");
      // Whoever comes later finds the body gone, by the word of the owner.
      await using dan = await teammate("dan");
      await ada.run("remote invite", { name: "dan" });
      await dan.run("remote add", { invite: ada.invitation("dan") });
      assert.deepEqual((await dan.sync()).refused, []);
      // A kill may have left the owner's word in history, and the row beside it.
      const refs = [third];
      ada.t.append("history.ndjson", line({ id: "H-o", type: "tombstone", refs, erased: true }));
      assert.equal((await ada.sync()).pushed.erased, 1);
      for (const mate of [bob, cyd, dan]) await mate.sync();
      assert.ok(!cyd.texts().has(third));
      const { erasures } = await ada.run<{ erasures: { waiting: string[] }[] }>("remote status");
      assert.deepEqual(erasures.map(({ waiting }) => waiting), [[], []]);
    },
  });
}

for (const on of transports) {
  Deno.test({
    name:
      `${on.name}: an id that another member has is theirs: the place is filled, and forgetting stays here`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      for (const { t, name } of team.mates) {
        t.append("history.ndjson", line({ id: "H-same", text: `As ${name} has it.` }));
      }
      const own = await bob.save("Bob's own.");
      await ada.sync();
      const { pushed } = await bob.sync();
      assert.deepEqual([pushed.entries, pushed.taken], [1, 1]);
      assert.equal((await bob.sync()).pushed.taken, 0, "it is not tried again");
      await bob.run("unshare", { targets: ["H-same"] });
      assert.equal((await bob.sync()).pushed.erased, 0, "what is Ada's is not Bob's to take back");
      await bob.run("forget", { ids: ["H-same"], now: true });
      await bob.run("forget", { ids: [own] });
      const refs = ["H-same"];
      bob.t.append("history.ndjson", line({ id: "H-x", type: "tombstone", refs, erased: true }));
      const after = await bob.sync();
      assert.deepEqual([after.pushed.tombstones, after.pushed.erased], [1, 0]);
      assert.deepEqual((await ada.sync()).refused, []);
      assert.deepEqual([...ada.texts()], [["H-same", "As ada has it."]]);
    },
  });
}

for (const on of transports) {
  Deno.test({
    name:
      `${on.name}: ids that no server takes stay here, times that it may not know are told as that of the push`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      const odd = ["H-nul\0", "H-half\ud800", `H-${"x".repeat(200)}`];
      for (const id of odd) ada.t.append("history.ndjson", line({ id, text: "odd" }));
      ada.t.append("history.ndjson", line({ id: "H-early", ts: "0044-03-15T12:00:00.000Z" }));
      ada.t.append("history.ndjson", line({ id: "H-late", ts: "+012026-03-15T12:00:00.000Z" }));
      assert.equal((await ada.sync()).pushed.entries, 2);
      await bob.sync();
      assert.deepEqual([...bob.texts().keys()], ["H-early", "H-late"]);
      const [row] =
        (await bob.run<{ results: { ts: string }[] }>("get", { ids: ["H-early"] })).results;
      assert.equal(row.ts, "0044-03-15T12:00:00.000Z");
    },
  });
}

for (const on of transports) {
  Deno.test({
    name: `${on.name}: much is pushed in batches, each signed, and pulled in pieces`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      const rows = Array.from(
        { length: 5100 },
        (_, n) => line({ id: `H-${n}`, text: `${n} `.repeat(300) }),
      );
      ada.t.append("history.ndjson", rows.join(""));
      assert.equal((await ada.sync()).pushed.entries, rows.length);
      assert.equal((await team.rows()).filter(({ sig }) => sig.length === 96).length, 2);
      assert.deepEqual((await bob.sync()).pulled, { ada: rows.length });
      assert.equal(bob.texts().size, rows.length);
      assert.deepEqual(await bob.t.ailments(), []);
    },
  });
}

for (const on of transports) {
  Deno.test({
    name: `${on.name}: what is taken back is taken back once, however often the rules change`,
    ignore: on.ignore,
    async fn() {
      await using team = await on.team(["ada", "bob"]);
      const [ada, bob] = team.mates;
      const id = await ada.save("Said too early.");
      const other = await ada.save("Said in time.");
      await ada.sync();
      await bob.sync();
      await ada.run("unshare", { targets: [id] });
      assert.equal((await ada.sync()).pushed.erased, 1);
      assert.equal((await bob.sync()).erased, 1);
      assert.deepEqual([...bob.texts().keys()], [other]);
      await ada.run("share", { targets: [other] });
      const { pushed, refused } = await ada.sync();
      assert.deepEqual([pushed.erased, pushed.taken, pushed.entries, refused], [0, 0, 0, []]);
      assert.ok(ada.texts().has(id), "here it stays");
      // What the server has of it is known as one's own.
      Deno.removeSync(ada.t.path("team/pushed.ndjson"));
      await ada.save("Said after all.");
      assert.equal((await ada.sync()).pushed.entries, 1);
    },
  });
}

/** A row of history, as another program may write it. */
function line(fields: object): string {
  const ts = "2026-01-01T00:00:00.000Z";
  return JSON.stringify({ ts, role: "note", type: "decision", text: "x", ...fields }) + "\n";
}
