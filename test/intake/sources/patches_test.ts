// Edits keep what they changed, whichever agent made them: as the patch of their result.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { editsOf } from "../../../src/core/rows/edits.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const secret = "AKIAQ3EGVT5RM2WNK7XZ";
const at = "2026-05-01T07:00:00.000Z";
const hunk = `@@ -1,2 +1,3 @@\n keep\n-old\n+new\n+key ${secret}\n`;
const lines = [" keep", "-old", "+new", `+key ${secret}`];

/** Files of a history, by path; the workspace is filled in. */
type History = (workspace: string) => Record<string, unknown>;

const histories: Record<string, History> = {
  "claude-code": (cwd) => ({
    "projects/x/11111111-1111-4111-8111-111111111111.jsonl": claudeLines(cwd),
  }),
  "codex": (cwd) => ({
    "sessions/2026/05/01/rollout-2026-05-01T07-00-00-0199b0a0-0000-7000-8000-000000000001.jsonl": [
      { timestamp: at, type: "session_meta", payload: { id: "c1", cwd } },
      {
        timestamp: at,
        type: "response_item",
        payload: { type: "custom_tool_call", name: "apply_patch", call_id: "p", input: "…" },
      },
      {
        timestamp: at,
        type: "event_msg",
        payload: {
          type: "patch_apply_end",
          call_id: "p",
          success: true,
          stdout: "Success.",
          changes: { [`${cwd}/src/a.ts`]: { type: "update", unified_diff: hunk } },
        },
      },
    ],
  }),
  "gemini": (cwd) => ({
    "tmp/x/.project_root": cwd,
    "tmp/x/chats/session-2026-05-01T07-00-aaaaaaaa.json": {
      sessionId: "aaaaaaaa-1",
      startTime: at,
      messages: [{
        id: "m",
        timestamp: at,
        type: "gemini",
        content: "",
        toolCalls: [{
          id: "t",
          name: "replace",
          args: { file_path: `${cwd}/src/a.ts` },
          result: [{ functionResponse: { response: { output: "Modified" } } }],
          resultDisplay: { fileName: "a.ts", fileDiff: `Index: a.ts\n${hunk}` },
        }],
      }],
    },
  }),
  "opencode": (cwd) => ({
    "storage/session/p/ses_1.json": {
      id: "ses_1",
      directory: cwd,
      time: { created: 1777618800000 },
    },
    "storage/message/ses_1/msg_1.json": {
      id: "msg_1",
      sessionID: "ses_1",
      role: "assistant",
      time: { created: 1777618800000 },
    },
    "storage/part/msg_1/prt_1.json": {
      id: "prt_1",
      messageID: "msg_1",
      sessionID: "ses_1",
      type: "tool",
      tool: "edit",
      callID: "e",
      state: {
        status: "completed",
        input: { filePath: `${cwd}/src/a.ts` },
        output: "Edit applied",
        metadata: {
          diff: `Index: ${cwd}/src/a.ts\n--- ${cwd}/src/a.ts\n+++ ${cwd}/src/a.ts\n${hunk}`,
        },
      },
    },
  }),
  "copilot": (cwd) => ({
    "s1/events.jsonl": [
      { type: "session.start", id: "0", timestamp: at, data: { context: { cwd } } },
      {
        type: "tool.execution_start",
        id: "1",
        timestamp: at,
        data: { toolCallId: "t", toolName: "edit", arguments: {} },
      },
      {
        type: "tool.execution_complete",
        id: "2",
        timestamp: at,
        data: {
          toolCallId: "t",
          success: true,
          result: {
            content: "Updated",
            detailedContent:
              `\ndiff --git a${cwd}/src/a.ts b${cwd}/src/a.ts\n--- a${cwd}/src/a.ts\n` +
              `+++ b${cwd}/src/a.ts\n${hunk}`,
          },
        },
      },
    ],
  }),
};

function claudeLines(cwd: string): object[] {
  const line = { sessionId: "s", timestamp: at, cwd, isSidechain: false };
  const content = "x".repeat(5000);
  const input = { file_path: `${cwd}/src/a.ts`, old_string: "old", new_string: content };
  return [
    {
      parentUuid: null,
      ...line,
      type: "assistant",
      uuid: "u1",
      message: {
        id: "m",
        role: "assistant",
        content: [{ type: "tool_use", id: "t", name: "Edit", input }],
      },
    },
    {
      parentUuid: "u1",
      ...line,
      type: "user",
      uuid: "u2",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: "updated" }],
      },
      toolUseResult: {
        filePath: `${cwd}/src/a.ts`,
        originalFile: "keep\nold\n",
        structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines }],
      },
    },
  ];
}

/** Writes a history into the home of a store; gives where it begins. */
function write(t: TempStore, files: Record<string, unknown>): string {
  const root = `${t.workspace}/agent`;
  for (const [path, value] of Object.entries(files)) {
    Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    const text = typeof value === "string"
      ? value
      : Array.isArray(value)
      ? value.map((line) => `${JSON.stringify(line)}\n`).join("")
      : JSON.stringify(value);
    Deno.writeTextFileSync(`${root}/${path}`, text);
  }
  return root;
}

function rowsOf(t: TempStore): Entry[] {
  return t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
}

for (const [agent, history] of Object.entries(histories)) {
  Deno.test(`an edit of ${agent} keeps its patch, without secrets`, {
    ignore: agent === "copilot" && notOnWindows("Copilot's diffs there are unknown"),
  }, async () => {
    await using t = await tempStore();
    const root = write(t, history(t.workspace));
    await t.run("import", { sources: [agent], root, no_distil: true });
    const row = rowsOf(t).find(({ patch }) => patch !== undefined);
    assert.ok(row, "a row has a patch");
    assert.deepEqual(editsOf(row), [
      { path: "src/a.ts", old: "old", new: "new\nkey [REDACTED:aws-access-key-id]", line: 2 },
    ]);
    assert.ok(!t.read("history.ndjson").includes(secret));
  });
}

Deno.test("import --again adds to an older store what it did not keep, once", async () => {
  await using t = await tempStore();
  const root = write(t, histories["claude-code"](t.workspace));
  const input = { sources: ["claude-code"], root, no_distil: true };
  await t.run("import", input);
  const kept = rowsOf(t);
  // As a version wrote it that knew no patches and cut every input.
  t.write(
    "history.ndjson",
    kept.map(({ patch: _, ...row }) => {
      const { revision: __, ...source } = row.source ?? { agent: "" };
      const cut = row.tool?.input === undefined ? {} : {
        tool: { ...row.tool, input: { new_string: "x[+4999 chars]" } },
      };
      return `${JSON.stringify({ ...row, source, ...cut })}\n`;
    }).join(""),
  );
  assert.equal((await t.run<{ entries: number }>("import", input)).entries, 0);
  const again = await t.run<{ entries: number }>("import", { ...input, again: true });
  assert.equal(again.entries, 2);
  const added = rowsOf(t).slice(2);
  assert.deepEqual(
    added.map(({ patch, tool, index, supersedes }) => ({ patch, tool, index, supersedes })),
    kept.map(({ id, patch, tool, index }) => ({ patch, tool, index, supersedes: id })),
  );
  assert.equal((await t.run<{ entries: number }>("import", { ...input, again: true })).entries, 0);
});
