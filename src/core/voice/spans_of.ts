// Who speaks in each part of a message. This is the only definition; titles, records and rules use it.
// Takes time linear in the length of the message. Pure.

import { findClientRanges, join } from "./client_ranges.ts";
import { makeFences } from "./line_kind.ts";
import { findPastedRanges } from "./pasted_ranges.ts";
import { planOf } from "./client_forms.ts";
import type { Message, Range, Span, Voice } from "./span.ts";

/** Who speaks where in a message: its spans cover it, in order. */
export function spansOf(message: Message): Span[] {
  const { role, type, text, sidechain } = message;
  const all = { from: 0, to: text.length };
  if (text === "") return [];
  if (type === "thinking") return [{ voice: "thinking", ...all }];
  if (role === "assistant") return findAgentSpans(text, all);
  if (role !== "user") return [{ voice: "quotation", ...all }];
  if (sidechain === true) return [{ voice: "client", ...all }];
  const client = findClientRanges(text);
  return fill(all, client, "client").flatMap((span) =>
    span.voice === "client" ? [span] : fill(span, findPastedRanges(text, span), "pasted", "typed")
  );
}

/** What the person typed of a message: the only words that can be a rule of theirs. */
export function typedWords(message: Message): string {
  return wordsOf(message, "typed");
}

/** What an agent says in its own words. */
export function proseOf(message: Message): string {
  return wordsOf(message, "prose");
}

/** What whoever wrote a message says in it themselves, without what they quote or paste. */
export function ownWords(message: Message): string {
  return message.role === "user" ? typedWords(message) : proseOf(message);
}

/** What a message of the user's side asks for: their words, else the heading of the plan they agreed to. */
export function askedWords(message: Message): string {
  return typedWords(message) || (planOf(message)?.heading ?? "");
}

function wordsOf(message: Message, voice: Voice): string {
  const parts: string[] = [];
  let last: Span | undefined;
  for (const span of spansOf(message)) {
    if (span.voice === voice) parts.push(message.text.slice(span.from, span.to));
    else if (last?.voice === voice) parts.push("\n");
    last = span;
  }
  return parts.join("").trim();
}

/** Where models think aloud between tags; of tags that nobody closes one is searched for its end. */
function findThoughts(text: string): Range[] {
  const ranges: Range[] = [];
  if (!text.includes("</think")) return ranges;
  for (const name of ["think", "thinking"]) {
    for (let at = 0;;) {
      const from = text.indexOf(`<${name}>`, at);
      const end = from < 0 ? -1 : text.indexOf(`</${name}>`, from);
      if (end < 0) break;
      at = end + name.length + 3;
      ranges.push({ from, to: at });
    }
  }
  return join(ranges);
}

function findAgentSpans(text: string, all: Range): Span[] {
  return fill(all, findThoughts(text), "thinking").flatMap((span) =>
    span.voice === "thinking"
      ? [span]
      : fill(span, findQuotedRanges(text, span), "quotation", "prose")
  );
}

/** Code, output and quotations in an agent's text; its tables, headings and lists are its own. */
function findQuotedRanges(text: string, part: Range): Range[] {
  const ranges: Range[] = [];
  const isFenced = makeFences();
  for (let at = part.from; at < part.to;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 || found >= part.to ? part.to : found + 1;
    const line = text.slice(at, end);
    if (isFenced(line) || /^\s*>/.test(line)) ranges.push({ from: at, to: end });
    at = end;
  }
  return ranges;
}

/** The parts of a range: those that are given have one voice, what is between them the other. */
function fill(all: Range, ranges: readonly Range[], voice: Voice, other: Voice = "typed"): Span[] {
  const spans: Span[] = [];
  const add = (span: Span): void => {
    const last = spans.at(-1);
    if (span.from >= span.to) return;
    if (last?.voice === span.voice) last.to = span.to;
    else spans.push(span);
  };
  let at = all.from;
  for (const { from, to } of ranges) {
    add({ voice: other, from: at, to: from });
    add({ voice, from, to });
    at = to;
  }
  add({ voice: other, from: at, to: all.to });
  return spans;
}
