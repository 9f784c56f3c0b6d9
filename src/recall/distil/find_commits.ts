// Decisions and fixes in the words of the commits that a session made: short, understandable on their
// own, and accepted with the commit. Commits that the session amended, reverted or reset are skipped,
// and so are those that say nothing about the code (typos, formatting, releases). Only commits whose
// message explains them at length are sent to agents. Of everything measured (reasons, constraints,
// symbols, files, checks, later mentions), only the length of the explanation separated commits that
// matter from others in both labelled projects. Pure.

import type { Entry } from "../../core/entry.ts";
import { endSentence } from "../../core/rows/blocks.ts";
import { madeCommitsOf, revertOf } from "../../core/rows/made_commits.ts";
import { isDecisive, type ShellCommand, toShellCommands } from "../../core/rows/shell_commands.ts";
import { toWholePath } from "../../core/platform_path.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { type CommittedEdits, UncommittedEdits } from "./commits/uncommitted_edits.ts";
import { editCalls } from "./find_outcomes.ts";
import { findSymbols, keyWords } from "./key_words.ts";
import { toWholeSentences } from "./quote.ts";
import { endOf } from "./run_end.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** A commit as its command states it. */
export interface Commit {
  subject: string;
  body: string;
  run: Run & { call: Entry };
  scene: Scene;
  edits: CommittedEdits;
}

/** The commits of a session that say what was decided or mended, and why. */
export function findCommits(commits: readonly Commit[]): Candidate[] {
  return commits.flatMap(({ subject, body, run, scene, edits }) => {
    const named = subject.replace(ticket, "");
    const told = pickTold(named, body);
    if (told === undefined) return [];
    // "Address review feedback" names nothing, and what it lists is small: offered, not told.
    const isUnnamed = told.length > 0 && unnamed.test(named);
    const whole = toText(isUnnamed ? told : [subject, ...told]);
    const output = run.output === undefined ? [] : [run.output];
    const isFix = fixSubject.test(named);
    const isContract = told.some((line) => contract.test(line));
    const isOfCode = told.some((line) => findSymbols(line).length > 0);
    const isExplained = body.length >= explainedChars || told.some((line) => replaces.test(line));
    // What must hold is understood alone, where there is no room for the subject.
    const isAlone = isContract && !isUnnamed && whole.length > lineChars;
    const text = isAlone ? toText(told) : whole;
    return [{
      type: isFix ? "fix" : "decision",
      title: isUnnamed ? told[0] : subject,
      text,
      evidence: [run.call, ...output, ...scene.prompts, ...editCalls(edits.runs)],
      files: edits.files,
      scene,
      // Before whatever else was found: these words were accepted.
      score: told.length > 0 ? 9 : 6,
      // Half a reason is none, and fixes are soon replaced by others: what something expects is not.
      isHeld: text.length <= lineChars && told.length > 0 && !isUnnamed && !minor.test(named) &&
        !planCode.test(text) &&
        (isContract || isExplained && !isFix),
      // A start is told of what must hold, and of what is said of code by its name.
      narrow: isContract || isOfCode ? true : "silent",
    }];
  });
}

function toText(lines: readonly string[]): string {
  return lines.length === 1 ? lines[0] : lines.map(endSentence).join("\n");
}

const ticket = /^\[?(?:[A-Z][A-Z\d]+-|#)\d+\]?:?\s+/;
/** A body from this length on explains why; shorter ones mostly list what the diff shows. */
const explainedChars = 350;
/** States what something else needs or what holds from now on: both outlive the change. */
const contract = /\b(?:expects|requires|must|source of truth|convention)\b/i;
/** Names what it takes the place of. */
const replaces = /^replac(?:e|es|ed|ing)\b.{3,}\bwith\b/i;
const unnamed =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:(?:address|apply|handle|fix|resolve|incorporate)\w*\s+(?:[\w'-]+\s+){0,4}?)?(?:(?:the|low|high|medium|severity|more|pr|code|copilot|bot)\s+)*(?:review|feedback|comments?|findings?)(?:\s+(?:review|feedback|comments?|findings?))*(?=\s*(?:$|[:(,–—])|\s+(?:for|on|from|in|and)\b)/i;

/** Names, tests, looks and how the code reads are seen in the code. */
const minor =
  /\b(?:brittle|hacky|readab\w+|maintainab\w+|dead code|magic numbers?|ux|home ?pages?|wording|colou?rs?|paddings?|margins?|layouts?|fonts?)\b|^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:renam\w+|(?:add|fix|updat|improv|extend)\w* (?:[\w-]+ ){0,3}(?:tests?|assertions?))\b/i;
const fixSubject =
  /^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:(?:bug|hot)?fix(?:es|ed)?\b|repair|resolve|correct\b|prevent\b)/i;

/** Names a part of a plan that stands elsewhere: "(R5+R6)", "phase 3". */
export const planCode =
  /\([A-Z]{1,3}-?\d+(?:\s*[+,&/]\s*[A-Z]{1,3}-?\d+)*\)|(?:^|[\s(:])(?:phase|step|part|task|milestone|stage|wave|sprint|story|epic)\s+(?:\d+|[IVX]+)\b|^[A-Z]\d+[.:]\s/im;

/** Whether the subject of a commit does not say what was changed. */
export function tellsNothing(subject: string): boolean {
  const named = subject.replace(ticket, "");
  return idle.test(named) || unnamed.test(named) ||
    keyWords(named.replace(/^[a-z]+(?:\([^)]*\))?!?:\s*/, "")).size < 2;
}

/** The commits of a session that stand, in order, each subject once. */
export function readCommits(scenes: readonly Scene[]): Commit[] {
  const made = new MadeCommits();
  const uncommitted = new UncommittedEdits();
  for (const scene of scenes) {
    for (const run of scene.runs) {
      uncommitted.add(run);
      const { command, call, output } = run;
      if (command === undefined || call === undefined || output === undefined) continue;
      const answered = madeCommitsOf(output);
      if (run.failed && answered.length === 0) continue;
      const commands = toShellCommands(command);
      const isMade = (subject: string, at: number): boolean =>
        answered.length === 0
          ? isDecisive(commands, at) && isSilent(commands[at], run)
          : answered.some((commit) => commit.subject.startsWith(subject.slice(0, 40)));
      const said = new Set<string>();
      const add = (subject: string, body: string, edits: CommittedEdits = noEdits): void => {
        said.add(subject);
        const oid = answered.find((commit) => commit.subject === subject)?.oid;
        made.add({ subject, body, run: { ...run, call }, scene, edits }, oid);
      };
      for (const { verb, words, at, message } of gitCommands(commands, call.project)) {
        if (verb === "reset") made.reset(words);
        if (verb === "add") uncommitted.stage(words);
        if (!commitVerbs.has(verb) || words.includes("--dry-run")) continue;
        if (message === undefined) {
          // What another session made is taken back by a record of its own.
          const reverts = answered.filter(({ subject }) => revertOf(subject) !== undefined);
          reverts.filter(({ subject }) => !said.has(subject))
            .forEach(({ subject }) => add(subject, ""));
          continue;
        }
        const { subject, body } = toParts(message);
        if (subject === "" || !isMade(subject, at)) continue;
        const amended = words.includes("--amend") ? made.pop()?.edits : undefined;
        add(subject, body, joinEdits(amended ?? noEdits, uncommitted.commit(words)));
      }
    }
  }
  return made.commits;
}

const noEdits: CommittedEdits = { runs: [], files: [] };

function joinEdits(a: CommittedEdits, b: CommittedEdits): CommittedEdits {
  return { runs: [...a.runs, ...b.runs], files: [...new Set([...a.files, ...b.files])] };
}

const commitVerbs: ReadonlySet<string> = new Set(["commit", "revert", "cherry-pick"]);

/** Commits in order, and what takes them back. */
class MadeCommits {
  readonly commits: Commit[] = [];
  readonly #oids = new Map<Commit, string>();

  add(commit: Commit, oid: string | undefined): void {
    const reverted = revertOf(commit.subject);
    if (reverted !== undefined && this.#drop(reverted)) return;
    this.#drop(commit.subject);
    this.commits.push(commit);
    if (oid !== undefined) this.#oids.set(commit, oid);
  }

  pop(): Commit | undefined {
    return this.commits.pop();
  }

  /** Takes back what `git reset` does; all of it where that cannot be told. */
  reset(words: readonly string[]): void {
    const names = words.filter((word) => !word.startsWith("-"));
    const hasMode = words.some((word) => /^--(?:soft|mixed|hard|keep|merge)$/.test(word));
    const [target = "HEAD"] = names;
    // Files are taken out of the next commit, and the commits stay.
    if (words.includes("--") || names.length > 1 || !(hasMode || isRevision.test(target))) return;
    const back = /^(?:HEAD|@)(\^+|~\d*)?$/.exec(target);
    if (back !== null) {
      const [, steps = ""] = back;
      const count = steps === "" ? 0 : Number(steps.slice(1)) || steps.length;
      this.commits.splice(Math.max(0, this.commits.length - count));
      return;
    }
    const at = this.commits.findLastIndex((commit) => {
      const oid = this.#oids.get(commit);
      return oid !== undefined && (oid.startsWith(target) || target.startsWith(oid));
    });
    this.commits.splice(at + 1);
  }

  #drop(subject: string): boolean {
    const at = this.commits.findLastIndex((commit) => commit.subject === subject);
    return at >= 0 && this.commits.splice(at, 1).length > 0;
  }
}

const isRevision =
  /^(?:HEAD|ORIG_HEAD|@|[0-9a-f]{7,64}|(?:origin|upstream)\/.+|main|master)(?:$|[~^@])/;

/**
 * Whether a commit without git's report was made: nothing was printed, or it was told to be quiet and what
 * was printed does not sound as if it had been refused.
 */
function isSilent({ words, documents }: ShellCommand, run: Run): boolean {
  if (documents.length === 0 && words.some((word) => fromFile.test(word))) return false;
  const { end, printed } = endOf(run) ?? {};
  if (printed === undefined) return false;
  if (/^(?:ok\b.{0,80}|\([\w ]*no output\))?$/i.test(printed)) return end !== "failed";
  const isQuiet = words.some((word) => /^(?:--quiet|-[a-z]*q[a-z]*)$/.test(word));
  return end === "succeeded" && isQuiet && !refused.test(printed);
}

const refused =
  /nothing (?:added )?to commit|no changes added|Aborting commit|(?:hook|script) .{0,80}failed|script failed|FAILED: git|[✖🥊]|^[ \t]+\d+:\d+[ \t]+error|^(?:Untracked files:|Changes not staged)/imu;

/** A git command: what it does, and the words after that. */
interface GitCommand {
  verb: string;
  words: string[];
  /** Its place in the line. */
  at: number;
  /** Of a commit: its message, where the line has it. */
  message?: string;
}

/** The git commands of a line that run in a project. */
export function gitCommands(
  commands: readonly ShellCommand[],
  project: string | undefined,
): GitCommand[] {
  let isElsewhere = false;
  return commands.flatMap(({ words }, at): GitCommand[] => {
    if (words[0] === "cd" || words[0] === "pushd") {
      isElsewhere = !isInside(words[1] ?? "~", project);
    }
    if (words[0] !== "git" || isElsewhere) return [];
    for (let i = 1; i < words.length; i++) {
      if (words[i] === "-C" && !isInside(words[i + 1] ?? "", project)) return [];
      if (/^-[cC]$/.test(words[i])) i++;
      else if (/^--(?:git-dir|work-tree)\b/.test(words[i])) return [];
      else if (!words[i].startsWith("-")) {
        const message = words[i] === "commit" ? messageOf(commands, at) : undefined;
        return [{ verb: words[i], words: words.slice(i + 1), at, message }];
      }
    }
    return [];
  });
}

/** Whether a directory is in a project, as far as its name says. */
function isInside(directory: string, project: string | undefined): boolean {
  if (directory.split(/[\\/]/).includes("..")) return false;
  const whole = toWholePath(directory);
  if (whole === undefined) return !/^[~$-]/.test(directory);
  const root = toWholePath(project);
  return root !== undefined && `${whole}/`.startsWith(`${root}/`);
}

/** The message that a commit is given in its line. */
function messageOf(commands: readonly ShellCommand[], at: number): string | undefined {
  const { words, documents } = commands[at];
  const said = words.some((word) => fromFile.test(word))
    ? (documents.length > 0 ? documents : commands[at - 1]?.documents ?? []).slice(0, 1)
    : words.flatMap((word, i): string[] => {
      const value = /^-[a-z]*m$|^--message$/.test(word)
        ? words[i + 1] ?? ""
        : /^(?:-m|--message=)([^]+)$/.exec(word)?.[1];
      if (value === undefined) return [];
      if (value.includes("\0")) return documents.slice(0, 1);
      // What the shell puts in its place is not known.
      return /^\$[({\w]|\$\(/.test(value) ? [] : [value.replaceAll("\\n", "\n")];
    });
  return said.length === 0 ? undefined : said.join("\n\n").slice(0, maxMessage);
}

const fromFile = /^(?:-[a-z]*F|--file(?:=.*)?)$/;
const maxMessage = 8000;

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
    return toWholeSentences(line)
      .filter((sentence) => sentence.length >= 20 && !/:$/.test(sentence));
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
  `${strongReason.source}|${contract.source}|\\b(?:since|so (?:the|it|they|we|a)\\b|now|only|always|previously|before|without|unless|ensur\\w+|default\\w*|replac\\w+|fall(?:s|ing)? back|when|if)\\b`,
  "i",
);
const pointsBack =
  /^(?:this|that|these|those|it|they|also|previously both|both|with the|the (?:fix|change))\b/i;
