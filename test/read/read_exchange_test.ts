// `ctx get ID --exchange`: what was asked, what decided, what was run and how it ended, in a budget.

import assert from "node:assert/strict";
import type { ReadExchange } from "../../src/read/read_exchange.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const session_id = "S-1m2few700s4d0k3nc";
const turn = (role: "user" | "assistant", text: string) => ({
  session_id,
  role,
  type: "turn",
  text,
});
let calls = 0;
const ran = (command: string, output: string) => {
  const call_id = `c${++calls}`;
  const tool = { name: "Bash", call_id, input: { command }, effect: "run" };
  return [
    { session_id, role: "assistant" as const, type: "tool_call", text: `Bash: ${command}`, tool },
    {
      session_id,
      role: "tool" as const,
      type: "tool_output",
      text: output,
      tool: { name: "Bash", call_id },
    },
  ];
};
const entries = [
  turn("user", "make the tests pass"),
  turn("assistant", "Let me look at the tests."),
  ...ran("ls test", "a_test.ts"),
  ...ran("deno test", "error: a_test.ts:3 expected 4, got 5\n1 failed"),
  turn("assistant", "We decided to count from zero, because the format does."),
  ...ran("deno test", "ok | 12 passed | 0 failed"),
  turn("assistant", "All twelve tests pass now: the count starts at zero."),
  turn("user", "and now the docs"),
  turn("assistant", "The docs say so too."),
].map((row, i) => ({ ...row, id: `H-1m2ff20hgvzrprj${String(i).padStart(2, "0")}` }));

interface Got {
  results: unknown[];
  sessions?: { id: string }[];
  missing: string[];
  skipped_ids: string[];
  estimated_tokens: number;
  exchanges: ReadExchange[];
}

Deno.test("an exchange is its prompt, decisive lines, commands with results, and outcome", async () => {
  await using t = await tempStore({ entries });
  const get = async (...argv: string[]): Promise<Got> =>
    JSON.parse((await t.ctx(["get", "--exchange", "--json", ...argv])).stdout);
  const { exchanges: [{ lines, left_out, estimated_tokens }], results } = await get(entries[5].id);
  assert.deepEqual(lines.map(({ part, text, result, failed }) => [part, text, result, failed]), [
    ["prompt", "make the tests pass", undefined, undefined],
    ["command", "deno test", "error:", true],
    [
      "decision",
      "We decided to count from zero, because the format does.",
      undefined,
      undefined,
    ],
    ["command", "deno test", "ok | 12 passed | 0 failed", undefined],
    ["outcome", "All twelve tests pass now: the count starts at zero.", undefined, undefined],
  ]);
  assert.deepEqual([left_out, results], [0, []]);
  assert.ok(estimated_tokens <= 800);
  // Any row of it reads the same, and the next prompt begins another one.
  for (const at of [0, 5, 8]) {
    assert.deepEqual((await get(entries[at].id)).exchanges[0].lines, lines, `row ${at}`);
  }
  const [next] = (await get(entries[10].id)).exchanges;
  assert.deepEqual(next.lines.map(({ part }) => part), ["prompt", "outcome"]);
});

Deno.test("an exchange stays within its budget, the prompt and the outcome last to go", async () => {
  const long = [
    turn("user", `do all of this: ${"one more thing. ".repeat(400)}`),
    ...Array.from({ length: 60 }, (_, i) => ran(`make step-${i}`, `step ${i} done`)).flat(),
    turn("assistant", `All of it is done. ${"It was a lot of work. ".repeat(400)}`),
  ].map((row, i) => ({ ...row, id: `H-1m2ff20hgvzrprk${String(i).padStart(3, "0")}` }));
  await using t = await tempStore({ entries: long });
  for (const [budget, most] of [[[], 800], [["--max-tokens", "200"], 200]] as const) {
    const { stdout } = await t.ctx(["get", long[0].id, "--exchange", "--json", ...budget]);
    const { exchanges: [{ lines, left_out, estimated_tokens }] }: Got = JSON.parse(stdout);
    assert.ok(estimated_tokens <= most, `${estimated_tokens}`);
    assert.equal(lines[0].part, "prompt");
    assert.equal(lines.at(-1)?.part, "outcome");
    assert.equal(left_out, 62 - lines.length);
    // The last commands tell most.
    const commands = lines.filter(({ part }) => part === "command");
    assert.equal(commands.at(-1)?.text, "make step-59");
  }
});

Deno.test("what is in no exchange is read as an entry, and what does not exist is missing", async () => {
  const id = "H-1m2ff20hgvzrprjcr";
  await using t = await tempStore({ entries: [...entries, { id, text: "a note" }] });
  const { stdout } = await t.ctx(["get", id, "H-1m2ff20hgvzrpzzzz", "--exchange", "--json"]);
  const { results, exchanges, missing }: Got = JSON.parse(stdout);
  assert.deepEqual([results.length, exchanges, missing], [1, [], ["H-1m2ff20hgvzrpzzzz"]]);
});

Deno.test("a step that tells nothing by itself is in the exchange that is asked for by it", async () => {
  await using t = await tempStore({ entries });
  for (const at of [2, 3]) {
    const got: Got = await t.run("get", { ids: [entries[at].id], exchange: true });
    const [line] = got.exchanges[0].lines.filter(({ id }) => id === entries[2].id);
    assert.deepEqual([line?.text, line?.result], ["ls test", "a_test.ts"]);
  }
});

Deno.test("exchanges share one budget, each is read once, and what does not fit is skipped", async () => {
  await using t = await tempStore({ entries });
  const [first, second] = [entries[0].id, entries[10].id];
  const get = (max_tokens?: number): Promise<Got> =>
    t.run("get", { ids: [first, entries[5].id, second], exchange: true, max_tokens });
  const whole = await get();
  assert.deepEqual(whole.exchanges.map(({ id }) => id), [first, second]);
  const most = whole.exchanges[0].estimated_tokens;
  const { exchanges, skipped_ids, estimated_tokens } = await get(most);
  assert.deepEqual([exchanges, skipped_ids], [whole.exchanges.slice(0, 1), [second]]);
  assert.equal(estimated_tokens, most);
});

Deno.test("a small budget cuts what was asked and keeps how it ended", async () => {
  const long = [
    ...Array.from({ length: 4 }, (_, i) => turn("user", `${i}: ${"one more thing. ".repeat(99)}`)),
    turn("assistant", `It is done. ${"It was a lot of work. ".repeat(99)}`),
  ].map((row, i) => ({ ...row, id: `H-1m2ff20hgvzrprj${i}z` }));
  await using t = await tempStore({ entries: long });
  const ids = [long[0].id];
  const { exchanges: [{ lines }] }: Got = await t.run("get", {
    ids,
    exchange: true,
    max_tokens: 120,
  });
  assert.deepEqual(lines.map(({ part }) => part), ["prompt", "prompt", "outcome"]);
});

Deno.test("sessions beside exchanges are read as sessions, and other surroundings are refused", async () => {
  await using t = await tempStore({ entries });
  const id = entries[0].id;
  const got: Got = await t.run("get", { ids: [session_id, id], exchange: true });
  assert.deepEqual(
    [got.sessions?.map((one) => one.id), got.exchanges.map((one) => one.id), got.missing],
    [[session_id], [id], []],
  );
  assert.ok(!("others" in got));
  await assert.rejects(t.run("get", { ids: [id], exchange: true, before: 1 }), {
    code: "USAGE",
  });
});

Deno.test("a line that was corrected later says by which entry", async () => {
  const id = "H-1m2ff20hgvzrprjzz";
  const corrected = { ...turn("assistant", "Eleven pass."), id, supersedes: entries[9].id };
  await using t = await tempStore({ entries: [...entries, corrected] });
  const { exchanges: [{ lines }] }: Got = await t.run("get", {
    ids: [entries[0].id],
    exchange: true,
  });
  assert.deepEqual(
    lines.flatMap(({ id, superseded_by }) => superseded_by ? [[id, superseded_by]] : []),
    [[entries[9].id, id]],
  );
  const { stdout } = await t.shown(["get", entries[0].id, "--exchange"]);
  assert.match(stdout, new RegExp(`outcome\\n\\(.*${id}`));
});
