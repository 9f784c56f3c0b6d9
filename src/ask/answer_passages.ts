// What of a row may answer a question: sentences, items and short commands that tell something, word
// for word. Questions, announcements, plans, raw data and calls that only look tell nothing. Pure.

import type { Entry } from "../core/entry.ts";
import { isAnnouncement } from "../core/rows/announcement.ts";
import { type Block, toBlocks, toPlain, toSentences } from "../core/rows/blocks.ts";
import { isLookingCommand, rowKindOf } from "../core/rows/row_kind.ts";
import { toLine } from "../core/text.ts";
import { spansOf } from "../core/voice/spans_of.ts";
import { shareOf, termSet } from "./term_share.ts";

/** Words of a row that may answer: where they stand in it. */
export interface Passage {
  entry: Entry;
  text: string;
  start: number;
  /** The heading that it stands under, without marks. */
  heading: string;
  /** The stretch of prose that it belongs to: between headings, code and tables. */
  part: number;
  /** Whether it is a whole row that tells little by itself: it never leads an answer. */
  isBare?: boolean;
}

/** A quote is at most so long. */
const maxQuoteChars = 360;
/** Longer texts are pasted files; what matters stands early or is found by another row. */
const lookedAtChars = 20_000;
const maxPassages = 200;

/** The passages of a row in their order; none for rows that answer nothing. */
export function passagesOf(entry: Entry): Passage[] {
  if (isSilent(entry)) return [];
  const text = entry.text.slice(0, lookedAtChars);
  const passages: Passage[] = [];
  const isClients = findClients(entry);
  let from = 0;
  for (const piece of isPrinted(entry) ? linesOf(text) : fromBlocks(toBlocks(text))) {
    const start = text.indexOf(piece.text, from);
    if (start < 0) continue;
    from = start + piece.text.length;
    if (!piece.isMark && tells(piece.text) && !isClients(start)) {
      passages.push({ entry, ...piece, start });
    }
    if (passages.length >= maxPassages) break;
  }
  return passages.length === 0 && isShort(entry)
    ? [{ entry, text: entry.text, start: 0, heading: "", part: 0, isBare: true }]
    : passages;
}

/** Whether a row is short enough to be quoted whole: a command, a path, a line that was printed. */
function isShort({ text, role }: Entry): boolean {
  return role !== "user" && text.length <= maxQuoteChars && /^[^[{<]{12}/.test(text) &&
    !/[?？]\W*$/.test(text) && !(isAnnouncement(text) && onlyLooks.test(text));
}

/** An announcement that names no choice: "Let me check …", not "I'll use a sliding window in Redis". */
const onlyLooks =
  /\b(?:let me|let's|look|check|see|search|read|find|explore|examine|understand|start|run)(?:ing)?\b/i;

/** Where the client speaks in a message of the user's side: commands, reminders, plans and summaries. */
function findClients({ role, type, text, sidechain }: Entry): (at: number) => boolean {
  if (role !== "user" || type !== "turn") return () => false;
  const spans = spansOf({ role, type, text: text.slice(0, lookedAtChars), sidechain })
    .filter(({ voice }) => voice === "client");
  // What an agent asked, and a plan that was agreed to, may answer as a whole.
  if (spans.some(({ from, to }) => from === 0 && to === text.length)) return () => false;
  return (at) => spans.some(({ from, to }) => from <= at && at < to);
}

/**
 * A passage with what stands around it under the same heading: what follows explains, what stands
 * before says what it is about. A list is nothing without the line that leads to it.
 */
export function widen(passage: Passage, around: readonly Passage[]): Passage {
  const at = around.findIndex(({ start }) => start === passage.start);
  const textOf = (from: number, to: number): string =>
    passage.entry.text.slice(around[from].start, around[to].start + around[to].text.length);
  const fits = (from: number, to: number): boolean => {
    if (around[from]?.part !== passage.part || around[to]?.part !== passage.part) return false;
    const text = textOf(from, to);
    if (rule.test(text) || (isPrinted(passage.entry) && numbered.test(text))) return false;
    return text.length <= maxQuoteChars;
  };
  let [first, last] = [at, at];
  const lead = around.slice(0, at + 1).findLastIndex(({ text }) => !isItem(text));
  if (isItem(passage.text) && lead >= 0 && fits(lead, at)) first = lead;
  for (let grown = true; grown;) {
    grown = false;
    if (fits(first, last + 1)) [last, grown] = [last + 1, true];
    if (fits(first - 1, last)) [first, grown] = [first - 1, true];
  }
  for (; first < at && isItem(around[first].text); first++);
  return { ...passage, start: around[first].start, text: textOf(first, last) };
}

/** The words of an entry that say most about a question, to be quoted. */
export function bestPassage(entry: Entry, question: string): string {
  const wanted = termSet(question);
  const passages = passagesOf(entry);
  let best: Passage | undefined;
  let most = -1;
  for (const passage of passages) {
    const share = shareOf(wanted, termSet(passage.text));
    if (share > most) [best, most] = [passage, share];
  }
  return best === undefined
    ? toLine(entry.text, maxQuoteChars).replace(/…$/, "").trimEnd()
    : widen(best, passages).text;
}

/** A line between parts of a text. */
const rule = /^[^\S\n]*(?:-{3,}|\*{3,}|_{3,}|={3,})[^\S\n]*$/m;
/** Lines with their numbers, as tools print files. */
const numbered = /^[^\S\n]*L?\d+(?:→|\t|\||:)/m;

/** Lines that a program printed or was given: they do not go on in the next one. */
function isPrinted({ type }: Entry): boolean {
  return type === "tool_output" || type === "tool_call";
}

function isItem(text: string): boolean {
  return /^\s*(?:[-*+•]|\d+[.)])\s/.test(text);
}

/** A piece of a text; marks are looked for so that what follows is found behind them. */
type Piece = Pick<Passage, "text" | "heading" | "part"> & { isMark?: boolean };

/** Whether a row answers nothing: who looks, thinks or recalls tells no outcome. */
function isSilent(entry: Entry): boolean {
  const kind = rowKindOf(entry);
  return kind === "recall" || kind === "looking_call" || entry.type === "goal" ||
    entry.type === "thinking" || (kind === "call" && looksOnly(entry));
}

/** Whether a command only looks: what stands in quotes is a pattern, no further command. */
function looksOnly({ text }: Entry): boolean {
  const command = text.replace(/^[\w.-]+: /, "").replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "");
  return isLookingCommand(command);
}

function fromBlocks(blocks: readonly Block[]): Piece[] {
  let part = 0;
  return blocks.flatMap(({ kind, text: whole, heading }): Piece[] => {
    // A digest repeats what was asked.
    const text = whole.replace(/^Asked: .*\n(?:Came of it: )?/, "");
    const isHeading = kind === "heading" || /\n=+\s*$/.test(text);
    if (isHeading || kind === "table" || kind === "code") {
      part++;
      const commands = kind === "code" ? shortCode(text) : [];
      const found = commands.map((line) => ({ text: line, heading, part: part++ }));
      return found.length > 0 ? found : [{ text, heading, part, isMark: true }];
    }
    const isWhole = kind === "item" && text.length <= maxQuoteChars;
    return (isWhole ? [text] : toSentences(text)).map((one) => ({ text: one, heading, part }));
  });
}

/** The lines of a code block that is one or two commands. */
function shortCode(text: string): string[] {
  const lines = text.split("\n").slice(1, -1).filter((line) => /^\s*[^#/\s]/.test(line));
  return lines.length <= 2 ? lines.map((line) => line.trim()) : [];
}

/** What a tool printed, line by line; numbers that it put before them are no part of a line. */
function linesOf(text: string): Piece[] {
  const isData = /^\s*[{[]/.test(text);
  return (isData ? textsIn(text) : text.split("\n")).map((line, i) => ({
    text: line.replace(/^\s*\d+(?:→|\t|: |\| )/, "").trim(),
    heading: "",
    part: isData ? i : 0,
  })).filter(({ text }) => text !== "" && text.length <= 2 * maxQuoteChars);
}

/** The longer lines in the texts of JSON, as they stand there; nothing around them belongs to them. */
function textsIn(data: string): string[] {
  return data.split(/(?:\\r)?\\n|(?<!\\)"(?:\s*[:,{}[\]]+\s*"?)*|\n/)
    .filter((line) => line.length >= 30);
}

function tells(text: string): boolean {
  const plain = toPlain(text);
  if (plain.length < 12 || plain.length > 3 * maxQuoteChars || smallTalk.test(plain)) return false;
  return !/[?？]["'”)*_]*$/.test(plain) && !isAnnouncement(text) && !isRaw(plain);
}

const smallTalk =
  /^(?:(?:you're |you are )?(?:very )?(?:welcome|right)|thanks?|thank you|perfect|great|excellent|done)\b[^.:;,]{0,20}[.!]?$|has been updated\. Here's the result/i;

/** JSON, mark-up, paths and code: what people do not read as a sentence. */
function isRaw(text: string): boolean {
  if (/^\[?[{<"]|^\[["\d\]]|^\S+["']?:\s*[\[{"]|[{};,(]$|=>|\\n|^[\w.-]+ = /.test(text)) {
    return true;
  }
  if (/^(?:\/|\.{0,2}\/)?[\w@.-]+\/\S*:\d+/.test(text)) return true;
  if (
    /^(?:import|export|const|let|var|function|return|class|def|from|if|for|while)\b.*[=(;:{]/.test(
      text,
    )
  ) {
    return true;
  }
  const bare = text.replace(/\]\([^)]*\)/g, "]").replace(/\S*[\/\\]\S+/g, "");
  const letters = bare.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  return letters < text.length * 0.5;
}
