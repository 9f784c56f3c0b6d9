// Turns messages that are lists of blocks into rows: text, thinking, calls and results, as Anthropic's
// interface has them and as those that took its shape over name them. Pure but for the counts.

import * as make from "./entries.ts";
import { type Json, toBlocks, toObject, toObjects, toText } from "./loose_json.ts";
import type { Tally } from "./problem_tally.ts";
import type { SourceEntry } from "./source.ts";
import { ToolNames } from "./tool_names.ts";

/** One conversation's blocks; results are named after their calls. */
export class BlockRows {
  readonly tools: ToolNames;
  readonly #tally: Tally;

  constructor(tally: Tally, tools = new ToolNames({})) {
    this.#tally = tally;
    this.tools = tools;
  }

  /** The rows of a message, the first under its id, the others under it and their place. */
  rows(role: "user" | "assistant", content: unknown, base: make.Base): SourceEntry[] {
    return (toBlocks(content) ?? []).flatMap((block, i) => [
      ...this.#fromBlock(block, role, {
        ...base,
        message: i === 0 ? base.message : `${base.message}:${i}`,
      }),
    ]);
  }

  *#fromBlock(block: Json, role: "user" | "assistant", base: make.Base): Generator<SourceEntry> {
    const text = toText(block.text);
    switch (block.type) {
      case "text":
        if (text?.trim()) yield make.turn(role, text, base);
        return;
      case "thinking": {
        const thinking = toText(block.thinking) ?? text;
        if (thinking?.trim()) yield make.thinking(thinking, base);
        return;
      }
      case "tool_use":
      case "toolCall": {
        const input = block.input ?? block.arguments;
        return yield this.tools.call({ name: block.name, input, call_id: block.id }, base);
      }
      case "tool_result":
        return yield this.tools.output({
          output: blocksText(block.content),
          call_id: block.tool_use_id,
          name: block.name,
          error: block.is_error === true,
        }, base);
      case "image":
      case "document":
        return this.#tally.skip("attachment");
      default:
        this.#tally.skip(`type:content.${String(block.type).slice(0, 40)}`);
    }
  }
}

/** The text of a result: a string, or blocks of which those without text are named. */
export function blocksText(content: unknown): string {
  if (typeof content === "string") return content;
  return toObjects(content).map((block) =>
    toText(block.text) ?? toText(toObject(block.content)?.text) ??
      `[${toText(block.mimeType) ?? String(block.type).slice(0, 40)}]`
  ).join("\n");
}
