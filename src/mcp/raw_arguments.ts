// The arguments of a tool call as they came. The SDK refuses what is no object with an error of its
// own and passes over a key named `__proto__`; a tool answers both like any other wrong input.

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { isObject } from "../core/json.ts";

/** Keeps the arguments that the SDK would change, from the message to the tool's call. */
export class RawArguments {
  readonly #kept = new Map<string | number, unknown>();
  readonly #isTool: (name: unknown) => boolean;

  constructor(isTool: (name: unknown) => boolean) {
    this.#isTool = isTool;
  }

  /** Looks at every message of a connected transport before the SDK does. */
  watch(transport: Transport): void {
    const next = transport.onmessage;
    transport.onmessage = (message, extra) => next?.(this.#keep(message), extra);
  }

  /** What a call was given: kept under its request's id, or as the SDK read it. */
  take(id: string | number, parsed: unknown): unknown {
    if (!this.#kept.has(id)) return parsed;
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    return kept;
  }

  #keep<T extends JSONRPCMessage>(message: T): T {
    if (!("method" in message) || !("id" in message) || message.method !== "tools/call") {
      return message;
    }
    // A call that the SDK refused never took what was kept for it.
    this.#kept.delete(message.id);
    const { params } = message;
    if (!isObject(params) || params.arguments === undefined || !this.#isTool(params.name)) {
      return message;
    }
    if (isObject(params.arguments) && !Object.hasOwn(params.arguments, "__proto__")) return message;
    this.#kept.set(message.id, params.arguments);
    return { ...message, params: { ...params, arguments: {} } };
  }
}
