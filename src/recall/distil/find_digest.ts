// The digest: what a session left behind, according to its log: which commits it made, or else the task and
// the files that it edited for it, and the check that passed after the last edit. The next session gets the
// last digest as where the work stands, so it has whole sentences only, and none that needs another one to be
// understood or may be untrue by then: no agent's account, no fault, nothing about how it ended. Pure.

import { toLine } from "../../core/text.ts";
import { endSentence, toSentences } from "../../core/rows/blocks.ts";
import type { Entry } from "../../core/entry.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { revertOf } from "../../core/rows/made_commits.ts";
import { countWords, enoughWords } from "../../core/titles/telling_line.ts";
import { partBelow, toWholePath } from "../../core/platform_path.ts";
import { isBookkeeping } from "../../code/git/bookkeeping_file.ts";
import { isRuleFile } from "../../intake/agent_files/find_agent_files.ts";
import { sayCommitted } from "./commits/committed_words.ts";
import { type Commit, planCode, tellsNothing } from "./find_commits.ts";
import { allEdits, filesOf, findProof, maxCalls } from "./find_outcomes.ts";
import { findLastCheck } from "./find_open.ts";
import { cutAtSentence, maxTextChars, toWholeSentences } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/**
 * The digest of a session; none when nothing came of it. It is told unasked where it has its commits, or else
 * the one task that its edits are for.
 */
export function findDigest(
  scenes: readonly Scene[],
  found: Record<"goals" | "outcomes" | "open", readonly Candidate[]> & {
    commits: readonly Commit[];
  },
  sessionTitle = "",
): Candidate[] {
  const { commits } = found;
  const own = scenes.filter(({ isSide }) => !isSide);
  const runs = scenes.flatMap((scene) => scene.runs);
  const edits = projectEdits(runs);
  const first = found.goals[0]?.scene ?? own[0];
  const isChanged = edits.length > 0 || commits.length > 0;
  const isWork = own.length > 0 &&
    (isChanged || runs.some(({ call }) => call?.tool?.name === "ExitPlanMode") ||
      own.filter(({ asked }) => asked !== "").length >= manyPrompts);
  const told = isChanged ? [] : findTold(scenes, found);
  if (told.length > 0) return told.map((candidate) => ({ ...candidate, isWork }));
  if (first === undefined || !(isChanged || isWork)) return [];
  const last = own.at(-1) ?? first;
  const check = findGreenCheck(runs, commits);
  const subjects = findSubjects(commits);
  const files = nameEdited(edits);
  // Of several tasks nobody knows which are done.
  const task = commits.length > 0 || files === "" ? "" : findOnlyTask(own);
  // Agents load their rule files themselves.
  const isLoaded = commits.length === 0 && filesOf(edits).every(isRuleFile);
  const parts = [
    subjects.length > 0
      ? sayCommitted(subjects)
      : task || toTask(sessionTitle) || toTask(first.topic),
    subjects.length > 0 || files === "" ? "" : `Edited: ${files}`,
    check?.text ?? "",
  ].filter((part) => part !== "");
  // The text begins with its title, so that both are one line.
  const title = toLine(parts[0] ?? (sessionTitle || "The last session"), 120);
  return [{
    type: "digest",
    title,
    text: cutAtSentence(parts.map(endSentence).join("\n"), maxTextChars) || title,
    evidence: [
      ...first.prompts,
      ...edits.slice(-maxCalls),
      ...(check?.evidence ?? []),
      ...commits.slice(-maxSubjects).map(({ run }) => run.call),
      ...last.prompts,
    ],
    scene: first,
    score: 1,
    isHeld: own.length > 0 &&
      (subjects.length > 0 ? !goesOn(own, commits) : task !== "" && !isLoaded),
    isWork,
  }];
}

/** Whether something was asked for after the last commit: then that is where work was left. */
function goesOn(own: readonly Scene[], commits: readonly Commit[]): boolean {
  const last = commits.at(-1)?.scene.number ?? -1;
  return own.some(({ number, asked }) =>
    number > last && countWords(asked) >= enoughWords && !chore.test(asked)
  );
}

/** A plan is work, and so are so many prompts, even if no file was changed. */
const manyPrompts = 3;

/** The last check, if it passed, no file was edited since, and no more than what it checked was committed. */
function findGreenCheck(
  runs: readonly Run[],
  commits: readonly Commit[],
): ReturnType<typeof findLastCheck> {
  const check = findLastCheck(runs);
  if (check === undefined || check.failed) return undefined;
  const later = runs.slice(runs.findIndex(({ call }) => call === check.evidence[0]) + 1);
  const committed = commits.filter(({ run }) => later.some(({ call }) => call === run.call));
  return projectEdits(later).length > 0 || committed.length > 1 ? undefined : check;
}

/**
 * What the edits of a session are for: its last plan, or the only request for which files were changed. Empty
 * where something else was asked for too, or anything was said after the last edit.
 */
function findOnlyTask(own: readonly Scene[]): string {
  const isEditing = ({ runs }: Scene): boolean => projectEdits(runs).length > 0;
  const end = own.findLastIndex(isEditing);
  if (end < 0) return "";
  if (own.slice(end + 1).some(({ asked }) => countWords(asked) >= enoughWords)) return "";
  const plan = own.findLastIndex(({ asked, goal }) => asked === "" && goal !== "");
  const [first, ...later] = own.slice(Math.max(0, plan)).filter(isEditing);
  // What was typed about a plan is part of it, unless it is a task of its own.
  const isOnly = plan < 0
    ? later.length === 0 && isRequest(first)
    : first === own[plan] && !later.some(isRequest);
  return isOnly ? toTask(first.topic) : "";
}

function isRequest({ topic, topicFrom, prompts }: Scene): boolean {
  return topicFrom === prompts && asksForWork(topic) && toTask(topic) !== "";
}

/** Whether a line asks for work; what only tells of a fault may be mended since. */
export function asksForWork(line: string): boolean {
  return request.test(line);
}

const request =
  /^(?:(?:please|now|then|next|first|let's|lets|can you|can we|could you|could we),? )*(?:add|adapt|adjust|align|allow|apply|build|change|clean|connect|convert|copy|create|define|delete|disable|display|document|draft|drop|enable|ensure|expand|expose|extend|extract|fix|generate|give|handle|hide|implement|improve|include|increase|install|integrate|introduce|keep|limit|link|load|log|make|migrate|modify|move|optimi[sz]e|parse|persist|port|prevent|print|provide|put|read|record|redesign|reduce|refactor|remove|rename|reorgani[sz]e|replace|require|reset|restore|restrict|return|rewrite|save|send|separate|set|show|simplify|sort|split|stop|store|support|switch|sync|track|translate|turn|unify|update|upgrade|use|validate|wire|wrap|write)\b/i;

/** The edited files of a project by their paths in it, the last ones first; not those kept up beside the work. */
function nameEdited(edits: readonly Entry[]): string {
  const root = edits[0]?.project;
  const names = filesOf(edits.toReversed()).flatMap((path) => {
    const name = pathIn(root, path) ?? "";
    return name === "" || /^\.\.?\//.test(name) || isBookkeeping(name) ? [] : name;
  });
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return names.slice(0, maxNamed).join(", ") + more;
}

const maxNamed = 3;

/** The subjects that tell what was committed last. */
function findSubjects(commits: readonly Commit[]): string[] {
  const subjects: string[] = [];
  for (const { subject } of commits) {
    // What a review asked for is understood beside what it was a review of.
    const isTelling = !tellsNothing(subject) || (subjects.length > 0 && ofReview.test(subject));
    // What takes back another session's commit has only that one's words.
    const isOther = keepsBooks.test(subject) || revertOf(subject) !== undefined;
    if (isTelling && !isOther && !planCode.test(subject)) subjects.push(subject);
  }
  return subjects.slice(-maxSubjects);
}

const ofReview = /\b(?:review|feedback|comments|findings)\b/i;
/** Notes about the work, not the work. */
const keepsBooks =
  /^docs\((?:state|todos?|planning)\)|\b(?:STATE|TODOS?|PROGRESS|ROADMAP)\.md\b|\bstart work on\b|^chore(?:\([^)]*\))?!?: (?:bump|release|sync)\b/i;

const maxSubjects = 3;

/** The calls that changed files of the project; plans and scratch files elsewhere are not its work. */
export function projectEdits(runs: readonly Run[]): Entry[] {
  return allEdits(runs).filter(({ project, files = [] }) =>
    files.some((path) => pathIn(project, path) !== undefined)
  );
}

/** A file by its path in a project; undefined where it lies elsewhere. */
function pathIn(project: string | undefined, path: string): string | undefined {
  const whole = toWholePath(path);
  return whole === undefined ? path : partBelow(whole, toWholePath(project) ?? project ?? "");
}

/** What a session is about, if that can be read alone; empty otherwise. */
function toTask(title: string): string {
  const [head] = title.split(" · ", 1);
  const whole = wholeOf(head);
  const isClear = countWords(whole) >= enoughWords && !chore.test(whole) &&
    !/[:?]$|\?\s|https?:|\s@\S+\/|\[[\d:]/.test(whole) &&
    !unclear.test(whole);
  return isClear ? whole.replace(/\.$/, "") : "";
}

/** Of what is cut, the sentences before the cut. */
function wholeOf(text: string): string {
  return text.endsWith("…") ? toWholeSentences(text).slice(0, -1).join(" ") : text;
}

/** How work is handed in, looked at or gone on with; not the work. */
const chore =
  /^(?:(?:please|now|then) )*(?:amend|commit|push|force-push|rebase|squash|merge|review|re-?run|run|continue|proceed|go (?:ahead|on)|retry|try again)\b/i;

const before =
  "this|that|thats|these|those|it|its|they|one|ones|here|there|same|also|and|but|so|or|no|nope|yes|yeah|yep|sure|ok|okay|now|then|still|again|looks|seems";
/** Begins by pointing to what stands elsewhere, or tells of somebody instead of work. */
const unclear = new RegExp(
  `^(?:(?:${before}|i|i'm|i've|we|you|my|does|did|do|is|are|was|why|what|how|where|when|which|who)\\b|[^\\p{L}\\p{N}"'\`])`,
  "iu",
);

/** Of a session without a change: what was asked and answered. */
function findTold(
  scenes: readonly Scene[],
  { goals, outcomes, open }: Record<"goals" | "outcomes" | "open", readonly Candidate[]>,
): Candidate[] {
  const goal = goals[0];
  const outcome = outcomes.findLast(({ scene }) => !scene.isSide) ?? outcomes.at(-1);
  if (goal === undefined || outcome === undefined) return [];
  const proof = findProof(scenes.flatMap((scene) => scene.runs));
  // Of a single question and its answer there is no more to say than they say.
  if (scenes.length < 2 && proof.length === 0) return [];
  const came = leadOf(outcome.text);
  const parts = [
    `Asked: ${toLine(goal.scene.topic, 160)}`,
    `Came of it: ${came}`,
    ...proof.map(({ line }) => line).filter((line) => !came.includes(line)),
    open.length > 0 ? `Open: ${toLine(open[0].text, 120)}` : "",
  ];
  return [{
    type: "digest",
    text: cutAtSentence(parts.filter(Boolean).join("\n"), maxTextChars),
    evidence: [
      ...goal.evidence,
      ...outcome.evidence,
      ...proof.flatMap(({ run }) => run.output ?? []),
      ...open.slice(0, 1).flatMap(({ evidence }) => evidence),
    ],
    scene: goal.scene,
    score: 1,
  }];
}

/** The first sentences of a text, as many as fit. */
export function leadOf(text: string, maxChars = 240): string {
  let lead = "";
  for (const sentence of toSentences(text)) {
    if (lead.length + sentence.length > maxChars) break;
    lead += (lead === "" ? "" : " ") + sentence;
  }
  return lead === "" ? toLine(text, maxChars) : lead;
}
