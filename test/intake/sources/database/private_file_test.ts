// The files that SQLite writes in memory over those of another program.

import assert from "node:assert/strict";
import { PrivateFile } from "../../../../src/intake/sources/database/private_file.ts";
import { loadSqlite, privateVfsName } from "../../../../src/intake/sources/database/private_vfs.ts";

const sector = 4096;

Deno.test("a file that shrinks and grows again has zeros where the old bytes were", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeFileSync(path, new Uint8Array(3 * sector).fill(7));
    using file = new PrivateFile(Deno.openSync(path, { read: true }));
    file.write(sector, new Uint8Array(sector).fill(8));
    file.truncate(sector + 10);
    assert.equal(file.size, sector + 10);
    file.write(3 * sector - 1, Uint8Array.of(9));
    const expected = new Uint8Array(3 * sector).fill(7, 0, sector).fill(8, sector, sector + 10);
    expected[3 * sector - 1] = 9;
    assert.deepEqual(readAll(file), expected);
    assert.deepEqual(Deno.readFileSync(path), new Uint8Array(3 * sector).fill(7));
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("a file that is cut within bytes nobody wrote over ends there", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeFileSync(path, new Uint8Array(100).fill(7));
    using file = new PrivateFile(Deno.openSync(path, { read: true }));
    file.truncate(40);
    assert.deepEqual(readAll(file), new Uint8Array(40).fill(7));
    file.truncate(60);
    assert.deepEqual(readAll(file), new Uint8Array(60).fill(7, 0, 40));
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("SQLite's temporary files, which have no name, are each their own", async () => {
  const files = new Map<string, PrivateFile>();
  const { oo1 } = await loadSqlite(files);
  const open = (text: string) => {
    const database = new oo1.DB({ filename: text, flags: "cw", vfs: privateVfsName });
    // A cache of one page: what is written goes into the file at once.
    database.exec(
      "PRAGMA temp_store = FILE; CREATE TEMP TABLE t (name); PRAGMA temp.cache_size = 1",
    );
    const insert = (): unknown =>
      database.exec(`INSERT INTO t VALUES ('${text}'||hex(zeroblob(3000)))`);
    const list = (): unknown[] =>
      database.selectValues("SELECT DISTINCT substr(name, 1, 1) FROM t");
    return { database, insert, list };
  };
  const [a, b] = [open("a"), open("b")];
  for (let i = 0; i < 40; i++) {
    a.insert();
    b.insert();
  }
  assert.deepEqual([a.list(), b.list()], [["a"], ["b"]]);
  a.database.close();
  b.database.close();
  assert.deepEqual([...files.keys()], ["a", "b"]);
});

function readAll(file: PrivateFile): Uint8Array {
  const bytes = new Uint8Array(file.size + 10).fill(1);
  return bytes.slice(0, file.read(0, bytes));
}
