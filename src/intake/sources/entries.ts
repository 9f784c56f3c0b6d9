// Makes the rows every source gives: turns, thinking, tool calls, tool outputs and summaries, so
// that one conversation looks the same whichever agent it was held with. Pure.

import { toWholePath } from "../../core/platform_path.ts";
import type { Role } from "../../core/entry.ts";
import { redactText } from "../../core/redact/redact.ts";
import { cutRecalled } from "../../core/rows/fence.ts";
import { ownToolOf } from "../../core/rows/own_tool.ts";
import { countLines } from "../../core/rows/tool_result.ts";
import {
  fingerprint,
  keepInput,
  keepOutput,
  keepPatch,
  keepText,
  type KeptText,
  maxInputChars,
  revisionOf,
} from "./content.ts";
import { findCommits, findMentions, findTouched, primaryArgument, toolEffect } from "./touched.ts";
import { type Json, toNumber, toText } from "./loose_json.ts";
import type { SourceEntry } from "./source.ts";
import type { usage } from "../../formats/history_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** What all rows of a message share. */
export interface Base {
  message: string;
  ts: string;
  cwd?: string;
  project?: string;
  branch?: string;
  model?: string;
  revision?: string;
}

/** Token usage as the producer recorded it; `id` names the request it belongs to. */
export type Usage = RowOf<typeof usage>;

/** What a producer calls the counts of a usage. */
export type UsageNames = Partial<Record<Exclude<keyof Usage, "id" | "model">, string>>;

/** A usage out of a producer's own counts. */
export function usageOf(id: string, counts: Json, names: UsageNames): Usage {
  const usage: Usage = { id };
  for (const own of Object.keys(names) as (keyof UsageNames)[]) {
    usage[own] = toNumber(counts[names[own] ?? ""]);
  }
  return usage;
}

/** Puts the usage of a message on the last of its rows. */
export function addUsage(
  rows: SourceEntry[],
  id: string,
  counts: Json | undefined,
  names: UsageNames,
): void {
  const last = rows.at(-1);
  if (last && counts) last.usage = usageOf(id, counts, names);
}

/** A model as rows name it: after its provider, where that is known. */
export function modelName(name: string | undefined, provider?: string): string | undefined {
  return name && provider ? `${provider}/${name}` : name;
}

/** The same facts for a further row of a message. */
export function under(base: Base, part: string | number): Base {
  return { ...base, message: `${base.message}:${part}` };
}

/** What was said: the text of a user, an assistant or the system. */
export function turn(role: Role, text: string, base: Base): SourceEntry {
  const own = withoutRecalled(text);
  const files = role === "user" ? findMentions(own.text, base.cwd) : [];
  return { ...common(base), role, type: "turn", ...own, ...filesOf(files) };
}

/** What was thought; found only when asked for. */
export function thinking(text: string, base: Base): SourceEntry {
  return { ...common(base), role: "assistant", type: "thinking", ...withoutRecalled(text) };
}

/** A notice of the harness worth keeping; a `summary` took the place of earlier turns. */
export function notice(type: string, text: string, base: Base): SourceEntry {
  return { ...common(base), role: "system", type, ...withoutRecalled(text) };
}

export function patch(files: string[], base: Base): SourceEntry {
  return { ...notice("patch", `Changed ${files.join(", ")}`, base), files };
}

export function withFiles(entry: SourceEntry, files: string[]): SourceEntry {
  return files.length === 0
    ? entry
    : { ...entry, files: [...new Set([...entry.files ?? [], ...files])] };
}

/** Adds files to the first row of what a person said. */
export function attach(rows: SourceEntry[], files: string[]): void {
  const first = rows.findIndex((row) => row.role === "user");
  if (first >= 0) rows[first] = withFiles(rows[first], files);
}

/**
 * A row of an edit with a fingerprint of what older versions did not keep of it: its patch, or the
 * rest of a long input. So reading it again can add that (`ctx import --again`).
 */
export function withEditRevision(entry: SourceEntry): SourceEntry {
  const input = entry.tool?.effect === "edit" ? JSON.stringify(entry.tool.input) ?? "" : "";
  const added = entry.patch ?? (input.length > maxInputChars ? input : undefined);
  return added === undefined ? entry : { ...entry, revision: revisionOf(added) };
}

/** The same row with a fingerprint of its content, perhaps without its time: it may change in place. */
export function revised(entry: SourceEntry, kind: boolean | "timeless" = true): SourceEntry {
  const { ts: _ts, ...timeless } = entry;
  return { ...entry, revision: revisionOf(kind === "timeless" ? timeless : entry) };
}

/** A call as agents store it; a name or id that is not text counts as missing. */
export interface Call {
  name: unknown;
  input: unknown;
  call_id?: unknown;
}

/** What came of a call. */
export interface Result {
  name?: unknown;
  output: string;
  error?: boolean | string;
  call_id?: unknown;
  files?: string[];
  agent?: string;
  /** The exit code of a command. */
  exit?: number;
  /** What an edit changed, as a unified diff. */
  patch?: string;
}

/** A tool call with its arguments; files it reads or edits are named. */
export function toolCall(call: Call, base: Base): SourceEntry {
  const { input } = call;
  const [name, call_id] = [toText(call.name) ?? "tool", toText(call.call_id)];
  const effect = toolEffect(name);
  const primary = primaryArgument(input);
  const isEdit = effect === "edit" || (primary?.includes("*** Begin Patch") ?? false);
  return {
    ...common(base),
    role: "assistant",
    type: "tool_call",
    text: primary === undefined
      ? name
      : `${name}: ${keepText(redactText(cutRecalled(primary).text).value.slice(0, 4000)).text}`,
    ...filesOf(findTouched(name, input, base.cwd)),
    ...recalledOf(cutRecalled(JSON.stringify(input) ?? "").cut),
    tool: {
      name,
      input: keepInput(input, { isEdit }),
      ...(effect === undefined ? {} : { effect }),
      ...(call_id === undefined ? {} : { call_id }),
    },
  };
}

/** A tool's result: capped text, true size and hash. */
export function toolOutput(result: Result, base: Base): SourceEntry {
  const { output, error, agent, exit, patch } = result;
  const [name, call_id] = [toText(result.name) ?? "tool", toText(result.call_id)];
  const { original_bytes, sha256 } = fingerprint(output);
  const own = cutRecalled(output);
  const commits = findCommits(output);
  const text = keepOutput(own.text);
  return {
    ...common(base),
    role: "tool",
    type: "tool_output",
    text,
    ...recalledOf(own.cut),
    ...filesOf(result.files ?? []),
    ...(commits.length === 0 ? {} : { commits }),
    ...(patch === undefined ? {} : { patch: keepPatch(patch) }),
    tool: {
      name,
      output_bytes: original_bytes,
      sha256,
      // Of a text that is not kept whole nobody could count them later.
      ...(text.length < own.text.length ? { lines: countLines(own.text) } : {}),
      ...(exit === undefined ? {} : { exit }),
      ...(error === undefined || error === false ? {} : { error }),
      ...(call_id === undefined ? {} : { call_id }),
      ...(agent === undefined ? {} : { agent }),
    },
  };
}

/** A call and, where that is known, its result, which has the name and id of the call. */
export function callRows(
  { name, input, call_id }: Call,
  result: Result | undefined,
  base: Base,
): SourceEntry[] {
  const call = toolCall({ name, input, call_id }, base);
  if (result === undefined) return [call];
  return [call, toolOutput({ name, call_id, ...result }, under(base, "output"))];
}

/**
 * The name of a tool as a source remembers it until the result comes: one of ctx's own has a name that
 * tells so by itself, whichever shell it was called from.
 */
export function toolNameOf(name: string, input: unknown): string {
  const own = ownToolOf(name, input);
  return own === undefined ? name : `ctx__${own.tool}`;
}

/** What is the speaker's own, as it is kept; how much was recalled goes along to be counted. */
function withoutRecalled(text: string): KeptText & { recalled?: number } {
  const { text: own, cut } = cutRecalled(text);
  return { ...keepText(own), ...recalledOf(cut) };
}

function recalledOf(cut: number): { recalled?: number } {
  return cut === 0 ? {} : { recalled: cut };
}

function common(base: Base): { message: string; ts: string } & Partial<SourceEntry> {
  const project = base.project ?? base.cwd;
  return {
    message: base.message,
    ts: base.ts,
    ...(project === undefined ? {} : { project: toWholePath(project) ?? project }),
    ...(base.branch === undefined ? {} : { branch: base.branch }),
    ...(base.model === undefined ? {} : { model: base.model }),
    ...(base.revision === undefined ? {} : { revision: base.revision }),
  };
}

function filesOf(files: string[]): { files?: string[] } {
  return files.length === 0 ? {} : { files };
}
