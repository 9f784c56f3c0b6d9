// Reranking in the built file, over MCP with a real client: the model runs confined and offline.

import assert from "node:assert/strict";
import { hasModel } from "../../src/search/rerank/model_file.ts";
import { connectMcp } from "../support/mcp_client.ts";
import { tempStore } from "../support/temp_store.ts";

const skipped = hasModel() ? "" : ": skipped, run deno task model";

const files = { "config.jsonc": '{ "rerank": { "kind": "minilm" } }' };
const query = "session expiry";
/** By words the first says all of it; by meaning the second does. */
const entries = [
  {
    id: "H-noise",
    text: "session expiry of the conference on the second floor: see the session list",
  },
  {
    id: "H-meant",
    text: "Users are logged out after a session of 30 idle minutes; expiry is a setting",
  },
];

Deno.test({
  name: `mcp reranks once rows have vectors, says so, and keeps them for the next server${skipped}`,
  ignore: skipped !== "",
  async fn() {
    await using t = await tempStore({ entries, files });
    {
      await using mcp = await connectMcp(t.workspace);
      const first = await mcp.call("search", { query });
      assert.deepEqual(first.data.notes, ["not reranked: the model is being loaded"]);
      let note = "";
      while (note !== "reranked: 2 of 2 rows had vectors") {
        const { data } = await mcp.call("search", { query, explain: true });
        [note] = data.notes;
        assert.match(note, /^(not reranked: the model is being loaded|(not re|re)ranked)/);
        if (!note.startsWith("reranked: 2")) continue;
        for (const row of data.results) assert.equal(typeof row.explain.rerank.cosine, "number");
      }
      assert.equal(
        cacheSize(t.workspace),
        16 + 2 * 408,
        "each row is made once, however often asked",
      );
    }
    await using next = await connectMcp(t.workspace);
    let note = "";
    while (!note.startsWith("reranked")) [note] = (await next.call("search", { query })).data.notes;
    assert.equal(note, "reranked: 2 of 2 rows had vectors");
    const cosines = async (query: string): Promise<number[]> => {
      const { data } = await next.call("search", { query, explain: true });
      return data.results.map((row: { explain: { rerank: { cosine: number } } }) =>
        row.explain.rerank.cosine
      );
    };
    assert.deepEqual(await cosines("session expriy"), await cosines(query), "a corrected word");
  },
});

Deno.test({
  name: `ask waits for the vectors; search --explain says that it ran without${skipped}`,
  ignore: skipped !== "",
  async fn() {
    await using t = await tempStore({ entries, files });
    assert.doesNotMatch((await t.ctx(["search", query])).stderr, /reranked/);
    const line = await t.ctx(["search", query, "--explain"]);
    assert.match(line.stderr, /not reranked: the model is for ctx mcp, serve, ask and chat/);
    assert.throws(() => t.read("index/rerank.bin"), "a search leaves no cache behind");
    const asked = await t.ctx(["ask", query, "--json"]);
    assert.equal(asked.code, 0, asked.stderr);
    assert.match(JSON.parse(asked.stdout).note, /; reranked: \d+ of \d+ rows had vectors$/);
    assert.equal(cacheSize(t.workspace), 16 + 2 * 408);
  },
});

function cacheSize(workspace: string): number {
  return Deno.statSync(`${workspace}/.contextfs/index/rerank.bin`).size;
}
