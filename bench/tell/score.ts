// Compares what was sent with what should have been, by the rules of score.py beside the labels; both
// print the same figures for the same file. The verdict is rough: it misses paraphrases and accepts a
// long quotation with the right words. Use it to compare versions, and have someone read the lines
// without a verdict.

import type { Fact, Labels } from "./labels.ts";

/** A line that was told, with the messages that it rests on. */
export interface ToldLine {
  text: string;
  messages: string[];
}

/** What was told at one place; the lines of TOLD.jsonl, as score.py reads them. */
export type Told =
  | { kind: "record" | "candidate" } & ToldLine
  | { kind: "review"; lines: ToldLine[] }
  | { kind: "pack"; time: string; lines: ToldLine[] }
  | { kind: "prompt"; uuid: string; lines: ToldLine[] }
  | { kind: "title"; session: string; title: string };

/** How many of how many. */
export interface Share {
  of: number;
  right: number;
}

/** The figures of a set. */
export interface Score {
  /** Records that may be told, and the facts that they tell. */
  derived: Share;
  derivedFacts: Share;
  derivedStrong: Share;
  candidates: Share;
  /** Facts that records of either kind tell. */
  allFacts: Share;
  allStrong: Share;
  /**
   * Lines to review: the first ones; the facts of strength 3 that are among them or told already, and those
   * among all lines.
   */
  reviewFirst: Share;
  reviewFirstStrong: Share;
  reviewStrong: Share;
  packs: Share;
  /** Of what the packs should tell. */
  packFacts: Share;
  /** What no longer held and was told all the same, of what could have been. */
  superseded: Share;
  /** Prompts where a word was needed, and those where none was. */
  spoken: Share;
  silent: Share;
  titles: Share;
}

/** A line that tells no fact and that nobody has judged yet. */
export interface Unmatched {
  kind: string;
  text: string;
}

/** Verdicts of a reader, by line. */
export type Verdicts = ReadonlyMap<string, string>;

/** So many lines somebody goes through at once. */
const firstLines = 30;

/** Only so many characters of a line count. */
export const countedLength = 240;

/** Scores what was told. */
export function scoreTold(
  labels: Labels,
  told: readonly Told[],
  verdicts: Verdicts = new Map(),
): { score: Score; unmatched: Unmatched[] } {
  const unmatched: Unmatched[] = [];
  const judge = (kind: string, line: ToldLine): { facts: string[]; isRight: boolean } => {
    const facts = tellsFacts(line, labels.facts);
    const verdict = verdicts.get(toKey(line.text));
    const isRight = facts.length > 0 || verdict === "good";
    if (!isRight && verdict === undefined) unmatched.push({ kind, text: line.text });
    return { facts, isRight };
  };
  const score = emptyScore();
  const strong = labels.facts.filter(({ strength }) => strength === 3).map(({ id }) => id);
  const known = { record: new Set<string>(), candidate: new Set<string>() };
  const wants = (uuid: string) => labels.prompts.find((label) => label.uuid === uuid)?.tell ?? [];
  for (const row of told) {
    if (row.kind === "pack") {
      const judged = row.lines.map((line) => judge("pack", line));
      for (const { isRight } of judged) count(score.packs, isRight);
      const facts = new Set(judged.flatMap(({ facts }) => facts));
      const label = labels.packs.find(({ time }) => time === row.time);
      for (const id of label?.tell ?? []) count(score.packFacts, facts.has(id));
      for (const id of label?.must_not ?? []) count(score.superseded, facts.has(id));
    } else if (row.kind === "prompt") {
      const facts = row.lines.flatMap((line) => tellsFacts(line, labels.facts));
      const tell = wants(row.uuid);
      if (tell.length > 0) count(score.spoken, tell.some((id) => facts.includes(id)));
      else count(score.silent, row.lines.length === 0);
    } else if (row.kind === "review") {
      const facts = row.lines.map((line) => tellsFacts(line, labels.facts));
      for (const told of facts.slice(0, firstLines)) count(score.reviewFirst, told.length > 0);
      for (const id of strong) {
        count(
          score.reviewFirstStrong,
          known.record.has(id) || facts.slice(0, firstLines).some((told) => told.includes(id)),
        );
        count(score.reviewStrong, facts.some((told) => told.includes(id)));
      }
    } else if (row.kind === "title") {
      const label = labels.titles.find(({ session }) => session === row.session);
      if (label !== undefined) count(score.titles, fitsTitle(row.title, label));
    } else {
      const { facts, isRight } = judge(row.kind === "record" ? "derived" : "candidate", row);
      count(row.kind === "record" ? score.derived : score.candidates, isRight);
      for (const id of facts) known[row.kind].add(id);
    }
  }
  if (told.some(({ kind }) => kind === "record" || kind === "candidate")) {
    const all = known.record.union(known.candidate);
    for (const { id } of labels.facts) {
      count(score.derivedFacts, known.record.has(id));
      count(score.allFacts, all.has(id));
    }
    for (const id of strong) {
      count(score.derivedStrong, known.record.has(id));
      count(score.allStrong, all.has(id));
    }
  }
  return { score, unmatched };
}

/**
 * The facts that a line tells: it has all of their words (two at least), or it rests on their evidence
 * and has half of them.
 */
export function tellsFacts(line: ToldLine, facts: readonly Fact[]): string[] {
  const text = [...line.text].slice(0, countedLength).join("").toLowerCase();
  return facts.filter(({ must, evidence }) => {
    const found = must.filter((word) => text.includes(word.toLowerCase())).length;
    if (must.length > 1 && found === must.length) return true;
    return must.length > 0 && 2 * found >= must.length &&
      line.messages.some((message) => evidence.includes(message));
  }).map(({ id }) => id);
}

function fitsTitle(
  title: string,
  { must, useless = [] }: { must: string[]; useless?: string[] },
): boolean {
  const text = title.toLowerCase();
  return must.every((word) => text.includes(word.toLowerCase())) &&
    !useless.some((phrase) => phrase.toLowerCase() === text.trim());
}

/** One figure over several sets. */
export function addShares(shares: readonly Share[]): Share {
  const sum = { of: 0, right: 0 };
  for (const { of, right } of shares) {
    sum.of += of;
    sum.right += right;
  }
  return sum;
}

/**
 * Reads verdicts: lines of `good` or `bad`, a tab and the text. A line of the file of unmatched lines
 * with its question mark replaced is one, too.
 */
export function parseVerdicts(text: string): Map<string, string> {
  const verdicts = new Map<string, string>();
  for (const line of text.split("\n")) {
    const cells = line.split("\t");
    if (cells[0] === "good" || cells[0] === "bad") {
      verdicts.set(toKey(cells.at(-1) ?? ""), cells[0]);
    }
  }
  return verdicts;
}

/** A line as verdicts name it: in one line, without tabs. */
export function toKey(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function emptyScore(): Score {
  const none = (): Share => ({ of: 0, right: 0 });
  return {
    derived: none(),
    derivedFacts: none(),
    derivedStrong: none(),
    candidates: none(),
    allFacts: none(),
    allStrong: none(),
    reviewFirst: none(),
    reviewFirstStrong: none(),
    reviewStrong: none(),
    packs: none(),
    packFacts: none(),
    superseded: none(),
    spoken: none(),
    silent: none(),
    titles: none(),
  };
}

function count(share: Share, isRight: boolean): void {
  share.of++;
  if (isRight) share.right++;
}
