// Finds the older record that a newer one replaces: the same subject, but a different statement. A
// wrong replacement hides what is true, so the rules are narrow: the newer record must reject what the
// older one chose, give the same name another value, reverse a demand, revert a commit, or repeat it.
// Decisions, preferences and fixes can replace each other, but never a record of a higher grade. Pure.

import type { Entry } from "../../core/entry.ts";
import { revertOf } from "../../core/rows/made_commits.ts";
import { type RecordGrade, recordOf } from "../../core/rows/record.ts";
import { firstLine } from "../../core/text.ts";
import { keyWords, shareOf } from "./key_words.ts";

/** A record as far as it matters here: one that is there, or one that will be. */
export type Claim =
  & Pick<Entry, "id" | "ts" | "type" | "text" | "project" | "files" | "supersedes">
  & {
    record?: unknown;
  };

/** The newest of some records that a newer one takes the place of. */
export function findOutdated<T extends Claim>(newer: Claim, older: Iterable<T>): T | undefined {
  let found: T | undefined;
  for (const claim of older) {
    if (familyOf(claim) !== familyOf(newer) || claim.project !== newer.project) continue;
    if (claim.ts >= newer.ts || (found && found.ts >= claim.ts)) continue;
    if (replaces(newer, claim)) found = claim;
  }
  return found;
}

/** Records that can contradict each other: a fix may undo a decision, a wish may end one. */
export function familyOf({ type }: Pick<Claim, "type">): string {
  return type === "fix" || type === "preference" ? "decision" : type;
}

function replaces(newer: Claim, older: Claim): boolean {
  const subject = subjectOf(newer);
  if (newer.type === "command" || subject !== undefined) {
    return subject !== undefined && subject === subjectOf(older) && newer.type === older.type &&
      certainty[gradeOf(newer)] >= certainty[gradeOf(older)];
  }
  if (familyOf(newer) !== "decision") return false;
  const [now, before] = [newer.text, older.text];
  // Git says exactly which commit was taken back.
  if (revertOf(firstLine(now, 300)) === firstLine(before, 300).replace(/\.$/, "")) return true;
  if (undoes(newer, older)) return true;
  // What is only a guess ends nothing that is told.
  if (certainty[gradeOf(newer)] < certainty[gradeOf(older)]) return false;
  if (newer.type === "fix" || older.type === "fix") return false;
  if (newer.type !== older.type) {
    return turnsRound(now, before) || rulesOut(now, before) || rejects(now, before);
  }
  if (repeats(now, before) || revalues(now, before)) return true;
  return newer.type === "decision" ? rejects(now, before) : contradicts(now, before);
}

/** Whether a record only says again what a surer one says already. */
export function isEcho(newer: Claim, older: Claim): boolean {
  return certainty[gradeOf(newer)] < certainty[gradeOf(older)] && older.ts < newer.ts &&
    saysAgain(newer.text, older.text);
}

const certainty: Record<RecordGrade, number> = { candidate: 0, derived: 1, certain: 2 };

/** Whether a newer demand cannot hold together with an older one. */
export function contradicts(newer: string, older: string): boolean {
  return turnsRound(newer, older) || revalues(newer, older) || rulesOut(newer, older);
}

/** Whether two demands ask for the same, in about the same words. */
export function asksTheSame(one: string, other: string): boolean {
  if (isAgainst(one) !== isAgainst(other)) return false;
  const [a, b] = [keyWords(withoutPolarity(one)), keyWords(withoutPolarity(other))];
  const shared = countShared(a, b);
  if (Math.min(a.size, b.size) < 2) return a.size === b.size && shared === a.size;
  return shared >= 2 && shareOf(a, b) >= 0.6 && shareOf(b, a) >= 0.6 && !revalues(one, other);
}

/** Whether two lines say the same, whatever they are: a demand, or a longer text in nearly the same words. */
export function meansTheSame(one: string, other: string): boolean {
  if (one === other) return true;
  const isShort = Math.max(one.length, other.length) <= maxDemandChars;
  return isShort ? asksTheSame(one, other) : saysAgain(one, other);
}

/** Longer texts are about more than one thing. */
const maxDemandChars = 200;

/**
 * Lines that can be asked whether one of them says the same as another. Only those that share words with
 * it are compared, so that thousands of lines are held against hundreds in moments.
 */
export class SameLines {
  readonly #byWord = new Map<string, Set<string>>();
  readonly #texts = new Set<string>();

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    this.#texts.add(text);
    for (const word of keyWords(text)) {
      const known = this.#byWord.get(word);
      if (known) known.add(text);
      else this.#byWord.set(word, new Set([text]));
    }
  }

  /** Whether one of the lines means the same. */
  has(text: string): boolean {
    if (this.#texts.has(text)) return true;
    const words = keyWords(text);
    const shared = new Map<string, number>();
    for (const word of words) {
      for (const other of this.#byWord.get(word) ?? []) {
        shared.set(other, (shared.get(other) ?? 0) + 1);
      }
    }
    const least = Math.min(2, words.size);
    return [...shared].some(([other, count]) => count >= least && meansTheSame(other, text));
  }
}

function subjectOf(claim: Claim): string | undefined {
  return recordOf({ role: "note", ...claim })?.subject;
}

/** Whether two decisions or demands are in nearly the same words. */
export function repeats(newer: string, older: string): boolean {
  const [a, b] = [keyWords(newer), keyWords(older)];
  return a.size >= 4 && shareOf(a, b) >= 0.9 && shareOf(b, a) >= 0.9;
}

/** Whether two texts are in nearly the same words, and neither denies the other. */
function saysAgain(one: string, other: string): boolean {
  return repeats(one, other) && isAgainst(one) === isAgainst(other);
}

/** The newer turns down what the older chose, about the same thing. */
function rejects(newer: string, older: string): boolean {
  const rejected = termsAfter(newer, rejection);
  if (rejected.size === 0) return false;
  const dropped = termsAfter(older, rejection);
  const chosen = [...keyWords(older)].filter((word) => !dropped.has(word));
  if (!chosen.some((word) => rejected.has(word))) return false;
  // What is left of both must be about one thing, not only name the same tool.
  const rest = new Set(chosen.filter((word) => !rejected.has(word)));
  const about = new Set([...keyWords(newer)].filter((word) => !rejected.has(word)));
  return rest.size >= 2 && shareOf(rest, about) >= 0.3 && countShared(rest, about) >= 2;
}

const rejection =
  /\b(?:instead of|rather than|no longer|not|never|drop(?:ping|ped)?|switch(?:ing|ed)? (?:away )?from|mov(?:e|ing|ed) (?:away )?from|replac(?:e|es|ing|ed)|remov(?:e|es|ing|ed)|without)\s+((?:the |our |using |use )*[\w.@/-]+)/gi;

function termsAfter(text: string, pattern: RegExp): Set<string> {
  const terms = new Set<string>();
  for (const [, named] of text.matchAll(pattern)) {
    for (const word of keyWords(named)) terms.add(word);
  }
  return terms;
}

/**
 * A newer commit that removes or replaces what an older one made: its subject names nearly all that the
 * older subject is about, and they changed a file in common. Only commits and edits have files, so a
 * short message is enough.
 */
function undoes(newer: Claim, older: Claim): boolean {
  if (gradeOf(older) !== "derived") return false;
  const [now, before] = [firstLine(newer.text, 200), firstLine(older.text, 200)];
  if (!takesBack.test(now) || takesBack.test(before)) return false;
  const files = new Set(older.files);
  if (!(newer.files ?? []).some((file) => files.has(file))) return false;
  const about = keyWords(before.replace(kindOfCommit, ""));
  return about.size >= 3 && shareOf(about, keyWords(now)) >= 0.6;
}

const takesBack =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:revert|remov|drop|delet|replac|undo|stop|disabl|no longer|get rid of)/i;
const kindOfCommit =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:add|implement|introduce|use|enable|fix)\w*\s/i;

function gradeOf(claim: Claim): RecordGrade {
  return recordOf({ role: "note", ...claim })?.grade ?? "certain";
}

/** One demand for and one against the same thing. */
function turnsRound(newer: string, older: string): boolean {
  // "Retry if it is not there" is a demand for something.
  const isFor = (text: string): boolean => !isAgainst(text.replace(deniedCondition, " "));
  if (isFor(newer) === isFor(older)) return false;
  const [a, b] = [keyWords(withoutPolarity(newer)), keyWords(withoutPolarity(older))];
  // Of a single word both must say nothing else.
  const least = Math.min(a.size, b.size) < 2 ? 1 : 0.6;
  return shareOf(a, b) >= least && shareOf(b, a) >= least;
}

/** The newer forbids the very thing that the older asks for: "pnpm, never npm" after "always npm". */
function rulesOut(newer: string, older: string): boolean {
  if (isAgainst(older)) return false;
  const asked = keyWords(withoutPolarity(older));
  return asked.size > 0 && shareOf(asked, termsAfter(newer, rejection)) === 1;
}

/** What denies something. "No, use tabs" and "tabs, not spaces" do not: they ask for tabs. */
const denial = [
  String.raw`\b(?:cannot|(?!don)\w+n['’]t)\b|^not\b`,
  String
    .raw`\b(?:is|are|was|were|be|can|could|may|might|will|would|shall|does|did|has|have)(?: \w+ly| also| still)? not\b(?! only\b)`,
  String
    .raw`\bno (?!(?:matter|problem|worries|doubt|always|never|please|just|use|do|don['’]?t|keep|make|run|put|let|add|write|i|it|you|we|they|there|that|this|the)\b)(?=\w)`,
].join("|");
const against = new RegExp(
  String
    .raw`\b(?:never|don['’]?t|do not|stop|avoid|no longer|must not|should not|without)\b|${denial}`,
  "i",
);
const deniedCondition = new RegExp(
  String.raw`\b(?:if|unless|when|where|while|until|because|that|which)\b[^,;.]{0,80}?(?:${denial})`,
  "gi",
);
const polarity = new RegExp(
  `${against.source}|\\b(?:always|again|from now on|please|make sure|after all|actually)\\b`,
  "gi",
);

function isAgainst(text: string): boolean {
  return against.test(text);
}

function withoutPolarity(text: string): string {
  return text.replace(polarity, " ");
}

/** Short texts that give one name different values, and say little else differently. */
function revalues(newer: string, older: string): boolean {
  if (Math.max(newer.length, older.length) > 300) return false;
  const [a, b] = [toSkeleton(newer), toSkeleton(older)];
  if (a.values === "" || b.values === "" || a.values === b.values) return false;
  return a.words.size >= 2 && shareOf(a.words, b.words) >= 0.75 &&
    shareOf(b.words, a.words) >= 0.75;
}

/** The words of a text without its numbers, and the numbers. */
function toSkeleton(text: string): { words: ReadonlySet<string>; values: string } {
  const values = text.match(number) ?? [];
  return { words: keyWords(text.replace(number, " ")), values: values.join(" ") };
}

const number = /\b\d+(?:[.,]\d+)*(?:\s?(?:ms|s|kb|mb|gb|%))?/gi;

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}
