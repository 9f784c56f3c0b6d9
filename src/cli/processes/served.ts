// What `mcp` and `serve` have in common: the workspace, the sandbox, and a server made from the
// command table. Everything heavy is imported here, when a server is really started.

import { fromFileUrl } from "../../core/platform_path.ts";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { type ContextOptions, openContext } from "../../app/app.ts";
import type { AnyCommand, Context } from "../../command/command.ts";
import { agentName } from "../../core/rows/saved_by.ts";
import { findCommand, loadCommands } from "../../commands/mod.ts";
import { keepFresh } from "../../config/fresh_config.ts";
import { configFiles } from "../../config/load_config.ts";
import { CtxError } from "../../core/errors.ts";
import { idPattern, makeId } from "../../core/id.ts";
import type { Catalog } from "../../serve/mcp/catalog.ts";
import * as sandbox from "../../serve/mcp/sandbox.ts";
import type { ServerExtension } from "../../serve/mcp/server_factory.ts";
import type { ToolCall } from "../../serve/mcp/tool.ts";
import { findWorkspace, holdsStore, layoutOf, realDirectory } from "../../disk/layout.ts";
import { versionInfo } from "../../version.ts";
import { writeBytes, writeOut } from "../line/terminal.ts";

export interface ServedOptions {
  workspace: string;
  surface: "mcp" | "http";
  /** `all`, `current`, or the id of the one session to show. */
  session: string;
  read_only: boolean;
  tools: string;
  guide_name?: string;
  /** Other commands than those of the table. */
  table?: Pick<typeof import("../../commands/mod.ts"), "findCommand" | "loadCommands">;
  /** What is otherwise in the context of everything that it runs. */
  alone?: Partial<Context>;
  /** What the conformance tests add. */
  extension?: ServerExtension;
  /** Whether the usual tools may be loaded when the client has the answer to its first message. */
  later?: boolean;
}

/** A server that only needs a transport. */
export interface Served {
  context: Context;
  catalog: Catalog;
  factory: McpServerFactory;
}

/** The directory to be held to; where there is no store, one may be made later. */
export function findServedWorkspace(asked: string | undefined): string {
  const start = realDirectory(asked ?? Deno.cwd());
  return asked === undefined ? findWorkspace({ cwd: start }) ?? start : start;
}

/** What `--tools` is where a document's program is started: `ctx dex serve`, `ctx ctxpkg mcp`. */
const documentServers: ReadonlySet<string> = new Set(["dex", "ctxpkg"]);

/** Whether there is a store in a directory, readable or not: what is wrong with it, a call tells. */
export function isStored(workspace: string): boolean {
  try {
    return holdsStore(workspace);
  } catch {
    return true;
  }
}

/** Puts a server together from the table; opens nothing before a client asks. */
export async function openServed(options: ServedOptions): Promise<Served> {
  const { coreCommands, makeCatalog } = await import("../../serve/mcp/catalog.ts");
  const { makeServerFactory } = await import("../../serve/mcp/server_factory.ts");
  const context = { ...openScopedContext(options), ...options.alone };
  const table = options.table ?? { findCommand, loadCommands };
  const config = await context.readConfig();
  const isDocument = documentServers.has(options.tools);
  const tools = isDocument ? "core" : options.tools;
  const load = () => loadServedCommands(table, tools, coreCommands);
  const isLater = options.later === true && tools === "core" && !isDocument;
  const own = makeCatalog({
    commands: isLater ? [] : await load(),
    loadCommands: isLater ? load : undefined,
    findCommand: table.findCommand,
    context,
    tools,
    readOnly: options.read_only,
    guideToolName: options.guide_name ?? config.get("mcp.guide_tool_name"),
    hasStore: options.alone === undefined ? () => isStored(options.workspace) : undefined,
    findSession: options.session === "current"
      ? makeSessionOpener(context)
      : (call) => findLiveSession(call, context),
  });
  const catalog = isDocument
    ? await (await import("../../serve/mcp/document_catalog.ts")).toDocumentCatalog(
      own,
      options.tools,
    )
    : own;
  const { version } = versionInfo();
  return {
    context,
    catalog,
    factory: makeServerFactory({
      catalog,
      version,
      isLasting: options.surface === "mcp",
      extension: options.extension,
    }),
  };
}

/** The context of a server that may be held to one session, or to reading. */
export function openScopedContext(
  options: Pick<ServedOptions, "surface" | "workspace" | "session" | "read_only">,
): Context {
  const { surface, workspace } = options;
  const own = openServedContext({ surface, workspace, ...resolveSessions(options.session) });
  return { ...own, isReadOnly: options.read_only };
}

export function openServedContext(
  options: Pick<ContextOptions, "surface" | "workspace" | "scopedSession" | "ownSession">,
): Context {
  const warn = (message: string): void => writeOut("stderr", `ctx: warning: ${message}\n`);
  const context = openContext({ ...options, confined: true, warn });
  const root = findWorkspace({ workspace: context.workspace, cwd: context.cwd });
  const paths = configFiles(root && layoutOf(root).config, context.env).map(({ path }) => path);
  // What is wrong with a file is told when the store is opened; here it would be at every change.
  const load = () => openContext({ ...options, confined: true, warn: () => {} }).readConfig();
  return { ...context, readConfig: keepFresh(paths, load) };
}

/** Serves on the pipes of this process or worker until the input ends. */
export async function serveOnPipes(factory: McpServerFactory, stop: AbortSignal): Promise<number> {
  const { serveOverPipes } = await import("../../serve/mcp/stdio.ts");
  await serveOverPipes(factory, {
    input: readInput(),
    write: (bytes) => writeBytes("stdout", bytes),
    report: (message) => writeOut("stderr", `ctx: ${message}\n`),
  }, stop);
  return 0;
}

/** Standard input; as a stream it would take longer to load than everything it is used for. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  while (true) {
    const bytes = new Uint8Array(1 << 16);
    const count = await Deno.stdin.read(bytes);
    if (count === null) return;
    yield bytes.subarray(0, count);
  }
}

/** Loads what is served and nothing else: an agent waits for the answer to its first message. */
async function loadServedCommands(
  table: Required<ServedOptions>["table"],
  tools: string,
  core: readonly string[],
): Promise<AnyCommand[]> {
  const commands = tools === "core"
    ? await Promise.all(core.map((name) => table.findCommand(name)))
    : await table.loadCommands();
  return commands.filter((command) => command !== undefined).filter((command) => !command.local);
}

/**
 * Runs the server under the sandbox and returns its exit code, or undefined when this process is
 * confined already and should serve by itself.
 */
export async function confineServer(
  options: Pick<sandbox.SandboxOptions, "workspace" | "net" | "userStore" | "env" | "reads"> & {
    name: string;
    words: readonly string[];
    /** Another model than the configured one. */
    model?: string;
    /** Whether the server reads what comes on standard input; true unless it is said. */
    readsInput?: boolean;
    /** Whether it asks no model and no embedder, and so has no network but what it listens on. */
    isAlone?: boolean;
  },
): Promise<number | undefined> {
  if (sandbox.isConfined()) return undefined;
  const { startFlags } = await import("../../serve/mcp/start_flags.ts");
  const provider = options.isAlone
    ? { hosts: [], env: [] }
    : await findProviders(options.workspace, options.model);
  const plan = sandbox.planSandbox({
    workspace: options.workspace,
    configFile: configFiles(undefined, (name) => Deno.env.get(name))[0]?.path,
    codeDirectories: findCodeDirectories(),
    net: [...new Set([...options.net ?? [], ...provider.hosts])],
    reads: options.reads,
    userStore: options.userStore,
    env: [...provider.env, ...options.env ?? []],
  });
  const rest = withoutFlag(options.words, "--workspace");
  const args = [...options.name.split(" "), "--workspace", options.workspace, ...rest];
  if (sandbox.isCompiled()) {
    const module = new URL("../worker.ts", import.meta.url).href;
    return await sandbox.runConfinedWorker({ module, args, plan });
  }
  return await sandbox.runConfinedProcess({
    module: Deno.mainModule,
    args,
    plan,
    flags: versionInfo().form === "source" ? ["--quiet", "--no-prompt"] : startFlags,
    readsInput: options.readsInput ?? true,
  });
}

/** What the program itself reads while it runs: a bundle's pieces, or code and models loaded late. */
function findCodeDirectories(): string[] {
  const { form } = versionInfo();
  const inside = form === "source" ? ["src", "assets"] : form === "compiled" ? ["assets"] : ["."];
  return inside.map((name) => fromFileUrl(new URL(name, Deno.mainModule)).replace(/\/$/, ""));
}

/** The hosts of configured providers, which alone may be reached, and the variables with keys. */
async function findProviders(
  workspace: string,
  model: string | undefined,
): Promise<{ hosts: string[]; env: string[] }> {
  const { findLlmSettings, hostOf } = await import("../../ask/llm_settings.ts");
  const config = await openContext({ workspace }).readConfig();
  const llm = findLlmSettings(config, { model })?.provider;
  const embedder = config.get("embedder.kind") === "http" ? config.get("embedder.url") : undefined;
  return {
    hosts: [llm, embedder].flatMap((address) => address && hostOf(address) || []),
    env: embedder ? ["OPENAI_API_KEY"] : [],
  };
}

/** With `current`, this client gets a session of its own, written down when it first writes. */
function resolveSessions(asked: string): { scopedSession?: string; ownSession?: string } {
  if (asked === "all") return { ownSession: Deno.env.get("CTX_SESSION") || undefined };
  if (asked === "current") return { ownSession: makeId("S", Date.now(), crypto.randomUUID()) };
  if (!idPattern.test(asked)) {
    throw new CtxError("USAGE", `Cannot serve session "${asked.slice(0, 80)}": that is not an id`, {
      hint: "ctx sessions",
    });
  }
  return { scopedSession: asked };
}

/** Where no session was chosen: that of the agent behind the client, if its hooks told of one. */
async function findLiveSession(
  { client }: ToolCall,
  context: Context,
): Promise<string | undefined> {
  if (context.ownSession !== undefined || context.scopedSession !== undefined) return undefined;
  if (client === undefined) return undefined;
  const { joinLiveSession } = await import("../../store/agent_sessions.ts");
  return await joinLiveSession(await context.openStore(), { client, now: context.now() });
}

function makeSessionOpener(
  context: Context,
): ((call: ToolCall) => Promise<string | undefined>) | undefined {
  const id = context.ownSession;
  if (id === undefined) return undefined;
  let opened: Promise<string> | undefined;
  const open = async ({ client }: ToolCall): Promise<string> => {
    const store = await context.openStore();
    const ts = new Date(context.now()).toISOString();
    const source = agentName(client, "");
    await store.write("session start", (writer) =>
      writer.appendSessionEvents([{
        event: "opened",
        session_id: id,
        ts,
        current: false,
        ...(source ? { source } : {}),
      }]));
    return id;
  };
  return (call) =>
    opened ??= open(call).catch((error) => {
      opened = undefined;
      throw error;
    });
}

/** The words of a command line without a flag and its value. */
export function withoutFlag(words: readonly string[], flag: string): string[] {
  return words.filter((word, i) =>
    word !== flag && words[i - 1] !== flag && !word.startsWith(`${flag}=`)
  );
}
