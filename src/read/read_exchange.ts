// The exchange around an entry within a budget: what was asked, the lines that decided something, the
// commands with what came of them, and how it ended. Loaded only where it is asked for.

import { type Entry } from "../core/entry.ts";
import { toSentences } from "../core/rows/blocks.ts";
import { findDecisionRule, isDeadEnd } from "../core/rows/decision_words.ts";
import { type Exchange, failedLine, type Run, toExchanges } from "../core/rows/exchanges.ts";
import { isRecord } from "../core/rows/record.ts";
import { isLookingCommand } from "../core/rows/row_kind.ts";
import { resultOf } from "../core/rows/tool_result.ts";
import { withCaution } from "../core/instruction_like.ts";
import { toLine } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { rowsOf } from "../store/find.ts";
import type { Store } from "../store/store.ts";
import { findEntries } from "./find_entries.ts";
import { getMessages } from "./session_messages.ts";

/** What an exchange costs at most, unless a budget is given. */
export const exchangeTokens = 800;
/** The shares of the budget that what was asked and how it ended may take. */
const shares = { prompt: 0.25, outcome: 0.4 };
const lineChars = 240;
/** What the names around a line cost. */
const lineTokens = 24;

/** One line of an exchange, with the entry that it is from. */
export interface ExchangeLine {
  id: string;
  part: "prompt" | "decisive" | "command" | "outcome";
  text: string;
  /** Of a command: what it printed last, or what failed. */
  result?: string;
  failed?: true;
  caution?: string;
}

/** An exchange in short. */
export interface ReadExchange {
  /** The entry that was asked for. */
  id: string;
  session_id: string;
  lines: ExchangeLine[];
  /** Lines that did not fit. */
  left_out: number;
  estimated_tokens: number;
}

/** Reads the exchanges of some entries, each within the budget; entries without one are `others`. */
export async function readExchanges(
  store: Store,
  ids: readonly string[],
  { session, budgetTokens = exchangeTokens }: { session?: string; budgetTokens?: number },
): Promise<{ exchanges: ReadExchange[]; others: string[] }> {
  const found = await findEntries(store, [...ids]);
  const exchanges: ReadExchange[] = [];
  const others: string[] = [];
  for (const id of ids) {
    const row = rowsOf(found.get(id)).find(({ entry }) =>
      (session ?? entry.session_id) === entry.session_id
    );
    const read = row && await readOne(store, row.entry, budgetTokens);
    if (read) exchanges.push(read);
    else others.push(id);
  }
  return { exchanges, others };
}

async function readOne(
  store: Store,
  entry: Entry,
  budgetTokens: number,
): Promise<ReadExchange | undefined> {
  const { id, session_id } = entry;
  if (session_id === undefined) return undefined;
  // A record is in the exchange of what it was made from.
  const ids = new Set(isRecord(entry) ? entry.refs : [id]);
  const messages = await getMessages(store, session_id);
  const exchange = toExchanges(messages.map((message) => message.entry)).findLast((one) =>
    entriesOf(one).some((own) => ids.has(own.id))
  );
  if (exchange === undefined) return undefined;
  return { id, session_id, ...toLines(exchange, { ids, budgetTokens }) };
}

function entriesOf({ prompts, turns, runs }: Exchange): Entry[] {
  const steps = runs.flatMap(({ call, output }) => [call, output]);
  return [...prompts, ...turns.map(({ entry }) => entry), ...steps].filter((one) =>
    one !== undefined
  );
}

/** A line, its place in the exchange, and how soon it is left out: the least comes first. */
interface RankedLine {
  line: ExchangeLine;
  at: number;
  order: number;
}

/** The lines of an exchange in order: what is asked for and how it ended first, then what is decisive. */
export function toLines(
  { prompts, turns, runs }: Exchange,
  { ids, budgetTokens }: { ids: ReadonlySet<string>; budgetTokens: number },
): Pick<ReadExchange, "lines" | "left_out" | "estimated_tokens"> {
  const closing = turns.at(-1);
  const lines: RankedLine[] = prompts.map((entry, i) => ({
    line: toText(entry, "prompt", shares.prompt * budgetTokens / prompts.length),
    at: i - prompts.length,
    order: -2,
  }));
  if (closing) {
    const text = toText(closing.entry, "outcome", shares.outcome * budgetTokens);
    lines.push({ line: text, at: closing.at, order: -1 });
  }
  for (const { entry, at } of turns) {
    if (entry === closing?.entry) continue;
    const isAsked = ids.has(entry.id);
    const said = toSentences(entry.text).find((sentence) =>
      findDecisionRule(sentence) !== undefined || isDeadEnd(sentence)
    );
    if (said === undefined && !isAsked) continue;
    const text = toLine(said ?? entry.text, lineChars);
    lines.push({
      line: { id: entry.id, part: "decisive", text },
      at,
      order: isAsked ? 0 : 1,
    });
  }
  runs.forEach((run, i) => {
    const line = commandLine(run);
    if (line === undefined) return;
    const isAsked = [run.call, run.output].some((entry) => entry && ids.has(entry.id));
    // Of many commands the last tell most: what worked comes after what was tried.
    lines.push({ line, at: run.at, order: isAsked ? 0 : 2 + runs.length - i });
  });
  return fit(lines, budgetTokens);
}

function fit(
  lines: RankedLine[],
  budgetTokens: number,
): Pick<ReadExchange, "lines" | "left_out" | "estimated_tokens"> {
  const kept: RankedLine[] = [];
  let spent = 0;
  for (const one of lines.toSorted((a, b) => a.order - b.order)) {
    const tokens = costOf(one.line);
    if (spent + tokens > budgetTokens) continue;
    spent += tokens;
    kept.push(one);
  }
  kept.sort((a, b) => a.at - b.at);
  return {
    lines: kept.map(({ line }) => ({
      ...line,
      ...withCaution(`${line.text}\n${line.result ?? ""}`),
    })),
    left_out: lines.length - kept.length,
    estimated_tokens: spent,
  };
}

function costOf({ text, result = "" }: ExchangeLine): number {
  return lineTokens + countTokens(text) + countTokens(result);
}

/** A message as far as its tokens go. */
function toText(entry: Entry, part: "prompt" | "outcome", tokens: number): ExchangeLine {
  const most = Math.max(1, Math.floor(tokens) - lineTokens);
  let text = entry.text.trim();
  for (let chars = most * 4; countTokens(text) > most && chars > 16; chars -= chars >> 3) {
    text = `${entry.text.trim().slice(0, chars).trimEnd()}…`;
  }
  return { id: entry.id, part, text };
}

/** A command and what came of it; those that only look tell nothing by themselves. */
function commandLine({ call, output, command, failed }: Run): ExchangeLine | undefined {
  if (call === undefined || command === undefined) return undefined;
  if (isLookingCommand(command) && !failed) return undefined;
  const printed = output && resultOf(output).text.trim();
  const error = failed && printed ? failedLine.exec(printed)?.[0] : undefined;
  const last = printed?.split("\n").findLast((line) => line.trim() !== "");
  const result = error ?? last;
  return {
    id: call.id,
    part: "command",
    text: toLine(command, lineChars),
    ...(result ? { result: toLine(result, lineChars) } : {}),
    ...(failed ? { failed } : {}),
  };
}
