// OpenHands, read as people run it: who said what, what tools did, and conversations that go on.

import assert from "node:assert/strict";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";
import { copyTree } from "../../../support/stores/tree.ts";
import { fromFileUrl } from "../../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../../samples", import.meta.url));
const at = (second: number) => `2026-06-01T09:00:0${second}.000000Z`;
const say = (text: string) => ({
  kind: "MessageEvent",
  source: "user",
  llm_message: { role: "user", content: [{ type: "text", text }] },
});
const eventsOf = (events: object[], from = 0): Record<string, unknown> =>
  Object.fromEntries(events.map((event, i) => {
    const id = `e0000000-0000-4000-8000-00000000000${i + from}`;
    const name = `conversations/c1/events/event-${String(i + from).padStart(5, "0")}-${id}.json`;
    return [name, { id, timestamp: at(i + from), ...event }];
  }));

Deno.test("openhands: what tools did is told with files, effects, exit codes and the model", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/agent`;
  copyTree(`${samples}/openhands`, root);
  const { rows: taken, receipt, code } = await importRows(t, { source: "openhands", root });
  assert.equal(code, 0);
  // Which session comes first depends on the files' times.
  const rows = taken.toSorted((a, b) => Date.parse(a.ts) - Date.parse(b.ts));
  const calls = rows.filter((row) => row.type === "tool_call");
  assert.deepEqual(
    calls.map(({ text, tool, files, model }) => [text, tool?.effect, files?.[0], model]),
    [
      ["execute_bash: make build", "run", undefined, "model-b"],
      ["str_replace_editor: str_replace /work/app/Makefile", "edit", "Makefile", "model-b"],
      ["file_editor: view /work/app/src/parse.py", "read", "src/parse.py", "openhands/model-a"],
      [
        "file_editor: str_replace /work/app/src/parse.py",
        "edit",
        "src/parse.py",
        "openhands/model-a",
      ],
      ["terminal: pytest -q", "run", undefined, "openhands/model-a"],
      ["deploy: stage", undefined, undefined, "openhands/model-a"],
    ],
  );
  const outputs = rows.filter((row) => row.type === "tool_output");
  assert.deepEqual(outputs.map(({ text, tool }) => [text, tool?.name, tool?.exit, tool?.error]), [
    ["make: *** No rule", "execute_bash", 2, true],
    ["The file was edited.", "str_replace_editor", undefined, undefined],
    ["1\tfor row in rows[:-1]:", "file_editor", undefined, undefined],
    ["The file was edited.", "file_editor", undefined, undefined],
    ["1 failed", "terminal", 1, true],
    ["Tool 'deploy' not found.", "deploy", undefined, true],
  ]);
  const answers = rows.filter((row) => row.role === "assistant" && row.type === "turn");
  assert.deepEqual(answers.map(({ text }) => text.slice(0, 25)), [
    "I run it once.",
    "The rule had a typing mis",
    "I look at the parser firs",
    "The last row is read now;",
  ]);
  assert.equal(receipt.sessions_imported, 2);
  assert.deepEqual(receipt.messages_skipped, { harness_text: 1, bookkeeping: 1 });
  assert.deepEqual([receipt.messages, receipt.messages_kept], [19, 17]);
  assert.match(t.read("sessions.ndjson"), /"title":"Mend the build script"/);
});

Deno.test("openhands: only new events are read, and one that was broken when it is whole", async () => {
  await using t = await tempStore();
  const root = writeHistory(t, eventsOf([say("first")]));
  const read = async () => {
    const { code, rows, receipt } = await importRows(t, { source: "openhands", root });
    return [code, rows.map(briefOf), receipt.files];
  };
  assert.deepEqual(await read(), [0, ["user/turn: first"], 1]);
  const [[path, whole]] = Object.entries(eventsOf([say("second")], 1));
  writeHistory(t, { [path]: JSON.stringify(whole).slice(0, 40) });
  assert.deepEqual(await read(), [9, ["user/turn: first"], 1]);
  writeHistory(t, { [path]: whole });
  assert.deepEqual(await read(), [0, ["user/turn: first", "user/turn: second"], 1]);
  assert.deepEqual(await read(), [0, ["user/turn: first", "user/turn: second"], 0]);
});

Deno.test("openhands: an event whose file was empty is taken once it is written", async () => {
  await using t = await tempStore();
  const [[path, whole], [later, third]] = Object.entries(
    eventsOf([say("second"), say("third")], 1),
  );
  const root = writeHistory(t, { ...eventsOf([say("first")]), [path]: "", [later]: third });
  const read = async () => (await importRows(t, { source: "openhands", root })).rows.map(briefOf);
  assert.deepEqual(await read(), ["user/turn: first", "user/turn: third"]);
  writeHistory(t, { [path]: whole });
  assert.deepEqual(await read(), ["user/turn: first", "user/turn: third", "user/turn: second"]);
});

Deno.test("openhands: events of strange kinds and files that are none are counted", async () => {
  await using t = await tempStore();
  const kinds = ["constructor", "toString", "__proto__", "valueOf"];
  const events = eventsOf([say("first"), ...kinds.map((kind) => ({ kind })), say("last")]);
  const [[path]] = Object.entries(eventsOf([{}], 6));
  const root = writeHistory(t, { ...events, [path]: "[]" });
  const { code, rows, receipt } = await importRows(t, { source: "openhands", root });
  assert.deepEqual([code, receipt.messages, receipt.messages_kept], [0, 2, 2]);
  assert.deepEqual(rows.map(briefOf), ["user/turn: first", "user/turn: last"]);
  const strange = Object.fromEntries(kinds.map((kind) => [`type:${kind}`, 1]));
  assert.deepEqual(receipt.skipped, { ...strange, not_an_object: 1 });
});

Deno.test("openhands: agents of one name that two conversations started are two", async () => {
  await using t = await tempStore();
  const event = { id: "e0", timestamp: at(0) };
  const name = "events/event-00000-e0000000-0000-4000-8000-000000000000.json";
  const root = writeHistory(t, {
    [`c1/subagents/agent-1/${name}`]: { ...event, ...say("task of the first") },
    [`c2/subagents/agent-1/${name}`]: { ...event, ...say("task of the second") },
    [`c2/subagents/agent-1/subagents/agent-1/${name}`]: { ...event, ...say("task below") },
  });
  const { rows } = await importRows(t, { source: "openhands", root });
  assert.deepEqual(
    rows.map(({ source, text }) => [source?.conversation, text]).sort(),
    [
      ["c1/agent-1", "task of the first"],
      ["c2/agent-1", "task of the second"],
      ["c2/agent-1/agent-1", "task below"],
    ],
  );
});

Deno.test("openhands: events go by number, one that comes late is taken, a running command has no exit", async () => {
  await using t = await tempStore();
  const path = (number: string) =>
    `c1/events/event-${number}-e0000000-0000-4000-8000-000000000000.json`;
  const running = {
    kind: "ObservationEvent",
    tool_name: "terminal",
    observation: { content: "still at it", exit_code: -1 },
  };
  const root = writeHistory(t, {
    [path("99999")]: { id: "a", timestamp: at(0), ...say("first") },
    [path("100000")]: { id: "b", timestamp: at(1), ...say("from another agent"), sender: "peer" },
    [path("100002")]: { id: "d", timestamp: at(3), ...running },
  });
  const read = async () => (await importRows(t, { source: "openhands", root })).rows;
  const rows = await read();
  const before = [
    "user/turn: first",
    "system/message: from another agent",
    "tool/tool_output: still at it",
  ];
  assert.deepEqual(rows.map(briefOf), before);
  assert.deepEqual([rows[2].tool?.exit, rows[2].tool?.error], [undefined, undefined]);
  writeHistory(t, { [path("100001")]: { id: "c", timestamp: at(2), ...say("late") } });
  assert.deepEqual((await read()).map(briefOf), [...before, "user/turn: late"]);
});

Deno.test("openhands: calls of an agent that it drives are taken once, when they have ended", async () => {
  await using t = await tempStore();
  const call = {
    kind: "ACPToolCallEvent",
    source: "agent",
    tool_call_id: "t1",
    title: "Read file",
  };
  const root = writeHistory(
    t,
    eventsOf([
      say("look"),
      { ...call, status: "in_progress", tool_kind: "read" },
      {
        ...call,
        status: "completed",
        tool_kind: "read",
        raw_input: { path: "a.ts" },
        content: [{ type: "content", content: { type: "text", text: "line" } }],
      },
      { kind: "ConversationErrorEvent", source: "environment", code: "x", detail: "y" },
      {
        kind: "MessageEvent",
        source: "agent",
        llm_message: {
          role: "assistant",
          reasoning_content: "Short.",
          content: [{ type: "text", text: "<think>Short.</think>\n\nOne line." }],
        },
      },
    ]),
  );
  const { rows, receipt } = await importRows(t, { source: "openhands", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: look",
    "assistant/tool_call: read: a.ts",
    "tool/tool_output: line",
    "assistant/thinking: Short.",
    "assistant/turn: One line.",
  ]);
  assert.deepEqual(receipt.skipped, { partial_message: 1, "type:ConversationErrorEvent": 1 });
});
