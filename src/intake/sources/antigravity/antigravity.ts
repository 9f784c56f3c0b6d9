// Antigravity, its IDE and its command line `agy`: `antigravity*/brain/<conversation>/.system_generated/
// logs/`, where `transcript.jsonl` has long texts cut and `transcript_full.jsonl` whole ones, mostly.
// The conversations themselves are sealed in databases of their own, which are not read. Results name no
// call: they come in the order of the calls. A step may be written again when it is done.

import { toWholePath } from "../../../core/platform_path.ts";
import * as make from "../entries.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { withHead } from "../patches.ts";
import { readHead } from "../read_head.ts";
import type { Source, SourceEntry } from "../source.ts";
import { findFiles, sessionOf } from "../source_kinds.ts";
import { otherType, type Reading, readRecords, type Rows } from "../reading.ts";
import { toProjectPath } from "../touched.ts";
import { directoryNames, existing, findObject, findSmallText, type WalkedFile } from "../walk.ts";
import { typedText } from "../without_blocks.ts";

const maxHistoryBytes = 16 << 20;
const maxWaiting = 60;

export const antigravity: Source = {
  name: "antigravity",
  title: "Antigravity",
  locate({ env, home }) {
    const root = `${env("GEMINI_CLI_HOME") || home}/.gemini`;
    const names = directoryNames(root).filter((name) => name.startsWith("antigravity"));
    return existing(names.map((name) => `${root}/${name}/brain`));
  },
  async *list(root, options) {
    const found = new Map<string, WalkedFile>();
    const files = /^transcript(?:_full)?\.jsonl$/;
    for (
      const file of findFiles(root, options, {
        files,
        skips: /^(?:node_modules|scratch)$/,
        maxDepth: 5,
      })
    ) {
      // The conversation is the directory above `.system_generated`.
      const id = /([^/]+)\/\.system_generated\//.exec(file.path)?.[1] ?? file.path;
      const other = found.get(id);
      // Of a conversation that went on after an update the full one has only the rest.
      if (other === undefined || file.size > other.size) found.set(id, file);
    }
    const workspaces = workspacesOf(root);
    for (const [id, file] of found) {
      const head = readHead(file.path, options.tally);
      if (head === undefined) continue;
      const cwd = workspaces.get(id) ?? placeIn(head.text, options.place.workspace);
      yield sessionOf(file, { id, cwd, started: toTime(head.find("created_at")) });
    }
  },
  read: readRecords({
    isRevised: true,
    timeOf: (step) => step.created_at,
    idOf: ({ step_index, created_at }) =>
      step_index === undefined ? undefined : `${step_index}@${toTime(created_at) ?? ""}`,
    rows: rowsOf,
  }),
};

/** What the command line notes of its prompts: where each was typed, and for which conversation. */
function workspacesOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const last = findObject(`${root}/../cache/last_conversations.json`) ?? {};
  for (const [workspace, id] of Object.entries(last)) {
    if (typeof id === "string") found.set(id, workspace);
  }
  const text = findSmallText(`${root}/../history.jsonl`, maxHistoryBytes) ?? "";
  for (const line of text.split("\n")) {
    const row: Json = toObject(findJson(line)) ?? {};
    const [id, workspace] = [toText(row.conversationId), toWholePath(toText(row.workspace))];
    if (id && workspace) found.set(id, workspace);
  }
  return found;
}

/**
 * The IDE notes nowhere readable where a conversation was held: one whose tools were given a path of this
 * workspace belongs to it; else the directory in which its first command ran.
 */
function placeIn(text: string, workspace: string): string | undefined {
  const said = [...text.matchAll(pathArgument)]
    // As the text of JSON in JSON has them.
    .map(([, name, path]) => ({ name, path: toWholePath(path.replace(/\\+/g, "\\")) ?? "" }));
  if (said.some(({ path }) => `${path}/`.startsWith(`${workspace}/`))) return workspace;
  return said.find(({ name }) => name === "Cwd")?.path;
}

const pathArgument =
  /"(AbsolutePath|TargetFile|DirectoryPath|SearchPath|SearchDirectory|Cwd)":"(?:\\")?((?:\/[^"\\]|[A-Za-z]:\\)(?:[^"\\]|\\+(?!["\\]))+)/g;

function rowsOf(step: Json, { message, cwd }: make.Base, { memory, session, sink }: Reading): Rows {
  const ts = toTime(step.created_at) ?? session.started ?? "";
  const model = step.source === "MODEL" ? toText(memory.model) : undefined;
  const base = { message, ts, cwd, model };
  const text = toText(step.content) ?? "";
  if (step.type === "USER_INPUT") {
    const chosen = /`Model Selection` from .{0,80}? to (.{1,80}?)\.(?:\s|<|$)/.exec(text)?.[1];
    memory.model = chosen ?? memory.model;
    // The IDE says before and after it what is open, the time, and what was set.
    const typed = typedText(text, "USER_REQUEST", told);
    return typed ? [make.turn("user", typed, base)] : [];
  }
  if (step.type === "CHECKPOINT") {
    const title = /^# USER Objective:\n(.{1,200})$/m.exec(text)?.[1].trim();
    if (title) sink.describe({ title, title_from: "ai" });
    return text ? [make.notice("summary", text, base)] : [];
  }
  if (step.source !== "MODEL") return otherType(step.type);
  if (step.type === "PLANNER_RESPONSE") return answerRows(step, text, base, memory);
  return text || step.error ? [outputRow(step, text, base, memory)] : [];
}

const told = ["ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE", "EPHEMERAL_MESSAGE"];

function answerRows(step: Json, text: string, base: make.Base, memory: Json): SourceEntry[] {
  const rows: SourceEntry[] = [];
  const thinking = toText(step.thinking);
  if (thinking) rows.push(make.thinking(thinking, make.under(base, "thinking")));
  if (text.trim()) rows.push(make.turn("assistant", text, base));
  const calls = toObjects(step.tool_calls).map((call) => ({
    name: (toText(call.name) ?? "tool").replace(/^default_api:/, ""),
    input: plainInput(call.args ?? call.arguments),
  }));
  // Calls that never gave a result would shift the names of all later ones.
  if (calls.length > 0) {
    memory.waiting = calls.map(({ name, input }) => make.toolNameOf(name, input)).slice(
      -maxWaiting,
    );
  }
  return [...rows, ...calls.map((call, i) => make.toolCall(call, make.under(base, i)))];
}

function outputRow(step: Json, text: string, base: make.Base, memory: Json): SourceEntry {
  const output = text.replace(/^Created At: .*\n(?:Completed At: .*\n)?/, "");
  const exit = /\bexit(?:ed with)? code:? (\d{1,3})\b/.exec(output.slice(0, 400))?.[1];
  const edit = /changes were made by the \S+ tool to: (.+?)\. If relevant/.exec(output)?.[1];
  const path = edit && toProjectPath(edit, base.cwd);
  const diff = /\[diff_block_start\]\n([\s\S]*?)\[diff_block_end\]/.exec(output)?.[1];
  const [name, ...waiting] = toList(memory.waiting);
  memory.waiting = waiting;
  return make.toolOutput({
    name: name ?? String(step.type).slice(0, 60).toLowerCase(),
    output: output || String(step.error),
    error: step.status === "ERROR" || step.error !== undefined || Number(exit ?? 0) !== 0,
    exit: exit === undefined ? undefined : Number(exit),
    files: path ? [path] : undefined,
    patch: path ? withHead(path, diff) : undefined,
  }, base);
}

/** In the short transcript every value of the arguments is JSON in a string. */
function plainInput(args: unknown): unknown {
  const object = toObject(args);
  if (object === undefined) return args;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith('"') ? findJson(value) ?? value : value,
    ]),
  );
}
