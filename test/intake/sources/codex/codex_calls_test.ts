// Calls of Codex under ids that a provider numbers, parents that are listed late, lines that end late.

import assert from "node:assert/strict";
import { homeOf } from "../../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../../support/stores/temp_store.ts";

interface Row {
  type: string;
  text: string;
  source: { conversation: string };
}

Deno.test("codex: calls that a provider numbers are kept in every session, and each time", async () => {
  await using t = await tempStore();
  for (const name of ["a", "b"]) {
    rollout(t, name, [
      ...call("call_0", `ls ${name}`, "first"),
      ...call("call_0", `cat ${name}`, "second"),
      ...call("functions.shell:0", `rm ${name}`, "third"),
    ]);
  }
  assert.equal(await importCodex(t), 14);
  const outputs = rows(t).filter(({ type }) => type === "tool_output");
  assert.deepEqual(outputs.map(({ text }) => text), [
    ...["first", "second", "third"],
    ...["first", "second", "third"],
  ]);
  assert.equal(await importCodex(t), 0);
});

Deno.test("codex: calls under ids of their own are one in a thread and in what was forked from it", async () => {
  await using t = await tempStore();
  const id = "call_Ab3dEfGhIjKlMnOpQrStUvWx";
  const uuid = "chatcmpl-tool-0f8fad5b-d9cb-469f-a165-70867728950e";
  for (const name of ["a", "b"]) {
    rollout(t, name, [...call(id, "ls", "a.ts"), ...call(uuid, "pwd", "/work")]);
  }
  assert.equal(await importCodex(t), 2 + 4);
});

Deno.test("codex: a thread listed before the one that started it is linked in the end", async () => {
  await using t = await tempStore();
  const parent = () => JSON.stringify(t.read("sessions.ndjson").split("\n").map(toParent));
  rollout(t, "a", [], { forked_from_id: uuidOf("b") });
  assert.equal(await importCodex(t), 1);
  assert.equal(parent().includes("S-"), false);
  rollout(t, "c", [], { forked_from_id: uuidOf("d") });
  for (const name of ["b", "d"]) rollout(t, name, []);
  assert.equal(await importCodex(t), 3);
  const { sessions } = await t.run<{ sessions: { id: string; parent?: string }[] }>("sessions", {});
  const linked = sessions.filter(({ parent }) => parent !== undefined);
  const known = new Set(sessions.map(({ id }) => id));
  assert.equal(linked.length, 2);
  assert.equal(new Set(linked.map(({ parent }) => parent)).size, 2);
  for (const { id, parent = "" } of linked) assert.ok(known.has(parent) && parent !== id);
  const before = t.read("sessions.ndjson");
  assert.equal(await importCodex(t), 0);
  assert.equal(t.read("sessions.ndjson"), before);
});

Deno.test("codex: a last line without its end is taken when it ends, or when nobody writes any more", async () => {
  await using t = await tempStore();
  const path = rollout(t, "a", []);
  const [first, second, third] = ["One", "Two", "Three"].map((text) => JSON.stringify(say(text)));
  append(path, first.slice(0, 40));
  assert.equal(await importCodex(t), 1);
  append(path, `${first.slice(40)}\n${second}`);
  assert.equal(await importCodex(t), 1);
  // It is whole but for its newline: as long as the file is fresh, more may come.
  const events = t.read("sessions.ndjson");
  assert.equal(await importCodex(t), 0);
  assert.equal(t.read("sessions.ndjson"), events);
  const quiet = Date.now() / 1000 - 600;
  Deno.utimeSync(path, quiet, quiet);
  assert.equal(await importCodex(t), 1);
  append(path, `\n${third}\n`);
  assert.equal(await importCodex(t), 1);
  assert.equal(await importCodex(t), 0);
  assert.deepEqual(rows(t).map(({ text }) => text), ["Start a", "One", "Two", "Three"]);
});

Deno.test("codex: a last line that came before anybody was quiet is looked at again", async () => {
  await using t = await tempStore();
  const path = rollout(t, "a", []);
  append(path, JSON.stringify(say("Last words")));
  // The clock of the next import is later; the file is as it was.
  assert.equal(await importCodex(t), 1);
  const later = Date.now() + 600_000;
  const result = await t.run<{ entries: number }>("import", { sources: ["codex"] }, {
    now: () => later,
    env: (name) => name === "HOME" ? homeOf(t.workspace) : undefined,
  });
  assert.equal(result.entries, 1);
  assert.equal(await importCodex(t), 0);
});

async function importCodex(t: TempStore): Promise<number> {
  const { code, stdout, stderr } = await t.ctx(["import", "codex", "--json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  return JSON.parse(stdout).entries;
}

function uuidOf(name: string): string {
  return `01990000-aaaa-7bbb-8ccc-ddddeeee000${name}`;
}

/** Writes a rollout of one prompt and some more lines; returns its path. */
function rollout(t: TempStore, name: string, lines: object[], meta: object = {}): string {
  const directory = `${homeOf(t.workspace)}/.codex/sessions/2026/04/02`;
  Deno.mkdirSync(directory, { recursive: true });
  const path = `${directory}/rollout-2026-04-02T08-00-00-${uuidOf(name)}.jsonl`;
  const payload = {
    id: uuidOf(name),
    timestamp: "2026-04-02T08:00:00.000Z",
    cwd: t.workspace,
    ...meta,
  };
  const first = { timestamp: at, type: "session_meta", payload };
  const all = [first, say(`Start ${name}`), ...lines];
  Deno.writeTextFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

const at = "2026-04-02T08:00:00.000Z";

function say(text: string): object {
  return item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
}

/** A call, its result, and the same result as an event. */
function call(call_id: string, command: string, output: string): object[] {
  return [
    item({
      type: "function_call",
      name: "shell",
      arguments: JSON.stringify({ command }),
      call_id,
    }),
    item({ type: "function_call_output", call_id, output }),
    {
      timestamp: at,
      type: "event_msg",
      payload: { type: "exec_command_end", call_id, aggregated_output: output, exit_code: 0 },
    },
  ];
}

function item(payload: object): object {
  return { timestamp: at, type: "response_item", payload };
}

function append(path: string, text: string): void {
  Deno.writeTextFileSync(path, text, { append: true });
}

function rows(t: TempStore): Row[] {
  return t.read("history.ndjson").split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line)).filter((row: Row) => row.source?.conversation !== undefined);
}

function toParent(line: string): unknown {
  return line === "" ? undefined : JSON.parse(line).parent;
}
