// Where a session stands, from its entries: what was asked last, what is left of its list, files with the
// lines that were changed, commands with how they ended, what did not work and what did instead, what was
// decided. Of what tools printed nothing is told but counts of tests: anybody's words may stand there. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { type Edit, editsOf } from "../../core/rows/edits.ts";
import { type Run, toExchanges } from "../../core/rows/exchanges.ts";
import { programOf } from "../distil/find_commands.ts";
import { findDecisions } from "../distil/find_decisions.ts";
import { findFixes } from "../distil/find_fixes.ts";
import { countsOf, parseTodos } from "../distil/find_open.ts";
import { endOf } from "../distil/run_end.ts";
import { type Scene, toScenes } from "../distil/scenes.ts";
import { packLine } from "../pack/pack_line.ts";

/** The kinds of what a session has in hand, most needed first. */
export const stateKinds = [
  "asked",
  "to do",
  "edited",
  "ran",
  "read",
  "works instead",
  "decided",
] as const;

/** One thing that a session has in hand. */
export interface StateItem {
  kind: typeof stateKinds[number];
  /** On one line. */
  text: string;
  /** The words by which a text that has it is known: a file's name, a program. Without it, its own words. */
  sign?: string;
  /** How often it was used, the last uses counting most. */
  use: number;
  /** Actions since it was used last. */
  age: number;
  /** The entry that tells of it. */
  id?: string;
}

/** After so many actions a use counts half. */
const halfLife = 40;
const maxChars = 200;
const maxCommandChars = 120;

/** What the session of some entries has in hand; sub-agents' work is not its own. */
export function workingState(entries: readonly Entry[]): StateItem[] {
  const own = entries.filter(({ sidechain }) => sidechain !== true);
  const scenes = toScenes(toExchanges(own));
  return [
    ...findAsked(scenes),
    ...findTodos(own),
    ...findFiles(own),
    ...findRuns(scenes.flatMap(({ runs }) => runs)),
    ...findRefused(scenes),
    ...findDecided(scenes),
  ];
}

/** What the user typed last. */
function findAsked(scenes: readonly Scene[]): StateItem[] {
  const last = scenes.findLast(({ asked, isSide }) => asked !== "" && !isSide);
  if (last === undefined) return [];
  return [{ kind: "asked", ...textOf(last.asked), use: 1, age: 0, id: last.prompts[0]?.id }];
}

/** What of the last list of steps is not done. */
function findTodos(entries: readonly Entry[]): StateItem[] {
  const at = entries.findLastIndex((entry) => parseTodos(entry).length > 0);
  const listed = at < 0 ? [] : parseTodos(entries[at]);
  return [...listed, ...readTasks(entries)].filter(({ status }) => !done.test(status))
    .map(({ content }) => ({ kind: "to do", ...textOf(content), use: 1, age: 0 }));
}

const done = /^(?:completed|done|cancell?ed|deleted)$/;

/** The tasks of Claude Code, which are made and changed one at a time. */
function readTasks(entries: readonly Entry[]): { content: string; status: string }[] {
  const tasks = new Map<string, { content: string; status: string }>();
  const made = new Map<unknown, string>();
  for (const { type, tool, text } of entries) {
    const input = isObject(tool?.input) ? tool.input : {};
    if (tool?.name === "TaskCreate" && type === "tool_call") {
      if (typeof input.subject === "string") made.set(tool.call_id, input.subject);
    } else if (tool?.name === "TaskCreate") {
      const [content, id] = [made.get(tool.call_id), /#(\d+)/.exec(text)?.[1]];
      if (content !== undefined && id !== undefined) tasks.set(id, { content, status: "pending" });
    } else if (tool?.name === "TaskUpdate" && type === "tool_call") {
      const task = tasks.get(String(input.taskId));
      if (task !== undefined && typeof input.status === "string") task.status = input.status;
    }
  }
  return [...tasks.values()];
}

interface TouchedFile {
  use: number;
  last: number;
  edits: Edit[];
  isEdited: boolean;
}

/** The files that were read or edited, with the lines of the last edits. */
function findFiles(entries: readonly Entry[]): StateItem[] {
  const actions = entries.filter(({ type }) => type === "tool_call").length;
  const files = new Map<string, TouchedFile>();
  let action = 0;
  for (const entry of entries) {
    const effect = entry.tool?.effect;
    if (entry.type === "tool_call") action++;
    if (entry.type === "tool_call" && (effect === "read" || effect === "edit")) {
      for (const path of entry.files ?? []) {
        const file = files.get(path) ?? { use: 0, last: 0, edits: [], isEdited: false };
        file.use += weigh(actions - action);
        file.last = action;
        file.isEdited ||= effect === "edit";
        files.set(path, file);
      }
    } else if (entry.type === "tool_output") {
      for (const edit of editsOf(entry)) files.get(edit.path)?.edits.push(edit);
    }
  }
  const paths = [...files.keys()];
  return [...files].map(([path, { use, last, edits, isEdited }]) => ({
    kind: isEdited ? "edited" : "read",
    text: packLine(path + linesOf(edits), maxChars).text,
    sign: shortestEnd(path, paths),
    use,
    age: actions - last,
  }));
}

/** The end of a path that no other has: by its name a file is found, unless there are others of that name. */
function shortestEnd(path: string, paths: readonly string[]): string {
  const parts = path.split("/");
  for (let i = parts.length - 1; i > 0; i--) {
    const end = parts.slice(i).join("/");
    if (!paths.some((other) => other !== path && other.endsWith(`/${end}`))) return end;
  }
  return path;
}

function linesOf(edits: readonly Edit[]): string {
  const spans = edits.flatMap(({ line, new: now }) =>
    line === undefined ? [] : [[line, line + Math.max(1, now.split("\n").length) - 1]]
  );
  if (spans.length === 0) return "";
  const [from, to] = spans[spans.length - 1];
  return from === to ? `:${from}` : `:${from}-${to}`;
}

/** Commands by what they run, the last form of each, and how it ended. */
function findRuns(runs: readonly Run[]): StateItem[] {
  const actions = runs.length;
  const byProgram = new Map<string, { use: number; last: number; runs: Run[] }>();
  runs.forEach((run, at) => {
    const program = programOf(run.command);
    if (program === undefined) return;
    const known = byProgram.get(program) ?? { use: 0, last: 0, runs: [] };
    known.use += weigh(actions - at);
    known.last = at;
    known.runs.push(run);
    byProgram.set(program, known);
  });
  return [...byProgram].map(([program, { use, last, runs: own }]) => ({
    kind: "ran",
    text: tellRun(own),
    sign: program,
    use,
    age: actions - last,
    id: own.at(-1)?.call?.id,
  }));
}

function tellRun(runs: readonly Run[]): string {
  const run = runs[runs.length - 1];
  const command = (run.command ?? "").trim().replace(/^cd \S+ && /, "");
  const { end, printed = "" } = endOf(run) ?? {};
  const counts = countsOf(printed).slice(0, 3).join(", ");
  const isMended = end === "succeeded" && runs.slice(-4, -1).some(({ failed }) => failed);
  const result = end === "failed" ? "failed" : isMended ? "works again" : "";
  const told = [result, counts].filter(Boolean).join(": ");
  return `\`${packLine(command, maxCommandChars).text}\`${told === "" ? "" : ` (${told})`}`;
}

/** What a program refused, with what worked in its place. */
function findRefused(scenes: readonly Scene[]): StateItem[] {
  return findFixes(scenes).filter(({ subject }) => subject !== undefined)
    .map(({ text, evidence: [first] }) => ({
      kind: "works instead",
      ...textOf(text),
      use: 1,
      age: 0,
      id: first.id,
    }));
}

/** What the user decided, the last first: an agent's reasons may be anybody's words. */
function findDecided(scenes: readonly Scene[]): StateItem[] {
  return findDecisions(scenes)
    .filter(({ scene, evidence: [first] }) => !scene.isSide && first.role === "user")
    .toReversed()
    .map(({ text, scene, evidence: [first] }) => ({
      kind: "decided",
      ...textOf(text),
      use: 1,
      age: scenes.length - scene.number,
      id: first.id,
    }));
}

function textOf(text: string): { text: string } {
  return { text: packLine(text, maxChars).text };
}

function weigh(age: number): number {
  return 0.5 ** (age / halfLife);
}
