import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { findCommand } from "../../../src/commands/mod.ts";
import { execute } from "../../../src/command/execute.ts";
import { tempStore, toLog } from "../../support/stores/temp_store.ts";

const base = { session_id: "S-1", project: "/home/dev/app", source: { agent: "codex" } };
const edit = { file_path: "/home/dev/app/a.ts", old_string: "one\n", new_string: "two\n" };
const rows = [
  { ...base, index: 1, role: "user" as const, type: "turn", text: "## Fix  it\nplease" },
  {
    ...base,
    index: 2,
    role: "assistant" as const,
    type: "tool_call",
    text: "Edit: /home/dev/app/a.ts",
    files: ["/home/dev/app/a.ts"],
    model: "m-1",
    tool: { name: "Edit", call_id: "c1", effect: "edit", input: edit },
  },
  {
    ...base,
    index: 3,
    role: "tool" as const,
    type: "tool_output",
    text: "done",
    tool: { name: "Edit", call_id: "c1" },
  },
  {
    ...base,
    index: 4,
    role: "assistant" as const,
    type: "tool_call",
    text: "Task: look",
    tool: { name: "Task", call_id: "c2", effect: "agent", input: { prompt: "Look for\nwords" } },
  },
  {
    ...base,
    index: 5,
    role: "assistant" as const,
    type: "tool_call",
    text: "Task: other",
    tool: { name: "Task", call_id: "c3", effect: "agent", input: { prompt: "Other words" } },
  },
  { session_id: "S-2", index: 1, role: "user" as const, type: "turn", text: "Look for\nwords" },
  { session_id: "S-3", index: 1, role: "user" as const, type: "turn", text: "No such prompt" },
];
const events = toEvents(["S-2", "S-3"]);

function toEvents(ids: string[]): string {
  return ids.map((session_id) =>
    JSON.stringify({
      event: "imported",
      session_id,
      ts: "2026-01-01T10:30:00.000Z",
      source: "codex",
      parent: "S-1",
    }) + "\n"
  ).join("");
}

Deno.test("outline: a session's head and its messages by position, without their texts", async () => {
  await using t = await tempStore({ entries: rows, files: { "sessions.ndjson": events } });
  assert.deepEqual(JSON.parse(JSON.stringify(await t.run("outline", { session: "S-1" }))), {
    session_id: "S-1",
    title: "Fix it",
    source: "codex",
    project: "/home/dev/app",
    started: "2026-01-01T10:00:00.000Z",
    ended: "2026-01-01T10:04:00.000Z",
    models: ["m-1"],
    total: 5,
    estimated_tokens: 22,
    files: [{ path: "a.ts", messages: 1, edits: 1 }],
    agents: [
      {
        session_id: "S-2",
        title: "Look for words",
        started: "2026-01-01T10:05:00.000Z",
        message_count: 1,
        at: 4,
      },
      {
        session_id: "S-3",
        title: "No such prompt",
        started: "2026-01-01T10:06:00.000Z",
        message_count: 1,
        at: 5,
      },
    ],
    kinds: [
      { role: "user", type: "turn" },
      { role: "assistant", type: "tool_call" },
      { role: "tool", type: "tool_output" },
    ],
    tools: ["Edit", "Task"],
    messages: {
      number: [1, 2, 3, 4, 5],
      id: ["H-H1", "H-H2", "H-H3", "H-H4", "H-H5"],
      kind: [0, 1, 2, 1, 1],
      after_ms: [0, 60_000, 120_000, 180_000, 240_000],
      line: ["Fix it", "Edit: a.ts", "done", "Task: look", "Task: other"],
      tokens: [6, 9, 1, 3, 3],
      tool: [-1, 0, 0, 1, 1],
      call: [-1, -1, 1, -1, -1],
      files: [[], [0], [], [], []],
    },
    edits: [1],
    prompts: [0],
    runs: [],
    failed: [],
  });
  const cut = await t.run<{ messages: { line: string[] } }>("outline", {
    session: "S-1",
    chars: 10,
  });
  assert.equal(cut.messages.line[4], "Task: oth…");
});

Deno.test("read --edits gives what an edit replaced", async () => {
  await using t = await tempStore({ entries: rows });
  const { messages: [, call] } = await t.run<{ messages: { edits?: unknown }[] }>("read", {
    session: "S-1",
    ranges: "1-2",
    edits: true,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(call.edits)), [
    { path: "a.ts", old: "one\n", new: "two\n" },
  ]);
});

/** Positions and texts that a context that stays open reads, and one that was just opened. */
async function readBoth(
  served: ReturnType<typeof openContext>,
  workspace: string,
): Promise<[string, string]> {
  using fresh = openContext({ workspace, warn: () => {} });
  const read = async (context: typeof served): Promise<string> => {
    const [readIt, outline] = await Promise.all([findCommand("read"), findCommand("outline")]);
    assert.ok(readIt && outline);
    const input = { session: "S-1", ranges: "2-" };
    return JSON.stringify([
      await execute(readIt, input, context),
      await execute(outline, { session: "S-1" }, context),
    ]);
  };
  return [await read(served), await read(fresh)];
}

Deno.test("a server that has read a session sees what is added, forgotten, moved and renamed", async () => {
  // Long enough that the index is asked, too.
  const long = rows.map((row) => ({ ...row, text: `${row.text} ${"word ".repeat(130_000)}` }));
  for (const entries of [rows, long]) {
    await using t = await tempStore({ entries });
    if (entries === long) await t.run("reindex");
    using served = openContext({ workspace: t.workspace, warn: () => {} });
    const compare = async (): Promise<string> => {
      const [kept, fresh] = await readBoth(served, t.workspace);
      assert.equal(kept, fresh);
      return kept;
    };
    const first = await compare();
    await t.run("save", { text: "elsewhere" });
    assert.equal(await compare(), first);
    await t.run("save", { text: "one more", session: "S-1" });
    const second = await compare();
    assert.notEqual(second, first);
    await t.run("forget", { ids: ["H-H4"] });
    const third = await compare();
    assert.ok(!third.includes("H-H4"));
    await t.run("gc");
    await compare();
    t.append("sessions.ndjson", toEvents(["S-2"]));
    assert.ok((await compare()).includes('"session_id":"S-2"'));
    // A log that something else rewrote: the same length, other rows.
    t.write("history.ndjson", toLog(entries.map((row) => ({ ...row, session_id: "S-9" }))));
    const [kept] = await Promise.allSettled([readBoth(served, t.workspace)]);
    assert.equal(kept.status, "rejected");
  }
});
