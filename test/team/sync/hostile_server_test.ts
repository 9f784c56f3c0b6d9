// A server whose operator changes, withholds, deletes, replays or exchanges things: nothing of it is
// taken in, it is told once, and what is put right again comes in after all.

import assert from "node:assert/strict";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { madeTeam, type Team, Teammate, teammate } from "../../support/servers/teammates.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const ignore = hasNoPostgres();

/** Ada has pushed three entries, which nobody has pulled yet. */
async function pushedTeam(options: { encrypt?: boolean } = {}): Promise<Team & { ids: string[] }> {
  const team = await madeTeam(["ada", "bob"], options);
  const ids = [];
  for (const word of ["one", "two", "three"]) ids.push(await team.mates[0].save(`Number ${word}.`));
  await team.mates[0].sync();
  return { ...team, ids };
}

Deno.test({
  name:
    "a changed body is refused, put aside and told once; the others come in, and it when mended",
  ignore,
  async fn() {
    await using team = await pushedTeam();
    const { cluster, database, ids: [one, two, three] } = team;
    const [, bob] = team.mates;
    const [{ body }] = await cluster.run(
      database,
      `select encode(body, 'hex') as body from ctx.log where id = '${two}'`,
    );
    await cluster.run(
      database,
      `update ctx.log set body = overlay(body placing 'NUMBER' from 30) where id = '${two}'`,
    );
    const synced = await bob.sync();
    assert.deepEqual(
      synced.refused.map(({ author, seq, id, reason }) => ({ author, seq, id, reason })),
      [{ author: "ada", seq: 2, id: two, reason: "altered_row" }],
    );
    assert.deepEqual([...bob.texts().keys()], [one, three]);
    const [line] = bob.t.read("history.bad.ndjson").trim().split("\n").map((text) =>
      JSON.parse(text)
    );
    assert.equal(line.reason, "altered_row");
    assert.match(line.file, /^team\/[0-9a-f-]{36}\.ndjson$/);
    assert.equal(line.offset, 2);
    assert.deepEqual((await bob.sync()).refused, []);
    await cluster.run(
      database,
      `update ctx.log set body = decode('${body}', 'hex') where id = '${two}'`,
    );
    assert.deepEqual((await bob.sync()).refused, []);
    assert.deepEqual([...bob.texts().keys()], [one, two, three]);
    assert.deepEqual(await bob.t.ailments(), []);
  },
});

const attacks: [name: string, reason: string, sql: (ids: string[]) => string][] = [
  [
    "a body and its digest are changed",
    "bad_signature",
    ([, two]) =>
      `update ctx.log set body = overlay(body placing 'NUMBER' from 30),
         sig = sha256(overlay(body placing 'NUMBER' from 30)) where id = '${two}'`,
  ],
  ["a row is deleted", "missing_row", ([, two]) => `delete from ctx.log where id = '${two}'`],
  [
    "a row comes again under another number",
    "bad_signature",
    ([one]) =>
      `insert into ctx.log select space, writer, 4, 'H-again', kind, visibility, ts, body, sig
       from ctx.log where id = '${one}'`,
  ],
  [
    "two rows change their places",
    "bad_signature",
    ([one, two]) =>
      `update ctx.log set id = 'x' where id = '${one}';
       update ctx.log set id = '${one}' where id = '${two}';
       update ctx.log set id = '${two}' where id = 'x'`,
  ],
  [
    "a time is changed",
    "bad_signature",
    ([one]) => `update ctx.log set ts = ts + interval '1 day' where id = '${one}'`,
  ],
];

for (const encrypt of [false, true]) {
  for (const [name, reason, sql] of attacks) {
    Deno.test({
      name: `${name}${encrypt ? " in an encrypted space" : ""}: the writer is not followed further`,
      ignore,
      async fn() {
        await using team = await pushedTeam({ encrypt });
        const [, bob] = team.mates;
        await team.cluster.run(team.database, sql(team.ids));
        const { refused } = await bob.sync();
        assert.deepEqual(refused.map((item) => item.reason), [reason]);
        const kept = [...bob.texts().keys()];
        assert.ok(kept.every((id) => team.ids.includes(id)), kept.join());
        assert.match(bob.t.read("history.bad.ndjson"), new RegExp(`"reason":"${reason}"`));
        assert.deepEqual((await bob.sync()).refused, [], "it is told once");
      },
    });
  }
}

Deno.test({
  name: "rows that were pulled and are gone from the server stay here, and that is told once",
  ignore,
  async fn() {
    await using team = await pushedTeam();
    const [, bob] = team.mates;
    await bob.sync();
    await team.cluster.run(team.database, "delete from ctx.log where seq > 1");
    assert.deepEqual((await bob.sync()).refused.map(({ reason }) => reason), ["missing_row"]);
    assert.equal(bob.texts().size, 3);
    assert.deepEqual((await bob.sync()).refused, []);
  },
});

Deno.test({
  name:
    "a body that nobody who may has erased is withheld, and told; erased by its author it is not",
  ignore,
  async fn() {
    await using team = await pushedTeam();
    const [ada, bob] = team.mates;
    const [one, two] = team.ids;
    await ada.run("forget", { ids: [one], now: true });
    await ada.sync();
    await team.cluster.run(
      team.database,
      `update ctx.log set body = null where id = '${two}';
       insert into ctx.erasures (space, eraser, seq, ids)
       select space, writer, 99, array['${two}'] from ctx.log where id = '${two}'`,
    );
    const { refused } = await bob.sync();
    assert.deepEqual(refused.map(({ id, reason }) => ({ id, reason })), [{
      id: two,
      reason: "withheld",
    }]);
    assert.deepEqual((await bob.sync()).refused, []);
    // An erasure that only the server speaks of is not confirmed.
    const receipts = await team.cluster.run(team.database, "select seq::int from ctx.receipts");
    assert.ok(receipts.length > 0 && receipts.every(({ seq }) => seq !== 99));
  },
});

Deno.test({
  name: "a row that the server adds to one's own log is told, also when nothing is to be pushed",
  ignore,
  async fn() {
    await using team = await pushedTeam();
    const [ada] = team.mates;
    await team.cluster.run(
      team.database,
      `insert into ctx.log select space, writer, 4, 'void-4', 'void', visibility, ts, body, sig
       from ctx.log where seq = 3`,
    );
    assert.equal((await ada.fail("sync")).code, "REMOTE_FORKED");
  },
});

Deno.test({
  name: "an exchanged key, a made-up member and another root key are not believed",
  ignore,
  async fn() {
    await using team = await pushedTeam();
    const { cluster, database } = team;
    const [, bob] = team.mates;
    await cluster.run(
      database,
      `update ctx.writers set sign_key = sha256('evil') where name = 'ada'`,
    );
    assert.deepEqual((await bob.sync()).pulled, {});
    assert.match(bob.t.warnings.join("\n"), /a store of ada .* is not trusted/);
    await cluster.run(database, `update ctx.spaces set root_key = sha256('evil')`);
    assert.equal((await bob.fail("sync")).code, "REMOTE_UNTRUSTED");
  },
});

Deno.test({
  name: "a member's tombstone of another's entry is refused, also when it comes before the entry",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob", "mal"]);
    const [ada, bob, mal] = team.mates;
    const first = await ada.save("Ada's first word.");
    const bobs = await bob.save("Bob's word.");
    await ada.sync();
    await bob.sync();
    const second = await ada.save("Ada's second word.");
    await ada.sync();
    await mal.sync();
    // Mal's own store is Mal's: whatever stands in its history is pushed as Mal's word.
    const own = await mal.save("Mal's word.");
    await mal.sync();
    const forged = { ts: "2026-01-01T00:00:00.000Z", role: "note", type: "tombstone", text: "" };
    const [later, gone] = ["H-1m2ff20hgvzrprjcr", "H-1m2ff20hgvzrprjcs"];
    const refs = [[first], [bobs], [own, second], [later], [gone]];
    mal.t.append(
      "history.ndjson",
      refs.map((refs, n) => JSON.stringify({ ...forged, id: `H-forged${n}`, refs }) + "\n").join(
        "",
      ),
    );
    // As a changed client would: it believes that it pushed them.
    mal.t.append(
      "team/pushed.ndjson",
      refs.flat().map((id) => JSON.stringify({ seq: 0, id, kind: "entry" }) + "\n").join(""),
    );
    await mal.sync();
    const { refused } = await bob.sync();
    assert.deepEqual(
      refused.map(({ author, id, reason }) => `${author} ${id} ${reason}`),
      [0, 1, 2].map((n) => `mal H-forged${n} foreign_row`),
    );
    ada.t.append(
      "history.ndjson",
      [later, gone].map((id) =>
        JSON.stringify({ ...forged, id, type: "decision", text: `Ada's ${id}.` }) + "\n"
      ).join(""),
    );
    await ada.sync();
    await ada.run("forget", { ids: [gone] });
    await ada.sync();
    await bob.sync();
    assert.deepEqual([...bob.texts().keys()].sort(), [first, second, later, bobs, own].sort());
  },
});

Deno.test({
  name: "a server that calls an encrypted space plain, or has no key, is sent nothing that reads",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"], { encrypt: true });
    const { cluster, database } = team;
    const [ada, bob] = team.mates;
    const refused = async (mate: Teammate, command: string, input: object = {}): Promise<void> => {
      assert.equal((await mate.fail(command, input)).code, "REMOTE_UNTRUSTED", command);
    };
    await ada.run("remote invite", { name: "cyd" });
    for (const mate of team.mates) await mate.save("Not for the server.");
    const before =
      "update ctx.spaces set encrypted = true; insert into ctx.keys select * from kept";
    for (const change of ["update ctx.spaces set encrypted = false", "delete from ctx.keys"]) {
      await cluster.run(database, `create table kept as select * from ctx.keys; ${change}`);
      for (const mate of team.mates) await refused(mate, "sync");
      await cluster.run(database, `${before} on conflict do nothing; drop table kept`);
    }
    await cluster.run(database, "update ctx.spaces set encrypted = false");
    await using cyd = await teammate("cyd");
    await refused(cyd, "remote add", { invite: ada.invitation("cyd") });
    for (const mate of team.mates) {
      await using t = await tempStore();
      await refused(new Teammate(mate.name, t, mate.home), "remote add", { space: "web" });
    }
    await cluster.run(
      database,
      "update ctx.spaces set root_key = sha256('evil'), encrypted = true",
    );
    await refused(cyd, "remote add", { invite: ada.invitation("cyd") });
    const [{ count }] = await cluster.run(database, "select count(*)::int as count from ctx.log");
    assert.equal(count, 0);
    assert.equal(bob.texts().size, 1);
  },
});

Deno.test({
  name:
    "a server that holds the newest key back is sent nothing: who was revoked has the older one",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob", "cyd"], { encrypt: true });
    const { cluster, database } = team;
    const [ada, bob] = team.mates;
    await ada.run("remote revoke", { name: "cyd" });
    await bob.sync();
    await cluster.run(
      database,
      "create table kept as select * from ctx.keys; delete from ctx.keys where epoch = 2",
    );
    for (const mate of [ada, bob]) {
      await mate.save("Not for Cyd.");
      const { code, message } = await mate.fail("sync");
      assert.equal(code, "REMOTE_UNTRUSTED");
      assert.match(message, /only outdated keys/);
    }
    await using t = await tempStore();
    const second = new Teammate("bob", t, bob.home);
    await second.run("remote add", { space: "web" });
    assert.equal((await second.fail("sync")).code, "REMOTE_UNTRUSTED");
    await cluster.run(database, "insert into ctx.keys select * from kept on conflict do nothing");
    assert.equal((await bob.sync()).pushed.entries, 1);
  },
});

Deno.test({
  name: "a server does not choose the name that a joiner signs",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada"]);
    const [ada] = team.mates;
    await ada.run("remote invite", { name: "eve" });
    await team.cluster.run(team.database, "update ctx.members set name = 'bob' where name = 'eve'");
    await using eve = await teammate("eve");
    const { code, message } = await eve.fail("remote add", { invite: ada.invitation("eve") });
    assert.equal(code, "REMOTE_UNTRUSTED");
    assert.match(message, /disagree on your name/);
  },
});
