// From HTTP to stdio: lets the conformance suite, which only speaks HTTP, talk to the stdio server.
// One server per client session; one for all requests of the protocol without sessions. Messages
// that belong to a request go out on its stream, the rest on the session's own.

import { LineSplitter, OverlongLine } from "../../../../src/serve/mcp/line_splitter.ts";

interface Message {
  jsonrpc: "2.0";
  id?: string | number;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
  [field: string]: unknown;
}

type Send = (message: Message) => void;

/** The two ends of a stdio server, in a process of its own or in this one. */
export interface StdioEnds {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
  ended: Promise<unknown>;
}

/** Serves `/mcp` by starting the given stdio server. */
export function makeBridge(start: () => StdioEnds): {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
} {
  const children: Child[] = [];
  const sessions = new Map<string, Child>();
  let modern: Child | undefined;
  const open = (): Child => {
    const child = new Child(start());
    children.push(child);
    return child;
  };
  return {
    async fetch(request) {
      const id = request.headers.get("mcp-session-id");
      const known = id === null ? undefined : sessions.get(id);
      if (request.method === "GET") {
        return known ? stream((send) => known.listen(send)) : new Response(null, { status: 405 });
      }
      if (request.method === "DELETE") {
        sessions.delete(id ?? "");
        known?.close();
        return new Response(null, { status: known ? 200 : 404 });
      }
      const message: Message = await request.json();
      if (message.method === "initialize" && !isModern(message)) {
        const child = open();
        const session = crypto.randomUUID();
        sessions.set(session, child);
        const [oldest] = sessions;
        if (sessions.size > 4) {
          sessions.delete(oldest[0]);
          oldest[1].close();
        }
        return await child.exchange(message, { "mcp-session-id": session });
      }
      if (id !== null && known === undefined) return new Response(null, { status: 404 });
      return await (known ?? (modern ??= open())).exchange(message, {});
    },
    async close() {
      await Promise.all(children.map((child) => child.close()));
    },
  };
}

function isModern(message: Message): boolean {
  return message.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
}

class Child {
  readonly #ends: StdioEnds;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<string, { send: Send; token: unknown; id: Message["id"] }>();
  #listener?: Send;
  #count = 0;

  constructor(ends: StdioEnds) {
    this.#ends = ends;
    this.#writer = ends.stdin.getWriter();
    this.#read();
  }

  listen(send: Send): void {
    this.#listener = send;
  }

  /** Sends one message; ids are made unique because several clients share the process. */
  async exchange(message: Message, headers: Record<string, string>): Promise<Response> {
    if (message.method === undefined || message.id === undefined) {
      await this.#write(message);
      return new Response(null, { status: 202, headers });
    }
    const { id } = message;
    const key = `b${this.#count++}`;
    const token = message.params?._meta?.progressToken;
    return stream((send, end) => {
      this.#waiting.set(key, {
        id,
        token,
        send: (answer) => {
          send(answer);
          if (answer.method === undefined) end();
        },
      });
      this.#write({ ...message, id: key });
    }, headers);
  }

  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#ends.ended;
  }

  async #write(message: Message): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(1 << 26);
    for await (const chunk of this.#ends.stdout) {
      for (const line of lines.push(chunk)) {
        if (line instanceof OverlongLine) continue;
        this.#route(JSON.parse(new TextDecoder().decode(line)));
      }
    }
  }

  #route(message: Message): void {
    if (message.method === undefined) {
      const waiting = this.#waiting.get(String(message.id));
      this.#waiting.delete(String(message.id));
      waiting?.send({ ...message, id: waiting.id });
      return;
    }
    const subscription = message.params?._meta?.["io.modelcontextprotocol/subscriptionId"];
    if (subscription !== undefined) {
      const waiting = this.#waiting.get(String(subscription));
      const _meta = {
        ...message.params?._meta,
        "io.modelcontextprotocol/subscriptionId": waiting?.id,
      };
      waiting?.send({ ...message, params: { ...message.params, _meta } });
      return;
    }
    const token = message.params?.progressToken;
    const related = token === undefined
      ? [...this.#waiting.values()].at(-1)
      : [...this.#waiting.values()].find((waiting) => waiting.token === token);
    (related?.send ?? this.#listener)?.(message);
  }
}

function stream(
  start: (send: Send, end: () => void) => void,
  headers: Record<string, string> = {},
): Response {
  const encoder = new TextEncoder();
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    cancel() {
      open = false;
    },
    start(controller) {
      start((message) => {
        if (!open) return;
        controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
      }, () => {
        if (open) controller.close();
        open = false;
      });
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}
