// The digest: what a session left behind, according to its log: what was asked, which commits it made,
// which files it changed, how its last check ended, and what was cut off. The next session gets the
// last digest as where the work stands, so the digest of a session that changed files has no prose.
// Pure.

import { toLine } from "../../core/text.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { toWholePath } from "../../core/whole_path.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { readCommits } from "./find_commits.ts";
import { editCalls, filesOf, findProof } from "./find_outcomes.ts";
import { findCutOff, findLastCheck } from "./find_open.ts";
import { cutAtSentence, maxTextChars } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/**
 * The digest of a session; none when nothing came of it. It is told unasked where it says what the work was
 * and how it ended: a list of files alone helps nobody.
 */
export function findDigest(
  scenes: readonly Scene[],
  found: Record<"goals" | "outcomes" | "open", readonly Candidate[]>,
  sessionTitle = "",
): Candidate[] {
  const own = scenes.filter(({ isSide }) => !isSide);
  const runs = scenes.flatMap((scene) => scene.runs);
  const edits = editCalls(runs);
  const first = found.goals[0]?.scene ?? own[0];
  if (edits.length === 0 || first === undefined) return findTold(scenes, found);
  const commits = readCommits(scenes);
  const check = findLastCheck(runs);
  const cutOff = findCutOff(own.at(-1) ?? first);
  const root = edits[0].project;
  const project = `${toWholePath(root) ?? root ?? ""}/`;
  const listFiles = (paths: readonly string[], most: number): string =>
    paths.slice(0, most).map((path) => path.startsWith(project) ? path.slice(project.length) : path)
      .join(", ") +
    (paths.length > most ? ` and ${paths.length - most} more` : "");
  const late = commits.length === 0 ? [] : changedFiles(runs, {
    project,
    since: runs.findLast(({ command }) => movesWork.test(command ?? ""))?.at,
  });
  const files = changedFiles(runs, { project });
  if (files.length === 0) return findTold(scenes, found);
  const parts = [
    ...cutOff.map(({ text }) => text),
    check === undefined || cutOff.some(({ text }) => text === check.text) ? "" : check.text,
    late.length > 0 ? `Edited after the last commit: ${listFiles(late, 3)}` : "",
    commits.length > 0
      ? `Committed: ${commits.map(({ subject }) => subject).slice(-3).join("; ")}`
      : "",
    `Files edited: ${listFiles(files, 6)}`,
  ];
  // A topic that only introduces what was pasted below it names nothing.
  const topic = /^$|:$/.test(first.topic) ? "" : first.topic;
  const title = sessionTitle || topic || (commits.at(-1)?.subject ?? "");
  return [{
    type: "digest",
    title: toLine(title || "The last session", 120),
    text: cutAtSentence(
      parts.filter((part) => part !== "").map((part) => `${part}.`).join("\n"),
      maxTextChars,
    ),
    evidence: [
      ...first.prompts,
      ...edits,
      ...cutOff.flatMap(({ evidence }) => evidence),
      ...(check?.evidence ?? []),
      ...commits.slice(-3).map(({ run }) => run.call),
    ],
    scene: first,
    score: 1,
    isHeld: own.length > 0 && title !== "" &&
      (commits.length > 0 || check !== undefined || cutOff.length > 0),
  }];
}

/** Commands after which what was edited before may be committed, put aside or gone. */
const movesWork =
  /\bgit\b[^;&|\n]{0,80}\b(?:commit|rebase|merge|cherry-pick|am|stash|reset|checkout|restore|switch|pull)\b/;

/** The files of a project that were changed; not plans and scratch files elsewhere. */
function changedFiles(
  runs: readonly Run[],
  { project, since = -1 }: { project: string; since?: number },
): string[] {
  const calls = runs.filter(({ at, effect, failed }) => effect === "edit" && !failed && at > since)
    .flatMap(({ call }) => call ?? []);
  return [...new Set(filesOf(calls).map((path) => toWholePath(path) ?? path))]
    .filter((path) => toWholePath(path) === undefined || path.startsWith(project));
}

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
