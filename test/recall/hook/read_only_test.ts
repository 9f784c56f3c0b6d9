// A project that may only be read, on a file system that really refuses: a session is given its pack,
// nothing is captured, no event is an error, and `ctx status` says why nothing comes in.

import assert from "node:assert/strict";
import { ctxCommand, runProcess, type RunResult } from "../../support/processes/run_ctx.ts";
import { tempProject } from "../../support/suggest_project.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

/** Mounts a directory over itself, to be read only, for one program. */
const readOnly = ["unshare", "-rm", "sh", "-c"];
const mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && shift';
const ignore = !await canMount();

Deno.test({
  name: "in a read-only project a session starts with the pack, and no event is an error",
  ignore,
  async fn() {
    const text = "We rotate tokens every hour.";
    await using t = await tempStore({
      entries: [{ id: "H-1", role: "user", type: "decision", text, ts: new Date().toISOString() }],
    });
    const run = (words: string[], message?: object): Promise<RunResult> =>
      runReadOnly(t, words, message);
    const transcript = `${t.workspace}.jsonl`;
    const common = { session_id: "c-1", cwd: t.workspace, transcript_path: transcript };
    const turn = { type: "user", uuid: "u", sessionId: "c-1", cwd: t.workspace };
    const said = {
      timestamp: "2026-11-01T08:00:00.000Z",
      message: { role: "user", content: "Hi" },
    };
    Deno.writeTextFileSync(transcript, `${JSON.stringify({ ...turn, ...said })}\n`);
    for (const agent of ["claude-code", "qwen"]) {
      const tell = (hook_event_name: string, rest: object = {}): Promise<RunResult> =>
        run(["hook", agent], { ...common, hook_event_name, ...rest });
      const start = await tell("SessionStart", { source: "startup" });
      assert.deepEqual([start.code, start.stderr], [0, ""], agent);
      assert.match(start.stdout, /We rotate tokens/);
      const prompt = { prompt: "How often do we rotate tokens?" };
      for (
        const [event, rest] of [
          ["UserPromptSubmit", { ...prompt, submitted_prompt: prompt.prompt }],
          ["Stop", { last_assistant_message: "Every hour." }],
          ["PreCompact", {}],
          ["SessionEnd", {}],
        ] as const
      ) {
        const { code, stdout, stderr } = await tell(event, rest);
        assert.deepEqual([code, stdout, stderr], [0, "", ""], `${agent} ${event}`);
      }
    }
    const edit = { tool_name: "Edit", tool_input: { file_path: "a.ts" } };
    const before = await run(["hook", "pre-edit"], {
      ...common,
      hook_event_name: "PreToolUse",
      ...edit,
    });
    assert.deepEqual([before.code, before.stderr], [0, ""]);
    const status = await run(["status"]);
    assert.match(
      status.stdout,
      /Cannot write ".*": the file system is read-only; nothing is captured/,
    );
    assert.doesNotMatch((await t.ctx(["status"])).stdout, /nothing is captured/);
    Deno.removeSync(transcript);
  },
});

Deno.test({
  name: "in a read-only project an edit goes ahead although a decision names its file",
  ignore,
  async fn() {
    const file = "src/auth/token_service.ts";
    await using t = await tempProject({
      entries: [{ type: "decision", text: "Rotate on every use", files: [file] }],
    });
    const words = ["hook", "pre-edit"];
    const message = { session_id: "s", cwd: t.workspace, tool_input: { file_path: file } };
    const { code, stderr } = await runReadOnly(t, words, message);
    assert.deepEqual([code, stderr], [0, ""]);
    // There is something to say of this file, and to note once it was said.
    const written = await t.ctx(words, { stdin: JSON.stringify(message) });
    assert.match(written.stdout, /Rotate on every use/);
  },
});

/** Runs `ctx WORDS…` where the workspace cannot be written to. */
async function runReadOnly(
  { workspace }: TempStore,
  words: string[],
  message?: object,
): Promise<RunResult> {
  const script = `${mount} && exec "$@"`;
  return await runProcess([...readOnly, script, "sh", workspace, ...ctxCommand(...words)], {
    cwd: workspace,
    stdin: message === undefined ? undefined : JSON.stringify(message),
  });
}

async function canMount(): Promise<boolean> {
  const directory = Deno.makeTempDirSync();
  try {
    const args = [...readOnly.slice(1), mount, "sh", directory];
    return (await new Deno.Command("unshare", { args, stderr: "null" }).output()).success;
  } catch {
    return false;
  } finally {
    Deno.removeSync(directory);
  }
}
