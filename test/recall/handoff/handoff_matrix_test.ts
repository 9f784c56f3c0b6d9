// Each agent's session, imported, handed to each agent, and read back by that agent's importer: the rows
// are the same, but for what docs/HANDOFF.md says.

import assert from "node:assert/strict";
import { claudeCode } from "../../../src/intake/sources/claude_code/claude_code.ts";
import { codex } from "../../../src/intake/sources/codex/codex.ts";
import { gemini } from "../../../src/intake/sources/gemini/gemini.ts";
import { opencode } from "../../../src/intake/sources/opencode/opencode.ts";
import { qwen } from "../../../src/intake/sources/qwen/qwen.ts";
import type { Source, SourceEntry } from "../../../src/intake/sources/source.ts";
import { toCommon } from "../../../src/recall/handoff/tool_map.ts";
import { collect } from "../../support/collect.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import {
  cwd,
  importOpencode,
  type NativeAgent,
  nativeAgents,
  said,
  writeNative,
} from "./native_sessions.ts";

const sources: Record<NativeAgent, Source> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  opencode,
  qwen,
};

interface HandedOff {
  path: string;
  resume: string[];
  undo: string[];
  left_out: number;
  brief_tokens: number;
}

/** Imports an agent's own session, and hands it to another under a new home. */
async function handOff(t: TempStore, from: NativeAgent, to: NativeAgent): Promise<HandedOff> {
  const root = writeNative(from, `${t.workspace}/native`);
  const home = `${t.workspace}/handed`;
  const env = (name: string) => name === "HOME" ? home : undefined;
  const input = { sources: [from], root, all_projects: true };
  assert.ok((await t.run<{ entries: number }>("import", input, { env })).entries > 0);
  return await t.run<HandedOff>("handoff", { to }, { env });
}

/** What the importer gives for a file, as if its agent had written it: without ctx's mark. */
async function readBack(t: TempStore, to: NativeAgent, path: string): Promise<SourceEntry[]> {
  const text = Deno.readTextFileSync(path).replaceAll("63747800-", "63747801-")
    .replaceAll(/((?:msg|prt)_[0-9a-f]{12})ctx0/g, "$1abc0");
  Deno.writeTextFileSync(path, text);
  const { sessions, tally } = await collect(sources[to], rootOf(t, to, path, text), {
    place: { workspace: cwd },
  });
  assert.equal(tally.problem_count, 0);
  assert.equal(sessions.length, 1);
  assert.equal(sessions[0].session.cwd, cwd);
  return sessions[0].entries;
}

function rootOf(t: TempStore, to: NativeAgent, path: string, text: string): string {
  const home = `${t.workspace}/handed`;
  if (to !== "opencode") {
    const roots = { codex: ".codex", gemini: ".gemini/tmp", qwen: ".qwen/projects" };
    return `${home}/${to === "claude-code" ? ".claude" : roots[to]}`;
  }
  const database = path.replace(/[^/]+$/, "opencode.db");
  importOpencode(database, JSON.parse(text));
  return database;
}

type Step = [kind: string, what: unknown, error?: true];

/** A row as all agents can tell it: calls by the names that they have in common. */
function toStep(row: SourceEntry, agent: NativeAgent): Step {
  if (row.type === "turn") return [row.role, row.text];
  if (row.type === "tool_output") {
    return row.tool?.error ? ["result", row.text, true] : ["result", row.text];
  }
  const call = { name: String(row.tool?.name), input: row.tool?.input };
  return [row.type === "tool_call" ? "call" : row.type, toCommon(call, agent) ?? call.name];
}

const steps = {
  shell: { tool: "shell", args: { command: said.command } },
  cat: { tool: "shell", args: { command: `cat ${said.path}` } },
  read: { tool: "read", args: { path: said.path, offset: 1, limit: 40 } },
  edit: { tool: "edit", args: { path: said.path, old: said.old, new: said.now } },
};

const ownTools: Record<NativeAgent, string> = {
  "claude-code": "TodoWrite",
  codex: "update_plan",
  gemini: "write_todos",
  opencode: "todowrite",
  qwen: "todo_write",
};
const readTools: Partial<Record<NativeAgent, string>> = {
  "claude-code": "Read",
  gemini: "read_file",
  opencode: "read",
  qwen: "read_file",
};

/** What must come back: thinking is gone, and what the other has no tool for became text. */
function expected(from: NativeAgent, to: NativeAgent): (Step | RegExp)[] {
  const own = ownTools[from];
  const read: (Step | RegExp)[] = from === "codex"
    ? [["call", steps.cat], ["result", said.content]]
    : to === "codex"
    ? [/^\[tool call\]\n/, new RegExp(`^\\[output of ${readTools[from]}\\]\nexport const`)]
    : [["call", steps.read], ["result", said.content]];
  return [
    ["user", said.first],
    ["assistant", said.plan],
    ["call", steps.shell],
    ["result", said.failure, true],
    ...read,
    ["call", steps.edit],
    ["result", said.edited],
    ...(from === to ? [["call", own] as Step, ["result", said.own] as Step] : [
      new RegExp(`^\\[tool call\\]\n${own}`),
      new RegExp(`^\\[output of ${own}\\]\n${said.own}`),
    ]),
    ["assistant", said.done],
    ["user", said.last],
  ];
}

for (const from of nativeAgents) {
  for (const to of nativeAgents) {
    Deno.test(`a session of ${from} comes back from ${to} as it was`, async () => {
      await using t = await tempStore();
      const { path, left_out, brief_tokens } = await handOff(t, from, to);
      const before = t.read("history.ndjson").trimEnd().split("\n").map((line) => JSON.parse(line));
      const rows = await readBack(t, to, path);
      const all = rows.map((row) => toStep(row, to));
      // The brief, which importers cut, stands before another agent's session only.
      const told = all[0][1] === "" ? all.slice(1) : all;
      assert.equal(left_out, 0);
      assert.equal(brief_tokens > 0, from !== to);
      assert.ok(brief_tokens <= 600);
      const want = expected(from, to);
      assert.equal(told.length, want.length, JSON.stringify(told, null, 1));
      for (const [i, step] of want.entries()) {
        if (step instanceof RegExp) {
          assert.equal(told[i][0], "assistant");
          assert.match(String(told[i][1]), step);
        } else assert.deepEqual(told[i], step);
      }
      const times = (list: { role: string; type: string; text: string; ts: string }[]) =>
        list.filter(({ type, text }) => type === "turn" && Object.values(said).includes(text))
          .map(({ text, ts }) => [text, ts]);
      assert.deepEqual(times(rows), times(before), "times are kept");
      const calls = (list: SourceEntry[]) =>
        list.filter(({ type }) => type === "tool_call").map(({ tool }) => tool?.call_id);
      const kept = new Set(calls(before));
      assert.ok(calls(rows).every((id) => kept.has(id)), "ids of calls are kept");
    });

    Deno.test(`what ctx handed from ${from} to ${to} is not imported again`, async () => {
      await using t = await tempStore();
      const { path } = await handOff(t, from, to);
      const before = t.read("history.ndjson");
      const root = rootOf(t, to, path, Deno.readTextFileSync(path));
      const input = { sources: [to], root, all_projects: true };
      const { entries } = await t.run<{ entries: number }>("import", input);
      assert.equal(entries, 0);
      assert.equal(t.read("history.ndjson"), before);
    });
  }
}
