// Turns the conversation that Cline sent to the model (`api_conversation_history.json`) into
// entries: Anthropic messages with tools as blocks or, before, as XML in texts; the environment's
// details are wrapped into the user's text. The panel beside it tells times, models and usage.

import * as make from "../entries.ts";
import type { PanelFacts } from "./cline_panel.ts";
import { findResult, findTyped, splitResult, splitSaid, toAnswer } from "./cline_text.ts";
import { type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { ToolNames } from "../tool_names.ts";

const modelTag = /<model>([^<\n]{1,200})<\/model>/;

/** Sends the rows of a conversation into the sink. */
export async function emitApiHistory(
  session: SourceSession,
  messages: Json[],
  { sink, panel }: { sink: Sink; panel: PanelFacts },
): Promise<void> {
  const history = new ClineHistory();
  const answers = messages.filter((message) => message.role !== "user").length;
  let ts = session.started ?? "";
  let cwd = session.cwd;
  let model = panel.model;
  let answered = 0;
  for (const [i, message] of messages.entries()) {
    ts = toTime(message.ts) ?? ts;
    sink.tally.messages++;
    const blocks = toBlocks(message.content) ?? [];
    for (const block of blocks) {
      const text = toText(block.text) ?? "";
      cwd ??= /Current (?:Working|Workspace) Directory \(([^)]+)\)/.exec(text)?.[1];
      // Roo tells the model its own name.
      const details = text.lastIndexOf("<environment_details>");
      model = details < 0 ? model : modelTag.exec(text.slice(details))?.[1] ?? model;
    }
    const isUser = message.role === "user";
    const info = toObject(message.modelInfo);
    const own = toText(info?.modelId) ?? toText(info?.id) ?? model;
    const base = { message: `${i}`, ts, cwd, ...(isUser ? {} : { model: own }) };
    const said = isUser ? history.takeUser(blocks, base) : history.takeAssistant(blocks, base);
    // What Roo condensed: a summary stands for the turns before it.
    const rows = message.isSummary !== true
      ? said
      : said.map((row) =>
        row.type === "turn"
          ? make.notice("summary", row.text, { ...base, message: row.message })
          : row
      );
    const usage = isUser ? undefined : usageOf(message, `${session.id}:${i}`) ??
      (panel.usages.length === answers ? panel.usages[answered] : undefined);
    if (!isUser) answered++;
    if (usage && rows.length > 0) rows[rows.length - 1].usage = usage;
    if (rows.length === 0) sink.tally.skip(blocks.length === 0 ? "empty_message" : "harness_text");
    for (const row of rows) {
      const shown = message.ts === undefined ? panel.times.get(row.text) : undefined;
      if (shown !== undefined && shown > ts) ts = shown;
      await sink.entry(make.revised({ ...row, ts }));
    }
  }
  if (cwd !== undefined) sink.describe({ cwd });
}

/** A conversation being read: which calls wait for their results. */
class ClineHistory {
  readonly #tools = new ToolNames({});
  /** Calls as XML have no ids: a result is of the first open call of its tool. */
  readonly #open: { name: string; call_id: string }[] = [];

  takeAssistant(blocks: Json[], base: make.Base): SourceEntry[] {
    const hasCalls = blocks.some(({ type }) => type === "tool_use");
    return blocks.flatMap((block, b) => {
      const at = { ...base, message: `${base.message}.${b}` };
      const text = toText(block.text) ?? "";
      switch (block.type) {
        case "text":
          if (hasCalls) return text.trim() ? [make.turn("assistant", text.trim(), at)] : [];
          return this.#takeSaid(text, at);
        case "thinking":
        case "reasoning": {
          const thought = toText(block.thinking) ?? text;
          return thought ? [make.thinking(thought, at)] : [];
        }
        case "tool_use": {
          const { name, input, id: call_id } = block;
          this.#tools.call({ name, input, call_id }, at);
          return callRows({ name: toText(name) ?? "tool", input, call_id }, at);
        }
        default:
          return [];
      }
    });
  }

  takeUser(blocks: Json[], base: make.Base): SourceEntry[] {
    const rows: SourceEntry[] = [];
    let result: { name: string; texts: string[]; base: make.Base } | undefined;
    const close = (): void => {
      if (result === undefined) return;
      const { name, texts, base } = result;
      rows.push(...this.#resultRows({ name, text: texts.join("\n") }, base));
      result = undefined;
    };
    for (const [b, block] of blocks.entries()) {
      const at = { ...base, message: `${base.message}.${b}` };
      const text = toText(block.text) ?? "";
      if (block.type === "tool_result") {
        close();
        rows.push(...this.#toolResult(block, at));
      } else if (block.type === "text") {
        const found = findResult(text);
        if (found) {
          close();
          result = { name: found.name, texts: [found.rest], base: at };
        } else if (result) result.texts.push(text);
        else {
          const typed = findTyped(text);
          if (typed !== undefined) rows.push(make.turn("user", typed, at));
        }
      }
    }
    close();
    return rows;
  }

  /** A text with calls in it: the first part has the block's id, as if it were the only one. */
  #takeSaid(text: string, base: make.Base): SourceEntry[] {
    return [...splitSaid(text)].flatMap((part, p) => {
      const at = p === 0 ? base : { ...base, message: `${base.message}.${p}` };
      if (part.kind === "text") return [make.turn("assistant", part.text, at)];
      if (part.kind === "thinking") return [make.thinking(part.text, at)];
      const { name, input } = part;
      const call_id = `xml-${at.message}`;
      this.#open.push({ name, call_id });
      return callRows({ name, input, call_id }, at);
    });
  }

  #toolResult(block: Json, base: make.Base): SourceEntry[] {
    const call_id = toText(block.tool_use_id) ?? toText(block.id);
    const text = (toBlocks(block.content) ?? []).map((part) => toText(part.text) ?? "").join("\n");
    const name = this.#tools.nameOf(call_id) ?? "tool";
    const error = block.is_error === true;
    const whole = findResult(text)?.rest ?? text;
    return resultRows({ name, text: whole, call_id, error }, base);
  }

  #resultRows({ name, text }: { name: string; text: string }, base: make.Base): SourceEntry[] {
    const at = this.#open.findIndex((call) => call.name === name);
    const [call] = at < 0 ? [] : this.#open.splice(at, 1);
    const error = /^The tool execution failed with the following error/.test(text);
    return resultRows({ name, text, call_id: call?.call_id, error }, base);
  }
}

/** A call; one that speaks to the user is also a turn. */
function callRows(call: make.Call & { name: string }, base: make.Base): SourceEntry[] {
  const answer = toAnswer(call.name, call.input);
  if (answer === undefined) return [make.toolCall(call, base)];
  return [
    make.turn("assistant", answer.text, make.under(base, "said")),
    make.toolCall({ ...call, input: answer.rest }, base),
  ];
}

/** A result, and what the user said with it. */
function resultRows(
  result: { name: string; text: string; call_id?: string; error: boolean },
  base: make.Base,
): SourceEntry[] {
  const { text, ...facts } = result;
  const { output, typed } = splitResult(result.name, text);
  const turn = typed && make.turn("user", typed, make.under(base, "typed"));
  // An answer to a question is all that its call gave.
  if (turn && output === "") return [turn];
  const row = make.toolOutput({ ...facts, output }, base);
  return turn ? [row, turn] : [row];
}

function usageOf(message: Json, id: string): make.Usage | undefined {
  const tokens = toObject(toObject(message.metrics)?.tokens);
  return tokens && make.usageOf(id, tokens, {
    input_tokens: "prompt",
    output_tokens: "completion",
    cache_read_tokens: "cached",
  });
}
