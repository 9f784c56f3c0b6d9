// `ctx chat` on a real terminal and on pipes.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { llmEnv, ScriptedLlm } from "../../support/servers/scripted_llm.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const entries = [
  { id: "H-rotate", text: "We rotate refresh tokens on every use.", session_id: "S-auth" },
  { id: "H-queue", text: "The queue acknowledges after the handler." },
];
const answer = { text: "Tokens rotate on every use [H-rotate]." };

Deno.test({
  name: "chat on a terminal: commands, streaming, Ctrl-C stops the answer only, quit",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries });
    await using llm = new ScriptedLlm([
      { calls: [{ name: "get", arguments: { ids: ["H-rotate"] } }] },
      answer,
      { hang: true },
      { text: "Still here [H-rotate]." },
    ]);
    await using pty = await Pty.start(["chat", "-i", "--use-case", "testing"], {
      cwd: t.workspace,
      env: llmEnv(llm),
    });
    await pty.until(/you>/);
    await pty.type("/help");
    await pty.until(/\/sources\s+show the last answer's sources/);
    await pty.type("how do refresh tokens rotate?");
    await pty.until(
      /Tokens rotate on every use \[H-rotate\]\.[\s\S]*Sources\n {2}H-rotate[\s\S]*Confidence: /,
    );
    await pty.type("/sources");
    await pty.until(/"We rotate refresh tokens on every use\."/);
    await pty.type("/use-case shipping it");
    await pty.until(/Use case: shipping it/);
    await pty.type("/collections");
    await pty.until(/Active collections: all, and history/);
    await pty.type("/verbose");
    await pty.until(/Steps are shown/);
    await pty.type("and a question that hangs");
    while (llm.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await pty.press("C-c");
    await pty.until(/\(stopped\)/);
    await pty.type("are you there, tokens?");
    await pty.until(/Still here/);
    await pty.type("/clear");
    await pty.until(/Cleared/);
    await pty.press("C-c");
    await pty.until(/nothing to stop/);
    await pty.type("/quit");
    await pty.until(/exit 0/);
    const third = llm.requests[3].body.messages.map(({ role, content }) => `${role}: ${content}`);
    assert.ok(third.some((line) => line.startsWith("assistant: Tokens rotate on every use")));
    assert.equal(llm.requests[0].body.stream, true);
  },
});

Deno.test("chat with a question streams one answer, keeps the transcript apart, and ends", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([answer]);
  const { code, stdout } = await t.ctx(["chat", "how", "do", "tokens", "rotate?"], {
    env: llmEnv(llm),
  });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Tokens rotate on every use \[H-rotate\]\.\n\nSources\n {2}H-rotate.*\n\nConfidence: /,
  );
  const history = t.read("history.ndjson");
  assert.doesNotMatch(history, /how do tokens rotate/);
  const plain = JSON.parse((await t.ctx(["search", "tokens rotate", "--json"])).stdout);
  assert.deepEqual(plain.results.map((row: { id: string }) => row.id), ["H-rotate"]);
  const asked = JSON.parse(
    (await t.ctx(["search", "tokens rotate", "--scope", "chat", "--json"])).stdout,
  );
  assert.equal(asked.total, 2);
});

Deno.test("chat shows the words of a model that answers in JSON, never the JSON", async () => {
  await using t = await tempStore({ entries });
  const said = 'Tokens rotate on "every use"\nand never twice.';
  const quote = "We rotate refresh tokens on every use.";
  const json = JSON.stringify({ answer: said, sources: [{ entry_id: "H-rotate", quote }] });
  await using llm = new ScriptedLlm([
    { text: "Let me look.", calls: [{ name: "get", arguments: { ids: ["H-rotate"] } }] },
    { text: "```json\n" + json + "\n```" },
    { text: json.slice(0, 35) },
  ]);
  const env = llmEnv(llm);
  const { stdout } = await t.ctx(["chat", "how do tokens rotate?"], { env });
  assert.match(
    stdout,
    /^Let me look\.\n\nTokens rotate on "every use"\nand never twice\.\n\nSources\n {2}H-rotate/,
  );
  const cut = await t.ctx(["chat", "--resume", "and how often?"], { env });
  assert.match(cut.stdout, /^Tokens rotate on "every\n\nConfidence/);
  const [name] = [...Deno.readDirSync(t.path("chat"))].map((file) => file.name);
  const kept = t.read(`chat/${name}`).trim().split("\n").map((line) => JSON.parse(line).text);
  assert.deepEqual([kept[1], kept[3]], [said, 'Tokens rotate on "every']);
});

Deno.test("chat takes questions and commands from a pipe, and survives failures", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ status: 400 }, answer]);
  const { code, stdout, stderr } = await t.ctx(["chat"], {
    env: llmEnv(llm),
    stdin: "first tokens?\nsecond tokens?\n/nonsense\n/quit\nnever asked\n",
  });
  assert.equal(code, 0);
  assert.match(stderr, /responded with 400/);
  assert.match(stdout, /Tokens rotate on every use/);
  assert.match(stdout, /Unknown command \/nonsense/);
  assert.equal(llm.requests.length, 2);
});

Deno.test("chat without a model answers from passages", async () => {
  await using t = await tempStore({ entries });
  const { code, stdout, stderr } = await t.ctx(["chat", "tokens rotate?"]);
  assert.equal(code, 0);
  assert.match(stdout, /We rotate refresh tokens on every use\. \[H-rotate\]/);
  assert.match(stderr, /llm\.model/);
});

Deno.test("chat does not repeat text when a stream breaks in the middle", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ breakAfter: "Half an " }, answer]);
  const { code, stdout, stderr } = await t.ctx(["chat", "tokens rotate?"], { env: llmEnv(llm) });
  assert.equal(code, 6);
  assert.match(stdout, /^Half an/);
  assert.match(stderr, /Cannot ask 127\.0\.0\.1/);
  assert.equal(llm.requests.length, 1);
});

Deno.test("transcripts are redacted and go with what is forgotten", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([answer]);
  const secret = "AKIAQ3EGRTYUIOPASDFG";
  await t.ctx(["chat", `tokens rotate? my key is ${secret}`], { env: llmEnv(llm) });
  const files = [...Deno.readDirSync(t.path("chat"))].map(({ name }) => t.read(`chat/${name}`));
  assert.equal(files.length, 1);
  assert.ok(!files[0].includes(secret) && files[0].includes("[REDACTED:"));
  await t.run("forget", { ids: ["H-rotate"], now: true });
  const [after] = [...Deno.readDirSync(t.path("chat"))].map(({ name }) => t.read(`chat/${name}`));
  assert.doesNotMatch(after, /H-rotate/);
});

Deno.test({
  name: "ask and chat on a terminal answer the question, and ask none of their own",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries });
    await using asked = await Pty.start(["ask", "do tokens rotate?"], { cwd: t.workspace });
    assert.doesNotMatch(await asked.until(/Confidence[\s\S]*exit 0/), /use case/i);
    await using talk = await Pty.start(["chat", "-i"], { cwd: t.workspace });
    await talk.until(/you> *$/m);
    await talk.type("do tokens rotate?");
    const screen = await talk.until(/refresh tokens on every use[\s\S]*Confidence[\s\S]*you> *$/m);
    assert.doesNotMatch(screen, /use case/i);
    await talk.type("/use-case a review");
    await talk.until(/Use case: a review/);
    await talk.press("C-d");
    await talk.until(/exit 0/);
    assert.deepEqual(readAsked(t), ["do tokens rotate?"]);
  },
});

Deno.test({
  name: "chat without a model keeps the subject of a follow-up; Ctrl-C twice leaves",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({
      entries: [
        { id: "H-pool", type: "decision", text: "The worker's pool holds 12 connections." },
        { id: "H-cap", type: "note", text: "The worker's pool is small because of a cap of 40." },
      ],
    });
    await using pty = await Pty.start(["chat", "-i"], { cwd: t.workspace });
    await pty.until(/you>/);
    await pty.type("how large is the worker's pool?");
    await pty.until(/12 connections[\s\S]*Confidence[\s\S]*you>/);
    await pty.type("/verbose");
    await pty.until(/Steps are shown/);
    await pty.type("and why?");
    await pty.until(/worker's pool\? and why\?/);
    await pty.until(/cap of 40[\s\S]*Confidence[\s\S]*you> *$/m);
    await pty.press("C-c");
    await pty.until(/Ctrl-C again/);
    await pty.press("C-c");
    await pty.until(/exit 0/);
  },
});

/** Keeps how the terminal was before and after. */
const around = "stty -g > before; %; code=$?; stty -g > after; (exit $code)";

type Temp = Awaited<ReturnType<typeof tempStore>>;

/** What was asked, as the transcripts have it. */
function readAsked(t: Temp): string[] {
  const rows = [...Deno.readDirSync(t.path("chat"))].map(({ name }) => name).sort()
    .flatMap((name) => t.read(`chat/${name}`).trim().split("\n").map((line) => JSON.parse(line)));
  return rows.filter(({ role }) => role === "user").map(({ text }) => text);
}

function assertGivenBack(t: Temp): void {
  const read = (name: string): string => Deno.readTextFileSync(`${t.workspace}/${name}`);
  assert.equal(read("after"), read("before"));
}

Deno.test({
  name:
    "chat on a terminal: a line is edited anywhere, by what is seen, and pasted text is one line",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries });
    await using pty = await Pty.start(["chat", "-i"], { cwd: t.workspace, around, columns: 60 });
    await pty.until(/you>/);
    await pty.write("do tokens 漢字 rotat");
    for (const key of ["Left", "Left", "Left", "Left", "Left", "Left", "BSpace", "BSpace"]) {
      await pty.press(key);
    }
    await pty.write("字");
    await pty.press("Home");
    await pty.write("wrong words ");
    await pty.press("C-w");
    await pty.until(/you> wrong do tokens 字 rotat$/m);
    await pty.press("C-u");
    await pty.press("End");
    await pty.write("e?");
    await pty.press("C-a");
    await pty.write("when ");
    await pty.press("C-e");
    await pty.paste(" always\nor\tnever?");
    await pty.until(/you> when do tokens 字 rotate\? always or never\?$/m);
    await pty.press("Enter");
    await pty.until(/Confidence[\s\S]*you> *$/m);
    // Longer than the terminal: the end is shown while it is typed, all of it afterwards.
    const long = `tokens rotate ${"and on ".repeat(12)}?`;
    await pty.write(long);
    await pty.until(/you> .*and on \?$/m);
    await pty.press("Enter");
    await pty.until(/you> tokens rotate and on[\s\S]*Confidence[\s\S]*you> *$/m);
    await pty.press("C-d");
    await pty.until(/exit 0/);
    assert.deepEqual(readAsked(t), ["when do tokens 字 rotate? always or never?", long]);
    assertGivenBack(t);
  },
});

Deno.test({
  name: "chat on a terminal: up and down bring what was asked in this store, made harmless",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries });
    await t.ctx(["chat", "do tokens rotate?"]);
    await t.ctx(["chat", "is the \x1b[31mqueue\x1b]0;owned\x07 \u202esafe\nor not?"]);
    await using pty = await Pty.start(["chat", "-i"], { cwd: t.workspace, around });
    await pty.until(/you>/);
    await pty.write("half a");
    await pty.press("Up");
    await pty.until(/you> is the \[31mqueue\]0;owned safe or not\?$/m);
    await pty.press("Up");
    await pty.until(/you> do tokens rotate\?$/m);
    await pty.press("Up");
    await pty.press("Down");
    await pty.press("Down");
    await pty.write(" question about tokens");
    await pty.until(/you> half a question about tokens$/m);
    await pty.press("Enter");
    await pty.until(/Confidence[\s\S]*you> *$/m);
    await pty.press("Up");
    await pty.write("?");
    await pty.until(/you> half a question about tokens\?$/m);
    await pty.press("Enter");
    await pty.until(/tokens\?$[\s\S]*Confidence[\s\S]*you> *$/m);
    await pty.press("C-d");
    await pty.until(/exit 0/);
    assert.deepEqual(readAsked(t).slice(2), [
      "half a question about tokens",
      "half a question about tokens?",
    ]);
    assertGivenBack(t);
  },
});

Deno.test({
  name: "chat on a terminal: Ctrl-C clears the line, says how to leave, and leaves",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries });
    await using pty = await Pty.start(["chat", "-i"], { cwd: t.workspace, around });
    await pty.until(/you>/);
    await pty.press("C-c");
    await pty.until(/Ctrl-C again[\s\S]*you> *$/m);
    // A key in between: nobody is leaving any more.
    await pty.write("never asked");
    await pty.until(/you> never asked$/m);
    await pty.press("C-c");
    const cleared = await pty.until(/again[\s\S]*you> *$(?![\s\S]*never asked)/m);
    assert.doesNotMatch(cleared, /never asked|exit/);
    await pty.press("C-c");
    await pty.until(/Ctrl-C again[\s\S]*Ctrl-C again[\s\S]*you> *$/m);
    await pty.press("C-c");
    await pty.until(/exit 0/);
    assertGivenBack(t);
  },
});

Deno.test("chats are listed and gone on with: the turns, the use case, and no secret", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([answer]);
  const secret = "AKIAQ3EGRTYUIOPASDFG";
  const env = llmEnv(llm);
  await t.ctx(["chat", "do tokens rotate?", "--use-case", `a review with ${secret}`], { env });
  await t.ctx(["chat", "is the queue safe?"], { env });
  const listed = JSON.parse((await t.ctx(["chat", "--list", "--json"])).stdout);
  assert.deepEqual(
    listed.chats.map(({ title, questions }: { title: string; questions: number }) => [
      title,
      questions,
    ]),
    [["is the queue safe?", 1], ["do tokens rotate?", 1]],
  );
  const [last, first] = listed.chats.map(({ id }: { id: string }) => id);
  assert.doesNotMatch(JSON.stringify(listed), new RegExp(secret));
  const { code, stderr } = await t.ctx(["chat", "--resume", first, "and how often?"], { env });
  assert.equal(code, 0);
  assert.match(stderr, new RegExp(`continuing ${first}: do tokens rotate\\?`));
  const sent = llm.requests[2].body.messages.map(({ role, content }) => `${role}: ${content}`);
  assert.deepEqual(sent.slice(1, 3), [
    "user: do tokens rotate?",
    "assistant: Tokens rotate on every use [H-rotate].",
  ]);
  assert.match(sent[3], /and how often\?\nUse case: a review with \[REDACTED/);
  await t.ctx(["chat", "--resume", "what else?"], { env });
  // Rows on pipes; the one that was gone on with last stands first.
  const rows = (await t.ctx(["chats"])).stdout.trim().split("\n").map((row) => row.split("\t"));
  assert.deepEqual(rows.map(([id, , questions]) => [id, questions]), [[first, "3"], [last, "1"]]);
  const strange = await t.ctx(["chat", "--resume", "S-nope"], { env });
  assert.deepEqual([strange.code, strange.stdout], [3, ""]);
  assert.match(strange.stderr, /none has the id "S-nope"\nhint: ctx chat --list/);
});

Deno.test("chat --verbose shows calls, what they gave, and tries again with their pauses", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([
    { status: 429, headers: { "retry-after": "0" } },
    { calls: [{ name: "get", arguments: { ids: ["H-rotate"] } }] },
    answer,
  ]);
  const { stderr } = await t.ctx(["chat", "do tokens rotate?", "--verbose"], { env: llmEnv(llm) });
  assert.match(
    stderr,
    /· search "do tokens rotate\?", k 6, scope history → 1 entry: We rotate refresh/,
  );
  assert.match(stderr, /· get H-rotate → 1 entry: We rotate refresh tokens/);
  assert.match(stderr, /· model: 100 tokens in, 20 out, asks for 1 call\n/);
  assert.doesNotMatch(stderr, /[{}]/);
  assert.match(stderr, /· try 1 failed \(status 429\); again in 1000 ms/);
});

Deno.test("a transcript whose id leads out of the store is neither listed nor written to", async () => {
  const row = { ...entries[0], id: "H-1", type: "chat", role: "user", text: "hello" };
  const lines = ["../../pwned", "S-../../../pwned"].map((session_id) =>
    JSON.stringify({ ts: "2030-01-01T00:00:00.000Z", ...row, session_id })
  );
  await using t = await tempStore({ entries });
  Deno.mkdirSync(`${t.workspace}/.contextfs/chat`);
  t.write("chat/a.ndjson", `${lines.join("\n")}\n`);
  assert.equal((await t.ctx(["chats"])).stdout, "");
  assert.equal((await t.ctx(["chat", "--resume", "do tokens rotate?"])).code, 3);
  assert.ok(![...Deno.readDirSync(t.workspace)].some(({ name }) => name.startsWith("pwned")));
});
