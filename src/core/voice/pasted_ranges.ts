// Finds what a person pasted into a message: blocks of code, quotations, output, logs, diffs, tables,
// documents. A single line says little, so lines are judged together with their paragraph. Each line is
// examined a fixed number of times. Pure.

import { findScreenMark, type LineKind, lineKindOf, makeFences, speaks } from "./line_kind.ts";
import type { Range } from "./span.ts";

interface Line extends Range {
  text: string;
  kind: LineKind;
  isPasted: boolean;
  /** Where it goes over into what was pasted, if it was typed before. */
  mark: number;
}

/** Where text was pasted into a part of a message, in order; lines that touch are not joined. */
export function findPastedRanges(text: string, part: Range): Range[] {
  const lines = toLines(text, part);
  const isFenced = makeFences();
  for (const line of lines) line.isPasted = isFenced(line.text);
  markDocument(lines);
  const paragraphs = toParagraphs(lines);
  // One line that looks like a program's is not enough where somebody speaks in it.
  const looks = lines.filter(({ kind }) => kind === "machine" || kind === "code").length;
  for (const line of lines) {
    if (looks === 1 && line.kind === "machine" && speaks(line.text)) line.kind = "words";
  }
  paragraphs.forEach(markParagraph);
  markScreens(paragraphs);
  markOutput(paragraphs);
  markIndented(paragraphs);
  markIntroduced(paragraphs);
  markReports(paragraphs);
  markFindings(paragraphs);
  markBetween(lines);
  const columns = lines.filter(({ text, mark }) => mark >= 0 && text[mark] === " ").length;
  return lines.flatMap(({ from, to, isPasted, mark, text: line }) => {
    if (isPasted) return [{ from, to }];
    const isColumn = mark >= 0 && line[mark] === " " && columns === 1 && !isPadded(line, mark);
    return mark >= 0 && !isColumn ? [{ from: from + mark, to }] : [];
  });
}

/** The lines of a part, each with its line break. */
function toLines(text: string, { from, to }: Range): Line[] {
  const lines: Line[] = [];
  for (let at = from; at < to;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 || found >= to ? to : found + 1;
    const line = text.slice(at, end);
    const mark = findScreenMark(line);
    // What follows a client's word inside a line has lost how its line began.
    const isStart = at === 0 || text[at - 1] === "\n";
    const kind = isStart || line.trim() === "" ? lineKindOf(line) : "words";
    lines.push({
      from: at,
      to: end,
      text: isStart ? line : line.trimStart(),
      kind,
      isPasted: false,
      mark,
    });
    at = end;
  }
  return lines;
}

/** What has several headings is a document, from the first on. */
function markDocument(lines: readonly Line[]): void {
  const isHeading = ({ text, isPasted }: Line): boolean => !isPasted && /^#{1,6} \S/.test(text);
  const first = lines.findIndex(isHeading);
  if (first < 0 || lines.filter(isHeading).length < 2) return;
  for (const line of lines.slice(first)) line.isPasted = true;
}

/** What stands between empty lines, and between what was pasted already. */
function toParagraphs(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [];
  let last: Line[] | undefined;
  for (const line of lines) {
    if (line.kind === "blank" || line.isPasted) {
      last = undefined;
      continue;
    }
    if (last === undefined) paragraphs.push(last = []);
    last.push(line);
  }
  return paragraphs;
}

/** From the first line that a program wrote to the last, where they are many; single ones else. */
function markParagraph(lines: readonly Line[]): void {
  for (const line of lines) if (line.kind === "quote") line.isPasted = true;
  const isSure = ({ kind }: Line): boolean => kind === "machine" || kind === "terminal";
  const isLikely = (line: Line): boolean => isSure(line) || line.kind === "code";
  const sure = lines.filter(isSure).length;
  const likely = lines.filter(isLikely).length;
  const isAll = likely > 1 && lines.every((line) => isLikely(line) && /[;}]\s*$/.test(line.text));
  if (sure === 0 && likely < 3 && !isAll) return;
  const first = lines.findIndex(isLikely);
  if (2 * likely < lines.length - first) {
    for (const line of lines) if (isSure(line)) line.isPasted = true;
    return;
  }
  // Last words to the agent were typed below it, and others below what ends with its last bracket.
  const end = lines.findLastIndex((line, i) =>
    isLikely(line) || !(addresses.test(line.text) || closes.test(lines[i - 1]?.text ?? ""))
  );
  for (const line of lines.slice(first, end + 1)) line.isPasted = true;
}

const closes = /^[}\])]{1,4};?\s*$/;

/**
 * After a shell's prompt or an agent's screen all is copied, but for last words to the agent. A shell does not
 * speak: below what it printed somebody does from the first paragraph on that speaks.
 */
function markScreens(paragraphs: readonly Line[][]): void {
  const start = paragraphs.findIndex((lines) => lines.some(isScreen));
  if (start < 0) return;
  const [first, ...rest] = paragraphs.slice(start);
  const at = first.findIndex(isScreen);
  for (const line of first.slice(first[at].mark > 0 ? at + 1 : at)) line.isPasted = true;
  const last = rest.at(-1);
  const isAddressed = last !== undefined && last.length <= 3 && addresses.test(last[0].text);
  const isShell = paragraphs.slice(start).every((lines) => !lines.some(isAgentScreen));
  const words = rest.findLastIndex((lines) => lines.some(({ kind }) => kind !== "words")) + 1;
  const said = isShell ? rest.findIndex((lines, i) => i >= words && speaks(lines[0].text)) : -1;
  const end = said >= 0 ? said : rest.length - (isAddressed ? 1 : 0);
  for (const line of rest.slice(0, end).flat()) line.isPasted = true;
}

function isAgentScreen({ text }: Line): boolean {
  return /[❯⏺⎿✻✽]/.test(text.slice(0, 2000));
}

function isScreen({ kind, mark, text }: Line): boolean {
  return kind === "terminal" || (mark >= 0 && (text[mark] !== " " || isPadded(text, mark)));
}

/** Whether a line goes on only after as many spaces as fill a screen. */
function isPadded(text: string, mark: number): boolean {
  return text.slice(mark, mark + 24).trim() === "";
}

/** How people speak to their agent. */
const addresses =
  /^(?:(?:ok|so|and|also|but|now|please|und|aber|also|jetzt|bitte),? )*(?:can|could|would|will|please|why|what|how|where|is|are|do|does|did|should|fix|make|let'?s|i|you|we|ich|du|wir|bitte|kannst|könntest|warum|wieso|was|wie|wo|ist|sind)\b/i;

/** What stands between two parts of an output is output too, unless it speaks to the agent. */
function markOutput(paragraphs: readonly Line[][]): void {
  const isOutput = (lines: readonly Line[]): boolean =>
    lines.some(({ kind, isPasted }) => isPasted && kind === "machine");
  const [first, last] = [paragraphs.findIndex(isOutput), paragraphs.findLastIndex(isOutput)];
  for (const lines of paragraphs.slice(first + 1, Math.max(0, last))) {
    if (first < 0 || addresses.test(lines[0].text)) continue;
    for (const line of lines) line.isPasted = true;
  }
}

/** Paragraphs that are indented as a whole were copied: nobody types so, but below an item of a list. */
function markIndented(paragraphs: readonly Line[][]): void {
  let isList = false;
  const isDeep = ({ text }: Line): boolean => /^(?: {2}|\t)\s*\S/.test(text);
  // Where all is indented, that says nothing.
  if (paragraphs.every((lines) => lines.every(isDeep))) return;
  for (const lines of paragraphs) {
    const isIndented = lines.every(isDeep);
    if (isIndented && !isList) { for (const line of lines) line.isPasted = true; }
    if (!isIndented) isList = /^(?:[-*+•]|\d+[.)])\s/.test(lines[0].text);
  }
}

/** "I got this feedback:", and then what somebody or something else said, to the end. */
function markIntroduced(paragraphs: readonly Line[][]): void {
  const at = paragraphs.findIndex((lines) =>
    introduces.test(lines[lines.length - 1].text.slice(-200))
  );
  const rest = at < 0 ? [] : paragraphs.slice(at + 1);
  const chars = rest.reduce(
    (sum, lines) => sum + lines.reduce((n, { to, from }) => n + to - from, 0),
    0,
  );
  if (chars < minIntroducedChars) return;
  for (const lines of rest) for (const line of lines) line.isPasted = true;
}

const minIntroducedChars = 150;
/** Names of texts that others write, and how people say that somebody wrote something. */
const introduces =
  /(?<!\b(?:your|my|our|deine?|meine?|unsere?)\s)(?<![\p{L}\d])(?:feedback|comments?|review|errors?|output|logs?|warnings?|failures?|traces?|response|says|said|wrote|writes|reports?|prints|article|page|readme|e-?mails?|tickets?|messages?|docs|documentation|issue|thread|post|answer|from|fehler\w{0,10}|ausgabe|meldung|rückmeldung|antwort|artikel|seite|nachricht|kommentare?|schreibt|schrieb|sagt|sagte)(?![\p{L}\d])[^.?!\n]{0,80}:\s*$/iu;

/** What reads like a report on code: long, of names, and neither from somebody nor to somebody. */
function markReports(paragraphs: readonly Line[][]): void {
  for (const lines of paragraphs) {
    const chars = lines[lines.length - 1].to - lines[0].from;
    if (chars < minReportChars || chars > maxReportChars || lines[0].isPasted) continue;
    const text = lines.map((line) => line.text).join("").trim();
    if (/^[A-Z`]/.test(text) && /[.`)]$/.test(text) && codeName.test(text) && !speaks(text)) {
      for (const line of lines) line.isPasted = true;
    }
  }
}

const minReportChars = 180;
const maxReportChars = 4000;
const codeName = /\b[a-z]+[A-Z]\w|\b[A-Z][a-z]+[A-Z]\w|\w_\w|\w\(\)|`/;

/** A finding of a reviewing program: its heading, how severe it is, and what it says. */
function markFindings(paragraphs: readonly Line[][]): void {
  paragraphs.forEach((lines, i) => {
    if (lines.length > 1 || !severity.test(lines[0].text)) return;
    const parts = paragraphs.slice(Math.max(0, i - 1), i + 2);
    // Its heading is no sentence.
    if (i > 0 && /[.!:]\s*$/.test(parts[0][parts[0].length - 1].text)) return;
    if (parts.some((part) => part.some(({ text }) => speaks(text)))) return;
    for (const part of parts) {
      for (const line of part) line.isPasted = true;
    }
  });
}

const severity =
  /^\W{0,4}(?:critical|high|medium|low|minor|major)\W{0,4} (?:severity|priority)\W{0,4}$/i;

/** Empty lines between what was pasted belong to it. */
function markBetween(lines: readonly Line[]): void {
  let last = -1;
  lines.forEach((line, i) => {
    if (line.kind === "blank" && !line.isPasted) return;
    if (line.isPasted && last >= 0 && lines[last].isPasted) {
      for (const between of lines.slice(last + 1, i)) between.isPasted = true;
    }
    last = i;
  });
}
