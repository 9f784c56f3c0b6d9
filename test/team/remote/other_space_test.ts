// What a member can do with SQL of their own: nothing to another space, and nothing to the rows of
// others in their own. Everything that can be asked is asked of a real server, beside our client.

import assert from "node:assert/strict";
import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import { CtxError } from "../../../src/core/errors.ts";
import { findPostgres, hasNoPostgres } from "../../support/servers/postgres.ts";
import { madeRow, type MadeSpace, madeSpace } from "../../support/servers/made_space.ts";

const ignore = hasNoPostgres();

/** Words of the other space, none of which may be seen. */
const planted = ["beta-space", "bea-of-beta", "H-beta", "beta-body"];

/** What a statement gave: its rows, or what the server said. */
type Outcome = { rows: unknown[] } | { code: string; message: string };

interface Two extends AsyncDisposable {
  alpha: MadeSpace;
  beta: MadeSpace;
  /** A member of alpha, with SQL of their own. */
  mallory: RemoteConnection;
  /** Runs a statement as mallory. */
  attempt(sql: string): Promise<Outcome>;
  /** All that lies on the server, as its superuser sees it. */
  everything(): Promise<string>;
}

async function twoSpaces(): Promise<Two> {
  const alpha = await madeSpace(["mallory", "ada"], { space: "alpha-space" });
  const { cluster, database } = alpha;
  const beta = await madeSpace(["bea-of-beta"], { database, space: "beta-space" });
  const [, ada] = alpha.members;
  const [bea] = beta.members;
  await ada.space.push([madeRow(ada.writer, 1, "H-ada", "alpha-body")]);
  await bea.space.push([1, 2].map((seq) => madeRow(bea.writer, seq, `H-beta${seq}`, "beta-body")));
  const [{ role, password }] = alpha.members;
  const mallory = await RemoteConnection.open(await cluster.settings(database, role, password));
  return {
    alpha,
    beta,
    mallory,
    attempt: (sql) => outcomeOf(mallory, sql),
    async everything() {
      const tables = ["spaces", "members", "writers", "keys", "erasures", "receipts", "log"];
      const found = [];
      for (const table of tables) {
        found.push(await cluster.run(database, `select * from ctx.${table} t order by t::text`));
      }
      return JSON.stringify(found);
    },
    async [Symbol.asyncDispose]() {
      await mallory.close();
      await alpha[Symbol.asyncDispose]();
      await beta[Symbol.asyncDispose]();
    },
  };
}

async function outcomeOf(connection: RemoteConnection, sql: string): Promise<Outcome> {
  try {
    return { rows: await connection.run(sql) };
  } catch (error) {
    const { cause } = error as CtxError;
    const { code, message } = cause as { code: string; message: string };
    return { code, message };
  }
}

function assertNothingOfBeta(outcome: unknown, sql: string, words = planted): void {
  // The statement's own words come back in what the server says of it.
  const text = JSON.stringify(outcome).toLowerCase();
  for (const word of words) {
    const hex = Array.from(word, (char) => char.charCodeAt(0).toString(16)).join("");
    if (sql.includes(word)) continue;
    assert.ok(!text.includes(word.toLowerCase()) && !text.includes(hex), `${sql} shows ${word}`);
  }
}

/** Values of a row for an INSERT. */
function values(space: string, writer: string, seq: number, id: string): string {
  return `('${space}', '${writer}', ${seq}, '${id}', 'entry', 'space', now(), 'x', decode(repeat('00', 32), 'hex'))`;
}

Deno.test({
  name: "a member of one space reads nothing of another, whatever the statement",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const before = await two.everything();
    const [bea] = two.beta.members;
    const reads = [
      "select * from ctx.log",
      "select * from ctx.log where space = 'beta-space'",
      `select * from ctx.log where writer = '${bea.writer}'`,
      "select count(*), max(seq), string_agg(id, ',') from ctx.log where space <> 'alpha-space'",
      "select * from ctx.log where id like 'H-beta%'",
      "with b as (select * from ctx.log) select b.* from b right join ctx.log using (space)",
      "select l.* from (values ('beta-space')) v (s), lateral (select * from ctx.log where space = v.s) l",
      "set row_security = off; select * from ctx.log",
      "reset row_security; explain (analyze, verbose, costs off) select * from ctx.log",
      "table ctx.log",
      "declare c cursor with hold for select * from ctx.log; fetch all from c",
      "select query_to_xml('select * from ctx.log', true, true, '')",
      "select schema_to_xml('ctx', true, true, '')",
      "select * from ctx.log tablesample system (100)",
      "select * from only ctx.log",
      "prepare p as select * from ctx.log; execute p",
    ];
    for (const sql of reads) assertNothingOfBeta(await two.attempt(sql), sql);
    // The same question that sees one's own space: the answers above are not empty for another reason.
    assert.match(JSON.stringify(await two.attempt("select id from ctx.log")), /H-ada/);

    const tables = ["meta", "spaces", "members", "writers", "keys", "erasures", "receipts"];
    const parts = Array.from({ length: 32 }, (_, n) => `log_${n}`);
    for (const table of [...tables, ...parts]) {
      for (
        const sql of [
          `select * from ctx.${table}`,
          `select count(*) from ctx.${table}`,
          `insert into ctx.${table} select * from ctx.${table}`,
          `delete from ctx.${table}`,
          `truncate ctx.${table}`,
          `do 'begin lock table ctx.${table}; end'`,
        ]
      ) {
        const outcome = await two.attempt(sql);
        assert.equal("code" in outcome && outcome.code, "42501", sql);
      }
      const grant = await two.attempt(`grant select on ctx.${table} to public`);
      assert.deepEqual("rows" in grant, false, table);
    }
    const copies = ["copy (select * from ctx.log) to stdout", "copy ctx.log (id) to stdout"];
    const { cluster, database, members: [{ role, password }] } = two.alpha;
    for (const sql of copies) {
      const { stdout, stderr, success } = await new Deno.Command(`${findPostgres()}/psql`, {
        args: ["-X", cluster.url(database, role, password), "-c", sql],
      }).output();
      const [out, fault] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assertNothingOfBeta(out + fault, sql);
      assert.ok(success || fault.includes("ERROR"), fault);
    }
    assert.equal(await two.everything(), before);
  },
});

Deno.test({
  name: "no trick with roles, temporary objects or functions changes who a member is",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const before = await two.everything();
    const [bea] = two.beta.members;
    for (
      const sql of [
        `set role ${bea.role}`,
        "set role postgres",
        `set session authorization ${bea.role}`,
        "set session authorization postgres",
      ]
    ) {
      const outcome = await two.attempt(sql);
      assert.ok("code" in outcome, sql);
      assertNothingOfBeta(await two.attempt("select * from ctx.log"), sql);
    }
    // A member that is let into another's role, for another reason, is still the one who signed in.
    await two.alpha.cluster.run(
      two.alpha.database,
      `grant ${bea.role} to ${two.alpha.members[0].role}`,
    );
    assert.ok("rows" in await two.attempt(`set role ${bea.role}`));
    assertNothingOfBeta(await two.attempt("select * from ctx.log"), "select * from ctx.log");
    assert.equal(
      (await two.attempt("select ctx.state('beta-space', null)") as Failed).code,
      "XC001",
    );
    await two.attempt("reset role");
    await two.alpha.cluster.run(
      two.alpha.database,
      `revoke ${bea.role} from ${two.alpha.members[0].role}`,
    );

    // A cheap function of one's own would be asked before the policy, if it were let.
    await two.attempt("create temp table seen (body text)");
    await two.attempt(
      `create function pg_temp.leak(b bytea) returns boolean language plpgsql cost 0.0000001 as
       $$ begin insert into pg_temp.seen values (encode(b, 'escape')); return true; end $$`,
    );
    await two.attempt("select count(*) from ctx.log where pg_temp.leak(body)");
    const seen = await two.attempt("select * from pg_temp.seen");
    assertNothingOfBeta(seen, "leak");
    assert.match(JSON.stringify(seen), /alpha-body/);

    // Names of one's own before those of the schema's functions.
    const members =
      "select 'beta-space'::text as space, session_user::name as role, 'm'::text as name, " +
      "true as owner, null::timestamptz as revoked_at";
    for (
      const sql of [
        `create temp table members as ${members}`,
        `create temp table writers as select * from (${members}) m`,
        "create temp table spaces (space text, channel text)",
        "create function pg_temp.my_spaces() returns setof text language sql as $$ select 'beta-space'::text $$",
        "create function pg_temp.always(name, name) returns boolean language sql immutable as $$ select true $$",
        "create operator pg_temp.= (leftarg = name, rightarg = name, function = pg_temp.always)",
        "create function pg_temp.always_text(text, text) returns boolean language sql immutable as $$ select true $$",
        "create operator pg_temp.= (leftarg = text, rightarg = text, function = pg_temp.always_text)",
        "set search_path = pg_temp, ctx, pg_catalog",
      ]
    ) {
      const outcome = await two.attempt(sql);
      assert.ok("rows" in outcome, `${sql}: ${JSON.stringify(outcome)}`);
    }
    for (
      const sql of [
        "select * from ctx.log",
        "select ctx.my_spaces()",
        "select ctx.my_writers()",
        "select ctx.state('beta-space', null)",
        "select ctx.erasures('beta-space')",
        `select ctx.join_space('beta-space', '${crypto.randomUUID()}', 'k', null, 'c')`,
      ]
    ) assertNothingOfBeta(await two.attempt(sql), sql);
    await two.attempt("reset search_path");
    // The owner's session has no more power over what the functions see.
    const [owned] = await two.alpha.cluster.run(
      two.alpha.database,
      `create temp table pg_roles as select 'no_such_role'::name as rolname, true as rolcanlogin;
       select ctx.admit('alpha-space', 'x', 'no_such_role', 'k', 'c')`,
    ).catch((error: CtxError) => [error.code]);
    assert.equal(owned, "NOT_FOUND");
    assert.equal(await two.everything(), before);
  },
});

interface Failed {
  code: string;
  message: string;
}

Deno.test({
  name: "a foreign space and one that does not exist cannot be told apart",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const before = await two.everything();
    const [bea] = two.beta.members;
    const [mallory] = two.alpha.members;
    const own = mallory.writer;
    const calls = (space: string, writer: string, id: string): string[] => [
      `select ctx.state('${space}', null)`,
      `select ctx.state('${space}', '${writer}')`,
      `select ctx.erasures('${space}')`,
      `select ctx.join_space('${space}', '${crypto.randomUUID()}', 'k', null, 'c')`,
      `select ctx.join_space('${space}', '${writer}', 'k', null, 'c')`,
      `select ctx.leave_space('${space}', '${writer}')`,
      `select ctx.put_keys('${space}', array['${writer}'], array[1], array['k']::bytea[])`,
      `select ctx.erase('${space}', '${writer}', array[1], array['${id}'])`,
      `select ctx.erase('${space}', '${own}', array[1], array['${id}'])`,
      `select ctx.confirm_erased('${space}', '${writer}', array['${writer}']::uuid[], array[1])`,
      `select ctx.admit('${space}', 'm', '${mallory.role}', 'k', 'c')`,
      `select ctx.revoke_member('${space}', 'bea-of-beta')`,
      `insert into ctx.log values ${values(space, writer, 1, id)}`,
      `insert into ctx.log values ${values(space, writer, 9, "H-new")}`,
      `insert into ctx.log values ${values(space, own, 1, id)}`,
      `insert into ctx.log values ${values(space, own, 1, id)} on conflict do nothing`,
      `insert into ctx.log values ${values(space, own, 1, id)} on conflict do nothing returning *`,
      `select * from ctx.log where space = '${space}' and id = '${id}'`,
      `select * from ctx.log where space = '${space}' and writer = '${writer}' for share`,
    ];
    const foreign = calls("beta-space", bea.writer, "H-beta1");
    // The part of the log in which a row lies shows in no message; the name is one of the same length.
    const unknown = calls("none-space", crypto.randomUUID(), "H-none1");
    for (const [at, sql] of foreign.entries()) {
      const [there, nowhere] = [await two.attempt(sql), await two.attempt(unknown[at])];
      assert.deepEqual(withoutPart(there), withoutPart(nowhere), sql);
      if (!sql.startsWith("select *")) assert.ok("code" in there, sql);
    }
    assert.equal(await two.everything(), before);

    // The ids of the other space are free in one's own, and say nothing.
    const [first] = two.alpha.members;
    const pushed = await first.space.push([madeRow(first.writer, 1, "H-beta1")]);
    assert.deepEqual(pushed, { inserted: 1, taken: [] });
    // So is a writer of the other space: what is one's own there is still not written.
    const taken = await two.attempt(
      `select ctx.join_space('alpha-space', '${bea.writer}', 'k', null, 'c')`,
    );
    assert.ok("rows" in taken);
    const row = values("beta-space", bea.writer, 3, "H-x");
    assert.equal((await two.attempt(`insert into ctx.log values ${row}`) as Failed).code, "42501");
  },
});

/** Which part of the log a row would go to follows from the name of the space alone. */
function withoutPart(outcome: Outcome): unknown {
  return "message" in outcome
    ? { ...outcome, message: outcome.message.replace(/log_\d+/, "log_N") }
    : outcome;
}

Deno.test({
  name: "the catalogue tells a member nothing of another space",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    await two.alpha.cluster.run(two.alpha.database, "analyze");
    const [bea] = two.beta.members;
    const [{ channel }] = await two.alpha.cluster.run(
      two.alpha.database,
      "select channel from ctx.spaces where space = 'beta-space'",
    );
    const relations = await two.mallory.run(
      `select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('pg_catalog', 'information_schema') and c.relkind in ('r', 'v')`,
    );
    assert.ok(relations.length > 150);
    for (const { name } of relations) {
      const sql = `select to_jsonb(t)::text as row from ${name} t`;
      assertNothingOfBeta(await two.attempt(sql), sql, [...planted, channel as string, bea.writer]);
    }
    // What the planner expects must be the same for the space that is there and for times without rows.
    await two.alpha.cluster.run(
      two.alpha.database,
      `insert into ctx.log select 'beta-space', '${bea.writer}', 1000 + n, 'B-' || n, 'entry', 'space',
         '2026-01-01', '\\x00', sha256('') from generate_series(1, 5000) n; analyze`,
    );
    const expected = async (where: string): Promise<string> => {
      const [plan] = await two.mallory.run(
        `explain select from ctx.log where space = 'beta-space' and ${where}`,
      );
      return /rows=\d+/.exec(Object.values(plan).join())?.[0] ?? "";
    };
    assert.equal(await expected("ts > '2030-01-01'"), await expected("ts > '2020-01-01'"));
    assert.equal(
      await expected(`writer = '${bea.writer}'`),
      await expected(`writer = '${crypto.randomUUID()}'`),
    );
    await two.attempt(`listen ctx_guess`);
    assertNothingOfBeta(await two.attempt("select pg_listening_channels()"), "", [
      channel as string,
    ]);
  },
});

Deno.test({
  name: "a member cannot write as another, nor change, erase or withdraw what is another's",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const [mallory, ada] = two.alpha.members;
    const { owner } = two.alpha;
    await mallory.space.push([madeRow(mallory.writer, 1, "H-mine")]);
    const before = await two.everything();
    const refused: [string, string][] = [
      [`insert into ctx.log values ${values("alpha-space", ada.writer, 2, "H-as-ada")}`, "42501"],
      [`insert into ctx.log values ${values("alpha-space", owner.writer, 1, "H-as-o")}`, "42501"],
      [
        `insert into ctx.log values ${values("alpha-space", crypto.randomUUID(), 1, "H-n")}`,
        "42501",
      ],
      // A body that was never there would look like one that was erased.
      [
        `insert into ctx.log values ('alpha-space', '${mallory.writer}', 2, 'H-n', 'entry', 'space',
          now(), null, decode(repeat('00', 32), 'hex'))`,
        "42501",
      ],
      [
        `insert into ctx.log values ${values("alpha-space", mallory.writer, 9, "H-ada")}
          on conflict (space, id) do update set body = 'changed'`,
        "42501",
      ],
      ["update ctx.log set body = 'changed'", "42501"],
      ["update ctx.log set body = 'changed' where id = 'H-mine'", "42501"],
      ["delete from ctx.log where id = 'H-mine'", "42501"],
      ["truncate ctx.log", "42501"],
      ["select * from ctx.log for update", "42501"],
      ["do 'begin lock table ctx.log in exclusive mode; end'", "42501"],
      ["create trigger t before insert on ctx.log for each row execute function f()", "42501"],
      ["alter table ctx.log disable row level security", "42501"],
      ["create policy p on ctx.log using (true)", "42501"],
      ["drop policy read_own_spaces on ctx.log", "42501"],
      ["create table ctx.x (y text)", "42501"],
      [
        "create function ctx.my_spaces2() returns text language sql as $$ select 'a' $$",
        "42501",
      ],
      [
        "create or replace function ctx.my_spaces() returns setof text language sql as 'select null'",
        "42501",
      ],
      ["select ctx.grant_member(session_user)", "42501"],
      ["select ctx.ungrant_member('postgres')", "42501"],
      ["select ctx.require_owner('alpha-space')", "42501"],
      ["select ctx.new_channel()", "42501"],
      ["select ctx.create_space('mine', 'm', 'k', false)", "42501"],
      [`select ctx.admit('alpha-space', 'x', '${mallory.role}', 'k', 'c')`, "XC002"],
      ["select ctx.revoke_member('alpha-space', 'ada')", "XC002"],
      [`select ctx.leave_space('alpha-space', '${ada.writer}')`, "XC005"],
      [`select ctx.join_space('alpha-space', '${ada.writer}', 'k', null, 'c')`, "XC003"],
      [
        `select ctx.put_keys('alpha-space', array['${ada.writer}'], array[1], array['k']::bytea[])`,
        "XC005",
      ],
      [
        `select ctx.put_keys('alpha-space', array['invite:ada'], array[1], array['k']::bytea[])`,
        "XC005",
      ],
      [
        `select ctx.erase('alpha-space', '${mallory.writer}', array[1], array['H-ada'])`,
        "XC004",
      ],
      [`select ctx.erase('alpha-space', '${ada.writer}', array[1], array['H-ada'])`, "XC005"],
      // An own row, but no row of the log that says so.
      [
        `select ctx.erase('alpha-space', '${mallory.writer}', array[1], array['H-mine'])`,
        "XC004",
      ],
      [
        `select ctx.confirm_erased('alpha-space', '${ada.writer}', array[]::uuid[], array[]::bigint[])`,
        "XC005",
      ],
      [`select ctx.tell_members('alpha-space', '${ada.writer}')`, "XC005"],
      ["alter role postgres nologin", "42501"],
      [`alter role ${ada.role} password 'x'`, "42501"],
    ];
    for (const [sql, code] of refused) {
      const outcome = await two.attempt(sql);
      assert.equal("code" in outcome ? outcome.code : JSON.stringify(outcome), code, sql);
      assert.equal(await two.everything(), before, sql);
    }
  },
});

Deno.test({
  name:
    "whoever was revoked has nothing any more: the session ends, and one that stands sees nothing",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const [mallory, ada] = two.alpha.members;
    const state = await mallory.space.state(mallory.writer);
    const heard: string[] = [];
    await two.mallory.listen(state.channel, (payload) => heard.push(payload));
    await ada.space.push([madeRow(ada.writer, 2, "H-2")]);
    await two.mallory.run("select 1");
    assert.deepEqual(heard, [ada.writer]);

    const { cluster, database } = two.alpha;
    // A session that stands where the schema's owner may not end it.
    const again = await RemoteConnection.open(await cluster.settings(database));
    await again.run(`set session authorization "${mallory.role}"`);
    const told: string[] = [];
    await again.listen(state.channel, (payload) => told.push(payload));
    await two.alpha.owner.space.revoke("mallory");
    await assert.rejects(two.mallory.run("select 1"), /the connection was lost/);
    const login = cluster.settings(database, mallory.role, mallory.password);
    await assert.rejects(RemoteConnection.open(await login), /Cannot sign in/);
    await ada.space.push([madeRow(ada.writer, 3, "H-3")]);
    await again.run("select 1");
    // The revocation itself calls everybody to look; the push after it is on another channel.
    assert.deepEqual(told, [""]);
    const before = await two.everything();
    for (
      const sql of [
        "select * from ctx.log",
        "select ctx.my_spaces()",
        "select ctx.state('alpha-space', null)",
        `select ctx.join_space('alpha-space', '${crypto.randomUUID()}', 'k', null, 'c')`,
        `insert into ctx.log values ${values("alpha-space", mallory.writer, 1, "H-late")}`,
        `select ctx.erasures('alpha-space')`,
      ]
    ) {
      const outcome = await outcomeOf(again, sql);
      assert.equal("code" in outcome ? outcome.code : JSON.stringify(outcome), "42501", sql);
    }
    await again.close();
    assert.equal(await two.everything(), before);
  },
});

Deno.test({
  name: "whoever was revoked in one space and is in another has nothing of the first",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const [mallory] = two.alpha.members;
    await two.beta.owner.space.admit({
      name: "m",
      role: mallory.role,
      inviteKey: new Uint8Array(32),
      inviteCert: new Uint8Array(64),
    });
    assert.match(JSON.stringify(await two.attempt("select id from ctx.log")), /H-ada.*H-beta/);
    assert.equal(await two.alpha.owner.space.revoke("mallory"), false);
    // Whatever became of the writers: who is no member any more writes nothing.
    await two.alpha.cluster.run(two.alpha.database, "update ctx.writers set left_at = null");
    const seen = JSON.stringify(await two.attempt("select id from ctx.log"));
    assert.match(seen, /H-beta1/);
    assert.doesNotMatch(seen, /H-ada/);
    const codes = [
      await two.attempt("select ctx.state('alpha-space', null)"),
      await two.attempt(
        `insert into ctx.log values ${values("alpha-space", mallory.writer, 1, "H-late")}`,
      ),
    ].map((outcome) => "code" in outcome && outcome.code);
    assert.deepEqual(codes, ["XC001", "42501"]);
  },
});

Deno.test({
  name: "a login without an invitation sees neither rows nor the schema",
  ignore,
  async fn() {
    await using two = await twoSpaces();
    const { role, password } = await two.alpha.owner.space.createLogin();
    const { cluster, database } = two.alpha;
    const outsider = await RemoteConnection.open(await cluster.settings(database, role, password));
    for (
      const sql of [
        "select * from ctx.log",
        "select ctx.state('alpha-space', null)",
        "select ctx.my_spaces()",
        "select ctx.create_space('mine', 'm', 'k', false)",
      ]
    ) {
      assert.deepEqual(
        await outcomeOf(outsider, sql),
        { code: "42501", message: "permission denied for schema ctx" },
        sql,
      );
    }
    await outsider.close();
  },
});
