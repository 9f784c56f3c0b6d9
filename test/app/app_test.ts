// The context that commands run in: disposed of, it leaves nothing open; served callers write only
// through the store.

import assert from "node:assert/strict";
import { openContext } from "../../src/app/app.ts";
import { findCommand } from "../../src/commands/mod.ts";
import { execute } from "../../src/command/execute.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test({
  name: "a context keeps the files of one index open, and none after it is disposed of",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using t = await tempStore({ entries: ["we rotate refresh tokens on every use"] });
    await t.run("reindex");
    {
      using context = openContext({ workspace: t.workspace, env: () => undefined });
      const run = async (name: string, input: object): Promise<object> =>
        await execute((await findCommand(name))!, input, context);
      await run("search", { query: "tokens" });
      const open = openFiles(t.root);
      assert.ok(open.length > 0);
      await run("ask", { query: "how do tokens rotate?" });
      await run("search", { query: "rotate" });
      assert.deepEqual(openFiles(t.root), open);
      context[Symbol.dispose]();
      assert.deepEqual(openFiles(t.root), []);
      await run("search", { query: "tokens" });
    }
    assert.deepEqual(openFiles(t.root), []);
  },
});

Deno.test("served callers can read files, but write only through the store", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/notes.md`;
  const bytes = new TextEncoder().encode("written before");
  Deno.writeFileSync(path, bytes);
  for (const held of [{ confined: true }, { scopedSession: "S-1" }]) {
    using context = openContext({ workspace: t.workspace, env: () => undefined, ...held });
    const { files } = context;
    const other = `${t.workspace}/other`;
    const writes: [name: string, write: () => unknown][] = [
      ["append", () => files.append(path, bytes, { sync: false })],
      ["truncate", () => files.truncate(path, 0)],
      ["replace", () => files.replace(path, new Uint8Array(), { sync: false })],
      ["openWriter", () => files.openWriter(path)],
      ["rename", () => files.rename(path, other)],
      ["remove", () => files.remove(path)],
      ["makeDirectory", () => files.makeDirectory(other)],
    ];
    for (const [name, write] of writes) assert.throws(write, { code: "DENIED" }, name);
    assert.deepEqual(files.findBytes(path), bytes);
    assert.deepEqual(files.list(t.workspace), [".contextfs", "notes.md"]);
  }
});

function openFiles(directory: string): string[] {
  return [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      const path = Deno.readLinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(directory) ? path : [];
    } catch {
      return [];
    }
  }).sort();
}
