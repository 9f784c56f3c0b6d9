// A command as an MCP tool: its definition, and a call that executes it and answers with data and
// text, each complete on its own. Independent of the SDK. Only `execute` validates.

import type { AnyCommand, Context, Effect, Proposal } from "../../command/command.ts";
import { withoutEmpty } from "../../command/brief.ts";
import { splitConfirm } from "../../command/confirm.ts";
import { execute } from "../../command/execute.ts";
import { CtxError, toCtxError, toErrorBody } from "../../core/errors.ts";
import { shortNotice } from "../../core/rows/fence.ts";
import { type AgentView, toAgentView, type ToldCommand } from "./agent_view.ts";
import { isRecalled, toRecalledText } from "./recalled_text.ts";
import { type HintOptions, toToolHint } from "./tool_hint.ts";
import { toInputSchema, type ToolSchema, toOutputSchema } from "./tool_schema.ts";

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: ToolSchema;
  outputSchema?: ToolSchema;
  annotations: ToolHints;
  _meta?: Record<string, unknown>;
}

/** The hints that clients use to decide whether to ask for approval. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

export interface ToolAnswer {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [field: string]: unknown;
}

/** The caller, its abort signal, and where to report progress. */
export interface ToolCall {
  signal: AbortSignal;
  client?: string;
  progress?(message: string, done?: number, total?: number): void;
}

/** A tool that can be listed and called. */
export interface ServedTool {
  definition: ToolDefinition;
  call(input: unknown, call: ToolCall): Promise<ToolAnswer>;
}

/** Serves a command; `name` is the tool's name, `summary` its description in the list. */
export function toTool(command: AnyCommand, options: ToolOptions): ServedTool {
  return {
    definition: {
      name: command.tool ?? command.name.replaceAll(" ", "_"),
      description: options.summary ?? command.summary.replace(/\.$/, ""),
      inputSchema: toInputSchema(command),
      outputSchema: toOutputSchema(command),
      annotations: toHints(command.effect),
    },
    async call(given, call) {
      const { input, confirm } = splitConfirm(
        command,
        options.toInput?.(given ?? {}) ?? given ?? {},
      );
      const told = await inWordsOf(command, { said: options.said, given });
      let proposal: Proposal | undefined;
      const consent = confirm || ((made: Proposal) => {
        proposal = made;
        return made.planned === undefined;
      });
      const opened = options.openCallContext(call, command.effect);
      try {
        const data = await execute(command, input, { ...await opened, consent });
        return toAnswer(await toAgentView(told, data, options.served), await opened);
      } catch (thrown) {
        if (proposal?.planned !== undefined) {
          const { question, planned } = proposal;
          const plan = await toAgentView(command, planned, options.served);
          const view = { unconfirmed: `${question} ${unconfirmed}`, ...plan };
          return { ...toAnswer(view, await opened), isError: true };
        }
        return toErrorAnswer(thrown, call.signal, { command, served: options.served });
      }
    },
  };
}

/** A tool called by the name of a document that ctx is based on answers in that document's words. */
async function inWordsOf(
  command: AnyCommand,
  { said, given }: { said: string | undefined; given: unknown },
): Promise<ToldCommand> {
  const isOurs = said === undefined && !Object.keys(given ?? {}).some((name) => /[A-Z]/.test(name));
  if (isOurs) return command;
  const { findAnswer, toOtherAnswer } = await import("../../core/rows/other_answers.ts");
  const fields = findAnswer(said ?? command.tool ?? "", given);
  if (fields === undefined) return command;
  return { ...command, brief: (data) => toOtherAnswer(fields, data), isWhole: true };
}

const unconfirmed = "Nothing was done. Show this to the user, then call again with confirm: true";

export interface ToolOptions {
  summary?: string;
  /** The other name it was called by, and the conversion of its input to our names. */
  said?: string;
  toInput?(given: unknown): unknown;
  /** The commands that hints may name as tools. */
  served: readonly AnyCommand[];
  /** The context of one call; its signal and progress are the caller's. */
  openCallContext(call: ToolCall, effect: Effect): Promise<Context> | Context;
}

/** The answer as data and as text; both say so if they contain stored text. */
export function toAnswer(view: AgentView, context: Context): ToolAnswer {
  const text = toRecalledText(view, { marker: makeMarker(context), nowMs: context.now() });
  const notice = isRecalled(view) ? { notice: shortNotice } : {};
  return { content: [{ type: "text", text }], structuredContent: { ...notice, ...view } };
}

/** An error in the form all interfaces use, with a hint for the model. */
export function toErrorAnswer(
  thrown: unknown,
  signal: AbortSignal,
  hints: HintOptions,
): ToolAnswer {
  const error = signal.aborted ? new CtxError("INTERRUPTED", "Interrupted") : toCtxError(thrown);
  const { hint: said, ...told } = toErrorBody(error);
  const body = { ...told, ...withoutEmpty({ hint: said && toToolHint(said, hints) }) };
  const hint = body.hint === undefined ? "" : `\nhint: ${body.hint}`;
  return {
    content: [{ type: "text", text: `${body.code}: ${body.message}${hint}` }],
    structuredContent: { error: body },
    isError: true,
  };
}

/** A marker that stored text cannot know; chance occurrences in text are broken up. */
export function makeMarker(context: Context): string {
  return `#${context.random().replaceAll("-", "").slice(0, 4)}`;
}

function toHints(effect: Effect): ToolHints {
  if (effect === "read") return { readOnlyHint: true, openWorldHint: false };
  const destructiveHint = effect === "destroy";
  return { readOnlyHint: false, destructiveHint, openWorldHint: false };
}
