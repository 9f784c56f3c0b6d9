// What a sub-agent is given when it starts: standing rules, and what concerns the task that it was given.
// It has no conversation to lose and a small context to fill: little, or nothing.

import { homeOf } from "../../core/platform_path.ts";
import type { Context } from "../../command/command.ts";
import { findJson, isObject, toFields, toList } from "../../core/json.ts";
import { fenceMemory, shortNotice } from "../../core/rows/fence.ts";
import { countTokens } from "../../core/tokens.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { diskFiles } from "../../disk/files.ts";
import type { Store } from "../../store/store.ts";
import { type Block, emptyBlock } from "../pack/block.ts";
import { makePromptBlock } from "../prompt/prompt_context.ts";
import { makeRulesBlock } from "../pack/start_pack.ts";
import type { HookCall } from "./hook_call.ts";

export const subagentTokens = 300;
/** The most of it that is about the task: the rest is for rules. */
const taskTokens = 150;

/** Makes the block: the task's lines first get what they need, the rules what is left. */
export async function makeSubagentBlock(
  store: Store,
  call: HookCall,
  context: Context,
): Promise<Block> {
  const config = await context.readConfig();
  const nowMs = context.now();
  const task = config.get("inject.prompt") ? findTask(call) : undefined;
  const conversation = call.subagent ?? call.conversation ?? "";
  const about = task === undefined
    ? emptyBlock("the task is not known")
    : withinTokens(await makePromptBlock(store, { prompt: task, conversation, nowMs }), taskTokens);
  const rules = config.get("inject.start")
    ? await makeRulesBlock(store, {
      config,
      nowMs,
      client: { name: call.agent, home: homeOf(context.env) },
      budgetTokens: subagentTokens - countTokens(about.text),
    })
    : emptyBlock("context at session start is turned off");
  return {
    ...about,
    text: rules.text + about.text,
    lines: [...rules.lines, ...about.lines],
  };
}

/** As many lines of a prompt's block as there is room for, the strongest first. */
function withinTokens(block: Block, budget: number): Block {
  if (countTokens(block.text) <= budget) return block;
  const lines = block.lines.slice(0, -1);
  const said = lines.map(({ text }) => text);
  const text = lines.length === 0 ? "" : fenceMemory(said, { attributes: {}, notice: shortNotice });
  return withinTokens({ ...block, lines, text }, budget);
}

const tailBytes = 256 << 10;
const maxTaskChars = 20_000;

/** The task: hooks do not tell it, but the transcript of the session that gave it ends with it. */
function findTask(call: HookCall): string | undefined {
  const { subagentType } = call;
  const transcript = findParentTranscript(call);
  using file = transcript === undefined ? undefined : diskFiles.openReader(transcript);
  if (file === undefined) return undefined;
  const bytes = new Uint8Array(Math.min(tailBytes, file.size));
  file.readAt(file.size - bytes.length, bytes);
  for (const line of decodeLossy(bytes).split("\n").reverse()) {
    if (!/"(?:Task|Agent|spawn_agent)"/.test(line)) continue;
    const tasks = tasksIn(findJson(line)).filter(({ type }) =>
      type === undefined || subagentType === undefined || type === subagentType
    );
    const task = tasks.at(-1)?.text.slice(0, maxTaskChars);
    if (task !== undefined) return task;
  }
  return undefined;
}

/**
 * Codex names the sub-agent's own transcript, which is new; that of who started it is beside it, or in the
 * folder of its own day.
 */
function findParentTranscript({ transcript, subagent, conversation = "" }: HookCall) {
  if (subagent === undefined || !transcript?.endsWith(`-${subagent}.jsonl`)) return transcript;
  const directory = transcript.replace(/[^/\\]*$/, "");
  const places = [directory, directory.replace(dayFolder, () => dayOf(conversation))];
  for (const place of new Set(places)) {
    const parent = diskFiles.list(place).find((name) => name.endsWith(`-${conversation}.jsonl`));
    if (parent !== undefined) return place + parent;
  }
  return undefined;
}

const dayFolder = /(?<=[/\\])\d{4}[/\\]\d\d[/\\]\d\d(?=[/\\]$)/;

/** The day on which a session began, as Codex names its folders: the time is what its id begins with. */
function dayOf(id: string): string {
  const date = new Date(parseInt(id.replace("-", "").slice(0, 12), 16) || 0);
  const digits = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}/${digits(date.getMonth() + 1)}/${digits(date.getDate())}`;
}

/** The tasks that a line of a transcript gives: of Claude Code, and of Codex. */
function tasksIn(line: unknown): { type?: string; text: string }[] {
  const { message, payload } = toFields(line);
  const calls = [...toList(toFields(message).content), payload].filter(isObject);
  return calls.flatMap(({ name, input, arguments: json }) => {
    if (!/^(?:Task|Agent|spawn_agent)$/.test(String(name))) return [];
    const given = toFields(typeof json === "string" ? findJson(json) : input);
    const text = given.prompt ?? given.message ?? given.task;
    const type = given.subagent_type ?? given.agent_type;
    if (typeof text !== "string") return [];
    return [typeof type === "string" ? { type, text } : { text }];
  });
}
