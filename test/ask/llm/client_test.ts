// The client against a scripted provider, streaming and not: the same words, calls and failures.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { type LlmSettings, openClient } from "../../../src/ask/llm/client.ts";
import type { Completion } from "../../../src/ask/llm/message.ts";
import { ScriptedLlm, type ScriptedReply } from "../../support/servers/scripted_llm.ts";

const apiKey = "plain-secret-4711";

/** One completion, what was streamed and how long it would have waited. */
async function complete(
  llm: Pick<ScriptedLlm, "url">,
  stream: boolean,
  options: { settings?: Partial<LlmSettings>; signal?: AbortSignal; fetch?: typeof fetch } = {},
): Promise<{ completion: Completion; streamed: string; waits: number[] }> {
  const waits: number[] = [];
  let streamed = "";
  const settings = {
    provider: llm.url,
    apiKey,
    model: "m",
    temperature: 0.5,
    maxTokens: 99,
    timeoutMs: 60_000,
    ...options.settings,
  };
  const client = openClient(settings, {
    fetch: options.fetch ?? fetch,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    now: Date.now,
    signal: options.signal ?? new AbortController().signal,
  });
  const completion = await client.complete({
    messages: [{ role: "user", content: "hello" }],
    tools: [{ name: "search", description: "d", parameters: { type: "object" } }],
    toolChoice: "auto",
    onText: stream ? (text) => streamed += text : undefined,
  });
  return { completion, streamed, waits };
}

/** What is streamed when the answer comes in chunks of this size. */
async function streamed(answer: Uint8Array, size: number): Promise<string> {
  let at = 0;
  const body = new ReadableStream({
    pull(body) {
      if (at < answer.length) body.enqueue(answer.slice(at, at += size));
      else body.close();
    },
  });
  return (await completeFrom(body, true)).streamed;
}

function completeFrom(body: ReadableStream, stream: boolean): ReturnType<typeof complete> {
  const headers = { "content-type": stream ? "text/event-stream" : "application/json" };
  const answer = (): Promise<Response> => Promise.resolve(new Response(body, { headers }));
  return complete({ url: "http://host.test/v1" }, stream, { fetch: answer });
}

async function failure(llm: ScriptedLlm, stream: boolean, timeoutMs = 60_000): Promise<CtxError> {
  try {
    await complete(llm, stream, { settings: { timeoutMs } });
  } catch (error) {
    assert.ok(error instanceof CtxError, String(error));
    assert.ok(!`${error.message} ${error.hint} ${error.stack}`.includes(apiKey));
    assert.equal(error.cause, undefined);
    return error;
  }
  throw new Error("it did not fail");
}

for (const stream of [false, true]) {
  const how = stream ? "streaming" : "whole";
  Deno.test(`client, ${how}: words and calls, whatever pieces they come in`, async () => {
    await using llm = new ScriptedLlm([{
      text: "two words",
      calls: [
        { name: "search", arguments: { query: "a long query to cut" } },
        { name: "get", arguments: "{broken" },
      ],
    }]);
    const { completion, streamed } = await complete(llm, stream);
    assert.deepEqual(completion, {
      text: "two words",
      toolCalls: [
        { id: "call_0", name: "search", arguments: '{"query":"a long query to cut"}' },
        { id: "call_1", name: "get", arguments: "{broken" },
      ],
      usage: { input_tokens: 100, output_tokens: 20, estimated: false },
    });
    assert.equal(streamed, stream ? "two words" : "");
    const [{ body, authorization }] = llm.requests;
    assert.equal(authorization, `Bearer ${apiKey}`);
    assert.deepEqual([body.model, body.temperature, body.max_tokens, body.stream ?? false], [
      "m",
      0.5,
      99,
      stream,
    ]);
  });

  Deno.test(`client, ${how}: 429 with Retry-After, then 500 twice, then an answer`, async () => {
    await using llm = new ScriptedLlm([
      { status: 429, headers: { "retry-after": "12" } },
      { status: 500 },
      { status: 504 },
      { text: "at last" },
    ]);
    const { completion, waits } = await complete(llm, stream);
    assert.deepEqual([completion.text, waits], ["at last", [12_000, 2000, 4000]]);
  });

  Deno.test(`client, ${how}: a reset connection is tried again`, async () => {
    await using llm = new ScriptedLlm([{ text: "back" }]);
    llm.resets = 2;
    const { completion, waits } = await complete(llm, stream);
    assert.equal(completion.text, "back");
    assert.ok(waits.length > 0);
  });

  Deno.test(`client, ${how}: failures have codes and never the key`, async () => {
    const cases: [ScriptedReply, string, RegExp][] = [
      [{ hang: true }, "PROVIDER_TIMEOUT", /no response within 200 ms/],
      [{ status: 401, body: `key ${apiKey}` }, "PROVIDER_FAILED", /rejected the API key/],
      [{ status: 404 }, "PROVIDER_FAILED", /no model "m"/],
      [{ status: 400, body: `no ${apiKey}` }, "PROVIDER_FAILED", /responded with 400/],
      [{ raw: "<html>", type: "text/html" }, "PROVIDER_FAILED", /not a chat completion/],
    ];
    for (const [reply, code, message] of cases) {
      await using llm = new ScriptedLlm([reply]);
      const error = await failure(llm, stream, "hang" in reply ? 200 : 60_000);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.equal(llm.requests.length, 1);
    }
  });

  Deno.test(`client, ${how}: an abort is an abort, not a failure of the provider`, async () => {
    await using llm = new ScriptedLlm([{ hang: true }]);
    const abort = new AbortController();
    const running = complete(llm, stream, { signal: abort.signal });
    while (llm.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await assert.rejects(running, { name: "AbortError" });
  });
}

Deno.test("client: a refused connection fails at once and says where", async () => {
  const llm = new ScriptedLlm([{ text: "" }]);
  const { url } = llm;
  await llm[Symbol.asyncDispose]();
  await assert.rejects(
    complete(llm, false, { settings: { provider: url } }),
    /Cannot ask 127\.0\.0\.1/,
  );
});

Deno.test("client: a call is used whatever its index", async () => {
  const call = (name: string, index?: number): object => ({
    index,
    function: { name, arguments: "{}" },
  });
  const lists: [boolean, object[], string[]][] = [
    [true, [call("far", 4294967294), call("before", -1), call("half", 0.5)], [
      "before",
      "half",
      "far",
    ]],
    [true, [call("a"), call("b")], ["a", "b"]],
    [false, [call("far", 4294967294), call("a", 0), call("b", 0)], ["far", "a", "b"]],
  ];
  for (const [stream, tool_calls, names] of lists) {
    const said = JSON.stringify({ choices: [{ [stream ? "delta" : "message"]: { tool_calls } }] });
    await using llm = new ScriptedLlm([{ raw: stream ? `data: ${said}\n\n` : said }]);
    const { completion } = await complete(llm, stream);
    assert.deepEqual(completion.toolCalls.map(({ name }) => name), names);
  }
});

Deno.test("client: all forms of an event stream, cut anywhere", async () => {
  const piece = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });
  const lines = [
    ": comment",
    "data:",
    "",
    "event: message",
    `data:${piece("é\u2028").slice(0, 11)}`,
    ": between",
    `data: ${piece("é\u2028").slice(11)}`,
    "",
    "",
    `data: ${piece("two")}`,
    "",
    `data: ${piece("three")}`,
    "data: [DONE]",
    "data: not read",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    for (const size of [1, 2, 3, 1000]) {
      const bytes = new TextEncoder().encode(lines.join(end));
      assert.equal(await streamed(bytes, size), "é\u2028twothree", JSON.stringify([end, size]));
    }
  }
  const last = new TextEncoder().encode(`data: ${piece("no end")}`);
  assert.equal(await streamed(last, 7), "no end");
});

Deno.test("client: a long line in many pieces is read, an endless answer is not", async () => {
  const content = "x".repeat(4e6);
  const line = `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}`;
  assert.equal(await streamed(new TextEncoder().encode(line), 1000), content);
  for (const stream of [false, true]) {
    const chunk = new Uint8Array(1e6).fill(32);
    const endless = new ReadableStream({ pull: (body) => body.enqueue(chunk) });
    await assert.rejects(
      completeFrom(endless, stream),
      {
        code: "PROVIDER_FAILED",
        message: "Cannot ask host.test: it sent more than 64 MB",
      },
    );
  }
});
