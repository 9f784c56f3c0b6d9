// Turns Cursor's bubbles into entries: one agent turn is many bubbles of text, thinking and tools.
// They change in place, so rows carry revisions.

import * as make from "../entries.ts";
import { dig, findJson, type Json, toNumber, toObject, toObjects, toText } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { patchOfHunks } from "../patches.ts";
import { readValues } from "../reading.ts";
import { findTouched, pathsOf } from "../touched.ts";

/** Sends the rows of ordered bubbles into the sink. */
export async function emitBubbles(
  session: SourceSession,
  bubbles: { id: string; bubble: Json }[],
  { sink, ...chosen }: { sink: Sink; model?: string },
): Promise<void> {
  let { model } = chosen;
  await readValues(
    {
      isRevised: true,
      timeOf: ({ createdAt }) => createdAt,
      rows(bubble, base) {
        model = modelOf(dig(bubble, "modelInfo", "modelName")) ?? model;
        return bubbleRows(bubble, { ...base, model });
      },
    },
    session,
    sink,
    bubbles.map(({ id, bubble }) => ({ ...bubble, id })),
  );
}

/** The name of a model; "default" leaves the choice to Cursor and names none. */
export function modelOf(name: unknown): string | undefined {
  return name === "default" ? undefined : toText(name);
}

function bubbleRows(bubble: Json, base: make.Base): SourceEntry[] {
  const rows: SourceEntry[] = [];
  const thinking = toText(toObject(bubble.thinking)?.text);
  if (thinking) rows.push(make.thinking(thinking, make.under(base, "thinking")));
  const text = toText(bubble.text) ?? lexicalText(bubble.richText);
  if (text) {
    const turn = make.turn(bubble.type === 1 ? "user" : "assistant", text, base);
    const files = [
      ...toObjects(bubble.codeBlocks).map((block) => block.uri),
      ...toObjects(bubble.attachedFileCodeChunksMetadataOnly)
        .map((chunk) => chunk.relativeWorkspacePath),
    ];
    rows.push(make.withFiles(turn, pathsOf(files, base.cwd)));
  }
  rows.push(...toolRows(toObject(bubble.toolFormerData) ?? {}, base));
  const tokens = toObject(bubble.tokenCount);
  const isCounted = (toNumber(tokens?.outputTokens) ?? 0) > 0;
  if (isCounted) make.addUsage(rows, base.message, tokens, usageNames);
  return rows;
}

const usageNames = { input_tokens: "inputTokens", output_tokens: "outputTokens" };

function toolRows(tool: Json, base: make.Base): SourceEntry[] {
  const name = toText(tool.name);
  if (name === undefined) return [];
  const call_id = toText(tool.toolCallId)?.split("\n")[0];
  const [raw, shown] = [tool.rawArgs, tool.params].map((value) =>
    typeof value === "string" ? findJson(value) ?? toText(value) : value
  );
  const input = raw ?? shown;
  const call = make.toolCall({ name, input, call_id }, make.under(base, "call"));
  const output = toText(tool.result) ?? toText(tool.error);
  if (output === undefined) return [call];
  const error = tool.status === "error" || toText(tool.error) !== undefined;
  const [file = ""] = findTouched(name, input, base.cwd);
  const diff = output.startsWith("{") ? dig(findJson(output), "diff", "chunks") : undefined;
  const result = { name, call_id, output, error, patch: patchOfHunks(file, diff) };
  return [call, make.toolOutput(result, make.under(base, "output"))];
}

/** The plain text of a Lexical document, for bubbles that have nothing else. */
function lexicalText(value: unknown): string | undefined {
  const root = typeof value === "string" ? toObject(toObject(findJson(value))?.root) : undefined;
  if (root === undefined) return undefined;
  const walk = (node: Json): string =>
    toText(node.text) ?? toObjects(node.children).map(walk).join(node.type === "root" ? "\n" : "");
  return walk(root).trim() || undefined;
}
