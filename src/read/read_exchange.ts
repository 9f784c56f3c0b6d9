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

export interface ExchangeLine {
  id: string;
  part: "prompt" | "decision" | "command" | "outcome";
  text: string;
  /** Of a command: what it printed last, or what failed. */
  result?: string;
  failed?: true;
  /** The entry that corrects it, and who wrote that, where it is somebody else. */
  superseded_by?: string;
  superseded_author?: string;
  caution?: string;
}

export interface ReadExchange {
  /** The entry that was asked for, the first of them. */
  id: string;
  session_id: string;
  lines: ExchangeLine[];
  /** Lines that did not fit. */
  left_out: number;
  estimated_tokens: number;
}

/** The exchanges of some entries; entries that are in none, and those over the budget. */
export interface ReadExchanges {
  exchanges: ReadExchange[];
  others: string[];
  skipped_ids: string[];
}

/** Reads the exchanges of some entries, each once, within one budget; without one, each has its own. */
export async function readExchanges(
  store: Store,
  ids: readonly string[],
  { session, budgetTokens }: { session?: string; budgetTokens?: number },
): Promise<ReadExchanges> {
  const found = await findEntries(store, [...ids]);
  const sessions = new Map<string, Exchange[]>();
  const asked = new Map<Exchange, Entry[]>();
  const others: string[] = [];
  for (const id of ids) {
    const entry = rowsOf(found.get(id)).find(({ entry }) =>
      (session ?? entry.session_id) === entry.session_id
    )?.entry;
    const exchange = entry && await findExchange(store, entry, sessions);
    if (exchange) asked.set(exchange, [...asked.get(exchange) ?? [], entry]);
    else others.push(id);
  }
  const exchanges: ReadExchange[] = [];
  const skipped_ids: string[] = [];
  let left = budgetTokens;
  for (const [exchange, entries] of asked) {
    const ids = new Set(entries.flatMap(ownIds));
    const read = toLines(exchange, { ids, budgetTokens: left ?? exchangeTokens });
    if (read.lines.length === 0) skipped_ids.push(...entries.map(({ id }) => id));
    else exchanges.push({ id: entries[0].id, session_id: entries[0].session_id ?? "", ...read });
    if (left !== undefined) left -= read.estimated_tokens;
  }
  await markSuperseded(store, exchanges.flatMap(({ lines }) => lines));
  return { exchanges, others, skipped_ids };
}

/** A record is in the exchange of what it was made from. */
function ownIds(entry: Entry): string[] {
  return isRecord(entry) ? entry.refs ?? [] : [entry.id];
}

/** The exchange of an entry; each session is read once. */
async function findExchange(
  store: Store,
  entry: Entry,
  sessions: Map<string, Exchange[]>,
): Promise<Exchange | undefined> {
  const { session_id } = entry;
  if (session_id === undefined) return undefined;
  let exchanges = sessions.get(session_id);
  if (exchanges === undefined) {
    const messages = await getMessages(store, session_id);
    exchanges = toExchanges(messages.map((message) => message.entry));
    sessions.set(session_id, exchanges);
  }
  const ids = new Set(ownIds(entry));
  return exchanges.findLast((one) => entriesOf(one).some(({ id }) => ids.has(id)));
}

/** Lines whose entries were corrected later say so. */
async function markSuperseded(store: Store, lines: ExchangeLine[]): Promise<void> {
  const found = await findEntries(store, [...new Set(lines.map(({ id }) => id))]);
  for (const line of lines) {
    const { superseded_by, superseded_author } = found.get(line.id) ?? {};
    if (superseded_by) Object.assign(line, { superseded_by, superseded_author });
  }
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
    order: -1,
  }));
  if (closing) {
    const text = toText(closing.entry, "outcome", shares.outcome * budgetTokens);
    lines.push({ line: text, at: closing.at, order: -2 });
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
      line: { id: entry.id, part: "decision", text },
      at,
      order: isAsked ? 0 : 1,
    });
  }
  runs.forEach((run, i) => {
    const isAsked = [run.call, run.output].some((entry) => entry && ids.has(entry.id));
    const line = commandLine(run) ?? (isAsked ? stepLine(run) : undefined);
    if (line === undefined) return;
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
  for (
    let chars = Math.max(32, most * 4);
    countTokens(text) > most && chars > 16;
    chars -= chars >> 3
  ) {
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

/** Any call and what it returned, or an output alone. */
function stepLine({ call, output, command }: Run): ExchangeLine | undefined {
  const step = call ?? output;
  if (step === undefined) return undefined;
  const result = call && output && toLine(resultOf(output).text, lineChars);
  return {
    id: step.id,
    part: "command",
    text: toLine(command ?? step.text, lineChars),
    ...(result ? { result } : {}),
  };
}
