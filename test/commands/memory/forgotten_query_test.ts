// A forgotten word is not kept again: not by the trace of a search for it, nor by that of a question.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const secret = "zanzibar-horse-9";

function storeWithTheSecret(): Promise<TempStore> {
  return tempStore({
    entries: [
      { id: "H-1", text: `the vault opens with ${secret} or quetzalword` },
      { id: "H-2", text: "the vault is in the cellar; a horse, zanzibar and 9 nails" },
    ],
  });
}

function queriesOf(t: TempStore): string[] {
  return t.read("retrieval.traces.ndjson").trim().split("\n").map((line) => JSON.parse(line).query);
}

for (const now of [true, false]) {
  Deno.test(`a search for what was forgotten${now ? " --now" : ""} leaves no trace of it`, async () => {
    await using t = await storeWithTheSecret();
    await t.run("forget", { ids: ["H-1"], now });
    await t.run("search", { query: "quetzalword" });
    await t.run("search", { query: `vault "${secret}"` });
    assert.deepEqual(queriesOf(t), ["[…]", 'vault "[…]"']);
    await t.run("ask", { query: `does quetzalword or ${secret} open the vault?` });
    const traces = t.read("retrieval.traces.ndjson");
    assert.match(traces, /vault/);
    assert.doesNotMatch(traces, /quetzalword|zanzibar-horse/);
    if (!now) await t.run("gc", {});
    const { verified } = await t.run("purge", { pattern: `${secret}|quetzalword`, verify: true });
    assert.equal(verified, true);
  });
}

Deno.test("where nothing was forgotten, a trace keeps the words that were not found", async () => {
  await using t = await storeWithTheSecret();
  await t.run("search", { query: "cellar unheardof" });
  await t.run("search", { query: secret });
  assert.deepEqual(queriesOf(t), ["cellar unheardof", secret]);
});

Deno.test("after forgetting, a trace keeps the words that entries have", async () => {
  await using t = await storeWithTheSecret();
  await t.run("save", { text: "src/cellar.ts opens the vault" });
  await t.run("forget", { ids: ["H-1"], now: true });
  await t.run("search", { query: "cellar nails" });
  await t.run("search", { query: "src/cellar.ts" });
  assert.deepEqual(queriesOf(t), ["cellar nails", "src/cellar.ts"]);
});

const words = Array.from({ length: 40 }, (_, i) => `word${String.fromCharCode(97 + i % 26)}${i}`);
const paths = Array.from({ length: 14 }, (_, i) => `src/part${i}/of/file.ts`);

for (
  const [name, query] of [
    ["in a long query", `vault quetzalword ${words.join(" ")}`],
    ["in a query of many paths", `vault quetzalword ${paths.join(" ")}`],
    ["that is left out", "vault NOT quetzalword"],
    ["in a phrase that is left out", 'vault -"quetzalword opens"'],
    ["in a filter", 'vault tag:"quetzalword"'],
    ["in a name of known words", "vault zanzibarHorse"],
  ]
) {
  Deno.test(`a forgotten word ${name} leaves no trace`, async () => {
    await using t = await storeWithTheSecret();
    await t.run("save", { text: `${words.join(" ")} ${paths.join(" ")}` });
    await t.run("forget", { ids: ["H-1"], now: true });
    await t.run("search", { query });
    await t.run("ask", { query });
    const traces = t.read("retrieval.traces.ndjson");
    assert.doesNotMatch(traces, /quetzalword|zanzibarHorse/);
  });
}

Deno.test("a search or a question that failed leaves no trace of a forgotten word", async () => {
  await using t = await storeWithTheSecret();
  await t.run("forget", { ids: ["H-1"], now: true });
  for (const command of ["search", "ask"]) {
    await assert.rejects(t.run(command, { query: "the quetzalword", since: "whenever" }));
  }
  const traces = t.read("retrieval.traces.ndjson");
  assert.match(traces, /"ok":false/);
  assert.doesNotMatch(traces, /quetzalword/);
});

Deno.test("after forgetting, a query that excludes something keeps the words that were found", async () => {
  await using t = await storeWithTheSecret();
  await t.run("forget", { ids: ["H-1"], now: true });
  await t.run("search", { query: "what vaults, nails? NOT bananas" });
  assert.deepEqual(queriesOf(t), ["what vaults, nails? NOT […]"]);
});
