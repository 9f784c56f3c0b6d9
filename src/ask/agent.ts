// The loop between a model and read-only tools: it ends when the model answers, when nothing new
// turns up, when the limit or the cap is reached; then the model still answers with what it has.

import { AnswerReader } from "./answer_reader.ts";
import { answerNow } from "./prompt.ts";
import { fitMessages } from "./fit_messages.ts";
import { findJson, isObject } from "../core/json.ts";
import type {
  Completion,
  LlmClient,
  Message,
  TokenUsage,
  ToolCall,
  ToolSpec,
} from "./llm/message.ts";

/** A tool that the loop can call. */
export interface AgentTool extends ToolSpec {
  /** Returns mistakes of the model as text for it, instead of throwing. */
  run(input: unknown): Promise<ToolOutcome>;
}

/** What a tool gave: the text for the model, and the entries it showed. */
export interface ToolOutcome {
  text: string;
  ids: string[];
  failed?: boolean;
  /** The beginning of what it says, for people who watch. */
  preview?: string;
}

export type StopReason = "answered" | "limit" | "converged" | "no_leads" | "cap";

/** One thing that happened, for verbose output and traces. */
export type AgentStep =
  | { kind: "model"; usage: TokenUsage; tool_calls: number; duration_ms: number }
  | {
    kind: "tool";
    tool: string;
    arguments: string;
    ids: string[];
    failed: boolean;
    preview?: string;
  };

/** What the loop is given. */
export interface AgentOptions {
  client: LlmClient;
  tools: AgentTool[];
  messages: Message[];
  maxIterations: number;
  contextTokens: number;
  now: () => number;
  /** Asked before every call of the model: false ends the loop (the daily cap). */
  mayCall: () => boolean | Promise<boolean>;
  onStep: (step: AgentStep) => void | Promise<void>;
  onText?: (text: string) => void;
  /** Entries that were shown before the loop. */
  seen: Iterable<string>;
}

/** What the loop came to. */
export interface AgentRun {
  text: string;
  stopped: StopReason;
  iterations: number;
}

/** Rounds without a new entry after which the model has to answer. */
const quietRoundsAllowed = 3;

export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const messages = [...options.messages];
  const seen = new Set(options.seen);
  const done = new Set<string>();
  let stopped: StopReason | undefined;
  let quietRounds = 0;
  // What a model says before it asks for tools is a paragraph of its own.
  let before = "";
  for (let iteration = 1;; iteration++) {
    if (!await options.mayCall()) return { text: "", stopped: "cap", iterations: iteration - 1 };
    if (iteration >= options.maxIterations) stopped ??= "limit";
    if (stopped && iteration > 1) messages.push({ role: "user", content: answerNow });
    const { text, toolCalls } = await askOnce(messages, options, { stopped, before });
    if (text.trim() !== "") before = "\n\n";
    if (toolCalls.length === 0) stopped ??= "answered";
    if (stopped) return { text, stopped, iterations: iteration };
    messages.push({ role: "assistant", content: text, tool_calls: toolCalls });
    const known = seen.size;
    for (const call of toolCalls) messages.push(await answerCall(call, options, { seen, done }));
    quietRounds = seen.size === known ? quietRounds + 1 : 0;
    if (quietRounds >= quietRoundsAllowed) stopped = seen.size > 0 ? "converged" : "no_leads";
  }
}

async function askOnce(
  messages: Message[],
  options: AgentOptions,
  { stopped, before }: { stopped?: StopReason; before: string },
): Promise<Completion> {
  const start = options.now();
  const { onText } = options;
  const reader = new AnswerReader(before);
  const show = (text: string): void => text === "" ? undefined : onText?.(text);
  const completion = await options.client.complete({
    messages: fitMessages(messages, options.contextTokens),
    tools: options.tools,
    toolChoice: stopped === undefined ? "auto" : "none",
    onText: onText && ((piece) => show(reader.push(piece))),
  });
  show(reader.end());
  await options.onStep({
    kind: "model",
    usage: completion.usage,
    tool_calls: completion.toolCalls.length,
    duration_ms: options.now() - start,
  });
  return completion;
}

async function answerCall(
  call: ToolCall,
  { tools, onStep }: AgentOptions,
  { seen, done }: { seen: Set<string>; done: Set<string> },
): Promise<Message> {
  const outcome = await callTool(call, tools, done);
  const { text: content, ids, failed = false, preview } = outcome;
  for (const id of ids) seen.add(id);
  await onStep({ kind: "tool", tool: call.name, arguments: call.arguments, ids, failed, preview });
  return { role: "tool", tool_call_id: call.id, content };
}

async function callTool(
  call: ToolCall,
  tools: AgentTool[],
  done: Set<string>,
): Promise<ToolOutcome> {
  const tool = tools.find((item) => item.name === call.name);
  if (tool === undefined) {
    const known = tools.map((item) => item.name).join(", ");
    return refuse(`There is no tool "${call.name}". The tools are: ${known}.`);
  }
  const key = `${call.name} ${call.arguments}`;
  if (done.has(key)) return refuse("You made this call before; its result is above.");
  done.add(key);
  const input = findArguments(call.arguments);
  if (input === undefined) return refuse("The arguments are not a JSON object. Send them again.");
  return await tool.run(input);
}

function refuse(text: string): ToolOutcome {
  return { text, ids: [], failed: true, preview: text };
}

function findArguments(text: string): object | undefined {
  const value = text.trim() === "" ? {} : findJson(text);
  return isObject(value) ? value : undefined;
}
