// What can go wrong between here and a real server: each is a clear error with a next step, the
// session is over or usable, and nothing half done remains.

import assert from "node:assert/strict";
import { CtxError, type ErrorCode } from "../../../src/core/errors.ts";
import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import { readSettings } from "../../../src/team/remote/connection_settings.ts";
import { PostgresSpace } from "../../../src/team/remote/postgres_space.ts";
import { hasNoPostgres, sharedCluster, startCluster } from "../../support/servers/postgres.ts";
import { madeRow, madeSpace } from "../../support/servers/made_space.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

const ignore = hasNoPostgres();

function serverTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore, fn });
}

/** The failure of a call, which must have this code, a hint, and no password in it. */
async function failureOf(promise: Promise<unknown>, code: ErrorCode): Promise<CtxError> {
  const error = await promise.then(() => undefined, (thrown: unknown) => thrown);
  assert.ok(error instanceof CtxError, `${error}`);
  assert.equal(error.code, code, error.message);
  assert.ok(error.hint !== undefined && error.hint !== "");
  assert.doesNotMatch(`${error.message} ${error.hint}`, /not-the-password|of the test/);
  return error;
}

serverTest("a wrong password, a user or a database that is not there", async () => {
  const cluster = await sharedCluster();
  const database = await cluster.createDatabase();
  const wrong = await cluster.settings(database, "postgres", "not-the-password");
  const denied = await failureOf(RemoteConnection.open(wrong), "REMOTE_DENIED");
  assert.match(denied.message, /Cannot sign in to .*password authentication failed/);
  const bare = await readSettings(cluster.url(database).replace(/:[^:@/]*@/, "@"), () => undefined);
  const unsaid = await failureOf(RemoteConnection.open(bare), "REMOTE_DENIED");
  assert.match(`${unsaid.message} ${unsaid.hint}`, /no password was found.*\.pgpass/);
  const nobody = await cluster.settings(database, "nobody", "not-the-password");
  assert.match((await failureOf(RemoteConnection.open(nobody), "REMOTE_DENIED")).message, /nobody/);
  const missing = await failureOf(
    RemoteConnection.open(await cluster.settings("no_such")),
    "NOT_FOUND",
  );
  assert.match(missing.message, /database "no_such" does not exist/);
});

serverTest("a database without the schema, a space that is not there", async () => {
  const cluster = await sharedCluster();
  const database = await cluster.createDatabase();
  await using fresh = await PostgresSpace.connect(await cluster.settings(database), "team");
  assert.match((await failureOf(fresh.state(), "NOT_FOUND")).hint ?? "", /ctx team init/);
  await fresh.migrate();
  const unknown = await failureOf(fresh.state(), "NOT_FOUND");
  assert.match(unknown.message, /does not exist, or you are not a member/);
});

Deno.test("nothing listens, no such socket, a host that is not known", async () => {
  const open = async (url: string): Promise<CtxError> => {
    const settings = await readSettings(url, () => undefined);
    return await failureOf(RemoteConnection.open(settings), "REMOTE_UNREACHABLE");
  };
  const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr as Deno.NetAddr;
  free.close();
  assert.match((await open(`postgres://u@127.0.0.1:${port}/d`)).message, /nothing is listening/);
  if (!notOnWindows("there are no socket files")) {
    assert.match((await open("postgres://u@/d?host=/none")).message, /no such socket/);
  }
  const unknown = await open("postgres://u@no-such-host.invalid/d");
  assert.match(unknown.message, /unknown host|lookup/);
});

Deno.test("a server that takes the connection and says nothing is given up", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const accepted = listener.accept();
  const settings = await readSettings(`postgres://u@127.0.0.1:${port}/d`, () => undefined);
  const error = await failureOf(
    RemoteConnection.open({ ...settings, timeoutSeconds: 0.2 }),
    "REMOTE_UNREACHABLE",
  );
  assert.match(error.message, /no response in time/);
  (await accepted).close();
});

serverTest("an answer without an end, or a COPY that nobody asked for, is refused", async () => {
  await using made = await madeSpace(["ada"]);
  const { cluster, database } = made;
  const answers: [statement: string, fault: RegExp][] = [
    ["select repeat('x', 1000000) as x from generate_series(1, 100)", /its response is endless/],
    ["select repeat('x', 100000000) as x", /its response is endless/],
    ["copy (select 1) to stdout", /a COPY that ctx did not ask for/],
  ];
  for (const [statement, fault] of answers) {
    const session = await RemoteConnection.open(await cluster.settings(database));
    assert.deepEqual(await session.run("select 1 as a; select 2 as b"), [{ b: 2 }]);
    assert.match((await failureOf(session.run(statement), "REMOTE_UNTRUSTED")).message, fault);
    await failureOf(session.run("select 1"), "REMOTE_UNREACHABLE");
    await session.close();
  }
});

serverTest("a server that falls silent in the middle is given up", async () => {
  await using made = await madeSpace(["ada"]);
  const { cluster, database, members: [ada] } = made;
  const settings = await cluster.settings(database, ada.role, ada.password);
  await using space = await PostgresSpace.connect({ ...settings, silenceSeconds: 0.3 }, "team");
  const [{ pid }] = await cluster.run(
    database,
    `select max(pid) as pid from pg_stat_activity where usename = '${ada.role}'`,
  );
  Deno.kill(pid as number, "SIGSTOP");
  try {
    await failureOf(space.state(), "REMOTE_UNREACHABLE");
    await failureOf(space.state(), "REMOTE_UNREACHABLE");
  } finally {
    Deno.kill(pid as number, "SIGCONT");
  }
});

serverTest("a session that the server ends: the next call says so, a new one works", async () => {
  await using made = await madeSpace(["ada"]);
  const { cluster, database, members: [ada] } = made;
  const { space, writer, role } = ada;
  await cluster.run(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
  );
  await failureOf(space.push([madeRow(writer, 1, "H-1")]), "REMOTE_UNREACHABLE");
  await failureOf(space.state(), "REMOTE_UNREACHABLE");
  await space.ended;
  await using again = await PostgresSpace.connect(
    await cluster.settings(database, role, ada.password),
    "team",
  );
  assert.equal((await again.state(writer)).writers.every(({ seq }) => seq === 0), true);
});

serverTest("a connection that is lost in the middle of a push leaves nothing of it", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const { cluster, database, members: [ada, bob] } = made;
  const kill =
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ada.role}'`;
  const rows = Array.from({ length: 10 }, (_, n) => madeRow(ada.writer, n + 1, `H-${n}`));
  // Somebody holds a place that the push needs: it waits in its transaction.
  const holder = await RemoteConnection.open(await cluster.settings(database));
  await holder.run(`begin; insert into ctx.log values ('team', '${ada.writer}', 5, 'H-x', 'entry',
    'space', now(), 'x', decode(repeat('00', 32), 'hex'))`);
  const pushing = failureOf(ada.space.push(rows), "REMOTE_UNREACHABLE");
  const waiting = `select count(*)::int as count from pg_stat_activity
    where usename = '${ada.role}' and wait_event_type = 'Lock'`;
  while ((await cluster.run(database, waiting))[0].count === 0);
  await cluster.run(database, kill);
  await pushing;
  await holder.run("rollback");
  await holder.close();
  const state = await bob.space.state();
  assert.equal(state.writers.find(({ writer }) => writer === ada.writer)?.seq, 0);
});

serverTest(
  "a server that crashes under a pull and a push: both end, a restart has all or nothing",
  async () => {
    await using cluster = await startCluster();
    await using made = await madeSpace(["ada", "bob", "eve"], { cluster });
    const { database, members: [ada, bob, eve] } = made;
    const rows = Array.from(
      { length: 5000 },
      (_, n) => madeRow(ada.writer, n + 1, `H-${n}`, "x".repeat(4000)),
    );
    await ada.space.push(rows);
    let count = 0;
    const pulling = (async () => {
      for await (const batch of bob.space.pull(new Map([[ada.writer, 0]]))) {
        if (count === 0) {
          await cluster.crash();
        }
        count += batch.length;
      }
    })();
    await failureOf(pulling, "REMOTE_UNREACHABLE");
    assert.ok(count < rows.length);
    await failureOf(eve.space.push([madeRow(eve.writer, 1, "H-eve")]), "REMOTE_UNREACHABLE");
    await cluster.start();
    await using again = await PostgresSpace.connect(
      await cluster.settings(database, eve.role, eve.password),
      "team",
    );
    const { writers } = await again.state(eve.writer);
    const seqs = new Map(writers.map(({ writer, seq }) => [writer, seq]));
    assert.deepEqual([seqs.get(ada.writer), seqs.get(eve.writer)], [5000, 0]);
  },
);

serverTest("a time limit of the server ends the statement, not the session", async () => {
  await using made = await madeSpace(["ada"]);
  const { cluster, database, members: [ada] } = made;
  await cluster.run(database, `alter role ${ada.role} set statement_timeout = '150ms'`);
  await using space = await PostgresSpace.connect(
    await cluster.settings(database, ada.role, ada.password),
    "team",
  );
  const rows = Array.from({ length: 10 }, (_, n) => madeRow(ada.writer, n + 1, `H-${n}`));
  // Somebody holds the very place that the push needs.
  const holder = await RemoteConnection.open(await cluster.settings(database));
  await holder.run(`begin; insert into ctx.log values ('team', '${ada.writer}', 5, 'H-x', 'entry',
    'space', now(), 'x', decode(repeat('00', 32), 'hex'))`);
  const error = await failureOf(space.push(rows), "REMOTE_FAILED");
  assert.match(error.message, /statement timeout/);
  await holder.run("rollback");
  await holder.close();
  assert.deepEqual(await space.push(rows), { inserted: 10, taken: [] });
});

serverTest("a server whose disk is full: nothing is pushed, and the reason is told", async () => {
  // No file of the server may grow beyond a few megabytes: the log's table will want to.
  await using cluster = await startCluster({ fileLimit: 24_000 });
  await using made = await madeSpace(["ada"], { cluster });
  const [{ space, writer }] = made.members;
  const rows = (from: number) =>
    Array.from(
      { length: 4000 },
      (_, n) => madeRow(writer, from + n, `H-${from + n}`, "x".repeat(1900)),
    );
  let pushed = 0;
  let error: unknown;
  while (error === undefined && pushed < 40_000) {
    try {
      pushed += (await space.push(rows(pushed + 1))).inserted;
    } catch (thrown) {
      error = thrown;
    }
  }
  assert.ok(error instanceof CtxError && error.code === "REMOTE_FAILED", `${error} ${pushed}`);
  assert.match(error.message, /its disk or a quota is full/);
  const state = await space.state(writer);
  assert.equal(state.writers.find((one) => one.writer === writer)?.seq, pushed);
});
