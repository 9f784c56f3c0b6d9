// `eval` and `cost`: suites over the example store, and the ledger.

import assert from "node:assert/strict";
import { llmEnv, ScriptedLlm } from "../../support/servers/scripted_llm.ts";
import { repository } from "../../support/repository.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Evaluation {
  cases: number;
  passed: number;
  failed: number;
  recall: number;
  results: { passed: boolean; missing_keywords: string[]; missing_entries: string[] }[];
}

const suite = `${repository}/test/samples/example_suite.yaml`;

async function example(): Promise<TempStore> {
  const t = await tempStore({ init: false });
  Deno.mkdirSync(t.root);
  for (const { name, isFile } of Deno.readDirSync(`${repository}/.contextfs-example`)) {
    if (isFile) Deno.copyFileSync(`${repository}/.contextfs-example/${name}`, t.path(name));
  }
  return t;
}

Deno.test("the sample suite passes over the example store without a model", async () => {
  await using t = await example();
  const { cases, failed, recall } = await t.run<Evaluation>("eval", { file: suite });
  assert.deepEqual({ cases, failed, recall }, { cases: 5, failed: 0, recall: 1 });
});

Deno.test("eval says what is missing, and exits 8", async () => {
  await using t = await example();
  const yaml = [
    "- query: How often is a failed delivery retried?",
    "  expected: { keywords: [backoff, seven times], entries: [H-1m2ff20hgvzrprjcr] }",
  ].join("\n");
  const { code, stdout } = await t.ctx(["eval", "-", "--json"], { stdin: yaml });
  assert.equal(code, 8);
  const { passed, recall, results } = JSON.parse(stdout) as Evaluation;
  assert.deepEqual([passed, recall, results[0].missing_keywords, results[0].missing_entries], [
    0,
    0,
    ["seven times"],
    ["H-1m2ff20hgvzrprjcr"],
  ]);
});

Deno.test("the recall of eval counts every row, also several of one exchange", async () => {
  const row = { session_id: "S-a", type: "turn" };
  await using t = await tempStore({
    entries: [
      { ...row, id: "H-1", role: "user", text: "how do we build omega quickly" },
      {
        ...row,
        id: "H-2",
        role: "assistant",
        type: "tool_call",
        text: "Bash: make omega quickly",
        tool: { name: "Bash", input: { command: "make omega quickly" }, effect: "run" },
      },
      { ...row, id: "H-3", role: "assistant", text: "Build omega quickly with make -j8." },
    ],
  });
  const suite = `${t.workspace}/suite.yaml`;
  await Deno.writeTextFile(
    suite,
    "- query: build omega quickly\n  expected: { entries: [H-1, H-2, H-3] }\n",
  );
  assert.equal((await t.run<Evaluation>("eval", { file: suite })).recall, 1);
});

Deno.test("eval refuses a suite that it does not understand", async () => {
  await using t = await example();
  for (const yaml of ["- ask: x", "query: [", "- query: ''", "7"]) {
    const { code, stderr } = await t.ctx(["eval", "-"], { stdin: yaml });
    assert.equal(code, 2, yaml);
    assert.match(stderr, /Cannot read the suite/);
  }
});

Deno.test("cost shows every call of a model by day and model", async () => {
  await using t = await example();
  await using llm = new ScriptedLlm([{ text: "They rotate [H-1m2ff20hgvzrprjcr]." }]);
  const variables: Record<string, string> = { ...llmEnv(llm), HOME: t.workspace };
  const env = (name: string): string | undefined => variables[name];
  await t.run("ask", { query: "why rotate tokens?" }, { env });
  await t.run("ask", { query: "why rotate tokens?", model: "other" }, { env });
  const { own_calls: cost } = await t.run<
    { own_calls: { calls: number; total_tokens: number; days: { model: string }[] } }
  >("cost", {}, { env });
  assert.deepEqual([cost.calls, cost.total_tokens], [2, 240]);
  assert.deepEqual(cost.days.map(({ model }) => model).sort(), ["other", "scripted-model"]);
});
