// The key is a secret: it is in the user's file with mode 0600 and nowhere else, whatever happens.

import assert from "node:assert/strict";
import { llmEnv, ScriptedLlm, type ScriptedReply } from "../support/servers/scripted_llm.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";
import { assertMode } from "../support/not_on_windows.ts";

const key = "Zq81mK02xLw93Rt6plainkey";
const entries = [{ id: "H-rotate", text: "We rotate refresh tokens on every use." }];

/** Every file below the workspace as text, the user's own configuration left out. */
function allFiles(directory: string): string {
  let all = "";
  for (const item of Deno.readDirSync(directory)) {
    const path = `${directory}/${item.name}`;
    if (item.isDirectory) all += allFiles(path);
    else if (!path.endsWith("/.config/ctx/config.jsonc")) {
      all += new TextDecoder().decode(Deno.readFileSync(path));
    }
  }
  return all;
}

async function storeKey(t: TempStore): Promise<void> {
  const { code, stdout, stderr } = await t.ctx(["config", "set", "--user", "llm.api_key", "-"], {
    stdin: `${key}\n`,
  });
  assert.deepEqual([code, stderr, stdout.includes(key)], [0, "", false]);
}

const failures: Record<string, ScriptedReply> = {
  "a refused key that is echoed": {
    status: 401,
    body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }),
  },
  "a bad request that echoes the header": { status: 400, body: `bad header: Bearer ${key}` },
  "a success that echoes the key": { raw: `{"error":"${key}"}` },
  "an answer": { text: "Tokens rotate [H-rotate]." },
};
for (const [name, reply] of Object.entries(failures)) {
  Deno.test(`the key is not shown or kept after ${name}`, async () => {
    await using t = await tempStore({ entries });
    await storeKey(t);
    await using llm = new ScriptedLlm([reply]);
    const { CTX_LLM_API_KEY: _key, ...env } = llmEnv(llm);
    for (
      const words of [["ask", "tokens?"], ["ask", "tokens?", "--json", "--verbose"], [
        "chat",
        "tokens?",
      ]]
    ) {
      const { stdout, stderr } = await t.ctx(words, { env: { ...env, CTX_DEBUG: "1" } });
      assert.ok(!(stdout + stderr).includes(key), words.join(" "));
    }
    assert.ok(llm.requests.every(({ authorization }) => authorization === `Bearer ${key}`));
    assert.ok(!(allFiles(t.workspace) + allFiles(t.home)).includes(key));
  });
}

Deno.test("config keeps the key in the user's file only, with mode 0600, and shows only that it is set", async () => {
  await using t = await tempStore();
  await storeKey(t);
  const path = `${t.home}/.config/ctx/config.jsonc`;
  assertMode(path, 0o600);
  for (
    const words of [["config", "get", "llm.api_key"], ["config", "list"], [
      "config",
      "list",
      "--json",
    ]]
  ) {
    const { stdout, stderr } = await t.ctx(words);
    assert.ok(!(stdout + stderr).includes(key));
    assert.match(stdout, /\(set\)/);
  }
  const again = await t.ctx(["config", "set", "llm.api_key", key]);
  assert.equal(again.code, 0, again.stderr);
  assert.ok(!(again.stdout + again.stderr + allFiles(t.workspace)).includes(key));
});

Deno.test("a workspace's configuration cannot name the provider, the key or the cap", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ text: "stolen" }]);
  t.write(
    "config.jsonc",
    JSON.stringify({ llm: { provider: llm.url, api_key: "theirs", daily_token_cap: 5 } }),
  );
  const { code, stdout, stderr } = await t.ctx(["ask", "tokens?", "--json"], {
    env: { CTX_LLM_MODEL: "m" },
  });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).mode, "extractive");
  assert.match(stderr, /"llm\.provider" is ignored there/);
  assert.match(stderr, /"llm\.api_key" is ignored there/);
  assert.equal(llm.requests.length, 0);
});

const addresses: [string, boolean][] = [
  ["https://api.example.org/v1", true],
  ["http://127.0.0.1:11434/v1", true],
  ["http://192.168.1.5:8080/v1", true],
  ["http://api.example.org/v1", false],
  ["https://user:pass@api.example.org/v1", false],
  ["https://api.example.org/v1?key=1", false],
  ["ftp://api.example.org", false],
  ["not an address", false],
];
Deno.test("the provider's address is validated", async () => {
  await using t = await tempStore();
  for (const [address, good] of addresses) {
    const input = { key: "llm.provider", value: address, user: true };
    const options = { env: (name: string) => name === "HOME" ? t.workspace : undefined };
    if (good) await t.run("config set", input, options);
    else assert.equal((await t.fail("config set", input, options)).code, "CONFIG_INVALID", address);
  }
});
