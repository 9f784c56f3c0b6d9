// The schema's versions on a real server: fresh, again, from an older one, newer than we know, two at
// once, and without the rights for it.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import { migrate } from "../../../src/team/remote/migrate.ts";
import { PostgresSpace } from "../../../src/team/remote/postgres_space.ts";
import { type Migration, migrations, schemaVersion } from "../../../src/team/schema/migrations.ts";
import { hasNoPostgres, sharedCluster } from "../../support/servers/postgres.ts";
import { madeRow, madeSpace } from "../../support/servers/made_space.ts";

const ignore = hasNoPostgres();

/** A step that a later ctx could bring. */
const later: Migration = {
  version: schemaVersion + 1,
  sql: "alter table ctx.spaces add column note text; create table ctx.notes (note text)",
};

Deno.test({
  name: "the schema is made once; again changes nothing; a later version keeps the rows",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    const connection = await RemoteConnection.open(await cluster.settings(database));
    assert.deepEqual(await migrate(connection), { from: 0, to: schemaVersion });
    assert.deepEqual(await migrate(connection), { from: schemaVersion, to: schemaVersion });
    await using made = await madeSpace(["ada"], { database });
    const [{ space, writer }] = made.members;
    await space.push([madeRow(writer, 1, "H-1")]);

    const steps = [...migrations, later];
    assert.deepEqual(await migrate(connection, steps), { from: schemaVersion, to: later.version });
    assert.equal((await connection.run("select id from ctx.log")).length, 1);
    // What a step brings is nobody's but the owner's, whatever the defaults are.
    const [{ may }] = await cluster.run(
      database,
      `select has_table_privilege('${made.members[0].role}', 'ctx.notes', 'select') as may`,
    );
    assert.equal(may, false);

    // This ctx is now the older one.
    for (const attempt of [() => migrate(connection), () => space.state(writer)]) {
      await assert.rejects(attempt, (error: unknown) => {
        assert.ok(error instanceof CtxError && error.code === "REMOTE_TOO_NEW");
        assert.equal(error.hint, "ctx upgrade");
        return true;
      });
    }
    await connection.close();
  },
});

Deno.test({
  name: "a schema of version 1 becomes one of version 2 with its rows, rights and bounds",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    const connection = await RemoteConnection.open(await cluster.settings(database));
    assert.deepEqual(await migrate(connection, migrations.slice(0, 1)), { from: 0, to: 1 });
    await connection.run('create role "old-ada" login');
    await connection.run(
      `select ctx.create_space('old', 'root', sha256('a'), false);
       select ctx.admit('old', 'ada', 'old-ada', sha256('b'), sha256('c'))`,
    );
    assert.deepEqual(await migrate(connection), { from: 1, to: schemaVersion });
    const [{ may, members }] = await connection.run(
      `select has_function_privilege('old-ada', 'ctx.join_space(text, uuid, bytea, text, bytea)',
         'execute') as may, json_array_length(ctx.state('old', null)->'members') as members`,
    );
    assert.deepEqual([may, members], [true, 2]);
    const [{ settings }] = await connection.run(
      "select proconfig::text as settings from pg_proc where proname = 'erase'",
    );
    assert.match(String(settings), /lock_timeout=10s/);
    await connection.close();
  },
});

Deno.test({
  name: "a schema that lacks what this ctx needs is told as too old",
  ignore,
  async fn() {
    await using made = await madeSpace(["ada"]);
    await made.cluster.run(made.database, `delete from ctx.meta where version = ${schemaVersion}`);
    await assert.rejects(
      made.members[0].space.state(),
      (error: unknown) => error instanceof CtxError && error.code === "REMOTE_TOO_OLD",
    );
  },
});

Deno.test({
  name: "two that migrate at once make one schema",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    const sessions = await Promise.all(
      [1, 2, 3].map(async () => RemoteConnection.open(await cluster.settings(database))),
    );
    const results = await Promise.all(sessions.map((session) => migrate(session)));
    assert.deepEqual(results.map(({ from }) => from).sort(), [0, schemaVersion, schemaVersion]);
    const [{ count }] = await sessions[0].run("select count(*)::int as count from ctx.meta");
    assert.equal(count, migrations.length);
    for (const session of sessions) await session.close();
  },
});

Deno.test({
  name: "a step that fails leaves the schema as it was, and the session usable",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    const connection = await RemoteConnection.open(await cluster.settings(database));
    const broken = { version: later.version, sql: "create table ctx.half (x int); select 1 / 0" };
    await assert.rejects(migrate(connection, [...migrations, broken]), /division by zero/);
    const [{ there }] = await connection.run("select to_regnamespace('ctx') is not null as there");
    assert.equal(there, false);
    assert.equal((await migrate(connection)).from, 0);
    await assert.rejects(migrate(connection, [...migrations, broken]), /division by zero/);
    assert.deepEqual(await migrate(connection), { from: schemaVersion, to: schemaVersion });
    await connection.close();
  },
});

Deno.test({
  name: "without an owner's rights the schema is neither made nor changed, and that is told",
  ignore,
  async fn() {
    await using made = await madeSpace([]);
    const { cluster, owner } = made;
    const { role, password } = await owner.space.createLogin();
    const isDenied = (error: unknown): boolean => {
      assert.ok(error instanceof CtxError && error.code === "REMOTE_DENIED", `${error}`);
      assert.match(error.hint ?? "", /team init|another database/);
      return true;
    };
    const fresh = await cluster.createDatabase();
    for (const database of [fresh, made.database]) {
      await using session = await PostgresSpace.connect(
        await cluster.settings(database, role, password),
        "team",
      );
      await assert.rejects(session.migrate(), isDenied);
    }
    // A schema of that name that is somebody else's work is left alone.
    await cluster.run(fresh, `create schema ctx`);
    await using root = await PostgresSpace.connect(await cluster.settings(fresh), "team");
    await assert.rejects(root.migrate(), isDenied);
    // A role that is no superuser can own all of it.
    const third = await cluster.createDatabase();
    await cluster.run(third, `grant create on database ${third} to ${role}`);
    await using own = await PostgresSpace.connect(
      await cluster.settings(third, role, password),
      "team",
    );
    assert.equal((await own.migrate()).from, 0);
    await own.createSpace({ owner: "o", rootKey: new Uint8Array(32), encrypted: true });
    const member = await owner.space.createLogin();
    const [inviteKey, inviteCert] = [new Uint8Array(32), new Uint8Array(64)];
    await own.admit({ name: "ada", role: member.role, inviteKey, inviteCert });
    await using ada = await PostgresSpace.connect(
      await cluster.settings(third, member.role, member.password),
      "team",
    );
    const writer = crypto.randomUUID();
    await ada.join({ writer, signKey: inviteKey, cert: inviteCert });
    assert.equal((await ada.push([madeRow(writer, 1, "H-1")])).inserted, 1);
    assert.equal((await ada.state(writer)).encrypted, true);
    // It may not remove a login that it did not make; the membership ends all the same.
    assert.equal(await own.revoke("ada"), false);
    await assert.rejects(ada.state(writer), /not a member/);
  },
});
