// The model itself, where it was fetched (deno task model).

import assert from "node:assert/strict";
import { v8Flags } from "../../../src/serve/mcp/start_flags.ts";
import { openMiniLm } from "../../../src/search/rerank/minilm.ts";
import { hasModel } from "../../../src/search/rerank/model_file.ts";
import { open } from "../../../src/app/library.ts";
import { tempStore } from "../../support/temp_store.ts";

const model = hasModel() ? "" : ": skipped, run deno task model";

Deno.test({
  name: `openMiniLm() tells what means the same from what does not${model}`,
  ignore: model !== "",
  async fn() {
    const { embed } = await openMiniLm();
    const query = await embed("how do we rotate refresh tokens");
    const near = await embed("We rotate the refresh token on every login.");
    const far = await embed("Bananas are yellow fruit.");
    assert.equal(query.length, 384);
    assert.equal(cosine(query, query).toFixed(4), "1.0000");
    assert.equal(cosine(query, near).toFixed(2), "0.82");
    assert.equal(cosine(query, far).toFixed(2), "0.15");
    assert.deepEqual(await embed("Bananas are yellow fruit."), far, "the same text, other bits");
  },
});

const isLinux = Deno.build.os === "linux";

Deno.test({
  name: `with the flags of the built file the model takes less than 700 MB${model}`,
  ignore: model !== "" || !isLinux,
  async fn() {
    const script = decodeURIComponent(
      new URL("../../support/rerank_memory.ts", import.meta.url).pathname,
    );
    const args = ["run", "-A", "--quiet", v8Flags, script];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const peakMb = Number(new TextDecoder().decode(stdout));
    // Measured: 425; 1,137 when V8 is told to compile WebAssembly well sooner.
    assert.ok(peakMb > 100 && peakMb < 700, `${peakMb} MB`);
  },
});

Deno.test({
  name: `a memory that reranked and was disposed of leaves nothing running${model}`,
  ignore: model !== "",
  async fn() {
    await using t = await tempStore({
      entries: ["We rotate refresh tokens", "The refresh tokens of others stay"],
      files: { "config.jsonc": '{ "rerank": { "kind": "minilm" } }' },
    });
    using workers = countWorkers();
    const [first, second] = [open(t.workspace), open(t.workspace)];
    await first.ask({ query: "refresh tokens" });
    await second.ask({ query: "refresh tokens" });
    first[Symbol.dispose]();
    assert.equal(workers.running(), 1, "the other memory still uses it");
    await second.ask({ query: "tokens of others" });
    second[Symbol.dispose]();
    assert.equal(workers.running(), 0, "a Worker would keep the program running");
    assert.ok(t.exists("index/rerank.bin"));
  },
});

/** Counts the Workers of this process that were not ended. */
function countWorkers(): Disposable & { running: () => number } {
  const own = globalThis.Worker;
  const running = new Set<Worker>();
  globalThis.Worker = class extends own {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      running.add(this);
    }
    override terminate(): void {
      super.terminate();
      running.delete(this);
    }
  };
  return {
    running: () => running.size,
    [Symbol.dispose]: () => void (globalThis.Worker = own),
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
