// Turns messages that are lists of blocks into rows: text, thinking, calls and results, as Anthropic's
// interface has them and under the names that other agents have for them. Pure but for the counts.

import * as make from "./entries.ts";
import { type Json, parseArguments, toBlocks, toObject, toObjects, toText } from "./loose_json.ts";
import type { Tally } from "./problem_tally.ts";
import type { SourceEntry } from "./source.ts";
import { ToolNames } from "./tool_names.ts";

const kinds: Record<string, "text" | "thinking" | "call" | "result" | "attachment" | undefined> = {
  text: "text",
  think: "thinking",
  thinking: "thinking",
  reasoning: "thinking",
  tool_use: "call",
  tool_call: "call",
  "tool-call": "call",
  toolCall: "call",
  toolUse: "call",
  tool_result: "result",
  "tool-result": "result",
  image: "attachment",
  image_url: "attachment",
  imageUrl: "attachment",
  binary: "attachment",
  document: "attachment",
};

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
    return (toBlocks(content) ?? []).flatMap((block, i) =>
      this.row(block, role, i === 0 ? base : make.under(base, i))
    );
  }

  /** The row of one block, if it gives one; `prefix` is for what counts those of other kinds. */
  row(
    block: Json,
    role: "user" | "assistant",
    base: make.Base,
    prefix = "content.",
  ): SourceEntry[] {
    const text = toText(block.text);
    const call_id = block.toolCallId ?? block.toolUseId;
    const name = block.toolName ?? block.name;
    switch (Object.hasOwn(kinds, String(block.type)) ? kinds[String(block.type)] : undefined) {
      case "text":
        return text?.trim() ? [make.turn(role, text, base)] : [];
      case "thinking": {
        const thinking = toText(block.thinking) ?? toText(block.think) ?? text;
        return thinking?.trim() ? [make.thinking(thinking, base)] : [];
      }
      case "call": {
        const input = block.input ?? block.arguments ?? block.args;
        const call = { name, input: parseArguments(input), call_id: call_id ?? block.id };
        return [this.tools.call(call, base)];
      }
      case "result": {
        const result = {
          output: resultText(block),
          call_id: call_id ?? block.tool_use_id ?? block.tool_call_id,
          name,
          error: block.is_error === true || block.isError === true,
        };
        return [this.tools.output(result, base)];
      }
      case "attachment":
        this.#tally.skip("attachment");
        return [];
      default:
        this.#tally.skip(`type:${prefix}${String(block.type).slice(0, 40)}`);
        return [];
    }
  }
}

function resultText({ result, content, mime_type }: Json): string {
  if (result !== undefined) return toText(result) ?? JSON.stringify(result);
  const media = toText(mime_type);
  return blocksText(content) || (media === undefined ? "" : `[${media}]`);
}

/** The text of a result: a string, or blocks of which those without text are named. */
export function blocksText(content: unknown): string {
  if (typeof content === "string") return content;
  return toObjects(content).map((block) =>
    toText(block.text) ?? toText(toObject(block.content)?.text) ??
      `[${toText(block.mimeType) ?? String(block.type).slice(0, 40)}]`
  ).join("\n");
}
