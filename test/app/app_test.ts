// The library: a context that is disposed of leaves nothing open.

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
