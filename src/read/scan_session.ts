// Fits a scan of a session into a token budget: finds the detail that fills it, or, when even the
// shortest lines are too many, which messages to show.

import { countTokens } from "../core/tokens.ts";
import {
  baseTokens,
  type ScanLine,
  type ScanMessage,
  toGapLine,
  toScanLine,
  toScanMessages,
} from "./scan_lines.ts";
import type { SessionMessage, Turn } from "./session_messages.ts";

/** A scan: its text, the detail it was made with and what is missing from it. */
export interface SessionScan {
  text: string;
  tokens_per_msg: number;
  estimated_tokens: number;
  /** Messages with a line of their own. */
  shown: number;
  /** Messages whose line was cut. */
  cut: number;
}

const minTokens = 2;
const rounds = 24;

/** What is scanned: its messages, each for itself or as the model had them. */
export interface Scanned {
  turns: readonly Turn[];
  isBrief: boolean;
}

export function scanAt({ turns, isBrief }: Scanned, tokensPerMessage: number): SessionScan {
  return cutAt(toScanMessages(turns, isBrief), tokensPerMessage);
}

function cutAt(messages: ScanMessage[], tokensPerMessage: number): SessionScan {
  return finish(messages.map((message) => toScanLine(message, tokensPerMessage)), tokensPerMessage);
}

export function scanWithin({ turns, isBrief }: Scanned, budget: number): SessionScan {
  const longest = turns.flatMap(({ messages }) => messages)
    .reduce((most, { entry }) => Math.max(most, entry.text.length), 1);
  let [low, high] = [minTokens, Math.max(baseTokens, longest) * 2];
  const parts = toScanMessages(turns, isBrief);
  const whole = cutAt(parts, high);
  if (whole.estimated_tokens <= budget) return whole;
  let best = cutAt(parts, low);
  if (best.estimated_tokens > budget) return scanSome({ turns, isBrief }, budget);
  for (let i = 0; i < rounds && high - low > 0.05; i++) {
    // Lengths spread over orders of magnitude: halve the ratio, not the difference.
    const middle = Math.sqrt(low * high);
    const scan = cutAt(parts, middle);
    if (scan.estimated_tokens <= budget) [low, best] = [middle, scan];
    else high = middle;
    if (best.estimated_tokens >= budget * 0.98) break;
  }
  return best;
}

/** The most telling messages at the least detail, in order, with marks where others are left out. */
function scanSome({ turns, isBrief }: Scanned, budget: number): SessionScan {
  const ranked = turns.map(({ messages }, at) => ({ at, rank: Math.min(...messages.map(rankOf)) }))
    .sort((a, b) => a.rank - b.rank || spread(a.at) - spread(b.at));
  const lines = toScanMessages(turns, isBrief).map((message) => toScanLine(message, minTokens));
  let [low, high] = [0, turns.length];
  let best = pickLines(lines, new Set());
  while (low < high) {
    const count = Math.ceil((low + high) / 2);
    const kept = new Set(ranked.slice(0, count).map(({ at }) => at));
    const scan = pickLines(lines, kept);
    if (scan.estimated_tokens <= budget) [low, best] = [count, scan];
    else high = count - 1;
  }
  return best;
}

function pickLines(lines: ScanLine[], kept: ReadonlySet<number>): SessionScan {
  const picked: ScanLine[] = [];
  let gap: ScanLine[] = [];
  const closeGap = (): void => {
    const [first, last] = [gap[0], gap[gap.length - 1]];
    if (first && last) {
      picked.push({ number: 0, text: toGapLine(first.number, last.number, gap.length), cut: 0 });
    }
    gap = [];
  };
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) {
      gap.push(line);
      continue;
    }
    closeGap();
    picked.push(line);
  }
  closeGap();
  return finish(picked, minTokens);
}

/** What a person said tells most, then what was answered, then the rest. */
function rankOf({ entry }: SessionMessage): number {
  if (entry.role === "user") return 0;
  if (entry.type === "summary" || entry.type === "compaction") return 1;
  if (entry.role === "assistant" && entry.type === "turn") return 2;
  return entry.type === "tool_call" ? 3 : 4;
}

/** Bit-reversed order: any first part of it is spread evenly. */
function spread(at: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 20; bit++) reversed |= ((at >> bit) & 1) << (19 - bit);
  return reversed;
}

function finish(lines: ScanLine[], tokensPerMessage: number): SessionScan {
  const text = lines.map((line) => `${line.text}\n`).join("");
  return {
    text,
    tokens_per_msg: Math.round(tokensPerMessage * 10) / 10,
    estimated_tokens: countTokens(text),
    shown: lines.filter((line) => line.number > 0).length,
    cut: lines.filter((line) => line.cut > 0).length,
  };
}
