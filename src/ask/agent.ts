// The loop between a model and read-only tools: it ends when the model answers, when nothing new
// turns up, when the limit or the cap is reached; then the model still answers with what it has.

import { answerNow } from "./prompt.ts";
import { fitMessages } from "./fit_messages.ts";
import type { LlmClient, Message, TokenUsage, ToolCall, ToolSpec } from "../llm/message.ts";

/** A tool that the loop can call. */
export interface AgentTool extends ToolSpec {
  /** Never throws for what the model did wrong: it is told. */
  run(input: unknown): Promise<ToolOutcome>;
}

/** What a tool gave: the text for the model, and the entries it showed. */
export interface ToolOutcome {
  text: string;
  ids: string[];
  failed?: boolean;
}

/** Why the loop ended. */
export type StopReason = "answered" | "limit" | "converged" | "no_leads" | "cap";

/** One thing that happened, for verbose output and traces. */
export type AgentStep =
  | { kind: "model"; usage: TokenUsage; tool_calls: number; duration_ms: number }
  | { kind: "tool"; tool: string; arguments: string; ids: string[]; failed: boolean };

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

/** Runs the loop to an answer. */
export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const messages = [...options.messages];
  const seen = new Set(options.seen);
  const done = new Set<string>();
  let stopped: StopReason | undefined;
  let quietRounds = 0;
  for (let iteration = 1;; iteration++) {
    if (!await options.mayCall()) return { text: "", stopped: "cap", iterations: iteration - 1 };
    if (stopped === undefined && iteration >= options.maxIterations) stopped = "limit";
    if (stopped !== undefined && iteration > 1) messages.push({ role: "user", content: answerNow });
    const start = options.now();
    const { text, toolCalls, usage } = await options.client.complete({
      messages: fitMessages(messages, options.contextTokens),
      tools: options.tools,
      toolChoice: stopped === undefined ? "auto" : "none",
      onText: options.onText,
    });
    await options.onStep({
      kind: "model",
      usage,
      tool_calls: toolCalls.length,
      duration_ms: options.now() - start,
    });
    if (toolCalls.length === 0) {
      return { text, stopped: stopped ?? "answered", iterations: iteration };
    }
    if (stopped !== undefined) return { text, stopped, iterations: iteration };
    messages.push({ role: "assistant", content: text, tool_calls: toolCalls });
    let fresh = 0;
    for (const call of toolCalls) {
      const outcome = await callTool(call, options.tools, done);
      for (const id of outcome.ids) {
        if (!seen.has(id)) fresh++;
        seen.add(id);
      }
      await options.onStep({
        kind: "tool",
        tool: call.name,
        arguments: call.arguments,
        ids: outcome.ids,
        failed: outcome.failed ?? false,
      });
      messages.push({ role: "tool", tool_call_id: call.id, content: outcome.text });
    }
    quietRounds = fresh === 0 ? quietRounds + 1 : 0;
    if (quietRounds >= quietRoundsAllowed) stopped = seen.size > 0 ? "converged" : "no_leads";
  }
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
  const input = findJson(call.arguments);
  if (input === undefined) return refuse("The arguments are not a JSON object. Send them again.");
  return await tool.run(input);
}

function refuse(text: string): ToolOutcome {
  return { text, ids: [], failed: true };
}

function findJson(text: string): object | undefined {
  if (text.trim() === "") return {};
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
