// MCP over standard input and output: one JSON-RPC message per line. Answers unreadable messages with
// an error, and finishes pending requests when the input ends.

import type { JSONRPCMessage, McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isObject } from "../../core/json.ts";
import { LineSplitter, OverlongLine } from "./line_splitter.ts";

/** Where messages come from and go to. */
export interface Pipes {
  input: AsyncIterable<Uint8Array>;
  /** Writes one complete chunk. */
  write(bytes: Uint8Array): void;
  /** Reports an error that cannot be sent as a message. */
  report?(message: string): void;
}

/** The longest accepted message; a longer one is refused and skipped. */
export const maxMessageBytes = 16 * 1024 * 1024;

const drainMs = 5000;

/** Serves until the input ends or the signal fires; resolves after the last answer. */
export async function serveOverPipes(
  factory: McpServerFactory,
  pipes: Pipes,
  signal: AbortSignal,
): Promise<void> {
  const transport = new PipeTransport(pipes);
  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => pipes.report?.(error.message),
  });
  const stop = (): void => void transport.finish();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await transport.ended;
  signal.removeEventListener("abort", stop);
  await handle.close();
}

class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<void>;
  readonly #pipes: Pipes;
  readonly #pending = new Set<string | number>();
  #end: () => void;
  #idle?: () => void;
  #finishing = false;

  constructor(pipes: Pipes) {
    this.#pipes = pipes;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  start(): Promise<void> {
    this.#read().catch((error) => this.onerror?.(error)).finally(() => this.finish());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    try {
      this.#pipes.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
    } catch {
      this.finish();
      this.#idle?.();
    }
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#end();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Stops accepting messages, waits for pending answers, then ends. */
  async finish(): Promise<void> {
    if (this.#finishing) return;
    this.#finishing = true;
    if (this.#pending.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#idle = resolve;
      const timer = setTimeout(resolve, drainMs);
      await promise;
      clearTimeout(timer);
    }
    this.#end();
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(maxMessageBytes);
    for await (const chunk of this.#pipes.input) {
      if (this.#finishing) return;
      for (const line of lines.push(chunk)) this.#take(line);
    }
  }

  #take(line: Uint8Array | OverlongLine): void {
    if (line instanceof OverlongLine) {
      return this.#refuse(-32600, `Message is longer than ${maxMessageBytes} bytes`, line.id);
    }
    const message = parseMessage(line);
    if (message === undefined) return;
    if (message === "bad json") return this.#refuse(-32700, "Parse error: not JSON");
    if (message === "bad message") return this.#refuse(-32600, "Invalid request: not JSON-RPC 2.0");
    if ("method" in message && "id" in message && message.method !== "subscriptions/listen") {
      this.#pending.add(message.id);
    }
    if ("method" in message && message.method === "notifications/cancelled") {
      const cancelled: unknown = Reflect.get(message.params ?? {}, "requestId");
      if (typeof cancelled === "string" || typeof cancelled === "number") this.#settle(cancelled);
    }
    this.onmessage?.(message);
  }

  /** JSON-RPC wants `null` where the id could not be read; the SDK's types do not know it. */
  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.onerror?.(new Error(message));
    const answer = { jsonrpc: "2.0", id, error: { code, message } };
    this.#pipes.write(new TextEncoder().encode(JSON.stringify(answer) + "\n"));
  }

  #settle(id: string | number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#idle?.();
  }
}

function parseMessage(
  line: Uint8Array,
): JSONRPCMessage | "bad json" | "bad message" | undefined {
  const text = new TextDecoder().decode(line).trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "bad json";
  }
  return isMessage(value) ? value : "bad message";
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  const { id } = value;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") return false;
  return typeof value.method === "string" ||
    (id !== undefined && ("result" in value || "error" in value));
}
