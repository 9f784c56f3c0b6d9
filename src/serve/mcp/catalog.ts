// Everything one server offers: tools from the command table, the guide, resources and prompts.
// Plain values: the SDK is put around them in server.ts, and tests walk them without it.

import type { AnyCommand, Context, Effect } from "../../command/command.ts";
import { type Glance, readGlance } from "../../read/glance.ts";
import { agentName } from "../../core/rows/saved_by.ts";
import { CtxError } from "../../core/errors.ts";
import { findNearest, guessAt } from "../../core/text.ts";
import {
  guideName,
  guideNameFor,
  guideSummary,
  guideText,
  noStoreText,
  plainGuideName,
  toInstructions,
} from "./guide.ts";
import { makePrompts, type ServedPrompt } from "./prompts.ts";
import { type FindCommand, makeResources, type ServedResource } from "./resources.ts";
import { type ServedTool, type ToolCall, type ToolDefinition, toTool } from "./tool.ts";

export interface Catalog {
  /** Those that are loaded. */
  tools: ServedTool[];
  /** Loads the others, if they are not loaded yet. */
  loadTools?(): Promise<void>;
  resources: ServedResource[];
  prompts: ServedPrompt[];
  listTools(client: string | undefined): ToolDefinition[];
  /** Finds a tool that is not listed: a rarely used one, or one called by another name. */
  findTool?(name: string): Promise<ServedTool | undefined>;
  /** The tool most likely meant by an unknown name. */
  guessTool?(name: string): Promise<string | undefined>;
  /** The instructions, from the current state of the store. */
  readInstructions(): Promise<string | undefined>;
  /** Whether there is a store: without one nothing is listed, to save tokens in other projects. */
  hasStore(): boolean;
}

export interface CatalogOptions {
  /** The commands that may become tools. */
  commands: AnyCommand[];
  /** Loads them later, if `commands` is empty. */
  loadCommands?(): Promise<AnyCommand[]>;
  /** Finds other commands, for resources; those above when it is left out. */
  findCommand?: FindCommand;
  context: Context;
  /** `core`, `documents`, `all`, or names separated by commas. */
  tools?: string;
  readOnly?: boolean;
  /** The guide's name: `auto`, or one that the configuration fixes. */
  guideToolName?: string;
  /** Whether there is a store; one may be created while the server runs. Default: true. */
  hasStore?: () => boolean;
  /** The session of this client, opened if needed; called before a command that writes. */
  findSession?(call: ToolCall): Promise<string | undefined>;
}

/** The tools listed by default, and the commands behind them. */
const core: Readonly<Record<string, string>> = {
  search: "search",
  timeline: "timeline",
  get: "get",
  list: "sessions",
  save_memory: "save",
  context_suggest: "suggest",
  suggestion_feedback: "feedback",
};
export const coreTools: readonly string[] = Object.keys(core);
/** What a server with the core tools has to load. */
export const coreCommands: readonly string[] = Object.values(core);

/** The tools of documents, listed with `--tools documents`. */
const documentTools: readonly string[] = [
  "search",
  "docs_list",
  "docs_outline",
  "docs_section",
  "docs_get",
  "ask_documents",
];

export function makeCatalog(options: CatalogOptions): Catalog {
  const { commands, context, hasStore = () => true } = options;
  const find = options.findCommand ??
    ((name) => Promise.resolve(commands.find((command) => command.name === name)));
  const openCallContext = async (call: ToolCall, effect: Effect): Promise<Context> => {
    const session = effect === "read" ? undefined : await options.findSession?.(call);
    const env = (name: string): string | undefined =>
      name === "CTX_SESSION" && session !== undefined ? session : context.env(name);
    const progress = call.progress ?? context.progress;
    const agent = agentName(call.client, "mcp");
    return { ...context, env, surface: "mcp", agent, signal: call.signal, progress };
  };
  const picked: AnyCommand[] = [];
  const summaryOf = ({ tool = "" }: AnyCommand): string | undefined => summaries[tool];
  const tools = [guideName, plainGuideName].map(makeGuide);
  const serve = (given: AnyCommand[]): void => {
    picked.push(...pickCommands(given, options));
    tools.push(
      ...picked.map((command) =>
        toTool(command, { openCallContext, served: picked, summary: summaryOf(command) })
      ),
    );
  };
  let loading: Promise<void> | undefined;
  const { loadCommands } = options;
  if (!loadCommands) serve(commands);
  const visible = (name: string): boolean => name !== guideName && name !== plainGuideName;
  return {
    tools,
    loadTools: loadCommands && (() => loading ??= loadCommands().then(serve)),
    resources: makeResources(find, context),
    prompts: makePrompts(),
    hasStore,
    listTools(client) {
      if (!hasStore()) return [];
      const guide = guideNameFor(client, options.guideToolName);
      return tools.map(({ definition }) => definition)
        .filter(({ name }) => visible(name) || name === guide)
        .map((definition) => toListed(definition, client));
    },
    async findTool(name) {
      const { findMeant, toMeantInput } = await import("../../command/aliases.ts");
      const meant = findMeant(name) ?? { name };
      const command = await find(meant.name);
      if (command === undefined || !mayCall(command, options)) return undefined;
      return toTool(command, {
        openCallContext,
        served: picked,
        summary: summaryOf(command),
        said: name,
        toInput: (given) => toMeantInput(meant, { command, given }),
      });
    },
    async guessTool(name) {
      const { otherCommands } = await import("../../command/aliases.ts");
      const listed = tools.map(({ definition }) => definition.name).filter(visible);
      // Clients and people put the server's name in front.
      const bare = name.replace(/^.*ctx[_.:/-]+/, "");
      if (listed.includes(bare)) return bare;
      const near = findNearest(name, [...listed, ...Object.keys(otherCommands)]);
      if (near === undefined || listed.includes(near)) return near;
      return await this.findTool?.(near) && near;
    },
    async readInstructions() {
      if (!hasStore()) return noStoreText;
      return toInstructions(await findGlance(context), context.scopedSession !== undefined);
    },
  };
}

/**
 * Tool descriptions. Codex and Qwen Code show a tool only to a model that searches for it by name and
 * description, so these contain the words people use when they look for a memory.
 */
const summaries: Record<string, string | undefined> = {
  search:
    "Step 1: search project memory (history): past sessions, conversations, decisions, notes. Ranked results with ids",
  timeline: "Step 2: what came before and after an entry",
  get: "Step 3: exact texts from memory by id, page by page; or sessions by S- id, outline first",
  list: "List past sessions in memory, newest first; get reads them",
  save_memory: "Remember: save a decision, fact or note to memory for later sessions",
};

function pickCommands(commands: AnyCommand[], options: CatalogOptions): AnyCommand[] {
  const tools = commands.filter((command) => command.tool !== undefined)
    .filter((command) => !options.readOnly || command.effect === "read")
    // Commands about all sessions would only refuse on a server limited to one.
    .filter((command) => !command.unscoped || options.context.scopedSession === undefined);
  const wanted = options.tools ?? "core";
  if (wanted === "all") return tools;
  const names = toNames(wanted);
  if (wanted !== "core") {
    const known = commands.flatMap((command) => command.tool ?? []);
    const stranger = names.find((name) => !known.includes(name));
    if (stranger !== undefined) throw unknownTool(stranger, known);
  }
  return tellTools(names).flatMap((name) => tools.filter((command) => command.tool === name));
}

/** An agent that gets suggestions can also report which ones helped. */
function tellTools(names: readonly string[]): string[] {
  const told = names.flatMap((name) =>
    name === "context_suggest" ? [name, "suggestion_feedback"] : name
  );
  return [...new Set(told)];
}

/** The tools that `--tools` names. */
function toNames(wanted: string): readonly string[] {
  if (wanted === "core") return coreTools;
  return wanted === "documents" ? documentTools : wanted.split(",").map((name) => name.trim());
}

/** Whether an unlisted tool may be called: a server started with names has no others. */
function mayCall({ tool, local, effect }: AnyCommand, options: CatalogOptions): boolean {
  const { tools = "core", readOnly } = options;
  const names = tellTools(toNames(tools));
  const isWithin = tools === "core" || tools === "all" || names.includes(tool ?? "");
  return tool !== undefined && !local && isWithin && (!readOnly || effect === "read");
}

function unknownTool(name: string, known: string[]): CtxError {
  const guess = guessAt(name, known);
  return new CtxError("USAGE", `Cannot serve "${name}": there is no such tool${guess}`, {
    hint: `core, documents, all, or some of ${known.join(",")}`,
  });
}

function makeGuide(name: string): ServedTool {
  return {
    definition: {
      name,
      description: guideSummary,
      inputSchema: { type: "object", additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call() {
      return Promise.resolve({
        content: [{ type: "text", text: guideText }],
        structuredContent: { guide: guideText },
      });
    },
  };
}

/** Claude Code hides tools behind a search unless they ask to be loaded: these do. */
const alwaysLoaded = new Set(["search", "timeline", "get", "save_memory"]);

function toListed(definition: ToolDefinition, client: string | undefined): ToolDefinition {
  const isClaude = client !== undefined && /claude/i.test(client);
  if (!isClaude || !alwaysLoaded.has(definition.name)) return definition;
  return { ...definition, _meta: { "anthropic/alwaysLoad": true } };
}

async function findGlance(context: Context): Promise<Glance | undefined> {
  try {
    return await readGlance(context);
  } catch {
    return undefined;
  }
}
