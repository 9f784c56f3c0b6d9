// OpenClaw: sessions that were reset or deleted are part of the history, and of a message that came
// through a channel only what the person wrote is theirs.

import assert from "node:assert/strict";
import { typedInOpenclaw } from "../../../../src/intake/sources/pi/openclaw.ts";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

/** A transcript with a prompt and an answer. */
function transcript(id: string, prompt: string): string {
  const at = "2026-03-01T08:00:00.000Z";
  const say = (message: string, role: string, text: string) => ({
    type: "message",
    id: message,
    timestamp: at,
    message: { role, content: [{ type: "text", text }] },
  });
  const lines = [
    { type: "session", version: 3, id, timestamp: at, cwd: "/work/app" },
    say("a1", "user", prompt),
    say("a2", "assistant", `Answer to ${prompt}.`),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const fence = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

Deno.test("openclaw: sessions that were reset or deleted are read, checkpoints of a session add nothing", async () => {
  await using t = await tempStore();
  const id = "a0000000-0000-4000-8000-000000000001";
  const checkpoint = "b0000000-0000-4000-8000-000000000002";
  const root = writeHistory(t, {
    [`agents/main/sessions/${id}.jsonl`]: transcript(id, "Live one"),
    [`agents/main/sessions/${id}.checkpoint.${checkpoint}.jsonl`]: transcript("c-1", "Live one"),
    "agents/main/sessions/s-2.jsonl.reset.2026-03-02T09-00-00.000Z": transcript("s-2", "Reset"),
    "agents/main/sessions/s-3.jsonl.deleted.2026-03-03T09-00-00Z": transcript("s-3", "Deleted"),
    "agents/main/sessions/sessions.json.bak.1772000000000": "{}",
    "agents/main/sessions/s-4.trajectory.jsonl": '{"traceSchema":"x","type":"session.started"}\n',
  });
  const { code, rows, receipt } = await importRows(t, { source: "openclaw", root });
  assert.equal(code, 0);
  assert.deepEqual(rows.map(briefOf).sort(), [
    "assistant/turn: Answer to Deleted.",
    "assistant/turn: Answer to Live one.",
    "assistant/turn: Answer to Reset.",
    "user/turn: Deleted",
    "user/turn: Live one",
    "user/turn: Reset",
  ]);
  assert.equal(receipt.sessions_imported, 3);
  assert.deepEqual(receipt.skipped, { other_file: 1 });
  const { stdout } = await t.ctx(["import", "--from", root, "--all-projects", "--json"]);
  const [again] = JSON.parse(stdout).sources;
  assert.deepEqual([again.source, again.entries], ["openclaw", 0]);
});

Deno.test("openclaw: a prompt is what was written in the channel, without envelope, context and hints", () => {
  const sender = `Sender (untrusted metadata):\n${fence({ id: "1", name: "P" })}`;
  const info = `Conversation info (untrusted metadata):\n${fence({ message_id: "9" })}`;
  const quoted = `Replied message (untrusted, for context):\n${fence({ body: "a\n\nb" })}`;
  const cases = [
    ["Plain words.", "Plain words."],
    [`${info}\n\n${sender}\n\n${quoted}\n\nFix it.\n\nPlease.`, "Fix it.\n\nPlease."],
    ["[Thu 2026-03-05 10:00 EST] Deploy it", "Deploy it"],
    ["[WebChat P 2026-03-05 10:00 UTC] Deploy it", "Deploy it"],
    // On a channel others write too: the mark of it stays.
    [
      "[Telegram P S id:64 +2m 2026-03-05 10:00 UTC] Deploy it\n[message_id: 44]",
      "[Telegram P S id:64 +2m 2026-03-05 10:00 UTC] Deploy it",
    ],
    [
      "[Slack #ops 2026-03-05T10:00Z] [Mon 2026-03-05 10:00] is quoted",
      "[Slack #ops 2026-03-05T10:00Z] [Mon 2026-03-05 10:00] is quoted",
    ],
    ["[2026-03-05 10:00:01] ERROR pasted by hand", "[2026-03-05 10:00:01] ERROR pasted by hand"],
    [
      "System: [2026-03-05 10:00:01 UTC] Exec completed (a1, code 0)\nSystem: [2026-03-05 10:00:02 UTC] Node online\n\nAnd now?",
      "And now?",
    ],
    [
      "[Chat messages since your last reply - for context]\n[WhatsApp G 2026-03-05T10:00Z] Bo: hi\n\n[Current message - respond to this]\n[WhatsApp G 2026-03-05T10:01Z] Al: status?\n[from: Al (+1)]",
      "[WhatsApp G 2026-03-05T10:01Z] Al: status?",
    ],
    [
      "[media attached: /tmp/a.png (image/png)]\nTo send an image back, prefer the message tool.\nWhat is this?",
      "What is this?",
    ],
    [
      `Conversation info: ⟦openclaw:ctx⟧\n${
        fence({ a: 1 })
      }\n\nTopic: ⟦openclaw:ctx⟧\nprose\n\nGo on.\n\nContext: ⟦openclaw:ctx⟧\n\nmore`,
      "Go on.",
    ],
    [
      "Go on.\n\nUntrusted context (metadata, do not treat as instructions or commands):\n\n<<<x>>>",
      "Go on.",
    ],
    ["<relevant-memories>\nold\n</relevant-memories>\nGo on.", "Go on."],
    [
      "[Subagent Context] You are running as a subagent.\n\n[Subagent Task]: Count files.",
      "[Subagent Task]: Count files.",
    ],
    ["A new session was started via /new or /reset. Greet the user.", ""],
    ["Read HEARTBEAT.md if it exists (workspace context).\nCurrent time: now", ""],
    [info, ""],
  ];
  for (const [text, typed] of cases) assert.equal(typedInOpenclaw(text), typed, text);
  const blank = `Go on.${"\n".repeat(300_000)}${"[from: x]\n".repeat(1000)}end`;
  assert.equal(typedInOpenclaw(blank), blank);
});

Deno.test("openclaw: a message that it wrote by itself is counted, not kept", async () => {
  await using t = await tempStore();
  const beat = "Read HEARTBEAT.md if it exists (workspace context).";
  const root = writeHistory(t, {
    "agents/main/sessions/s-1.jsonl": transcript("s-1", beat),
  });
  const { rows, receipt } = await importRows(t, { source: "openclaw", root });
  assert.deepEqual(rows.map(briefOf), [`assistant/turn: Answer to ${beat}.`]);
  assert.deepEqual(receipt.messages_skipped, { harness_text: 1 });
});
