// MCP over Streamable HTTP, from Request to Response: the 2026 protocol without sessions, older
// clients with them. The caller checks Host, Origin and token.

import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  /** Tells subscribed clients that the tool list has changed. */
  toolsChanged(): void;
  close(): Promise<void>;
}

const maxSessions = 64;
const maxRequestBodySize = 16 * 1024 * 1024;

/** Serves every protocol version at one address. */
export function makeMcpEndpoint(
  factory: McpServerFactory,
  report: (message: string) => void = () => {},
): McpEndpoint {
  const onerror = (error: Error): void => report(error.message);
  const modern = createMcpHandler(factory, { legacy: "reject", onerror, maxRequestBodySize });
  const legacy = new LegacySessions(factory, onerror);
  return {
    async fetch(request) {
      const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize });
      return await (isLegacy ? legacy : modern).fetch(request);
    },
    toolsChanged() {
      modern.notify.toolsChanged();
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

/** Sessions of clients before 2026; the least recently used one is dropped if there are too many. */
class LegacySessions {
  readonly #factory: McpServerFactory;
  readonly #onerror: (error: Error) => void;
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(factory: McpServerFactory, onerror: (error: Error) => void) {
    this.#factory = factory;
    this.#onerror = onerror;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return await this.#open(request);
    const transport = this.#sessions.get(id);
    if (transport === undefined) return unknownSession();
    this.#sessions.delete(id);
    this.#sessions.set(id, transport);
    return await transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((transport) => transport.close()));
  }

  async #open(request: Request): Promise<Response> {
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        maxRequestBodySize,
        onsessioninitialized: (id): void => this.#keep(id, transport),
        onsessionclosed: (id) => void this.#sessions.delete(id),
      });
    transport.onerror = this.#onerror;
    const server = await this.#factory({ era: "legacy", requestInfo: request });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.#sessions.set(id, transport);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= maxSessions) return;
    this.#sessions.delete(oldest[0]);
    oldest[1].close().catch(this.#onerror);
  }
}

function unknownSession(): Response {
  const error = { code: -32001, message: "Session not found" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
