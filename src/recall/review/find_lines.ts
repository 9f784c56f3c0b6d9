// The lines to review, best first: rules that the user stated, and records that are not sent to agents
// because ctx is not sure of them. Lines that were meant to last, or repeated, come first, then what the user
// chose and what states something, before all where nothing was asked after it; then those about how work is
// done and those that name code which other sessions worked on too. Lines that were reviewed or saved before
// are left out.

import { compareText, firstLine, toLine } from "../../core/text.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { findSymbols, keyWords } from "../distil/key_words.ts";
import { demandWords } from "../distil/demands.ts";
import { listRecords, type RecordRow } from "../distil/list_records.ts";
import { SameLines } from "../distil/supersede.ts";
import { findRules } from "./find_rules.ts";
import type { Rule } from "./review_shapes.ts";
import { findStatement } from "./find_statement.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";
import { readSettled } from "./review_line.ts";
import type { ReviewLine } from "./review_shapes.ts";

/** The types of records that can hold something worth remembering. */
const offeredTypes: readonly string[] = ["preference", "decision", "fix", "outcome"];
/** What the words of sessions are counted in. */
const countedTypes: ReadonlySet<string> = new Set([...offeredTypes, "goal"]);

/** How much likelier a line of a type is worth remembering. */
const typeWorth: Record<string, number> = { preference: 9, decision: 6, fix: 2, outcome: 3 };
const maxLineChars = 300;

export function findReviewLines(store: Store, { nowMs }: { nowMs: number }): ReviewLine[] {
  const records = listRecords(store, {
    types: [],
    withSuperseded: true,
    keepsUsers: true,
    ownOnly: true,
    shownOnly: true,
  });
  const current = records.filter(({ superseded_by }) => superseded_by === undefined);
  const isSettled = readSettled(store, nowMs);
  const pins = parsePins(readPinsText(store));
  const pinned = new Set(pins.map(({ id }) => id));
  const saved = new SameLines([
    ...current.filter(({ by }) => by === "saved").map(({ text }) => text),
    ...pins.map(({ text }) => text),
  ]);
  const words = new SessionWords(current);
  const isLast = readLastAsked(store);
  const open = [...toRuleLines(store, records, nowMs), ...toRecordLines(store, current)]
    .filter((line) => !pinned.has(line.id) && !isSettled(line) && !saved.has(line.text))
    .map((line) => weigh(line, words))
    .map((line) => isLast(line) ? { ...line, worth: line.worth + lastWorth } : line)
    .toSorted((a, b) => b.worth - a.worth || compareText(b.ts, a.ts) || compareText(a.id, b.id));
  const ids = new Set<string>();
  const told = new SameLines();
  return open.flatMap(({ worth: _, ...line }) => {
    if (ids.has(line.id) || told.has(line.text)) return [];
    ids.add(line.id);
    told.add(line.text);
    return [line];
  });
}

interface Weighed extends ReviewLine {
  worth: number;
}

/** Rules that hold and that nobody saved; those of one record are one line. */
function toRuleLines(store: Store, records: readonly RecordRow[], nowMs: number): ReviewLine[] {
  const preferences = records.filter(({ type }) => type === "preference");
  const rules = findRules(store, preferences, { about: "", min: 1, nowMs })
    .filter(({ kind, superseded_by }) => kind !== "saved" && superseded_by === undefined);
  const byId = new Map(preferences.map((row) => [row.id, row]));
  return [...Map.groupBy(rules, ({ id }) => id)].flatMap(([id, some]): ReviewLine[] => {
    const row = byId.get(id);
    if (row === undefined || row.superseded_by !== undefined) return [];
    const [{ ts, sessions, kind }] = some;
    return [{
      ...toLineOf(row, some.map(({ text }) => text).join(" ")),
      ts,
      sessions,
      evidence: [...new Set(some.flatMap(({ evidence }) => evidence))],
      why: [
        saidAs[kind],
        ...(sessions > 1
          ? [`${kind === "correction" ? "corrected" : "said"} in ${sessions} sessions`]
          : []),
      ],
    }];
  });
}

const saidAs: Record<Rule["kind"], string> = {
  instruction: "meant to last",
  preference: "meant to last",
  correction: "you corrected the agent",
  saved: "saved",
};

/** Records that no session start is told of. */
function toRecordLines(store: Store, current: readonly RecordRow[]): ReviewLine[] {
  const offered = current.filter(({ type, grade, narrow }) =>
    (grade === "candidate" || narrow) && offeredTypes.includes(type)
  );
  const wishes = offered.filter(({ type }) => type === "preference");
  const evidence = store.find([...new Set(wishes.flatMap(({ refs }) => refs))]);
  const givesIn = ({ type, text, refs }: RecordRow): boolean =>
    type === "preference" && demandWords.test(text) &&
    refs.some((id) => evidence.get(id)?.row?.entry.role === "assistant");
  return offered.map((row) => {
    const line = toRecordLine(row);
    return givesIn(row) ? { ...line, why: ["the agent agreed with you", ...line.why] } : line;
  });
}

/** A record as a line: the sentence that states something, else all of it. What was answered needs its question. */
export function toRecordLine(row: RecordRow): ReviewLine {
  const isAnswer = answered.test(row.text);
  const stated = isAnswer ? undefined : findStatement(row.text);
  const why = isAnswer
    ? [answeredIt]
    : row.grade === "derived"
    ? [committedIt]
    : stated === undefined
    ? []
    : [statesIt];
  return { ...toLineOf(row, stated ?? row.text), why };
}

const answered = /[?…] (?:Chosen|Answer): /;

/** Tells whether a line was the last word: nothing else was asked in its session, so nothing took it back. */
function readLastAsked(store: Store): (line: ReviewLine) => boolean {
  const asked = new Map<string, string>();
  for (const { entry } of store.entries({ needles: ['"user"'] })) {
    const { session_id = "", ts } = entry;
    if (isPrompt(entry) && ts > (asked.get(session_id) ?? "")) asked.set(session_id, ts);
  }
  return ({ session_id = "", ts }) => ts >= (asked.get(session_id) ?? ts);
}

function toLineOf(row: RecordRow, text: string): ReviewLine {
  const { id, ts, type, refs, session_id, project, files } = row;
  return {
    id,
    ts,
    type,
    text: toLine(text, maxLineChars) || firstLine(row.title, maxLineChars),
    why: [],
    sessions: 1,
    evidence: refs,
    ...(session_id === undefined ? {} : { session_id }),
    ...(project === undefined ? {} : { project }),
    ...(files === undefined ? {} : { files }),
  };
}

function weigh(line: ReviewLine, words: SessionWords): Weighed {
  const { text, type, sessions, why } = line;
  const isSaid = why.some((reason) => !held.has(reason));
  const worth = (isSaid ? saidWorth + repeatWorth * Math.log2(sessions) : 0) +
    (why.some((reason) => held.has(reason)) ? statedWorth : 0) + (typeWorth[type] ?? 0) +
    4 * words.recurrence(text) + words.ofNames(text) / (why.length > 0 ? 4 : 1) +
    (isGeneral(text) ? generalWorth : 0) - (tellsOfChange.test(text) ? changeWorth : 0);
  return { ...line, worth };
}

/** What the user said to last or said again comes first, what a record states comes before what it reports. */
const [saidWorth, statedWorth] = [2000, 1000];
const repeatWorth = 8;
const statesIt = "states a requirement or a reason";
const answeredIt = "you answered a question";
const committedIt = "a commit states it";
const held: ReadonlySet<string> = new Set([statesIt, answeredIt, committedIt]);
const lastWorth = 6;

/** Whether a text says how work is done here, or what a tool needs: both outlive a change to the code. */
function isGeneral(text: string): boolean {
  return ofWork.test(text) && demands.test(text);
}

const ofWork =
  /\b(?:lint\w*|pre-?commit|ci|tests?|commit(?:s|ting)?|push(?:es)?|prs?|changelog|claude\.md|agents\.md|claude code|codex|cursor|gemini|copilot|git|hooks?|tokens?|settings?|p?npm|yarn|bun|installs?|builds?|deploys?|migrations?|branch(?:es)?)\b/i;
const demands =
  /\b(?:never|always|must|should|only (?:run|when|if)|do not|don't|doesn't|make sure|explicitly|expects|because|since|while)\b/i;
/** Reports a change: its parts are seen in the code. */
const tellsOfChange =
  /^(?:[\w./-]+\.\w{1,5}\b|(?:fix|bug|step|thread|phase|critical|root cause|problem|before|after)\b|(?:added|changed|converted|created|dropped|extended|extracted|fixed|implemented|improved|introduced|moved|refactored|removed|renamed|replaced|switched|updated)\b|uses\b|\d)|\bnow\b|\bno longer\b| — (?:added|updated|removed|split|replaced)\b/i;
const [generalWorth, changeWorth] = [8, 6];

/** In how many sessions a word comes up, of what was asked, decided and done there. */
class SessionWords {
  readonly #sessions = new Map<string, Set<string>>();
  readonly #all = new Set<string>();

  constructor(records: readonly RecordRow[]) {
    for (const { type, text, session_id: session } of records) {
      if (session === undefined || !countedTypes.has(type)) continue;
      this.#all.add(session);
      for (const word of keyWords(text)) {
        const known = this.#sessions.get(word);
        if (known) known.add(session);
        else this.#sessions.set(word, new Set([session]));
      }
    }
  }

  /** How often other sessions name the identifiers of a text, or parts of them. */
  ofNames(text: string): number {
    return findSymbols(text).reduce((sum, name) => {
      const count = Math.max(0, ...[...keyWords(name)].map((word) => this.#count(word)));
      return count < 2 ? sum : sum + Math.log2(1 + count);
    }, 0);
  }

  /** How much of a text is about what comes up again, and not everywhere. */
  recurrence(text: string): number {
    const words = [...keyWords(text)];
    if (words.length < 4) return 0;
    const total = this.#all.size;
    const sum = words.reduce((sum, word) => {
      const count = this.#count(word);
      if (count < 2 || count > total * 0.4) return sum;
      return sum + Math.log(total / count) * Math.min(1, Math.log2(count) / 3);
    }, 0);
    return sum / (8 + words.length);
  }

  #count(word: string): number {
    return this.#sessions.get(word)?.size ?? 0;
  }
}
