// The receiver in docs/WEBHOOKS.md, run as it stands there, against a real `ctx watch`.

import assert from "node:assert/strict";
import { repository } from "../../../support/repository.ts";
import {
  projectFiles,
  tempProject,
  until,
  writeSources,
} from "../../../support/suggest_project.ts";
import type { TempStore } from "../../../support/stores/temp_store.ts";

const service = "src/auth/token_service.ts";

Deno.test("the documented receiver accepts what is signed and refuses what is not", async () => {
  const text = Deno.readTextFileSync(`${repository}/docs/WEBHOOKS.md`);
  const source = /```js\n([\s\S]*?)```/.exec(text)?.[1];
  assert.ok(source, "the document shows a receiver");
  await using t = await tempProject();
  const program = `${t.workspace}/receiver.mjs`;
  Deno.writeTextFileSync(program, source);
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", program],
    env: { CTX_WEBHOOK_SECRET: "s3cret", PORT: String(port), NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const url = `http://127.0.0.1:${port}/`;
  try {
    await until(
      "the receiver",
      () =>
        fetch(url, { method: "POST", body: "{}" }).then(async (response) => {
          await response.body?.cancel();
          return response.status === 401;
        }, () => false),
    );
    const env = { CTX_WEBHOOK_SECRET: "s3cret" };
    const words = ["subscribe", "file:src/auth/**", "--via", "webhook", "--url", url];
    const subscribed = await t.ctx(words, { env });
    assert.equal(subscribed.code, 0, subscribed.stderr);
    await watchOnce(t, env);
    writeSources(t, { [service]: `${projectFiles[service]}//\n` });
    const refused = await watchOnce(t, { CTX_WEBHOOK_SECRET: "another" });
    assert.match(refused, /status 401/);
    assert.match(await watchOnce(t, env), /1 delivered/);
    assert.match(await watchOnce(t, env), /0 delivered/);
  } finally {
    child.kill("SIGTERM");
  }
  const { stdout } = await child.output();
  const said = new TextDecoder().decode(stdout);
  assert.match(said, /token_store\.ts \(/);
});

async function watchOnce(t: TempStore, env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await t.ctx(["watch", "--once"], { env });
  return stdout + stderr;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}
