// Who may ask the hub of a store: each store has tokens of its own, in one file.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import {
  giveToken,
  hashToken,
  hubPath,
  readTokens,
  revokeToken,
} from "../../../src/team/sync/hub_tokens.ts";

const [one, two] = ["11111111", "22222222"].map((start) => `${start}-0000-4000-8000-000000000000`);

Deno.test("tokens of one store come and go without those of another", async () => {
  const home = await Deno.makeTempDir();
  try {
    const world = { files: diskFiles, env: (name: string) => name === "HOME" ? home : undefined };
    const read = (writer: string) => [...readTokens(diskFiles, hubPath(world), writer)];
    await giveToken(world, { writer: one, name: "ci" }, "first");
    await giveToken(world, { writer: one, name: "ada" }, "second");
    await giveToken(world, { writer: two, name: "ci" }, "third");
    const ofOne = [["ci", await hashToken("first")], ["ada", await hashToken("second")]];
    assert.deepEqual(read(one), ofOne);
    assert.deepEqual(read(two), [["ci", await hashToken("third")]]);
    assert.equal(await revokeToken(world, { writer: two, name: "ci" }), true);
    assert.equal(await revokeToken(world, { writer: two, name: "ci" }), false);
    assert.deepEqual([read(one), read(two)], [ofOne, []]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("what is no SHA-256 counts for nobody's token", async () => {
  const path = await Deno.makeTempFile();
  try {
    const hash = await hashToken("good");
    const stored = {
      good: hash,
      empty: "",
      plain: "token",
      short: hash.slice(1),
      no: 7,
      nul: null,
    };
    await Deno.writeTextFile(path, JSON.stringify({ [one]: { ...stored, long: `${hash}0` } }));
    assert.deepEqual([...readTokens(diskFiles, path, one)], [["good", hash]]);
    for (const broken of ["", "[]", "{", JSON.stringify({ [one]: [hash] })]) {
      await Deno.writeTextFile(path, broken);
      assert.equal(readTokens(diskFiles, path, one).size, 0, broken);
    }
  } finally {
    await Deno.remove(path);
  }
});
