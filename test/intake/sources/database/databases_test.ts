// SQLite databases in every state that another program may leave them in: read as their last commit
// left them, and nothing beside them changes.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Database, Databases } from "../../../../src/intake/sources/database/databases.ts";
import { startDatabaseOwner } from "../../../support/servers/database_owner.ts";
import { snapshotTree } from "../../../support/stores/tree.ts";
import { notOnWindows } from "../../../support/not_on_windows.ts";

const wal = ["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"];
const names = (database: Database) => database.rows("SELECT name FROM t ORDER BY rowid");

Deno.test("a database without a log is read in place", async () => {
  using d = directory();
  make(d.database, ["INSERT INTO t VALUES ('a')"]);
  await expectRows(d, ["a"]);
});

Deno.test("a database in use is read with what is committed in its log, and no more", async () => {
  using d = directory();
  make(d.database);
  await using _owner = await startDatabaseOwner(d.database, [
    ...wal,
    "INSERT INTO t VALUES ('in the log')",
    // A cache of one page: changed pages go into the log before the commit.
    "PRAGMA cache_size = 1",
    "BEGIN",
    "UPDATE t SET name = 'not committed'",
    ...Array(50).fill("INSERT INTO t VALUES (hex(zeroblob(4000)))"),
  ]);
  assert.deepEqual(d.list(), ["x.db", "x.db-shm", "x.db-wal"]);
  await expectRows(d, ["in the log"]);
});

Deno.test("a log that was moved into the database, and one that was left behind, are read", async () => {
  using d = directory();
  make(d.database, [...wal, "INSERT INTO t VALUES ('closed in order')"]);
  assert.deepEqual(d.list(), ["x.db"]);
  await expectRows(d, ["closed in order"]);
  const owner = await startDatabaseOwner(d.database, [...wal, "INSERT INTO t VALUES ('crashed')"]);
  await owner.kill();
  assert.deepEqual(d.list(), ["x.db", "x.db-shm", "x.db-wal"]);
  await expectRows(d, ["closed in order", "crashed"]);
  Deno.removeSync(`${d.database}-shm`);
  await expectRows(d, ["closed in order", "crashed"]);
});

Deno.test("a log that was begun anew counts from its start, not to its end", async () => {
  using d = directory();
  make(d.database);
  const many = Array.from(
    { length: 40 },
    (_, i) => `INSERT INTO t VALUES ('${i}'||hex(zeroblob(900)))`,
  );
  const owner = await startDatabaseOwner(d.database, [
    ...wal,
    ...many,
    "PRAGMA wal_checkpoint(RESTART)",
    "DELETE FROM t",
    "INSERT INTO t VALUES ('new')",
  ]);
  await owner.kill();
  await expectRows(d, ["new"]);
});

Deno.test("a torn end of a log is passed over", async () => {
  using d = directory();
  make(d.database);
  const owner = await startDatabaseOwner(d.database, [
    ...wal,
    "INSERT INTO t VALUES ('whole')",
    "INSERT INTO t VALUES ('torn')",
  ]);
  await owner.kill();
  const log = Deno.readFileSync(`${d.database}-wal`);
  log[log.length - 10] ^= 1;
  Deno.writeFileSync(`${d.database}-wal`, log);
  await expectRows(d, ["whole"]);
});

Deno.test("an unfinished transaction in a rollback journal is undone in what is read", async () => {
  using d = directory();
  const filler = "INSERT INTO t VALUES (hex(zeroblob(4000)))";
  make(d.database, ["INSERT INTO t VALUES ('before')", ...Array(50).fill(filler)]);
  // A cache of one page: changed pages go into the file before the commit.
  const owner = await startDatabaseOwner(d.database, [
    "PRAGMA cache_size = 1",
    "BEGIN",
    "UPDATE t SET name = 'half done ' || name",
    "INSERT INTO t SELECT name FROM t",
  ]);
  const check = async (): Promise<void> => {
    const before = snapshotTree(d.path);
    using databases = new Databases();
    const rows = await databases.read(d.database, names);
    assert.equal(rows.length, 51);
    assert.equal(rows[0].name, "before");
    assert.ok(rows.every(({ name }) => !String(name).startsWith("half done")));
    assert.deepEqual(snapshotTree(d.path), before);
  };
  assert.deepEqual(d.list(), ["x.db", "x.db-journal"]);
  await check();
  await owner.kill();
  assert.deepEqual(d.list(), ["x.db", "x.db-journal"]);
  await check();
});

Deno.test("a database that its owner has locked is read all the same", async () => {
  for (const mode of ["DELETE", "WAL"]) {
    using d = directory();
    make(d.database, ["INSERT INTO t VALUES ('a')"]);
    await using _owner = await startDatabaseOwner(d.database, [
      `PRAGMA journal_mode = ${mode}`,
      "PRAGMA locking_mode = EXCLUSIVE",
      "INSERT INTO t VALUES ('b')",
      "BEGIN EXCLUSIVE",
    ]);
    await expectRows(d, ["a", "b"]);
  }
});

Deno.test("an owner that ends while we read takes its log with it, and the answer is whole", async () => {
  using d = directory();
  make(d.database);
  const owner = await startDatabaseOwner(d.database, [...wal, "INSERT INTO t VALUES ('a')"]);
  using databases = new Databases();
  let reads = 0;
  const rows = await databases.read(d.database, async (database) => {
    const first = await names(database);
    if (reads++ === 0) await owner[Symbol.asyncDispose]();
    return [first, await names(database)];
  });
  assert.deepEqual(rows.map((list) => list.map(({ name }) => name)), [["a"], ["a"]]);
  assert.equal(reads, 2, "what was read before the log was moved does not count");
  assert.deepEqual(d.list(), ["x.db"]);
});

Deno.test("a database that changes under every reading is a failure, not a mixture", async () => {
  using d = directory();
  make(d.database);
  using databases = new Databases({ attempts: 2 });
  let reads = 0;
  const reading = databases.read(d.database, async (database) => {
    const rows = await names(database);
    make(d.database, [`INSERT INTO t VALUES ('${reads++}')`]);
    return rows;
  });
  await assert.rejects(reading, /kept changing/);
  assert.equal(reads, 2);
});

Deno.test("a database without the right to write, and one in a directory without it", {
  ignore: notOnWindows("files have no modes"),
}, async () => {
  using d = directory();
  make(d.database);
  const owner = await startDatabaseOwner(d.database, [...wal, "INSERT INTO t VALUES ('a')"]);
  await owner.kill();
  Deno.removeSync(`${d.database}-shm`);
  for (const name of d.list()) Deno.chmodSync(`${d.path}/${name}`, 0o400);
  Deno.chmodSync(d.path, 0o500);
  await expectRows(d, ["a"]);
  Deno.chmodSync(d.path, 0o700);
});

Deno.test("what is no database, or only the start of one, is an error; an empty file is empty", async () => {
  using d = directory();
  using databases = new Databases();
  Deno.writeTextFileSync(d.database, "x".repeat(5000));
  await assert.rejects(databases.read(d.database, names), /not a database/);
  Deno.removeSync(d.database);
  make(d.database, Array(50).fill("INSERT INTO t VALUES (hex(zeroblob(4000)))"));
  Deno.truncateSync(d.database, 9000);
  await assert.rejects(databases.read(d.database, names), /malformed|disk I\/O/);
  Deno.writeFileSync(d.database, new Uint8Array());
  assert.deepEqual(await databases.read(d.database, (it) => it.columns("t")), new Set());
  Deno.removeSync(d.database);
  await assert.rejects(databases.read(d.database, names), Deno.errors.NotFound);
});

Deno.test("a question that never ends is ended, and the next one is answered", async () => {
  using d = directory();
  make(d.database, ["INSERT INTO t VALUES ('a')"]);
  using databases = new Databases({ limitMs: 5000 });
  await databases.read(d.database, names);
  const endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
  await assert.rejects(databases.read(d.database, (it) => it.rows(endless)), /longer than 5 s/);
  assert.deepEqual(await databases.read(d.database, names), [{ name: "a" }]);
});

Deno.test("views and virtual tables have no columns: only tables are read", async () => {
  using d = directory();
  make(d.database, [
    "CREATE VIEW v AS SELECT name FROM t",
    "CREATE VIRTUAL TABLE f USING fts5(name)",
  ]);
  using databases = new Databases();
  const read = (table: string) => databases.read(d.database, (it) => it.columns(table));
  assert.deepEqual(await read("t"), new Set(["name"]));
  assert.deepEqual(await read("v"), new Set());
  assert.deepEqual(await read("f"), new Set());
});

interface TestDirectory extends Disposable {
  path: string;
  database: string;
  list(): string[];
}

async function expectRows(d: TestDirectory, expected: string[]): Promise<void> {
  const before = snapshotTree(d.path);
  using databases = new Databases();
  const rows = await databases.read(d.database, names);
  assert.deepEqual(rows.map(({ name }) => name), expected);
  assert.deepEqual(snapshotTree(d.path), before);
}

function make(path: string, statements: string[] = []): void {
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE IF NOT EXISTS t (name TEXT)");
  for (const sql of statements) database.exec(sql);
  database.close();
}

function directory(): TestDirectory {
  const path = Deno.makeTempDirSync({ prefix: "ctx-databases-" });
  return {
    path,
    database: `${path}/x.db`,
    list: () => [...Deno.readDirSync(path)].map(({ name }) => name).sort(),
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}
