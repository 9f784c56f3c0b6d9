// From the entries of one session to its records: the rules find candidates, the best of each type
// are kept within bounds. The same entries give the same records, ids included. Pure.

import type { Draft, Entry } from "../../core/entry.ts";
import { makeId } from "../../core/id.ts";
import { type RecordType, recordTypes } from "../../core/rows/record.ts";
import { isTelling as tells } from "../../core/rows/telling_words.ts";
import { addClue, type TitleClues, titleFrom } from "../../core/titles/title_clues.ts";
import { isPrompt, toExchanges } from "../../core/rows/exchanges.ts";
import { findAnswered, withoutWithdrawn } from "./find_answered.ts";
import { findCommits, readCommits } from "./find_commits.ts";
import { findCommands } from "./find_commands.ts";
import { findDecisions } from "./find_decisions.ts";
import { findDigest } from "./find_digest.ts";
import { findFixes } from "./find_fixes.ts";
import { findGoals } from "./find_goals.ts";
import { findOpen } from "./find_open.ts";
import { filesOf, findOutcomes } from "./find_outcomes.ts";
import { findPreferences } from "./find_preferences.ts";
import { findSymbols, keyWords, shareOf } from "./key_words.ts";
import { type Candidate, titleOf, toScenes } from "./scenes.ts";

/** A record to be written; the id is made of the session, the type and the first evidence. */
export interface RecordDraft extends Draft {
  id: string;
  ts: string;
  type: RecordType;
  session_id: string;
  refs: string[];
}

/** What a session comes to, or a stretch of it: only the last one tells of the whole. */
export function distilSession(
  sessionId: string,
  entries: readonly Entry[],
  options: { isSide?: boolean; goesOn?: boolean } = {},
): RecordDraft[] {
  const scenes = toScenes(toExchanges(entries, options));
  const goals = findGoals(scenes);
  const outcomes = findOutcomes(scenes);
  const open = findOpen(scenes);
  const decisions = findDecisions(scenes);
  const commits = readCommits(scenes);
  const found: Candidate[] = [
    ...goals,
    ...findCommits(commits),
    ...findAnswered(scenes),
    ...decisions,
    ...outcomes,
    ...findFixes(scenes),
    ...findPreferences(scenes, decisions),
    ...findCommands(scenes),
    ...open,
    ...(options.goesOn || isOfTeam(entries)
      ? []
      : findDigest(scenes, { goals, outcomes, open, commits }, titleOfRows(entries))),
  ];
  const kept = keepBest(withoutWithdrawn(found, scenes), scenes.length);
  return kept.map((candidate) => toDraft(sessionId, candidate));
}

/** Whether another agent of a team asked for all of it: the session of that one is where work was left. */
function isOfTeam(entries: readonly Entry[]): boolean {
  const prompts = entries.filter(isPrompt);
  return prompts.length > 0 &&
    prompts.every(({ text }) => /^\s*<teammate-message\b/.test(text));
}

/** What a session is called by its rows. */
function titleOfRows(entries: readonly Entry[]): string {
  const clues: TitleClues = {};
  for (const entry of entries) addClue(clues, entry);
  return titleFrom(clues);
}

/** At most three of a type; more in long sessions, in proportion to their exchanges. */
function keepBest(found: readonly Candidate[], exchanges: number): Candidate[] {
  const limits = {
    goal: Math.max(3, exchanges / 4),
    decision: Math.max(3, exchanges / 2),
    outcome: Math.max(3, exchanges),
    fix: Math.max(3, exchanges / 3),
    preference: Math.max(3, exchanges / 2),
    command: Math.max(3, exchanges / 3),
    open: Math.max(3, exchanges / 4),
    digest: 1,
  };
  return recordTypes.flatMap((type) => {
    const ranked = found.filter((candidate) => candidate.type === type && isTelling(candidate))
      .toSorted((a, b) => b.score - a.score);
    const kept: Candidate[] = [];
    for (const candidate of ranked) {
      if (kept.length >= Math.floor(limits[type]) && !candidate.isHeld) break;
      if (!kept.some((other) => isSame(other, candidate))) kept.push(candidate);
    }
    return kept.toSorted((a, b) => a.scene.number - b.scene.number);
  });
}

/** What the user chose or wants has to say what: an assent or a question does not. */
function isTelling({ type, text }: Candidate): boolean {
  return (type !== "decision" && type !== "preference") || tells({ type, text });
}

/** Whether two candidates of a type would be one record: one text in the other, or one key. */
function isSame(a: Candidate, b: Candidate): boolean {
  if (a.evidence[0].id === b.evidence[0].id) return true;
  return shareOf(keyWords(b.text), keyWords(a.text)) > 0.9 &&
    shareOf(keyWords(a.text), keyWords(b.text)) > 0.6;
}

function toDraft(sessionId: string, candidate: Candidate): RecordDraft {
  const { type, text, scene, subject, isHeld, narrow, isWork } = candidate;
  const evidence = [...candidate.evidence, ...scene.topicFrom];
  const ts = candidate.evidence.reduce(
    (latest, row) => row.ts > latest ? row.ts : latest,
    evidence[0].ts,
  );
  // A session may begin on one branch and be left on another.
  const left = type === "digest" ? evidence.findLast((row) => row.ts === ts)?.branch : undefined;
  const branch = left ?? evidence[0].branch;
  return makeRecord({ ...evidence[0], branch, session_id: sessionId }, {
    ts,
    type,
    title: candidate.title ?? titleOf(candidate),
    text,
    refs: evidence.map(({ id }) => id),
    files: candidate.files ?? filesOf(evidence),
    record: {
      by: "rules",
      ...(isHeld ? { grade: "derived" } : {}),
      ...(narrow ? { narrow } : {}),
      ...(isWork ? { work: true } : {}),
      ...(subject === undefined ? {} : { subject }),
    },
  });
}

const maxFiles = 20;

/** A record of a session; the entry that it is about gives it its id, its project and its branch. */
export function makeRecord(
  { ts: first, session_id = "", project, branch }: Entry,
  said:
    & Pick<
      RecordDraft,
      "ts" | "type" | "title" | "text" | "refs" | "supersedes" | "saved_by"
    >
    & { files: string[]; record: object },
): RecordDraft {
  const { ts, files, record, ...told } = said;
  const refs = [...new Set(said.refs)];
  const symbols = findSymbols(said.text);
  const seed = `record\0${session_id}\0${said.type}\0${refs[0]}`;
  return {
    id: makeId("H", Date.parse(first) || 0, seed),
    ts,
    session_id,
    role: "note",
    ...told,
    refs,
    ...(files.length > 0 ? { files: [...new Set(files)].slice(0, maxFiles) } : {}),
    ...(project === undefined ? {} : { project }),
    ...(branch === undefined ? {} : { branch }),
    record: { ...record, ...(symbols.length > 0 ? { symbols } : {}) },
  };
}
