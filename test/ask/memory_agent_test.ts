// The agent of the library: questions that stand alone, conversations, and what is kept of them.

import assert from "node:assert/strict";
import { CtxError, openAgent } from "../../mod.ts";
import { ScriptedLlm, type ScriptedRequest } from "../support/servers/scripted_llm.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const entries = [
  { text: "We rotate refresh tokens on every use because a copy may leak.", type: "decision" },
];

Deno.test("ask() stands alone; chat() goes on from the turns before, until clearHistory()", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ text: "They rotate [H-H1]." }]);
  const agent = await openAgent(t.workspace, { env: envOf(llm), use_case: "a review" });
  const first = await agent.chat("What do refresh tokens do?");
  assert.deepEqual([first.answer, first.mode], ["They rotate [H-H1].", "llm"]);
  await agent.chat("And why?");
  assert.deepEqual(turnsOf(llm.requests[1]), ["user", "assistant", "user"]);
  assert.match(llm.said(1), /What do refresh tokens do\?/);
  assert.match(llm.said(1), /a review/);
  await agent.ask("Who decided it?", "blame");
  assert.deepEqual(turnsOf(llm.requests[2]), ["user"]);
  assert.match(llm.said(2), /blame/);
  assert.doesNotMatch(llm.said(2), /a review/);
  agent.setUseCase("a talk");
  await agent.chat("Since when?");
  assert.deepEqual(turnsOf(llm.requests[3]).length, 5, "what was asked alone is no turn");
  assert.match(llm.said(3), /a talk/);
  assert.deepEqual(transcript(t).map(({ role, text }) => [role, text]), [
    ["user", "What do refresh tokens do?"],
    ["assistant", "They rotate [H-H1]."],
    ["user", "And why?"],
    ["assistant", "They rotate."],
    ["user", "Since when?"],
    ["assistant", "They rotate."],
  ]);
  agent.clearHistory();
  await agent.chat("What rotates?");
  assert.deepEqual(turnsOf(llm.requests[4]), ["user"]);
  assert.equal([...Deno.readDirSync(`${t.root}/chat`)].length, 2, "another conversation");
});

Deno.test("without a model an agent answers in the words of the memory, and keeps the subject", async () => {
  await using t = await tempStore({ entries });
  const agent = await openAgent(t.workspace, { env: () => undefined });
  const { mode, answer } = await agent.chat("What about refresh tokens?");
  assert.equal(mode, "extractive");
  assert.match(answer, /rotate refresh tokens/);
  assert.match((await agent.chat("and why?")).answer, /a copy may leak/);
  const { traces } = await t.run<{ traces: Record<string, unknown>[] }>("traces", { tail: 1 });
  assert.deepEqual(traces[0].inputs, { hot: 1, archive: 0 });
  assert.deepEqual(traces[0].budgets, { iterations: 10, tokens: 4096 });
});

Deno.test("an agent reads only its collections, and those of one question", async () => {
  await using t = await tempStore({ entries });
  Deno.writeTextFileSync(`${t.workspace}/guide.md`, "# Guide\n\nTea is green.\n");
  await t.run("docs add", { name: "guide", paths: ["guide.md"] });
  const agent = await openAgent(t.workspace, { env: () => undefined, collections: ["guide"] });
  assert.deepEqual(await sourcesOf(agent.ask("what rotates refresh tokens")), []);
  assert.deepEqual((await agent.ask("is tea green?")).sources.map((one) => one.collection), [
    "guide",
  ]);
  agent.setCollections([]);
  assert.deepEqual(await sourcesOf(agent.ask("what rotates refresh tokens")), ["H-H1"]);
  const limited = agent.ask("what rotates refresh tokens", "", { collections: ["guide"] });
  assert.deepEqual(await sourcesOf(limited), []);
  await assert.rejects(agent.ask("tea", "", { collections: ["nope"] }), isError("NOT_FOUND"));
});

Deno.test("a turn that is stopped stays one, with the words so far; a failed one does not", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([
    { text: "They rotate", calls: [{ name: "search", arguments: { query: "tokens" } }] },
    { status: 401 },
    { text: "Done." },
  ]);
  const agent = await openAgent(t.workspace, { env: envOf(llm) });
  const stop = new AbortController();
  const stopped = agent.chat("What do refresh tokens do?", {
    signal: stop.signal,
    onText: () => stop.abort(),
  });
  await assert.rejects(stopped, isError("INTERRUPTED"));
  const [, { interrupted, text }] = transcript(t);
  assert.equal(interrupted, true);
  assert.match(String(text), /^They/);
  await assert.rejects(agent.chat("And why?"), isError("PROVIDER_FAILED"));
  await agent.chat("And why?");
  assert.deepEqual(turnsOf(llm.requests.at(-1)), ["user", "assistant", "user"]);
});

function envOf(llm: ScriptedLlm): (name: string) => string | undefined {
  const values = new Map([["CTX_LLM_MODEL", "scripted"], ["CTX_LLM_PROVIDER", llm.url]]);
  return (name) => values.get(name);
}

/** Who says what in a request, without the instructions. */
function turnsOf(request: ScriptedRequest | undefined): string[] {
  return request?.body.messages.map(({ role }) => role).filter((role) => role !== "system") ?? [];
}

async function sourcesOf(answer: Promise<{ sources: { entry_id: string }[] }>): Promise<string[]> {
  return (await answer).sources.map(({ entry_id }) => entry_id);
}

function isError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CtxError && error.code === code;
}

/** The rows of the one conversation that was kept. */
function transcript(t: TempStore): Record<string, unknown>[] {
  const [name, ...others] = [...Deno.readDirSync(`${t.workspace}/.contextfs/chat`)]
    .map((item) => item.name);
  assert.deepEqual(others, []);
  return t.read(`chat/${name}`).trim().split("\n").map((line) => JSON.parse(line));
}
