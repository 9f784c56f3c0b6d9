// The raw arguments of a tool call. The SDK rejects anything but an object with its own error and ignores
// a key named `__proto__`; a tool should answer both like any other wrong input. A tool that is not
// listed is called in place of one that is. Messages wait here for tools that are loaded later.

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { isObject } from "../../core/json.ts";
import type { Catalog } from "./catalog.ts";
import type { ServedTool } from "./tool.ts";

interface Kept {
  input: unknown;
  /** The tool to call, if it is not the one whose name the SDK was given. */
  tool?: ServedTool;
}

/** Keeps what the SDK would change or reject in a call, from the message to the tool. */
export class RawArguments {
  readonly #kept = new Map<string | number, Kept>();
  readonly #catalog: Catalog;
  /** Called when tools were loaded that the server does not have. */
  readonly #add: () => void;

  constructor(catalog: Catalog, add: () => void) {
    this.#catalog = catalog;
    this.#add = add;
  }

  /** Looks at every message of a connected transport before the SDK does. */
  watch(transport: Transport): void {
    const next = transport.onmessage;
    const take: typeof next = (message, extra) => {
      const unlisted = this.#findUnlisted(message);
      if (unlisted === undefined) return next?.(this.#keep(message), extra);
      unlisted.catch(() => undefined).then(async (tool) => {
        const said = tool ? message : await this.#withGuess(message).catch(() => message);
        next?.(this.#keep(said, tool), extra);
      });
    };
    transport.onmessage = this.#catalog.loadTools ? this.#afterTools(take, transport) : take;
  }

  /** The answer to `initialize` names no tool; whatever comes next has them loaded, and waits. */
  #afterTools<T extends JSONRPCMessage, E>(
    take: (message: T, extra: E) => void,
    transport: Transport,
  ): (message: T, extra: E) => void {
    const waiting: [T, E][] = [];
    let isLoaded = false;
    let next = take;
    const load = async (): Promise<void> => {
      try {
        await this.#catalog.loadTools?.();
        this.#add();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        transport.onerror?.(new Error(`Cannot load the tools: ${reason}`));
        next = (message) => refuse(message, { transport, reason });
      }
      isLoaded = true;
      for (const message of waiting) next(...message);
    };
    return (message, extra) => {
      const isFirst = "method" in message && message.method === "initialize";
      if (isLoaded || (isFirst && waiting.length === 0)) return next(message, extra);
      if (waiting.push([message, extra]) === 1) load();
    };
  }

  /** The arguments of a call and the tool to answer it; as parsed by the SDK if nothing is kept. */
  take(id: string | number, parsed: unknown): Kept {
    const kept = this.#kept.get(id) ?? { input: parsed };
    this.#kept.delete(id);
    return kept;
  }

  #findUnlisted(message: JSONRPCMessage): Promise<ServedTool | undefined> | undefined {
    const name = "method" in message && message.method === "tools/call" && message.params?.name;
    if (typeof name !== "string" || this.#isTool(name)) return undefined;
    return this.#catalog.findTool?.(name);
  }

  /** The SDK reports an unknown tool by name: put the nearest one into that name. */
  async #withGuess<T extends JSONRPCMessage>(message: T): Promise<T> {
    if (!("method" in message) || typeof message.params?.name !== "string") return message;
    const { name } = message.params;
    const near = await this.#catalog.guessTool?.(name);
    if (near === undefined) return message;
    return { ...message, params: { ...message.params, name: `${name} (did you mean ${near}?)` } };
  }

  #isTool(name: unknown): boolean {
    return this.#catalog.tools.some(({ definition }) => definition.name === name);
  }

  #keep<T extends JSONRPCMessage>(message: T, tool?: ServedTool): T {
    if (!("method" in message) || !("id" in message) || message.method !== "tools/call") {
      return message;
    }
    // Drop what was kept for a call that the SDK rejected.
    this.#kept.delete(message.id);
    const { params } = message;
    if (!isObject(params)) return message;
    const input = params.arguments;
    if (tool === undefined) {
      if (input === undefined || !this.#isTool(params.name)) return message;
      if (isObject(input) && !Object.hasOwn(input, "__proto__")) return message;
    }
    this.#kept.set(message.id, { input, tool });
    const name = tool === undefined ? params.name : this.#catalog.tools[0].definition.name;
    return { ...message, params: { ...params, name, arguments: {} } };
  }
}

/** Answers a request that cannot be served: the program's files are damaged, or memory ran out. */
function refuse(
  message: JSONRPCMessage,
  { transport, reason }: { transport: Transport; reason: string },
): void {
  if (!("method" in message) || !("id" in message)) return;
  const error = { code: -32603, message: `Cannot load the tools of ctx: ${reason}` };
  transport.send({ jsonrpc: "2.0", id: message.id, error }).catch(() => {});
}
