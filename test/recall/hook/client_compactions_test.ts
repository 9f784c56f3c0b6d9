// `ctx hook AGENT` after a compaction of Qwen Code and Gemini CLI, with their messages and transcripts as
// they were seen on the wire: what the summary lacks is told at the next prompt, once.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";

const conversation = "39b6a337-6f28-4330-bbb0-eec66391befd";
const snapshot =
  "<state_snapshot>The jobs are to be counted. src/retries.md was read.</state_snapshot>";

type Line = Record<string, unknown>;

/** A client's transcript in its home, and its hooks. */
class Chat {
  readonly #t: TempStore;
  readonly #agent: string;
  readonly transcript: string;
  /** Its clock: hooks and lines are seconds apart. */
  #lastMs = Date.now() - 60_000;

  constructor(t: TempStore, agent: string, path: string) {
    this.#t = t;
    this.#agent = agent;
    this.transcript = `${homeOf(t.workspace)}/${path}`;
    Deno.mkdirSync(this.transcript.replace(/\/[^/]*$/, ""), { recursive: true });
  }

  /** The time of a line that is written now. */
  now(): string {
    this.#lastMs = Math.max(this.#lastMs + 1, Date.now());
    return new Date(this.#lastMs).toISOString();
  }

  write(line: Line): void {
    Deno.writeTextFileSync(this.transcript, `${JSON.stringify(line)}\n`, { append: true });
  }

  async hook(event: string, more: Line = {}): Promise<string> {
    const message = {
      session_id: conversation,
      transcript_path: this.transcript,
      cwd: this.#t.workspace,
      hook_event_name: event,
      ...more,
    };
    const { code, stdout, stderr } = await this.#t.ctx(["hook", this.#agent], {
      stdin: JSON.stringify(message),
      cwd: "/",
    });
    assert.deepEqual([code, stderr], [0, ""], event);
    return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  }
}

Deno.test("Qwen Code is told at the next prompt, not at a start that nobody remembers", async () => {
  await using t = await tempStore();
  const chat = new Chat(t, "qwen", `.qwen/projects/p/chats/${conversation}.jsonl`);
  let n = 0;
  const record = (line: Line): void => {
    const uuid = `00000000-0000-4000-8000-${String(++n).padStart(12, "0")}`;
    const of = { uuid, sessionId: conversation, cwd: t.workspace, timestamp: chat.now() };
    chat.write({ ...of, ...line });
  };
  const says = (type: string, parts: Line[]): void => {
    record({ type, message: { role: type === "user" ? "user" : "model", parts } });
  };
  const compresses = async (): Promise<void> => {
    await chat.hook("PreCompact", { trigger: "manual" });
    record({
      type: "system",
      subtype: "chat_compression",
      systemPayload: { compressedHistory: [{ role: "user", parts: [{ text: snapshot }] }] },
    });
    assert.equal(await chat.hook("SessionStart", { source: "compact" }), "", "it is not kept");
  };
  says("user", [{ text: "Count the jobs." }]);
  const path = `${t.workspace}/src/ledger.md`;
  says("assistant", [{ functionCall: { id: "c1", name: "read_file", args: { file_path: path } } }]);
  says("assistant", [{ text: "They were counted." }]);
  await compresses();
  // Another process resumes it.
  assert.equal(await chat.hook("SessionStart", { source: "resume" }), "");
  const more = { prompt: "Go on. And more.", submitted_prompt: "Go on." };
  const told = await chat.hook("UserPromptSubmit", more);
  assert.match(told, /^- read: src\/ledger\.md$/m);
  assert.doesNotMatch(told, /retries/);
  assert.equal(await chat.hook("UserPromptSubmit", more), "", "once");
  says("user", [{ text: "Go on." }]);
  says("assistant", [{ functionCall: { id: "c2", name: "read_file", args: { file_path: path } } }]);
  await compresses();
  const alone = await chat.hook("UserPromptSubmit", { prompt: "the result of a tool" });
  assert.match(alone, /ledger\.md/, "a window that fills up in the middle of a turn");
});

Deno.test("Gemini CLI's compaction is seen in its transcript: told once at the next prompt, without what it kept", async () => {
  await using t = await tempStore();
  const chat = new Chat(t, "gemini", ".gemini/tmp/p/chats/session-2026-11-18T20-09-39b6a337.jsonl");
  const id = (name: string): string => `00000000-0000-4000-8000-00000000${name}`;
  const ask = async (prompt: string): Promise<string> => await chat.hook("BeforeAgent", { prompt });
  const user = (name: string, text: string): Line => ({
    id: id(name),
    timestamp: chat.now(),
    type: "user",
    content: [{ text }],
  });
  const reads = (name: string, file: string): Line => ({
    id: id(name),
    timestamp: chat.now(),
    type: "gemini",
    content: "",
    toolCalls: [{ id: name, name: "read_file", args: { file_path: `${t.workspace}/${file}` } }],
  });
  const project = chat.transcript.replace(/\/chats\/.*$/, "");
  Deno.writeTextFileSync(`${project}/.project_root`, t.workspace);
  chat.write({ sessionId: conversation, startTime: chat.now(), kind: "main" });
  await ask("Count the jobs.");
  chat.write(user("0001", "Count the jobs."));
  chat.write(reads("0002", "src/ledger.md"));
  chat.write(reads("0003", "src/retries.md"));
  // It looks at a chat of its own: no sign of a compaction.
  chat.write(user("0004", `{"text":"${snapshot}"}`));
  const kept = reads("0005", "src/kept.md");
  chat.write(kept);
  await chat.hook("AfterAgent", { prompt: "Count the jobs.", prompt_response: "" });
  assert.equal(await ask("Then wait."), "", "nothing was compacted");
  const summed = { $set: { messages: [user("0006", snapshot), kept] } };
  chat.write(summed);
  chat.write(user("0007", "Then wait."));
  await chat.hook("AfterAgent", { prompt: "Then wait.", prompt_response: "It waits." });
  // Resumed by another process, it is all written again, and nothing is new in that.
  chat.write(summed);
  const told = await ask("Go on.");
  assert.match(told, /^- read: src\/ledger\.md$/m);
  assert.doesNotMatch(told, /retries|kept\.md/, "the summary or the model has these");
  assert.equal(await ask("And on."), "", "once");
  chat.write(summed);
  assert.equal(await ask("And on and on."), "", "once, also after the next resumption");
});
