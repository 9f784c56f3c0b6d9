// `ctx watch --port` as a process: suggestions go to whoever has the token and to nobody else.

import assert from "node:assert/strict";
import { rawStatus, startListening } from "../../../support/processes/listening_ctx.ts";
import { type TempStore, tempStore } from "../../../support/stores/temp_store.ts";

Deno.test("watch --port serves events only with the token that it printed", async () => {
  await using t = await tempStore();
  const id = await subscribeAndSave(t);
  await using watch = await startListening(["watch", "--port", "0"], { cwd: t.workspace });
  const { events, token } = watch.said;
  const url = `${events}?subscription=${id}`;
  assert.match(token, /^[\w-]{32}$/);
  const refused = [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${token}` }];
  for (const headers of refused) {
    const response = await fetch(url, { headers: headers as Record<string, string> });
    assert.equal(response.status, 401, JSON.stringify(headers));
    const { error } = await response.json();
    assert.equal(error.code, "DENIED");
    assert.match(error.hint, /Bearer TOKEN/);
  }
  const authorization = `Bearer ${token}`;
  assert.equal(await rawStatus(url, { host: "rebound.example", authorization }), 403);
  const origin = "https://evil.example";
  assert.equal(await rawStatus(url, { host: "localhost", origin, authorization }), 403);
  const stop = new AbortController();
  const response = await fetch(url, { headers: { authorization }, signal: stop.signal });
  assert.equal(response.status, 200);
  assert.match(await readUntil(response, /^data: /m), /passkeys replace passwords/);
  stop.abort();
});

Deno.test("watch --port takes the token from --token or CTX_TOKEN", async () => {
  await using t = await tempStore();
  const ways: [string[], Record<string, string>][] = [
    [["--token", "given"], {}],
    [[], { CTX_TOKEN: "given" }],
  ];
  for (const [words, env] of ways) {
    await using watch = await startListening(["watch", "--port", "0", ...words], {
      cwd: t.workspace,
      env,
    });
    assert.equal(watch.said.token, "given");
    const ask = (token: string): Promise<number> =>
      rawStatus(`${watch.said.events}?subscription=B-none`, {
        host: "localhost",
        authorization: `Bearer ${token}`,
      });
    assert.equal(await ask("givem"), 401);
    assert.equal(await ask("given"), 404, "past the guard, there is no such subscription");
  }
});

/** A subscription with something to tell. */
async function subscribeAndSave(t: TempStore): Promise<string> {
  const { stdout } = await t.ctx(["subscribe", "topic:passkeys", "--via", "sse"]);
  await t.ctx(["watch", "--once"]);
  await t.ctx(["save", "We decided that passkeys replace passwords", "--type", "decision"]);
  return stdout.trim();
}

async function readUntil(response: Response, wanted: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (wanted.test(text) && text.endsWith("\n\n")) break;
  }
  return text;
}
