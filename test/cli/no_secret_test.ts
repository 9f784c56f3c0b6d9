// No secret reaches a file of the store by any way in: what is typed, imported, hooked, searched for,
// put aside or synced, and wherever a text is cut. Every file is looked at as it is and in base64.

import assert from "node:assert/strict";
import { isLeft, type SecretCase, secretCases } from "../../bench/redact_corpus.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const kinds = new Set(
  ("github-classic anthropic-api groq xai replicate docker-personal atlassian-api databricks " +
    "supabase-personal slack-browser slack-cookie x-api-key apikey-joined private-key-camel " +
    "encryption-key-camel db-password-short mysql-password-wordy azure-sas netrc curl-user " +
    "connection-string-pwd postgres-url openssh-private-key jwt-hs256 wireguard-conf").split(" "),
);
const cases = secretCases().filter(({ kind }) => kinds.has(kind));
const token = cases.find(({ kind }) => kind === "github-classic")?.secret ?? "";

/** The kinds of secrets, or parts of them, in any file below a directory. */
function findLeaks(directory: string, planted: Pick<SecretCase, "kind" | "secret">[]): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return findLeaks(path, planted);
    const text = new TextDecoder("latin1").decode(Deno.readFileSync(path));
    const runs = (text.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? []).map((run) => {
      const whole = run.replace(/=+$/, "");
      return atob(whole.slice(0, whole.length - (whole.length % 4 === 1 ? 1 : 0)));
    });
    return planted.filter(({ secret }) => [text, ...runs].some((said) => isLeft(secret, said)))
      .map(({ kind }) => `${kind} in ${name}`);
  });
}

/** A text with a secret across the place where it will be cut, and more behind it. */
function across(secret: string, cut: number, size: number): string {
  const fill = (count: number): string => "lorem ipsum ".repeat(count).slice(0, count);
  return `${fill(cut - 38)} ${secret} ${fill(size)}`;
}

/** A transcript of Claude Code with a secret in every kind of text, and at every cut. */
function transcriptOf(cwd: string, id: string): string {
  const lines: object[] = [];
  const add = (type: "user" | "assistant", content: unknown): void => {
    const n = lines.length + 1;
    lines.push({
      parentUuid: n === 1 ? null : `${id}-${n - 1}`,
      isSidechain: false,
      type,
      uuid: `${id}-${n}`,
      sessionId: id,
      cwd,
      timestamp: new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString(),
      message: { role: type, content },
    });
  };
  const use = (n: number, input: object): object => ({
    type: "tool_use",
    id: `t-${id}-${n}`,
    name: "Bash",
    input,
  });
  const result = (n: number, content: string): object => ({
    type: "tool_result",
    tool_use_id: `t-${id}-${n}`,
    content,
  });
  add("user", across(token, 119, 400));
  add("assistant", [{ type: "text", text: across(token, 256 * 1024, 5000) }]);
  add("assistant", [use(1, { command: across(token, 4000, 5000), env: { [token]: "1" } })]);
  add("user", [result(1, across(token, 12_000, 30_000))]);
  add("assistant", [use(2, { command: across(token, 2000, 5000), api_key: cases[0].secret })]);
  add("user", [result(2, "x ".repeat(20_000) + across(token, 38, 3_982 - token.length))]);
  for (const { text } of cases) add("user", text);
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

Deno.test("what is saved, pinned, titled or searched for leaves no secret in any file", async () => {
  await using t = await tempStore();
  const saved = await t.ctx(["save", "-"], { stdin: cases.map(({ text }) => text).join("\n\n") });
  assert.equal(saved.code, 0);
  const titled = ["save", "x", "--title", `work ${token}`, "--tag", token, "--summary", token];
  assert.equal((await t.ctx(titled)).code, 0);
  assert.equal((await t.ctx(["pin", across(token, 160, 100)])).code, 0);
  assert.equal((await t.ctx(["session", "start", "--title", `work with ${token}`])).code, 0);
  for (const query of [token, across(token, 2000, 100)]) {
    assert.equal((await t.ctx(["search", query, "--json"])).code, 0);
  }
  assert.match(t.read("retrieval.traces.ndjson"), /\[REDACTED:/);
  assert.deepEqual(findLeaks(t.root, cases), []);
});

Deno.test("an import leaves no secret in any file, wherever its texts are cut", async () => {
  await using t = await tempStore();
  const id = "3c07f08f-e544-47b9-898a-f169f651788c";
  const history = `${t.workspace}/history`;
  Deno.mkdirSync(history);
  Deno.writeTextFileSync(`${history}/${id}.jsonl`, transcriptOf(t.workspace, id));
  const done = await t.ctx(["import", "claude-code", "--root", "history", "--all-projects"]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(t.read("history.ndjson"), /"type":"tool_output"/);
  assert.doesNotMatch(done.stdout + done.stderr, new RegExp(token.slice(0, 12)));
  assert.deepEqual(findLeaks(t.root, cases), []);
  for (const line of [...t.read("history.ndjson").split("\n")].filter(Boolean)) {
    assert.equal(line.includes(token.slice(0, 8)), false, line.slice(0, 200));
  }
});

Deno.test("a hook leaves no secret in any file", async () => {
  await using t = await tempStore();
  const id = "4c07f08f-e544-47b9-898a-f169f651788d";
  const transcript = `${t.workspace}/${id}.jsonl`;
  Deno.writeTextFileSync(transcript, transcriptOf(t.workspace, id));
  const stdin = JSON.stringify({
    session_id: id,
    transcript_path: transcript,
    cwd: t.workspace,
    hook_event_name: "Stop",
  });
  assert.equal((await t.ctx(["hook", "claude-code"], { stdin })).code, 0);
  assert.match(t.read("history.ndjson"), /"type":"tool_output"/);
  assert.deepEqual(findLeaks(t.root, cases), []);
});

Deno.test("documents leave no secret in any file, wherever sections are cut", async () => {
  await using t = await tempStore();
  const block = `# Long\n\n${"x".repeat(3_970)}.${token}.${"y".repeat(5_000)}\n`;
  Deno.mkdirSync(`${t.workspace}/notes`);
  Deno.writeTextFileSync(`${t.workspace}/notes/long.md`, block);
  const added = await t.ctx(["docs", "add", "notes", "notes"]);
  assert.equal(added.code, 0, added.stderr);
  assert.match(t.read("history.ndjson"), /"type":"doc"/);
  assert.deepEqual(findLeaks(t.root, cases), []);
});

Deno.test("what is put aside is redacted in base64 too, and purge looks into it", async () => {
  await using t = await tempStore();
  const torn = new TextEncoder().encode(`{"id":"H-torn","text":"${token} \u00e9 the word quokka `);
  const broken = torn.map((byte) => byte === 0xc3 ? 0xff : byte);
  t.append("history.ndjson", broken);
  assert.equal((await t.ctx(["save", "next"])).code, 0);
  const row = JSON.parse(t.read("history.bad.ndjson"));
  assert.match(atob(row.base64), /\[REDACTED:github-token\].*quokka/s);
  assert.deepEqual(findLeaks(t.root, cases), []);
  // A row of an older version: clean as text, whole in base64.
  const old = { ...row, text: "[REDACTED:github-token]", base64: btoa(`x\u00ff${token}`) };
  t.append("history.bad.ndjson", JSON.stringify(old) + "\n");
  const found = await t.ctx(["purge", token, "--verify"]);
  assert.equal(found.code, 5, found.stdout);
  const purged = await t.ctx(["purge", token, "--yes"]);
  assert.equal(purged.code, 0, purged.stderr);
  assert.deepEqual(findLeaks(t.root, cases), []);
  assert.match(t.read("history.bad.ndjson"), /quokka/);
});
