// `ctx mcp agent` as a process: one tool, the same answer, under the sandbox.

import assert from "node:assert/strict";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { llmEnv, ScriptedLlm } from "../../support/servers/scripted_llm.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const entries = [{ id: "H-rotate", text: "We rotate refresh tokens on every use." }];

interface Reply {
  id: number;
  result: {
    tools?: { name: string; inputSchema: { required: string[] } }[];
    isError?: boolean;
    content?: { text: string }[];
    structuredContent?: Record<string, unknown>;
  };
}

/** Sends requests one after the other and gives the replies. */
async function talk(
  t: TempStore,
  words: string[],
  options: { env: Record<string, string>; calls: object[] },
): Promise<Reply[]> {
  const child = spawnCtx(["mcp", "agent", ...words], { cwd: t.workspace, env: options.env });
  const said = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const replies: Reply[] = [];
  let rest = "";
  const send = (message: object): Promise<void> =>
    writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  const receive = async (): Promise<Reply> => {
    while (!rest.includes("\n")) {
      const { value, done } = await lines.read();
      if (done) throw new Error(`the server ended: ${rest}${await said}`);
      rest += value;
    }
    const line = rest.slice(0, rest.indexOf("\n"));
    rest = rest.slice(line.length + 1);
    return JSON.parse(line);
  };
  const clientInfo = { name: "test", version: "1" };
  await send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  await receive();
  await send({ method: "notifications/initialized" });
  for (const [i, call] of options.calls.entries()) {
    await send({ id: i + 1, ...call });
    replies.push(await receive());
  }
  await writer.close();
  await lines.cancel();
  await Promise.all([child.status, said]);
  return replies;
}

function ask(args: object): object {
  return { method: "tools/call", params: { name: "ask_documents", arguments: args } };
}

Deno.test("mcp agent offers ask_documents alone and answers with checked sources", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{
    text:
      '{"answer":"They rotate.","sources":[{"entry_id":"H-rotate","quote":"rotate refresh tokens"}]}',
  }]);
  const [list, answer, lacking, strange] = await talk(t, [], {
    env: llmEnv(llm),
    calls: [
      { method: "tools/list" },
      ask({ query: "how do refresh tokens rotate?", use_case: "a review" }),
      ask({ query: "no use case" }),
      ask({ query: "q", use_case: "u", model: "another" }),
    ],
  });
  assert.deepEqual(list.result.tools?.map(({ name }) => name), ["ask_documents"]);
  assert.deepEqual(list.result.tools?.[0].inputSchema.required, ["query", "use_case"]);
  const data = answer.result.structuredContent ?? {};
  assert.deepEqual([data.answer, data.mode], ["They rotate.", "llm"]);
  assert.deepEqual((data.sources as { entry_id: string }[]).map(({ entry_id }) => entry_id), [
    "H-rotate",
  ]);
  assert.match(answer.result.content?.[0].text ?? "", /^They rotate\.\n\nSources/);
  assert.ok(lacking.result.isError && strange.result.isError);
  const ledger = `${t.home}/.local/share/ctx/global/.contextfs/usage.ndjson`;
  assert.match(Deno.readTextFileSync(ledger), /"input_tokens":100/);
});

Deno.test("mcp agent --collection shows that collection and no other", async () => {
  await using t = await tempStore({ entries });
  for (const name of ["open", "closed"]) {
    await Deno.mkdir(`${t.workspace}/${name}`);
    await Deno.writeTextFile(`${t.workspace}/${name}/a.md`, `# Page\n\nTokens of ${name}.\n`);
    await t.run("docs add", { name, paths: [name] });
  }
  const [inside, outside] = await talk(t, ["--collection", "open"], {
    env: {},
    calls: [
      ask({ query: "tokens", use_case: "a review" }),
      ask({ query: "tokens", use_case: "a review", collections: ["closed"] }),
    ],
  });
  const { sources } = inside.result.structuredContent as { sources: { collection: string }[] };
  assert.deepEqual(sources.map(({ collection }) => collection), ["open"]);
  assert.equal(outside.result.isError, true);
});

Deno.test("mcp with a configured model asks it, may reach its host and no other, and counts tokens", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{
    text:
      '{"answer":"They rotate.","sources":[{"entry_id":"H-rotate","quote":"rotate refresh tokens"}]}',
  }]);
  const { CTX_LLM_PROVIDER: provider, CTX_LLM_MODEL: model, CTX_LLM_API_KEY: key } = llmEnv(llm);
  // As people configure it: in their own file.
  await t.ctx(["config", "set", "--user", "llm.provider", provider]);
  await t.ctx(["config", "set", "--user", "llm.model", model]);
  await t.ctx(["config", "set", "--user", "llm.api_key", "-"], { stdin: key });
  {
    await using mcp = await connectMcp(t.workspace, { words: ["--tools", "all"] });
    const { data } = await mcp.call("ask_documents", { query: "how do refresh tokens rotate?" });
    assert.deepEqual([data.answer, data.mode, data.model], ["They rotate.", "llm", model]);
    const flags = flagsBelow(mcp.pid);
    if (flags !== undefined) {
      const net = flags.filter((flag) => /^(?:-A|--allow-(?:all|net|run|ffi|sys))/.test(flag));
      assert.deepEqual(net, [`--allow-net=${new URL(provider).host}`]);
    }
  }
  assert.equal(llm.requests[0].authorization, `Bearer ${key}`);
  const { own_calls } = JSON.parse((await t.ctx(["cost", "--json"])).stdout);
  assert.deepEqual([own_calls.calls, own_calls.today_tokens], [1, 120]);
});

/** The flags of the process that a server started to be confined in, where the system tells. */
function flagsBelow(pid: number): string[] | undefined {
  const read = (path: string): string => Deno.readTextFileSync(`/proc/${path}`);
  try {
    const [child] = read(`${pid}/task/${pid}/children`).trim().split(" ");
    return child ? read(`${child}/cmdline`).split("\0") : undefined;
  } catch {
    return undefined;
  }
}
