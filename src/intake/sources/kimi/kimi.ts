// Kimi Code: `~/.kimi-code/sessions/<place>/<session>/agents/<agent>/wire.jsonl`, and before it Kimi CLI:
// `~/.kimi/sessions/<hash of the place>/<session>/wire.jsonl`. Both say the same events in different
// envelopes.

import { createHash } from "node:crypto";
import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import {
  type Json,
  parseArguments,
  toBlocks,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import { fileSource } from "../source_kinds.ts";
import { otherType, type Reading, readRecords, type Rows } from "../reading.ts";
import { findObject } from "../walk.ts";

export const kimi = fileSource({
  name: "kimi",
  title: "Kimi Code",
  roots: ({ env, home }) => [
    `${env("KIMI_CODE_HOME") || `${home}/.kimi-code`}/sessions`,
    `${env("KIMI_SHARE_DIR") || `${home}/.kimi`}/sessions`,
  ],
  files: /^wire\.jsonl$/,
  maxDepth: 5,
  describe(root, { place }) {
    const places = placesOf(root, place.workspace);
    return ({ path, head }) => {
      const [, above, id, agent] =
        /([^/]+)\/([^/]+?)(?:\/agents\/([^/]+))?\/wire\.jsonl$/.exec(path) ?? [];
      const directory = path.replace(/(?:\/agents\/[^/]+)?\/wire\.jsonl$/, "");
      const state = findObject(`${directory}/state.json`) ?? {};
      const isChild = agent !== undefined && agent !== "main";
      const started = /"(?:timestamp|time|created_at)"\s*:\s*([\d.]{10,20})/.exec(head.text)?.[1];
      return {
        id: isChild ? `${id}:${agent}` : id ?? path,
        cwd: head.find("cwd") ?? toText(state.workDir) ?? toText(state.cwd) ??
          places.get(above ?? ""),
        title: isChild ? undefined : toText(state.custom_title) ?? toText(state.title),
        started: toTime(Number(started)),
        parent: isChild ? id : undefined,
      };
    };
  },
  read: readRecords({
    timeOf: ({ timestamp, time }) => toTime(timestamp) ?? time,
    idOf: () => undefined,
    rows(record, base, reading) {
      reading.memory.model = toText(record.modelAlias) ?? reading.memory.model;
      const { kind, event } = eventOf(record);
      return rowsOf(kind, event, { base, reading });
    },
  }),
});

/** Kimi CLI names directories after a hash of the place, and lists the places. */
function placesOf(root: string, workspace: string): Map<string, string> {
  const listed = toObjects(findObject(`${root}/../kimi.json`)?.work_dirs)
    .map((row) => toText(row.path)).filter((path) => path !== undefined);
  return new Map(
    [...listed, workspace].map((path) => [createHash("md5").update(path).digest("hex"), path]),
  );
}

function eventOf(value: Json): { kind: string; event: Json } {
  const message = toObject(value.message);
  if (message) return { kind: String(message.type), event: toObject(message.payload) ?? {} };
  const event = toObject(value.event);
  if (value.type === "context.append_loop_event" && event) {
    return { kind: String(event.type), event };
  }
  return { kind: String(value.type), event: value };
}

function rowsOf(
  kind: string,
  event: Json,
  { base, reading: { tools, memory, blocks } }: { base: make.Base; reading: Reading },
): Rows {
  const ofModel = { ...base, model: toText(memory.model) };
  switch (kind) {
    case "turn.prompt":
    case "turn.steer":
    case "TurnBegin": {
      const blocks = toBlocks(event.input ?? event.user_input) ?? [];
      const text = blocksText(blocks.filter((block) => block.type === "text"));
      return text.trim() ? [make.turn("user", text, base)] : [];
    }
    case "content.part":
    case "ContentPart": {
      const part = toObject(event.part) ?? event;
      const isSaid = part.type === "text" || part.type === "think";
      return isSaid ? blocks.row(part, "assistant", ofModel) : [];
    }
    case "tool.call":
    case "ToolCall": {
      const made = toObject(event.function) ?? event;
      const input = parseArguments(made.args ?? made.arguments);
      const call_id = toText(event.toolCallId) ?? event.id;
      return [tools.call({ name: made.name, input, call_id }, ofModel)];
    }
    case "tool.result":
    case "ToolResult": {
      const result = toObject(event.result) ?? toObject(event.return_value) ?? {};
      return [
        tools.output({
          call_id: toText(event.toolCallId) ?? event.tool_call_id,
          output: blocksText(result.output) || (toText(result.message) ?? ""),
          error: result.isError === true || result.is_error === true,
        }, base),
      ];
    }
    case "CompactionEnd":
      return [make.notice("compaction", "Conversation compacted", base)];
    default:
      return otherType(kind);
  }
}
