// Turns what Cline's panel showed (`ui_messages.json`) into entries, for tasks without the model's
// own conversation; for the others it tells what that does not.

import * as make from "../entries.ts";
import { findJson, type Json, toObject, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { shownAnswer } from "./cline_text.ts";

/** What the panel tells of a conversation: when each text was shown, the first model, each usage. */
export interface PanelFacts {
  times: ReadonlyMap<string, string>;
  usages: readonly Partial<make.Usage>[];
  model?: string;
}

export function panelFacts(messages: Json[], id: string): PanelFacts {
  const times = new Map<string, string>();
  for (const { text, ts } of messages) {
    const shown = shownAnswer(toText(text) ?? "").trim();
    const time = toTime(ts);
    if (shown !== "" && time !== undefined && !times.has(shown)) times.set(shown, time);
  }
  const requests = messages.filter(({ say }) => say === "api_req_started");
  const usages = requests.map((message, i) => usageOf(message, `${id}:request-${i}`) ?? {});
  return { times, usages, model: messages.map(modelOf).find((name) => name !== undefined) };
}

/** Sends the rows of a panel into the sink. */
export async function emitPanel(
  session: SourceSession,
  messages: Json[],
  sink: Sink,
): Promise<void> {
  let usage: make.Usage | undefined;
  let model: string | undefined;
  for (const [i, message] of messages.entries()) {
    sink.tally.messages++;
    if (isReplaced(message, messages[i + 1])) {
      sink.tally.skip("partial_message");
      continue;
    }
    const kind = toText(message.say) ?? toText(message.ask) ?? "";
    const ts = toTime(message.ts) ?? session.started ?? "";
    model = modelOf(message) ?? model;
    const base = { message: `${i}`, ts, cwd: session.cwd, model };
    if (kind === "api_req_started") {
      usage = usageOf(message, `${session.id}:${i}`);
      sink.tally.skip("bookkeeping");
      continue;
    }
    const row = toRow(kind, toText(message.text) ?? "", i === 0, base);
    if (row === undefined) {
      sink.tally.skip(message.text ? `message:${kind.slice(0, 40)}` : "empty_message");
      continue;
    }
    if (row.role === "assistant" && usage) {
      row.usage = usage;
      usage = undefined;
    }
    await sink.entry(make.revised(row));
  }
}

function toRow(
  kind: string,
  text: string,
  isFirst: boolean,
  base: make.Base,
): SourceEntry | undefined {
  if (text === "") return undefined;
  switch (kind) {
    case "task":
    case "user_feedback":
      return make.turn("user", text, base);
    case "text":
      return make.turn(isFirst ? "user" : "assistant", text, base);
    case "completion_result":
    case "followup":
    case "plan_mode_respond":
      return make.turn("assistant", shownAnswer(text), base);
    case "condense_context": {
      const summary = toText(toObject(findJson(text))?.summary);
      return summary ? make.notice("summary", summary, base) : undefined;
    }
    case "reasoning":
      return make.thinking(text, base);
    case "tool":
    case "use_mcp_server": {
      const input = toObject(findJson(text));
      return make.toolCall({ name: toText(input?.tool) ?? kind, input: input ?? text }, base);
    }
    case "command":
      return make.toolCall({ name: "command", input: { command: text } }, base);
    default: {
      const name = outputs[kind];
      return name === undefined
        ? undefined
        : make.toolOutput({ name, output: text, error: name === "error" }, base);
    }
  }
}

/** What shows the result of a tool, and of which. */
const outputs: Record<string, string | undefined> = {
  command_output: "command",
  mcp_server_response: "use_mcp_server",
  error: "error",
};

function modelOf({ modelInfo }: Json): string | undefined {
  const info = toObject(modelInfo);
  return toText(info?.modelId) ?? toText(info?.id);
}

/** A partial row that the next one continues. */
function isReplaced(message: Json, next: Json | undefined): boolean {
  return message.partial === true && next?.say === message.say && next?.ask === message.ask;
}

function usageOf(message: Json, id: string): make.Usage | undefined {
  const request = toObject(findJson(toText(message.text) ?? ""));
  return request && make.usageOf(id, request, {
    input_tokens: "tokensIn",
    output_tokens: "tokensOut",
    cache_read_tokens: "cacheReads",
    cache_write_tokens: "cacheWrites",
  });
}
