// Decisions and fixes in the words of the commits that a session made: short, understandable on their
// own, and accepted with the commit. Commits that the session amended, reverted or reset are skipped,
// and so are those that say nothing about the code (typos, formatting, releases). Only commits whose
// message explains them at length are sent to agents. Of everything measured (reasons, constraints,
// symbols, files, checks, later mentions), only the length of the explanation separated commits that
// matter from others in both labelled projects. Pure.

import type { Entry } from "../../core/entry.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { madeCommitsOf, revertOf } from "../../core/rows/made_commits.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { editCalls } from "./find_outcomes.ts";
import { keyWords } from "./key_words.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** A commit as its command states it. */
interface Commit {
  subject: string;
  body: string;
  run: Run & { call: Entry };
  scene: Scene;
}

/** The commits of a session that say what was decided or mended, and why. */
export function findCommits(scenes: readonly Scene[]): Candidate[] {
  return readCommits(scenes).flatMap(({ subject, body, run, scene }) => {
    const named = subject.replace(ticket, "");
    const told = pickTold(named, body);
    if (told === undefined) return [];
    // "Address review feedback" names nothing, and what it lists is small: offered, not told.
    const lines = told.length > 0 && unnamed.test(named) ? told : [subject, ...told];
    const before = scene.runs.filter(({ at }) => at <= run.at);
    const output = run.output === undefined ? [] : [run.output];
    return [{
      type: fixSubject.test(named) ? "fix" : "decision",
      title: lines[0],
      text: lines.length === 1 ? lines[0] : lines.map(endSentence).join("\n"),
      evidence: [run.call, ...output, ...scene.prompts, ...editCalls(before)],
      scene,
      // Before whatever else was found: these words were accepted.
      score: told.length > 0 ? 9 : 6,
      isHeld: told.length > 0 && lines.length > told.length && body.length >= explainedChars &&
        !minor.test(named),
    }];
  });
}

const ticket = /^\[?(?:[A-Z][A-Z\d]+-|#)\d+\]?:?\s+/;
/** A body from this length on explains why; shorter ones mostly list what the diff shows. */
const explainedChars = 350;
const unnamed =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:(?:address|apply|handle|fix|resolve|incorporate)\w*\s+(?:[\w'-]+\s+){0,4}?)?(?:(?:the|low|high|medium|severity|more|pr|code|copilot|bot)\s+)*(?:review|feedback|comments?|findings?)(?:\s+(?:review|feedback|comments?|findings?))*(?=\s*(?:$|[:(,–—])|\s+(?:for|on|from|in|and)\b)/i;

/** A line of a pack runs on: the subject and list items need an end. */
function endSentence(text: string): string {
  return /[.!?…:;]["')]?$/.test(text) ? text : `${text}.`;
}

/** Names and tests are read in the code. */
const minor =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:renam\w+|(?:add|fix|updat|improv|extend)\w* (?:[\w-]+ ){0,3}(?:tests?|assertions?))\b/i;
const fixSubject = /^(?:(?:bug|hot)?fix(?:es|ed)?\b|repair|resolve|correct\b|prevent\b)/i;

/** The commits of a session that stand, in order, each subject once. */
export function readCommits(scenes: readonly Scene[]): Commit[] {
  const made: Commit[] = [];
  const drop = (subject: string): boolean => {
    const at = made.findLastIndex((commit) => commit.subject === subject);
    return at >= 0 && made.splice(at, 1).length > 0;
  };
  for (const scene of scenes) {
    for (const run of scene.runs) {
      const { command, call, output } = run;
      if (command === undefined || call === undefined || output === undefined) continue;
      const answered = madeCommitsOf(output);
      for (const { subject } of answered) {
        const reverted = revertOf(subject);
        // What another session made is taken back by a record of its own.
        if (reverted !== undefined && !drop(reverted)) {
          made.push({ subject, body: "", run: { ...run, call }, scene });
        }
      }
      if (run.failed && answered.length === 0) continue;
      const reset = /\bgit reset\b[^;&|\n]*\bHEAD(\^+|~\d*)/.exec(command)?.[1];
      if (reset !== undefined) made.splice(-(Number(reset.slice(1)) || reset.length));
      for (const { message, isAmended } of commitMessages(command)) {
        const { subject, body } = toParts(message);
        const isMade = answered.length === 0
          ? isQuiet(command) && !refused.test(output.text)
          : answered.some((commit) => commit.subject.startsWith(subject.slice(0, 40)));
        if (!isMade || subject === "") continue;
        const reverted = revertOf(subject);
        if (reverted !== undefined && (answered.length > 0 || drop(reverted))) continue;
        if (isAmended) made.pop();
        drop(subject);
        made.push({ subject, body, run: { ...run, call }, scene });
      }
    }
  }
  return made;
}

/**
 * Whether a command commits and is told to print nothing: all others print what they made. What it writes to
 * a file or searches for is not carried out.
 */
function isQuiet(command: string): boolean {
  const [head] = command.split("<<", 1);
  return /(?:^|[;&|(\n])\s*git(?: -c \S+)* commit\b(?![^;&|\n]*\s--dry-run)[^;&|\n]*\s(?:-[a-z]*q[a-z]*|--quiet)\b/
    .test(head);
}

const refused = /nothing (?:added )?to commit|no changes added|Aborting commit|hook .*failed/i;

/** The messages of the commits that a command makes: `-m` once or more, or from a here-document. */
export function commitMessages(command: string): { message: string; isAmended: boolean }[] {
  const parts = command.split(/\bgit(?: -[cC] \S+| --\S+)* commit\b/);
  return parts.slice(1).flatMap((rest, i) => {
    const here = hereDocument.exec(rest) ??
      (/^[^\n]*\s(?:-F|--file)[ =]/.test(rest) ? hereDocument.exec(parts[i]) : null);
    const said = here === null ? quotedMessages(rest) : [here[2]];
    if (said.length === 0) return [];
    const isAmended = /(?:^|\s)--amend\b/.test(here === null ? rest : rest.slice(0, here.index));
    return [{ message: said.join("\n\n").slice(0, maxMessage), isAmended }];
  });
}

const hereDocument = /<<-?\s*\\?['"]?(\w+)['"]?[^\n]*\n([\s\S]*?)\n[ \t]*\1\b/;
const maxMessage = 8000;

function quotedMessages(rest: string): string[] {
  const flags = /(?<=\s)(?:-[a-z]*m\s*|--message[= ]\s*)(?:"((?:[^"\\]|\\.)*)"|\$?'([^']*)')/g;
  return [...rest.matchAll(flags)].map(([, double, single]) =>
    (double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "").replaceAll("\\n", "\n")
  ).filter((text) => !/^\$[({\w]/.test(text));
}

/** The subject and the body of a message, without what tools add to it. */
function toParts(message: string): { subject: string; body: string } {
  const lines = message.trim().split("\n").map((line) => line.trim());
  const body = lines.slice(1).filter((line) => !boilerplate.test(line)).join("\n").trim();
  return { subject: lines[0] ?? "", body };
}

const boilerplate =
  /^(?:[A-Z][\w]*(?:-[\w]+)+: \S|(?:Refs?|Fixes|Closes|Resolves|See|PR|Issue):? #?\S+$|\W{0,4}Generated (?:with|by)\b|#|https?:\S+$|(?:session|prompts?):)/i;

/**
 * What of a message is told below its subject: sentences and list items that give a reason or say how
 * it behaves now, each with the sentence that it points back to. Undefined when the commit says nothing
 * that a later session needs.
 */
function pickTold(subject: string, body: string): string[] | undefined {
  const words = keyWords(subject.replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")).size;
  if (revertOf(subject) !== undefined) return [];
  if (words < 2 || idle.test(subject)) return undefined;
  const isQuiet = quiet.test(subject);
  const told: string[] = [];
  let chars = subject.length;
  for (const [block, sentences] of toStatements(body).entries()) {
    sentences.forEach((sentence, i) => {
      if (!(isQuiet ? strongReason : reason).test(sentence)) return;
      const before = pointsBack.test(sentence) ? sentences[i - 1] : undefined;
      const isLed = before !== undefined && !told.includes(before);
      const added = isLed ? [before, sentence] : [sentence];
      const more = added.reduce((sum, { length }) => sum + length + 1, 0);
      // At the very beginning it points to the subject.
      const isLost = before === undefined && block > 0 && pointsBack.test(sentence);
      if (isLost || chars + more > (told.length === 0 ? maxChars : lineChars)) return;
      told.push(...added);
      chars += more;
    });
  }
  return told.length === 0 && (isQuiet || words < 3) ? undefined : told;
}

/** One sentence may be long; more are told where they fit a line. */
const maxChars = 480;
const lineChars = 240;

/** The sentences of each paragraph, whose lines are joined, and of each list item, without its mark. */
function toStatements(body: string): string[][] {
  return body.split(/\n(?=\s*(?:[-*•]|\d+[.)])\s)|\n{2,}/).map((block) => {
    const line = block.replace(/\s*\n\s*/g, " ").trim().replace(/^(?:[-*•]|\d+[.)])\s+/, "");
    const sentences: string[] = [];
    for (const part of toSentences(line)) {
      const last = sentences.at(-1);
      // "e.g. this" and `"Done." appears` are no ends of sentences.
      const goesOn = last !== undefined &&
        (/^[\p{Ll}(]/u.test(part) || /\b(?:e\.g|i\.e|vs)\.$/.test(last));
      if (goesOn) sentences[sentences.length - 1] = `${last} ${part}`;
      else sentences.push(part);
    }
    return sentences.filter((sentence) => sentence.length >= 20 && !/:$/.test(sentence));
  });
}

/** Commits that are no decision, whatever their message says. */
const idle =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:wip\b|merge (?:branch|pull|remote|main|master|origin)|(?:bump|release|prepare release|version)\b|v?\d+\.\d+|typos?\b|(?:re)?format\w*\b|(?:go)?fmt\b|initial commit|(?:update|add)s? (?:the )?(?:changelog|readme|\.?gitignore)\b)|\b(?:no)?lint(?:er|ing)?\b|\btypos?\b|\bwhitespace\b|\bafter (?:the )?(?:rebase|merge)\b/i;
/** Commits that say something only when they give strong reasons. */
const quiet =
  /^(?:chore|style|docs?|ci|tests?|build)\b|\b(?:review|feedback|comments?|clean ?up|nits?|polish|simplify|tests? for|refactor|docs|documentation|readme)\b/i;
const strongReason =
  /\b(?:because|so that|instead of|rather than|no longer|never|must|prevent\w*|avoid\w*|caus(?:e|es|ed|ing)|otherwise|due to|safer)\b/i;
const reason = new RegExp(
  `${strongReason.source}|\\b(?:since|so (?:the|it|they|we|a)\\b|now|only|always|previously|before|without|unless|ensur\\w+|default\\w*|replac\\w+|fall(?:s|ing)? back|when|if)\\b`,
  "i",
);
const pointsBack =
  /^(?:this|that|these|those|it|they|also|previously both|both|with the|the (?:fix|change))\b/i;
