// A member with raw SQL, who wants the others' syncs to end, their erasures to stay out, or to remain
// when revoked. What the schema takes from a member is what everybody's client can deal with.

import assert from "node:assert/strict";
import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import { readSettings } from "../../../src/team/remote/connection_settings.ts";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { madeTeam, type Team, type Teammate } from "../../support/servers/teammates.ts";

const ignore = hasNoPostgres();

/** Mal's login, without ctx. */
async function rawSession(mal: Teammate): Promise<RemoteConnection & AsyncDisposable> {
  const [{ url }] = Object.values(
    JSON.parse(Deno.readTextFileSync(`${mal.home}/.config/ctx/remotes.json`)),
  ) as { url: string }[];
  const session = await RemoteConnection.open(await readSettings(url, () => undefined));
  return Object.assign(session, { [Symbol.asyncDispose]: () => session.close() });
}

function writerOf(mate: Teammate): string {
  return JSON.parse(mate.t.read("remote.json")).writer;
}

async function madeHostile(): Promise<Team & { insert: (values: object) => string }> {
  const team = await madeTeam(["ada", "bob", "mal"]);
  const writer = writerOf(team.mates[2]);
  return {
    ...team,
    insert: (values) => {
      const row = {
        seq: "1",
        id: "'H-mal'",
        ts: "now()",
        body: "'\\x00'",
        sig: "decode(repeat('00', 32), 'hex')",
        ...values,
      };
      return `insert into ctx.log (space, writer, seq, id, kind, visibility, ts, body, sig) values
        ('web', '${writer}', ${row.seq}, ${row.id}, 'entry', 'space', ${row.ts}, ${row.body}, ${row.sig})`;
    },
  };
}

Deno.test({
  name: "no row or store of a member keeps the others from syncing",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, bob, mal] = team.mates;
    await using raw = await rawSession(mal);
    const refused: [what: string, sql: string][] = [
      ["a number that no client can hold", team.insert({ seq: "9223372036854775807" })],
      ["the end of time", team.insert({ ts: "'infinity'" })],
      ["a time that Date does not know", team.insert({ ts: "'294000-01-01'" })],
      [
        "a body that nobody can hold",
        team.insert({ body: "decode(repeat('00', 70000000), 'hex')" }),
      ],
      [
        "an id that is another's",
        team.insert({ id: `'~${writerOf(ada)}~void-1'` }),
      ],
      [
        "a recipient of a megabyte",
        `select ctx.join_space('web', gen_random_uuid(), '\\x00', repeat('a', 1000000), '\\x00')`,
      ],
      [
        "a certificate of a megabyte",
        `select ctx.join_space('web', gen_random_uuid(), '\\x00', 'age1', decode(repeat('00', 1000000), 'hex'))`,
      ],
      [
        "a key of a megabyte",
        `select ctx.put_keys('web', array['${
          writerOf(mal)
        }'], array[1], array[decode(repeat('00', 1000000), 'hex')])`,
      ],
    ];
    for (const [what, sql] of refused) await assert.rejects(raw.run(sql), /check constraint/, what);
    // Ids that there are none of, and one that is nothing, are in nobody's list.
    await raw.run(team.insert({}).replace("'entry'", "'erase'"));
    await raw.run(
      `select ctx.erase('web', '${writerOf(mal)}', array[1, 1], array[null, repeat('x', 100000)])`,
    );
    await ada.save("Ada's word.");
    await ada.sync();
    await bob.sync();
    assert.deepEqual([...bob.texts().values()], ["Ada's word."]);
    const { erasures, online } = await bob.run<{ erasures: object[]; online: boolean }>(
      "remote status",
    );
    assert.deepEqual({ erasures, online }, { erasures: [], online: true });
  },
});

Deno.test({
  name: "rows without end and without a signature are given up, and the others' come in",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, bob, mal] = team.mates;
    await using raw = await rawSession(mal);
    await raw.run(
      `insert into ctx.log (space, writer, seq, id, kind, visibility, ts, body, sig)
       select 'web', '${writerOf(mal)}', n, 'H-' || n, 'entry', 'space', now(), '\\x00', sha256('')
       from generate_series(1, 60000) n`,
    );
    await ada.save("Ada's word.");
    await ada.sync();
    const { refused } = await bob.sync();
    assert.deepEqual(refused.map(({ author, reason }) => ({ author, reason })), [
      { author: "mal", reason: "bad_signature" },
    ]);
    assert.ok(refused[0].seq < 60_000, "not all of them were held");
    assert.deepEqual([...bob.texts().values()], ["Ada's word."]);
  },
});

Deno.test({
  name: "an erasure comes in, whatever ids somebody has taken before",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, bob, mal] = team.mates;
    await using raw = await rawSession(mal);
    const id = await ada.save("Ada's word.");
    await ada.sync();
    await bob.sync();
    const foreseen = [`${id}-u`, ...[1, 2, 3].map((n) => `void-${writerOf(ada)}-${n}`)];
    for (const [n, taken] of foreseen.entries()) {
      await raw.run(team.insert({ seq: String(n + 1), id: `'${taken}'` }));
    }
    await ada.run("unshare", { targets: [id] });
    assert.equal((await ada.sync()).pushed.erased, 1);
    const [{ body }] = await team.cluster.run(
      team.database,
      `select body from ctx.log where id = '${id}'`,
    );
    assert.equal(body, null);
    await bob.sync();
    assert.deepEqual([...bob.texts().keys()], []);
    // What was pushed is known again from the server alone.
    await Deno.remove(`${ada.t.root}/team/pushed.ndjson`);
    assert.equal((await ada.sync()).pushed.erased, 0);
    assert.match(ada.t.read("team/pushed.ndjson"), new RegExp(`"id":"${id}-u","kind":"erase"`));
    assert.deepEqual(await ada.t.ailments(), []);
  },
});

Deno.test({
  name: "whoever is to be revoked cannot hold it up with locks of any kind",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, , mal] = team.mates;
    await using raw = await rawSession(mal);
    const writer = writerOf(mal);
    await raw.run(
      `select ctx.put_keys('web', array['${writer}'], array[1], array['\\x00'::bytea])`,
    );
    await raw.run(
      `begin;
       select pg_advisory_lock(hashtext('ctx.grants')), pg_advisory_lock(hashtext('ctx.migrate'));
       select ctx.put_keys('web', array['${writer}'], array[1], array['\\x01'::bytea]);
       select ctx.leave_space('web', '${writer}')`,
    );
    await ada.run("remote revoke", { name: "mal" });
    await assert.rejects(raw.run("commit"), /the connection was lost/);
    const [{ count }] = await team.cluster.run(
      team.database,
      "select count(*)::int as count from pg_stat_activity where usename like '%mal%'",
    );
    assert.equal(count, 0);
    // Bringing a schema up that is up asks for no lock either.
    await ada.run("remote init");
  },
});

Deno.test({
  name: "a member's stores are bounded, told in one line, and gone with the member",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, bob, mal] = team.mates;
    await using raw = await rawSession(mal);
    const join = (count: number): string =>
      `select ctx.join_space('web', gen_random_uuid(), '\\x00', null, '\\x00')
       from generate_series(1, ${count})`;
    await assert.rejects(
      raw.run(join(4000)),
      /the member has too many stores/,
    );
    await raw.run(join(99));
    await assert.rejects(raw.run(join(1)), /the member has too many stores/);
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    await bob.sync({ warn });
    assert.deepEqual(warnings, [
      "99 stores of mal are not trusted: their certificates are invalid",
    ]);
    await ada.run("remote revoke", { name: "mal" });
    warnings.length = 0;
    await bob.sync({ warn });
    assert.deepEqual(warnings, []);
  },
});

Deno.test({
  name: "a member's open transaction does not hold up the owner's erasure for good",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "mal"]);
    const [ada, mal] = team.mates;
    const id = await mal.save("A word that must go.");
    await mal.sync();
    await ada.sync();
    await using raw = await rawSession(mal);
    await raw.run(
      `insert into ctx.log (space, writer, seq, id, kind, visibility, ts, body, sig) values
         ('web', '${writerOf(mal)}', 2, 'H-mal', 'erase', 'space', now(), '\\x00', sha256(''));
       begin;
       select ctx.erase('web', '${writerOf(mal)}', array[2], array['${id}'])`,
    );
    await ada.run("forget", { ids: [id], now: true });
    const { code, hint = "" } = await ada.fail("sync");
    assert.equal(code, "REMOTE_FAILED");
    assert.match(hint, /the owner revokes the member/);
    await ada.run("remote revoke", { name: "mal" });
    assert.equal((await ada.sync()).pushed.erased, 1);
    const [{ body }] = await team.cluster.run(
      team.database,
      `select body from ctx.log where id = '${id}'`,
    );
    assert.equal(body, null);
  },
});

Deno.test({
  name: "nobody is given the keys that are wrapped for another",
  ignore,
  async fn() {
    await using team = await madeHostile();
    const [ada, , mal] = team.mates;
    await using rawMal = await rawSession(mal);
    await using rawAda = await rawSession(ada);
    await rawAda.run(
      `select ctx.put_keys('web', array['${writerOf(ada)}'], array[1], array['\\x01'::bytea])`,
    );
    const ask = `select ctx.state('web', '${writerOf(ada)}')->>'keys' as keys`;
    assert.deepEqual(await rawMal.run(ask), [{ keys: "[]" }]);
    const [{ keys }] = await rawAda.run(ask);
    assert.match(String(keys), /"epoch" : 1/);
  },
});

Deno.test({
  name: "a row dated 9999 does not lead the packs of others, nor is it of just now",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await ada.run("save", { text: "Deploys are on Monday", type: "decision" }, {
      now: () => Date.parse("9999-12-01T00:00:00.000Z"),
    });
    await ada.save("Deploys need a review");
    await ada.sync();
    await bob.sync();
    const { text } = await bob.run<{ text: string }>("pack");
    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    assert.match(
      lines[0],
      /decision by ada, a member of the team, just now: Deploys need a review$/,
    );
    assert.match(lines[1], /a member of the team, 9999-12-01: Deploys are on Monday$/);
  },
});
