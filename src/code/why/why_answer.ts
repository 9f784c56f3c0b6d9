// An answer of `ctx why`: from an attribution and the story of its session to plain data.

import type { Entry } from "../../core/entry.ts";
import { alignToCharacter } from "../../core/text.ts";
import type { CommitDetails } from "../blame/commit_details.ts";
import type { GitProblem } from "../git/git_problem.ts";
import type { LineClaim, LineTable } from "../../index/lines/line_table.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import { type Attribution, type Candidate, weights } from "./attribute_change.ts";
import { tellStory } from "./session_story.ts";
import type { Evidence, Said, WhyAnswer } from "./why_row.ts";

/** With what it is asked. */
export interface WhyOptions extends Pick<Context, "cwd" | "signal" | "progress"> {
  table: LineTable;
  now: number;
}

const maxPromptChars = 1200;
const maxDecisionChars = 600;
const maxEvidence = 10;
const maxOthers = 5;
/** The words before so many edits of one session are told. */
const maxEdits = 4;

/** What an answer is made of beside the story. */
export interface AnswerParts {
  session: string;
  /** Its edits, that with most lines first. */
  claims: readonly LineClaim[];
  path?: string;
  by: "line" | "commit";
  confidence: number;
  whole: Attribution;
}

export async function toAnswer(store: Store, parts: AnswerParts): Promise<WhyAnswer> {
  const { session, whole, claims, path } = parts;
  const { entry, prompt, more, title, agent, decisions } = await tellStory(store, {
    session,
    claims: claims.slice(0, maxEdits),
    path,
  });
  const own = whole.parts.find((one) => one.session === session);
  return {
    session_id: session,
    title,
    agent,
    id: entry?.id,
    ts: entry?.ts,
    by: parts.by,
    confidence: parts.confidence,
    prompt: prompt && toSaid(prompt, maxPromptChars),
    ...(more.length === 0
      ? {}
      : { other_prompts: more.map((other) => toSaid(other, maxDecisionChars)) }),
    decisions: decisions.map((decision) => toSaid(decision, maxDecisionChars)),
    evidence: own === undefined ? [] : toEvidence(own),
    others: toOthers(whole, session),
  };
}

/** The sessions that have lines in it beside one; where none was found, those that come near. */
export function toOthers({ parts, others }: Attribution, session?: string): WhyAnswer["others"] {
  const near = parts.length > 0 ? parts : others.filter(({ score }) => score >= weights.least);
  return near.filter((one) => one.session !== session).slice(0, maxOthers)
    .map((one) => ({ session_id: one.session, lines: one.added + one.removed }));
}

/** The answer that names nobody. */
export function unknown(because: string, hint?: string): WhyAnswer {
  return { confidence: 0, because, hint, decisions: [], evidence: [], others: [] };
}

/** The answer of a table that has nobody; one without any session says what to do. */
export function explain(table: LineTable, because = "nothing is known about it"): WhyAnswer {
  if (table.sessions > 0) return unknown(because);
  return unknown("no session in this store recorded an edit", "ctx import");
}

/** The answer when git cannot tell. */
export function toUnknown({ reason, message, hint }: GitProblem): WhyAnswer {
  const answer = unknown(message[0].toLowerCase() + message.slice(1), hint);
  if (reason === "no-file") return { ...answer, hint: hint ?? noFileHint, missing: true };
  return reason === "no-such-commit" ? { ...answer, missing: true } : answer;
}

/** What to ask instead of a file that is not there. */
export const noFileHint = "ctx why FILE:LINE, with a file that git ls-files lists";

export function commitFacts(
  { oid, subject, author, committer }: CommitDetails,
): Partial<WhyAnswer> {
  return { commit: oid, subject, author: author.name, ...toCommitted(committer.ts) };
}

/** When a commit was made; nothing where that cannot be read. */
export function toCommitted(ts: number): { committed?: string } {
  return ts === 0 ? {} : { committed: new Date(ts).toISOString() };
}

function toSaid({ id, ts, text }: Entry, maxChars: number): Said {
  const end = alignToCharacter(text, maxChars);
  return { id, ts, text: text.length <= maxChars ? text : `${text.slice(0, end)}…` };
}

function toEvidence({ files, committed }: Candidate): Evidence[] {
  const lines = [...files].map(([path, { added, removed }]): Evidence => ({
    kind: "lines",
    path,
    added,
    removed,
  })).sort((a, b) => (b.added ?? 0) + (b.removed ?? 0) - (a.added ?? 0) - (a.removed ?? 0));
  const made: Evidence[] = committed === undefined ? [] : [{ kind: "commit" }];
  return [...made, ...lines].slice(0, maxEvidence);
}
