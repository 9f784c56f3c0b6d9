// Listens for HTTP on node:http, because Deno's own server ends when the process runs out of file
// descriptors and waits for silent clients forever. Here connections, headers and bodies have bounds:
// of many idle connections the oldest is closed, so that whoever asks is answered.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Where to listen, and until when. */
export interface ListenOptions {
  hostname: string;
  port: number;
  signal: AbortSignal;
  bounds?: Partial<Bounds>;
}

/** What clients may take up. */
export interface Bounds {
  /** Connections that ask nothing at the moment. */
  idleConnections: number;
  /** Requests that are being answered; more get 503. */
  requests: number;
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** How long answers under way may take once it is told to stop. */
  graceMs: number;
}

export interface Listening {
  port: number;
  /** Resolves when it has stopped. */
  finished: Promise<void>;
}

const defaults: Bounds = {
  idleConnections: 200,
  requests: 200,
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 30_000,
  graceMs: 500,
};

/** Listens until the signal fires; rejects when it cannot listen. */
export async function listenHttp(
  options: ListenOptions,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Listening> {
  const bounds = { ...defaults, ...options.bounds };
  const idle = new Set<Socket>();
  let requests = 0;
  const server = createServer({
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, bounds.headersMs),
  }, async (incoming, outgoing) => {
    const { socket } = incoming;
    idle.delete(socket);
    requests++;
    try {
      if (requests > bounds.requests) refuse(outgoing, 503, "Cannot answer: too many requests");
      else await answer(incoming, outgoing, { handler, origin: originOf(server.address()) });
    } catch {
      // The client is gone, or sent no valid request.
      socket.destroy();
    } finally {
      requests--;
      if (!socket.destroyed) idle.add(socket);
    }
  });
  // Out of file descriptors, a process stops accepting: connections beyond this are closed at once.
  server.maxConnections = bounds.idleConnections + bounds.requests;
  server.on("connection", (socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
    if (idle.size <= bounds.idleConnections) return;
    const [oldest] = idle;
    // Not on its close event: in a burst the next connection would pick the same one again.
    idle.delete(oldest);
    oldest.destroy();
  });
  const finished = new Promise<void>((resolve) => server.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // Whatever goes wrong with one connection must not end the others.
  server.on("error", () => {});
  const stop = (): void => {
    server.close();
    for (const socket of idle) socket.destroy();
    Deno.unrefTimer(setTimeout(() => server.closeAllConnections(), bounds.graceMs));
  };
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  return { port: (server.address() as AddressInfo).port, finished };
}

/** Asks the handler and passes its answer on, piece by piece. */
async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handler, origin }: {
    handler: (request: Request) => Response | Promise<Response>;
    origin: string;
  },
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const body = readBody(incoming);
  const request = toRequest(incoming, { origin, body: body.stream, signal: gone.signal });
  if (request === undefined) return refuse(outgoing, 400, "Cannot read the request");
  const response = await handler(request);
  // A client that is still sending reads the answer only after its body was taken.
  body.giveUp();
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body as never), outgoing);
}

function toRequest(
  incoming: IncomingMessage,
  { origin, body, signal }: {
    origin: string;
    body: ReadableStream<Uint8Array>;
    signal: AbortSignal;
  },
): Request | undefined {
  const method = incoming.method ?? "GET";
  const url = URL.parse(incoming.url ?? "/", origin);
  if (url === null || method === "CONNECT" || method === "TRACE") return undefined;
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1]);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url, {
    method,
    headers,
    body: hasBody ? body : undefined,
    signal,
  });
}

/** A body as a stream, and a way to be done with it without ending the connection. */
function readBody(
  incoming: IncomingMessage,
): { stream: ReadableStream<Uint8Array>; giveUp(): void } {
  let isRead = true;
  const giveUp = (): void => {
    isRead = false;
    incoming.resume();
  };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on("data", (chunk: Uint8Array) => {
        if (!isRead) return;
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => isRead && controller.close());
      incoming.once("error", (error) => isRead && controller.error(error));
    },
    pull() {
      incoming.resume();
    },
    cancel: giveUp,
  });
  return { stream, giveUp };
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const error = { code: "USAGE", message, retryable: status === 503 };
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify({ error }) + "\n");
}

function originOf(address: AddressInfo | string | null): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}`;
}
