// The names of the tools that were called, until their results come, which often name no more than the
// call. Pure.

import * as make from "./entries.ts";
import { type Json, toObject, toText } from "./loose_json.ts";
import type { SourceEntry } from "./source.ts";

const maxRemembered = 60;

/** The calls of one conversation; those that a later read may need are its state. */
export class ToolNames {
  readonly #names: Map<string, string>;

  constructor(state: unknown) {
    const names = Object.entries(toObject(state) ?? {});
    this.#names = new Map(names.map(([id, name]) => [id, String(name)]));
  }

  /** What a later read must know. */
  state(most = maxRemembered): Json {
    return Object.fromEntries([...this.#names].slice(-most));
  }

  note(call_id: string, name: string, input: unknown): void {
    this.#names.set(call_id, make.toolNameOf(name, input));
  }

  /** The tool that was called under an id. */
  nameOf(call_id: string | undefined): string | undefined {
    return call_id === undefined ? undefined : this.#names.get(call_id);
  }

  /** The same, for a call that has no more results. */
  take(call_id: string | undefined): string | undefined {
    const name = this.nameOf(call_id);
    this.#names.delete(call_id ?? "");
    return name;
  }

  /** The row of a call, which is remembered. */
  call(call: make.Call, base: make.Base): SourceEntry {
    const call_id = toText(call.call_id);
    if (call_id !== undefined) this.note(call_id, toText(call.name) ?? "tool", call.input);
    return make.toolCall(call, base);
  }

  /** The row of a result, named after its call; `name` is for results that know it themselves. */
  output(result: make.Result, base: make.Base): SourceEntry {
    const name = this.nameOf(toText(result.call_id)) ?? result.name;
    return make.toolOutput({ ...result, name }, base);
  }
}
