// A session as a list of turns that every agent's format can hold: prompts, answers, and calls with
// their results. What a format cannot hold as it is becomes text in an answer: in a prompt it could
// pass for an instruction. Thinking, derived records and what was undone are left out. Pure.

import type { Entry } from "../../core/entry.ts";
import { isWholePath, toSystemPath } from "../../core/platform_path.ts";
import { redactText, redactValue } from "../../core/redact/redact.ts";
import { makeRestoredUuid } from "../../core/restored_uuid.ts";
import { isRecord } from "../../core/rows/record.ts";
import { mapCall, type MappedCall } from "./tool_map.ts";

/** Where a turn comes from. */
export interface TurnFacts {
  /** The entry's id. */
  id: string;
  ts: string;
  /** The producer's own id of the message. */
  message?: string;
  model?: string;
  cwd?: string;
  branch?: string;
}

/** What was said. */
export interface TextTurn extends TurnFacts {
  kind: "prompt" | "answer";
  text: string;
}

/** A call that the target's own tools can tell, and what came of it. */
export interface CallTurn extends TurnFacts {
  kind: "call";
  call_id: string;
  call: MappedCall;
  result: TurnFacts & { text: string; error: boolean };
}

export type Turn = TextTurn | CallTurn;

/** Turns of a session for an agent, oldest first; `from` is the agent that held it. */
export function toTurns(
  entries: readonly Entry[],
  agents: { from?: string; to: string },
): Turn[] {
  const told = newestOf(entries).filter(isTold);
  const outputs = pairOutputs(told);
  const paired = new Set(outputs.values());
  const ids = new Set<string>();
  return told.filter((entry) => !paired.has(entry)).flatMap((entry): Turn[] => {
    const output = outputs.get(entry);
    if (output === undefined) return [toText(entry)];
    const call = mapCall({ name: toolOf(entry), input: entry.tool?.input }, agents);
    if (call === undefined) return [toText(entry), toText(output)];
    return [{
      ...factsOf(entry),
      kind: "call",
      call_id: callId(entry, ids),
      call: { ...call, input: cleanValue(call.input) },
      result: { ...factsOf(output), text: clean(output.text), error: isError(output) },
    }];
  });
}

/** What changed in place is told once, where it first stood, as it is now. */
function newestOf(entries: readonly Entry[]): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) newest.set(entry.source?.message ?? entry.id, entry);
  return [...newest.values()];
}

function isTold(entry: Entry): boolean {
  return entry.text.trim() !== "" && entry.type !== "thinking" && entry.undone !== true &&
    !isRecord(entry);
}

/** The result of each call: the first of its number goes with the first, the second with the second. */
function pairOutputs(entries: readonly Entry[]): Map<Entry, Entry> {
  const outputs = new Map<Entry, Entry>();
  const numbered = entries.filter(({ tool }) => typeof tool?.call_id === "string");
  for (const rows of Map.groupBy(numbered, ({ tool }) => tool?.call_id).values()) {
    const results = rows.filter(({ type }) => type === "tool_output");
    const calls = rows.filter(({ type }) => type === "tool_call");
    for (const [i, call] of calls.entries()) if (results[i]) outputs.set(call, results[i]);
  }
  return outputs;
}

/** An id that every provider takes, once per transcript. */
function callId(entry: Entry, used: Set<string>): string {
  const own = String(entry.tool?.call_id).replace(/[^\w-]/g, "_");
  const id = own === "" || own.length > 64 || used.has(own)
    ? `call_${makeRestoredUuid(entry.id).replaceAll("-", "")}`
    : own;
  used.add(id);
  return id;
}

function toText(entry: Entry): TextTurn {
  const isSaid = entry.type === "turn" || entry.type === "note";
  if (entry.role === "user") return { ...factsOf(entry), kind: "prompt", text: clean(entry.text) };
  const text = entry.role === "assistant" && isSaid
    ? entry.text
    : `[${labelOf(entry)}]\n${entry.text}`;
  return { ...factsOf(entry), kind: "answer", text: clean(text) };
}

function labelOf(entry: Entry): string {
  if (entry.type === "tool_call") return "tool call";
  if (entry.role !== "tool") return entry.type;
  return `${isError(entry) ? "error" : "output"} of ${toolOf(entry)}`;
}

function toolOf({ tool }: Entry): string {
  return typeof tool?.name === "string" ? tool.name : "a tool";
}

function isError({ tool }: Entry): boolean {
  return tool?.error !== undefined && tool.error !== false;
}

function factsOf(entry: Entry): TurnFacts {
  const { id, ts, model, branch, project, source } = entry;
  return {
    id,
    ts,
    ...(source?.message === undefined ? {} : { message: source.message }),
    ...(model === undefined ? {} : { model }),
    ...(branch === undefined ? {} : { branch }),
    ...(isPlainPath(project) ? { cwd: toSystemPath(project) } : {}),
  };
}

/** Whether a path of this system says where it is by itself, and nothing else. */
export function isPlainPath(path: string | undefined, os = Deno.build.os): path is string {
  // deno-lint-ignore no-control-regex
  const odd = /[\x00-\x1f]|[\\/]\.\.(?:[\\/]|$)/;
  return path !== undefined && isWholePath(path, os) && !odd.test(path);
}

/** Without secrets, half characters and what moves a terminal's cursor. */
function clean(text: string): string {
  return withoutControls(redactText(text).value);
}

function cleanValue(value: unknown): unknown {
  const plain = JSON.stringify(redactValue(value).value ?? {});
  return JSON.parse(
    plain,
    (_key, part) => typeof part === "string" ? withoutControls(part) : part,
  );
}

/** A text without half characters and what moves a terminal's cursor or hides what follows. */
export function withoutControls(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, "");
}
