// Wraps a catalog in the official SDK: one factory for every protocol version. The SDK only handles the
// protocol; schemas are passed through, so that only `execute` validates.

import {
  CLIENT_INFO_META_KEY,
  McpServer,
  type McpServerFactory,
  type McpServerOptions,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
  type Tool,
} from "@modelcontextprotocol/server";
import { config } from "zod/mini";
import { type CtxError, toCtxError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { decodePercent } from "../../core/utf8.ts";
import type { Catalog } from "./catalog.ts";
import type { ServedPrompt } from "./prompts.ts";
import { RawArguments } from "./raw_arguments.ts";
import type { ServedResource } from "./resources.ts";
import type { ServedTool, ToolCall, ToolDefinition } from "./tool.ts";
import type { ToolSchema } from "./tool_schema.ts";

// The SDK checks messages with zod, which would compile code for each of their schemas at the first
// message of its kind: 12 ms of a server's start, for what is then checked a few times.
config({ jitless: true });

export interface ServerOptions {
  catalog: Catalog;
  version: string;
  /** Whether connections stay open, so that clients can be notified when a store is created. */
  isLasting?: boolean;
  /** What the conformance tests add. */
  extension?: ServerExtension;
}

/** An addition to a server before it is used. */
export interface ServerExtension {
  options: McpServerOptions;
  /** Registers more on the server and says which tools to list. */
  add(server: McpServer): ToolDefinition[];
}

/** A factory that makes one server per connection or request; cheap and without side effects. */
export function makeServerFactory(options: ServerOptions): McpServerFactory {
  return async () => {
    const { catalog } = options;
    // Without a store, clients should refresh their lists soon.
    const ttlMs = catalog.hasStore() ? 60_000 : 1000;
    const server = new McpServer(
      { name: "ctx", title: "ctx memory", version: options.version },
      {
        instructions: await catalog.readInstructions(),
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
        cacheHints: {
          "tools/list": { ttlMs, cacheScope: "private" },
          "prompts/list": { ttlMs, cacheScope: "private" },
        },
        ...options.extension?.options,
      },
    );
    const raw = keepRawArguments(server, catalog);
    addTools(server, catalog.tools, raw);
    for (const resource of catalog.resources) addResource(server, resource);
    for (const prompt of catalog.prompts) addPrompt(server, prompt);
    listByClient(server, catalog, options.extension?.add(server) ?? []);
    if (options.isLasting && !catalog.hasStore()) tellOfStore(server, catalog);
    return server;
  };
}

const lookMs = 2000;

/** Tells the client to refresh its lists once there is a store. */
function tellOfStore(server: McpServer, catalog: Catalog): void {
  const timer = setInterval(() => {
    if (!catalog.hasStore()) return;
    clearInterval(timer);
    if (!server.isConnected()) return;
    server.sendToolListChanged();
    server.sendResourceListChanged();
  }, lookMs);
  Deno.unrefTimer(timer);
}

function keepRawArguments(server: McpServer, catalog: Catalog): RawArguments {
  const known = catalog.tools.length;
  const raw: RawArguments = new RawArguments(catalog, () => {
    // A client that was given no list need not hear that it has changed.
    const tell = server.sendToolListChanged.bind(server);
    server.sendToolListChanged = () => {};
    addTools(server, catalog.tools.slice(known), raw);
    server.sendToolListChanged = tell;
  });
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    raw.watch(transport);
  };
  return raw;
}

function addTools(server: McpServer, tools: ServedTool[], raw: RawArguments): void {
  for (const tool of tools) addTool(server, tool, raw);
}

function addTool(server: McpServer, tool: ServedTool, raw: RawArguments): void {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } =
    tool.definition;
  server.registerTool(name, {
    title,
    description,
    inputSchema: advertise(inputSchema),
    ...(outputSchema ? { outputSchema: advertise(outputSchema) } : {}),
    annotations,
    _meta,
  }, (parsed, request) => {
    const { input, tool: meant = tool } = raw.take(request.mcpReq.id, parsed);
    return meant.call(input, toCall(request, server));
  });
}

function addResource(server: McpServer, resource: ServedResource): void {
  const { name, uri, title, description, mimeType } = resource;
  const read = async (address: URL, id: string, request: ServerContext) => {
    try {
      const text = await resource.read(id, request.mcpReq.signal);
      return { contents: [{ uri: address.href, mimeType, text }] };
    } catch (thrown) {
      const error = toCtxError(thrown);
      if (isAbsent(error)) throw new ResourceNotFoundError(address.href);
      throw new Error(`${error.code}: ${error.message}`);
    }
  };
  const about = { title, description, mimeType };
  if (!uri.includes("{")) {
    server.registerResource(name, uri, about, (address, request) => read(address, "", request));
    return;
  }
  const { list, complete } = resource;
  const template = new ResourceTemplate(uri, {
    list: list ? async () => ({ resources: await list() }) : undefined,
    ...(complete ? { complete: { id: (value) => complete(value) } } : {}),
  });
  server.registerResource(
    name,
    template,
    about,
    (address, { id }, request) => read(address, decode(id), request),
  );
}

function addPrompt(server: McpServer, prompt: ServedPrompt): void {
  const { name, title, description } = prompt;
  const schema = advertise<Record<string, string>>({
    type: "object",
    properties: Object.fromEntries(
      prompt.arguments.map((item) => [item.name, {
        type: "string",
        description: item.description,
      }]),
    ),
    required: prompt.arguments.filter((item) => item.required).map((item) => item.name),
  });
  const answer = (given?: Record<string, string>) => {
    const values = given ?? {};
    const missing = prompt.arguments.find((item) => item.required && !isWritten(values[item.name]));
    if (missing) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot fill the prompt "${name}": its argument "${missing.name}" is missing`,
      );
    }
    const content = { type: "text" as const, text: prompt.render(values) };
    return { messages: [{ role: "user" as const, content }] };
  };
  if (prompt.arguments.length === 0) {
    server.registerPrompt(name, { title, description }, () => answer({}));
  } else {
    server.registerPrompt(name, { title, description, argsSchema: schema }, answer);
  }
}

/** The list depends on the client: the guide's name, and hints that only one client understands. */
function listByClient(server: McpServer, catalog: Catalog, others: ToolDefinition[]): void {
  server.server.setRequestHandler("tools/list", (_request, context) => {
    const tools = [...catalog.listTools(toCall(context, server).client), ...others];
    return { tools: tools as Tool[] };
  });
}

function toCall(request: ServerContext, server: McpServer): ToolCall {
  const { signal, _meta, notify, envelope } = request.mcpReq;
  const token = _meta?.progressToken;
  let last = 0;
  return {
    signal,
    client: clientNameOf(envelope) ?? server.server.getClientVersion()?.name,
    ...(token === undefined ? {} : {
      progress(message, done, total) {
        last = Math.max(last + 1, done ?? 0);
        const params = { progressToken: token, progress: last, total, message };
        notify({ method: "notifications/progress", params }).catch(() => {});
      },
    }),
  };
}

/** Since the 2026 protocol there is no handshake: every request names its client. */
function clientNameOf(envelope: object = {}): string | undefined {
  const info: unknown = Reflect.get(envelope, CLIENT_INFO_META_KEY);
  return isObject(info) && typeof info.name === "string" ? info.name : undefined;
}

function isWritten(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** A schema that is advertised but not checked here. */
function advertise<T = unknown>(schema: ToolSchema): StandardSchemaWithJSON<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "ctx",
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

function isAbsent(error: CtxError): boolean {
  return error.code === "NOT_FOUND" || error.code === "STORE_MISSING" || error.code === "USAGE";
}

function decode(id: string | string[]): string {
  return decodePercent(Array.isArray(id) ? id.join(",") : id);
}
