// The digest: what a session left behind, according to its log: what was asked, which commits it made,
// or else what its agent said that came of it, how its last check ended, and what was cut off. The next
// session gets the last digest as where the work stands, so it has whole sentences only, and none that
// needs another one to be understood. Pure.

import { toLine } from "../../core/text.ts";
import { endSentence, toSentences } from "../../core/rows/blocks.ts";
import { revertOf } from "../../core/rows/made_commits.ts";
import { countWords, enoughWords } from "../../core/titles/telling_line.ts";
import { toWholePath } from "../../core/whole_path.ts";
import { isBookkeeping } from "../../code/git/bookkeeping_file.ts";
import { sayCommitted, sayEdited } from "./commits/committed_words.ts";
import { type Commit, tellsNothing } from "./find_commits.ts";
import { editCalls, filesOf, findProof } from "./find_outcomes.ts";
import { findCutOff, findLastCheck } from "./find_open.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { cutAtSentence, maxTextChars, toWholeSentences } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/**
 * The digest of a session; none when nothing came of it. It is told unasked where it says what the work was
 * and what came of it.
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
  const edits = editCalls(runs);
  const first = found.goals[0]?.scene ?? own[0];
  const isChanged = changesProject(edits) || commits.length > 0;
  const isWork = own.length > 0 &&
    (isChanged || runs.some(({ call }) => call?.tool?.name === "ExitPlanMode") ||
      own.filter(({ asked }) => asked !== "").length >= manyPrompts);
  const told = isChanged ? [] : findTold(scenes, found);
  if (told.length > 0) return told.map((candidate) => ({ ...candidate, isWork }));
  if (first === undefined || !(isChanged || isWork)) return [];
  const last = own.at(-1) ?? first;
  const check = findLastCheck(runs);
  const cutOff = findCutOff(last);
  const later = findLater(scenes, commits);
  // What was cut off says itself what was asked for last.
  const isNamed = cutOff.some(({ namesTask }) => namesTask);
  const next = isNamed ? undefined : later;
  const task = next ?? (toTask(sessionTitle) || toTask(first.topic));
  const subjects = findSubjects(commits);
  // The words of commits were accepted; what was typed or answered is told where there are none.
  const isOver = cutOff.length > 0 || (subjects.length > 0 && next === undefined);
  const result = isOver ? undefined : findResult(last, task);
  const isSaid = next === undefined && subjects.length > 0 &&
    (first.asked !== "" || subjects.some((subject) => saysSame(task, subject)));
  // A plan was agreed to and carried out so far that it could be checked.
  const isChecked = first.asked === "" && check !== undefined;
  const isTold = next === undefined
    ? subjects.length > 0 ||
      (task !== "" && (result !== undefined || isChecked || commits.length > 0))
    : next !== "";
  // Where words do not say it, what was edited does, and that is sure.
  const edited = isTold ? undefined : findEdited(own, { commits, isAfter: next !== undefined });
  const parts = [
    edited?.task ?? (task === "" || isSaid ? "" : task),
    sayCommitted(subjects, next !== undefined),
    result?.text ?? "",
    edited === undefined || result ? "" : sayEdited(edited.files, subjects.length > 0),
    check?.text ?? "",
    ...cutOff.map(({ text }) => text).filter((text) => text !== check?.text),
  ].filter((part) => part !== "");
  // The text begins with its title, so that both are one line.
  const title = toLine(parts[0] ?? (sessionTitle || "The last session"), 120);
  return [{
    type: "digest",
    title,
    text: cutAtSentence(parts.map(endSentence).join("\n"), maxTextChars) || title,
    evidence: [
      ...first.prompts,
      ...edits,
      ...cutOff.flatMap(({ evidence }) => evidence),
      ...(check?.evidence ?? []),
      ...(result === undefined ? [] : [result.entry]),
      ...commits.slice(-maxSubjects).map(({ run }) => run.call),
      ...last.prompts,
    ],
    scene: first,
    score: 1,
    isHeld: own.length > 0 && isChanged &&
      (isTold || (edited !== undefined && (edited.task !== "" || subjects.length > 0))),
    isWork,
  }];
}

/** A plan is work, and so are so many prompts, even if no file was changed. */
const manyPrompts = 3;

/**
 * What was begun after the last commit: another prompt for which files were changed, or that was not
 * answered. Empty where its words do not tell what it is; undefined where there is none.
 */
function findLater(scenes: readonly Scene[], commits: readonly Commit[]): string | undefined {
  const end = commits.at(-1)?.scene.number;
  if (end === undefined) return undefined;
  const since = scenes.filter(({ number }) => number > end);
  const from = since.findIndex(({ isSide, prompts }) => !isSide && prompts.length > 0);
  if (from < 0) return undefined;
  const later = since.slice(from);
  const own = later.filter(({ isSide }) => !isSide);
  const last = own[own.length - 1];
  const isCut = last.answer === undefined && last.runs.length > 0 &&
    countWords(last.asked) >= enoughWords;
  if (!isCut && !later.some(({ runs }) => editCalls(runs).length > 0)) return undefined;
  return own.toReversed().map(({ topic, topicFrom, prompts }) =>
    topicFrom === prompts ? toTask(topic) : ""
  ).find((task) => task !== "") ?? "";
}

/**
 * The last task that can be read alone, and the files that were edited for it or for what followed; with
 * `isAfter`, only what came after the last commit, of which no words tell what it is.
 */
function findEdited(
  own: readonly Scene[],
  { commits, isAfter }: { commits: readonly Commit[]; isAfter: boolean },
): { task: string; files: string } | undefined {
  const end = isAfter ? commits.at(-1)?.scene.number ?? -1 : -1;
  const since = own.filter(({ number }) => number > end);
  // What was asked before another prompt was answered since, or given up.
  const from = isAfter ? 0 : askedFor(since.at(-1) ?? own[0]) === "" ? -1 : since.length - 1;
  const scenes = since.slice(Math.max(0, from));
  const files = nameEdited(editCalls(scenes.flatMap(({ runs }) => runs)));
  if (files === "") return undefined;
  return { task: isAfter || from < 0 ? "" : askedFor(since[from]), files };
}

/** What was asked for in an exchange that changed files, as a task or quoted; empty if it points elsewhere. */
function askedFor({ topic, topicFrom, prompts, asked, runs }: Scene): string {
  if (topicFrom !== prompts || editCalls(runs).length === 0) return "";
  const task = toTask(topic);
  if (task !== "" || asked === "") return task;
  const whole = wholeOf(topic);
  const isClear = countWords(whole) >= enoughWords && !pointing.test(whole) &&
    !/https?:|\[[\d:]/.test(whole);
  return isClear ? `Asked: "${whole}"` : "";
}

/** The edited files of a project by their paths in it, the last ones first; not those kept up beside the work. */
function nameEdited(edits: ReturnType<typeof editCalls>): string {
  const root = edits[0]?.project;
  const project = `${toWholePath(root) ?? root ?? ""}/`;
  const names = filesOf(edits.toReversed()).flatMap((path) => {
    const whole = toWholePath(path);
    const name = whole === undefined
      ? path
      : whole.startsWith(project)
      ? whole.slice(project.length)
      : "";
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
    if (isTelling && !isOther) subjects.push(subject);
  }
  return subjects.slice(-maxSubjects);
}

const ofReview = /\b(?:review|feedback|comments|findings)\b/i;
/** Notes about the work, not the work. */
const keepsBooks =
  /^docs\((?:state|todos?|planning)\)|\b(?:STATE|TODOS?|PROGRESS|ROADMAP)\.md\b|\bstart work on\b|^chore(?:\([^)]*\))?!?: (?:bump|release|sync)\b/i;

const maxSubjects = 3;

/** Whether files of the project were changed; plans and scratch files elsewhere are not. */
function changesProject(edits: ReturnType<typeof editCalls>): boolean {
  const root = edits[0]?.project;
  const project = `${toWholePath(root) ?? root ?? ""}/`;
  return filesOf(edits).some((path) => (toWholePath(path) ?? project).startsWith(project));
}

/** What a session is about, if that can be read alone; empty otherwise. */
function toTask(title: string): string {
  const [head] = title.split(" · ", 1);
  const whole = wholeOf(head);
  const isClear = countWords(whole) >= enoughWords && !chore.test(whole) &&
    !/[:?]$|\?\s|https?:|\s@\S+\/|\[[\d:]/.test(whole) &&
    !pointing.test(whole) && !unclear.test(whole);
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
/** Begins by pointing to what stands elsewhere. */
const pointing = new RegExp(`^(?:(?:${before})\\b|[^\\p{L}\\p{N}"'\`])`, "iu");
/** The same, or tells of somebody instead of work. */
const unclear = new RegExp(
  `^(?:${before}|i|i'm|i've|we|you|my|does|did|do|is|are|was|why|what|how|where|when|which|who)\\b`,
  "iu",
);

/** Whether a commit says what a session was to do. */
function saysSame(task: string, subject: string): boolean {
  return shareOf(keyWords(task), keyWords(subject)) >= 0.6;
}

/**
 * What the last answer says that was done: the first sentence about it that can be read alone. Only of an
 * exchange in which files were changed.
 */
function findResult(
  { answer, runs }: Scene,
  task: string,
): { text: string; entry: NonNullable<Scene["answer"]>["entry"] } | undefined {
  if (answer === undefined || editCalls(runs).length === 0) return undefined;
  for (const { kind, text } of answer.blocks) {
    if (kind !== "paragraph") continue;
    const [sentence] = toSentences(text).filter((part) => !empty.test(part));
    if (sentence === undefined) continue;
    const isWhole = /^[\p{Lu}`"]/u.test(sentence) && /[.!]$/.test(sentence) &&
      sentence.length >= 40 && sentence.length <= 240;
    if (!isWhole || !done.test(sentence) || loose.test(sentence) || undone.test(sentence)) continue;
    if (countWords(sentence) < enoughWords || saysSame(sentence, task)) continue;
    return { text: sentence.replaceAll("**", ""), entry: answer.entry };
  }
}

/** Says that something was done, not what. */
const empty =
  /^(?:(?:all|everything|both)\b.{0,60}\b(?:pass\w*|green|clean|done|complete\w*|in place|good|work\w*)\b.{0,60}|(?:done|perfect|great|good|excellent|the (?:fix|change|implementation|work|build|plan) (?:is|are|was|has been) .{0,40}))$/i;
const done =
  /\b(?:now|no longer|added|adds|fixed|removed|replaced|changed|updated|created|implemented|moved|renamed|extended|switched|converted|refactored|extracted|rewrote|rewritten|works)\b/i;
/** May say that it was not done, or does not work. */
const undone = /\b(?:not|cannot|unable|fail(?:s|ed|ing)?|yet|still|hangs?)\b|n['’]t\b/i;
/** Needs what stands before it, announces, asks or addresses the reader. */
const loose =
  /^(?:this|that|these|those|it|they|both|here|there|now|next|so|and|but|also|then|let|i'll|i will|if|when|once|you|your|since|to|the (?:above|following|same|other|remaining|fix|change|changes|first|second|two|three))\b|\?|:$|\b(?:would you|let me|i'll|you can|should i|want me)\b|\b(?:the (?:previous|other|same) (?:one|fix|change|approach))\b/i;

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
