// What is taken back after others have it: a forget is undone for them too, a share says what to run.

import assert from "node:assert/strict";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { madeTeam } from "../../support/servers/teammates.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const ignore = hasNoPostgres();

for (const encrypt of [false, true]) {
  Deno.test({
    name: `a forget that was pushed is undone for everybody${encrypt ? ", sealed too" : ""}`,
    ignore,
    async fn() {
      await using team = await madeTeam(["ada", "bob", "cyd"], { encrypt });
      const [ada, bob, cyd] = team.mates;
      const id = await ada.save("We rotate tokens every hour.");
      await ada.sync();
      await bob.sync();
      await ada.run("forget", { ids: [id] });
      await ada.sync();
      await bob.sync();
      await bob.run("reindex");
      assert.deepEqual([ada.texts().has(id), bob.texts().has(id)], [false, false]);
      await ada.run("undo", {}, { confirm: () => true });
      assert.equal((await ada.sync()).pushed.erased, 1);
      assert.equal((await bob.sync()).erased, 1);
      // Who comes later has never seen the row that hid it.
      await cyd.sync();
      for (const mate of team.mates) {
        assert.equal(mate.texts().get(id), "We rotate tokens every hour.", mate.name);
        const found = await mate.run<{ total: number }>("search", { query: "rotate tokens" });
        assert.equal(found.total, 1, mate.name);
        assert.deepEqual(await mate.t.ailments(), [], mate.name);
        assert.deepEqual((await mate.sync()).refused, [], mate.name);
      }
      await ada.run("forget", { ids: [id] });
      await ada.sync();
      await bob.sync();
      assert.equal(bob.texts().has(id), false, "it can be forgotten again");
    },
  });
}

Deno.test({
  name: "a forget that no sync has carried yet is undone here alone",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const id = await ada.save("We rotate tokens every hour.");
    await ada.sync();
    await bob.sync();
    await ada.run("forget", { ids: [id] });
    await ada.run("undo", {}, { confirm: () => true });
    const { pushed } = await ada.sync();
    assert.deepEqual([pushed.entries, pushed.tombstones, pushed.erased], [0, 0, 0]);
    await bob.sync();
    assert.ok(bob.texts().has(id));
  },
});

Deno.test("undo after share and unshare says what to run instead, and takes nothing else back", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const { id } = await t.run<{ id: string }>("save", { text: "We rotate tokens." });
  for (const [act, other] of [["share", "unshare"], ["unshare", "share"]]) {
    await t.run(act, { targets: [id] });
    const { code, message, hint } = await t.fail("undo", {}, { confirm: () => true });
    assert.equal(code, "DENIED");
    assert.match(message, new RegExp(`^Cannot undo "${act} ${id}"`));
    assert.match(hint ?? "", new RegExp(`^ctx team ${other} ${id}; `));
  }
  using store = t.open();
  assert.equal([...store.entries()].length, 2, "what was saved before stays");
});

Deno.test({
  name: "an erasure that names others' entries too asks for one's own alone",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const theirs = await ada.save("Ada's word.");
    await ada.sync();
    const own = await bob.save("Bob's word.");
    await bob.sync();
    await ada.sync();
    const tombstone = { id: "H-erased", ts: "2026-01-01T00:00:00.000Z", role: "note", text: "" };
    const row = { ...tombstone, type: "tombstone", refs: [theirs, own], erased: true };
    bob.t.append("history.ndjson", JSON.stringify(row) + "\n");
    assert.equal((await bob.sync()).pushed.erased, 1);
    assert.deepEqual((await ada.sync()).refused, []);
    assert.deepEqual([...ada.texts().keys()], [theirs]);
  },
});
