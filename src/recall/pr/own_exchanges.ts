// The exchanges in which commits were made: from an edit whose lines are in a commit back to the prompt
// before it, with the discussion that led there. Everything else the session did is left out.

import type { Entry } from "../../core/entry.ts";
import { madeCommitsOf } from "../../core/rows/made_commits.ts";
import { rowKindOf } from "../../core/rows/row_kind.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { enoughWords, findTellingLine, type TellingLine } from "../../core/titles/telling_line.ts";
import { isNotice } from "../../core/voice/client_ranges.ts";
import { askedWords } from "../../core/voice/spans_of.ts";
import { loadSessions, type SessionMessage } from "../../read/session_messages.ts";
import type { Store } from "../../store/store.ts";
import { leadOf } from "../distil/find_digest.ts";
import type { CommitPart } from "./commit_work.ts";

/** From one prompt to the next, and the commits that it has a part in. */
export interface OwnExchange {
  session: string;
  /** The oldest first. */
  commits: string[];
  /** The files of these commits that the session wrote. */
  files: Set<string>;
  /** The files of commits that it has only a small part in. */
  smallParts: Map<string, string[]>;
  /** Its edits whose lines are in each commit. */
  edits: Map<string, Set<string>>;
  /** All entries of it, and of the talk before it. */
  ids: Set<string>;
  /** When the first edit of these commits was made, and the last commit; milliseconds. */
  from: number;
  to: number;
  /** The prompt behind it, in one line; undefined when nobody said what it is about. */
  asked?: { entry: Entry; text: string };
}

/** The part of a session's lines in a commit that an exchange must have written, beside the one with most. */
const leastShare = 0.2;
/** So many exchanges of talk before an edit belong to it. */
const maxTalk = 3;
const promptChars = 220;

/** The exchanges behind commits, in the order of the commits. */
export async function findOwnExchanges(
  store: Store,
  parts: readonly CommitPart[],
  { parentOf }: { parentOf: (session: string) => string | undefined },
): Promise<OwnExchange[]> {
  const names = new Set(parts.flatMap(({ session }) => [session, parentOf(session) ?? session]));
  const loaded = await loadSessions(store, [...names], { orNone: true });
  const sessions = new Map(loaded.map(({ session, messages }) => [session.id, messages]));
  const stages = new Map<string, Stage[]>();
  const stagesOf = (session: string): Stage[] => {
    const known = stages.get(session) ?? toStages(session, sessions.get(session) ?? []);
    stages.set(session, known);
    return known;
  };
  const own = new Set<Stage>();
  for (const part of parts) {
    // A sub-agent's edits were asked for by who started it.
    const asking = parentOf(part.session) ?? part.session;
    const messages = sessions.get(part.session) ?? [];
    const all = stagesOf(sessions.has(asking) ? asking : part.session);
    for (const [stage, edits] of pickStages(all, { part, messages })) {
      stage.commits.push(part.commit);
      stage.edits.set(part.commit, edits);
      for (const file of part.files) stage.files.add(file);
      if (part.isSmall) stage.smallParts.set(part.commit, part.files);
      stage.to = Math.max(stage.to, part.time);
      own.add(stage);
    }
  }
  for (const stage of own) addTalk(stage, stages.get(stage.session) ?? []);
  return [...own];
}

/** An exchange while it is looked at. */
interface Stage extends OwnExchange {
  /** Its place among those of its session, when it began, and whether it changed or committed something. */
  number: number;
  started: number;
  hasWork: boolean;
  prompt?: Entry;
}

/** A session from prompt to prompt; what sub-agents did in it lies between. */
function toStages(session: string, messages: readonly SessionMessage[]): Stage[] {
  const stages: Stage[] = [];
  for (const { entry } of messages) {
    const isAsked = entry.sidechain !== true && rowKindOf(entry) === "prompt" &&
      !isNotice(entry.text);
    if (isAsked || stages.length === 0) {
      stages.push({
        session,
        commits: [],
        files: new Set(),
        smallParts: new Map(),
        edits: new Map(),
        ids: new Set(),
        from: Infinity,
        to: -Infinity,
        started: Date.parse(entry.ts),
        number: stages.length,
        hasWork: false,
        ...isAsked ? { prompt: entry } : {},
      });
    }
    const stage = stages[stages.length - 1];
    stage.ids.add(entry.id);
    stage.hasWork ||= entry.tool?.effect === "edit" || madeCommitsOf(entry).length > 0;
  }
  return stages;
}

/** The exchanges that wrote most of a commit's lines, each with its edits. */
function pickStages(
  stages: readonly Stage[],
  { part, messages }: { part: CommitPart; messages: readonly SessionMessage[] },
): [Stage, Set<string>][] {
  const places = new Map(messages.map(({ entry, pool, offset }) => [`${pool} ${offset}`, entry]));
  const calls = new Map<unknown, string[]>();
  for (const { entry: { id, tool } } of messages) {
    if (tool?.call_id === undefined) continue;
    calls.set(tool.call_id, [...calls.get(tool.call_id) ?? [], id]);
  }
  const found = new Map<Stage, { lines: number; edits: Set<string> }>();
  for (const { claim, lines } of part.edits) {
    const entry = places.get(`${claim.place.pool} ${claim.place.offset}`);
    const stage = stages.find(({ ids }) => ids.has(entry?.id ?? "")) ??
      stages.findLast(({ started }) => started <= claim.time);
    if (stage === undefined) continue;
    const own = found.get(stage) ?? { lines: 0, edits: new Set() };
    own.lines += lines;
    // An edit is a call and its output; records name the call.
    const call = entry?.tool?.call_id;
    for (const id of call === undefined ? [] : calls.get(call) ?? []) own.edits.add(id);
    if (entry !== undefined) own.edits.add(entry.id);
    found.set(stage, own);
    stage.from = Math.min(stage.from, claim.time);
  }
  const all = [...found.values()].map(({ lines }) => lines);
  const least = Math.min(Math.max(...all), leastShare * all.reduce((sum, one) => sum + one, 0));
  return [...found].filter(([, { lines }]) => lines >= least)
    .map(([stage, { edits }]): [Stage, Set<string>] => [stage, edits])
    .sort(([a], [b]) => a.number - b.number);
}

/** Takes in the talk before an exchange: what changed and committed nothing led to what did. */
function addTalk(stage: Stage, stages: readonly Stage[]): void {
  const talk: Stage[] = [];
  for (let at = stage.number - 1; at >= 0 && talk.length < maxTalk; at--) {
    const before = stages[at];
    if (before.hasWork) break;
    talk.push(before);
  }
  // "Yes, do that" means what was said before it.
  const { prompt } = [stage, ...talk].find(hasSubject) ?? stage;
  stage.asked = prompt && findAsked(prompt);
  for (const { ids } of talk) for (const id of ids) stage.ids.add(id);
}

function hasSubject({ prompt }: Stage): boolean {
  return prompt !== undefined && (findLine(prompt)?.words ?? 0) >= enoughWords;
}

/** The line of a prompt that says what it is about, without commands of the client. */
function findLine(prompt: Entry): TellingLine | undefined {
  const words = askedWords(prompt).replace(/(?<=^|\s)\/[a-z][\w:-]+(?=\s|$)/gm, "");
  return findTellingLine(words, maxLineChars);
}

/** What a prompt asks for, where a reader understands it who was not there. */
function findAsked(entry: Entry): OwnExchange["asked"] {
  const line = findLine(entry);
  if (line === undefined || line.words < enoughWords || printed.test(askedWords(entry))) {
    return undefined;
  }
  const [first, ...more] = toSentences(line.text.replace(meanwhile, ""));
  if (first === undefined || pointsToTalk.test(first)) return undefined;
  const end = more.findIndex((sentence) => pointsToTalk.test(sentence));
  const kept = [first, ...end < 0 ? more : more.slice(0, end)];
  const text = leadOf(kept.join("\n"), promptChars);
  if (pointsAway.test(text) || chore.test(text)) return undefined;
  return { entry, text: text.replace(/\s*\?$/, "") };
}

const maxLineChars = 1000;
/** Output that nothing marks as such: nobody knows which of the lines around it were typed. */
const printed = /^\s*[^\p{L}\p{N}\s"'`(\[@#*•–—-]/mu;
/** It goes on from what was said before, points to what is not there, or only wants to know something. */
const pointsAway =
  /^\W*(?:but|and|or|so|because|then|also|still|again|this|that|these|those|it|it's|they|here|same|no|yes|ok|okay|wait|hmm+|ah+|oh|nope|question)\b|[:,-]\s*$|^(?:is|are|was|were|do|does|did|don't|doesn't|isn't|what|why|how|where|when|which|who|should|has|have|hasn't|am)\b[^.!]*\?\W*$/i;
/** It means something that was shown or said before. */
const pointsToTalk =
  /^\W*(?:(?:one|some|all|both|none|each|most) of (?:them|these|those)|i (?:like|love|agree|prefer)|(?:number |option |#)?\d+ (?:is|seems|sounds|looks|please))\b|\b(?:this|that|these|those|the above) (?:info|information|output|logs?|screenshots?|messages?|one|ones|stuff|things?|way)\b/i;
/** What it says of the work before is over. */
const meanwhile =
  /^\W*(?:once|when|while|after) (?:you|you're|youre|we|i|that|this|it)\b[^,.]{0,60},\s*(?:it (?:seems|looks) (?:like|that|as if)\s+)?/i;
/** It asks for work on the branch, not on the code. */
const chore =
  /^\W*(?:(?:create|open|make) (?:a |the )?(?:new )?(?:branch|pr|pull request)|commit|push|rebase|merge|run|review)\b/i;
