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
export interface Commit {
  subject: string;
  body: string;
  run: Run & { call: Entry };
  scene: Scene;
}

/** The commits of a session that say what was decided or mended, and why. */
export function findCommits(commits: readonly Commit[]): Candidate[] {
  return commits.flatMap(({ subject, body, run, scene }) => {
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
        !minor.test(named) && !namesFailure.test(named),
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

/** Names, tests and looks are seen in the code. */
const minor =
  /\b(?:ux|home ?pages?|wording|colou?rs?|paddings?|margins?|layouts?|fonts?)\b|^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:renam\w+|(?:add|fix|updat|improv|extend)\w* (?:[\w-]+ ){0,3}(?:tests?|assertions?))\b/i;
/** Names a failure that is gone, and not how it works now. */
const namesFailure =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?fix(?:es|ed)?\s+(?!.*(?::\s|\b(?:by|with|to|instead of|rather than|so that)\s))/i;
const fixSubject = /^(?:(?:bug|hot)?fix(?:es|ed)?\b|repair|resolve|correct\b|prevent\b)/i;

/** Whether the subject of a commit does not say what was changed. */
export function tellsNothing(subject: string): boolean {
  const named = subject.replace(ticket, "");
  return idle.test(named) || unnamed.test(named) ||
    keyWords(named.replace(/^[a-z]+(?:\([^)]*\))?!?:\s*/, "")).size < 2;
}

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
      for (const { message, isAmended, isPlain } of commitMessages(command)) {
        const { subject, body } = toParts(message);
        const isMade = answered.length === 0
          ? isPlain && !refused.test(output.text)
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

const refused =
  /nothing (?:added )?to commit|no changes added|Aborting commit|hook .*failed|FAILED: git|running in (?:the )?background|^<persisted-output>|doesn't want to proceed/i;

/** The message of a commit in a command. */
interface SaidCommit {
  message: string;
  isAmended: boolean;
  /** Whether the command cannot succeed without the commit: then nothing needs to report it. */
  isPlain: boolean;
}

/** The messages of the commits that a command makes: `-m` once or more, or from a here-document. */
export function commitMessages(command: string): SaidCommit[] {
  const parts = command.split(/\bgit(?: -[cC] \S+| --\S+){0,6} commit\b/);
  return parts.slice(1).flatMap((rest, i) => {
    const own = findHereDocument(rest);
    const isFromFile = own === undefined && /^[^\n]*\s(?:-F|--file)[ =]/.test(rest);
    const here = own ?? (isFromFile ? findHereDocument(parts[i]) : undefined);
    const said = here === undefined ? quotedMessages(rest) : [here.text];
    if (said.length === 0) return [];
    const options = own === undefined ? rest : rest.slice(0, own.from) + rest.slice(own.to);
    return [{
      message: said.join("\n\n").slice(0, maxMessage),
      isAmended: /(?:^|\s)--amend\b/.test(own === undefined ? rest : rest.slice(0, own.from)),
      isPlain: i === 0 && !isFromFile && isRun(parts[0]) && decidesAlone(options),
    }];
  });
}

/** Whether what follows some text is run: not what is written to a file, quoted or searched for. */
function isRun(before: string): boolean {
  const bare = before.replace(/"[^"]*"|'[^']*'/g, "");
  return /(?:^|[;&(\n])\s*(?:\w+ )?$/.test(bare) && !/["'`]|<</.test(bare);
}

/** Whether a command fails when its commit does: nothing hides that, and nothing runs regardless. */
function decidesAlone(options: string): boolean {
  const bare = options.replace(/\\["\\]/g, "").replace(/"[^"]*"|'[^']*'/g, "").replace("2>&1", "");
  return !/[|;]|\s--dry-run\b|\n\s*\w|(?<!&)&(?!&)/.test(bare);
}

/** The first here-document of a text that ends. Only a few are tried, so that it takes linear time. */
function findHereDocument(text: string): { from: number; to: number; text: string } | undefined {
  const heads = text.matchAll(/<<-?[ \t]{0,4}\\?['"]?(\w{1,40})/g).take(maxHeads);
  for (const { index: from, 0: head, 1: word } of heads) {
    const begin = text.indexOf("\n", from + head.length) + 1;
    for (let at = begin; at > 0 && at < text.length;) {
      const end = text.indexOf("\n", at);
      const line = text.slice(at, end < 0 ? undefined : end).trimStart();
      if (line.startsWith(word) && !/\w/.test(line.charAt(word.length))) {
        return {
          from,
          to: at + text.slice(at).indexOf(word) + word.length,
          text: text.slice(begin, Math.max(begin, at - 1)),
        };
      }
      at = end + 1;
    }
  }
}

const maxHeads = 8;
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
