// `ctx init` where a directory above has a store already.

import assert from "node:assert/strict";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("init below another store says that its memory is not seen here", async () => {
  await using t = await tempStore({ entries: [{ text: "known above" }] });
  const inside = `${t.workspace}/packages/app`;
  Deno.mkdirSync(inside, { recursive: true });
  const { code, stdout, stderr } = await t.ctx(["init"], { cwd: inside });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Created a store in \S+\/packages\/app\/\.contextfs\n/);
  assert.ok(
    stderr.includes(`this store hides the one in ${t.workspace}`),
    stderr,
  );
  const again = await t.ctx(["init"], { cwd: inside });
  assert.deepEqual([again.code, again.stderr], [0, ""]);
  assert.equal((await t.ctx(["init"])).stderr, "");
});
