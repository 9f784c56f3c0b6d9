// The rules of a user: what they demanded for good or corrected, across sessions, in their own words.
// Preference records say where demands stand; each is read again in the prompt itself, so nothing but
// the user's words becomes a rule. What is said in several sessions is one rule.

import type { Entry } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";
import { compareText, toLine } from "../../core/text.ts";
import type { Store } from "../../store/store.ts";
import { findLasting } from "../distil/demands.ts";
import { keyWords, shareOf } from "../distil/key_words.ts";
import type { RecordRow } from "../distil/list_records.ts";
import { asksTheSame, contradicts } from "../distil/supersede.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";
import type { Rule } from "./review_shapes.ts";

/** Which rules are wanted. */
export interface RuleFilter {
  /** What they are about; all when empty. */
  about: string;
  since?: string;
  until?: string;
  /** Only what was said in so many sessions. */
  min: number;
  nowMs: number;
}

/** A demand where it was said. */
interface Statement {
  text: string;
  kind: Rule["kind"];
  weight: number;
  record: RecordRow;
  entry: string;
  session: string;
  ts: string;
}

/** The rules in preference records, superseded ones included; the most established first. */
export function findRules(
  store: Store,
  records: readonly RecordRow[],
  filter: RuleFilter,
): Rule[] {
  const groups = mergeStatements(findStatements(store, records));
  const lasting = groups.filter((group) =>
    group.some(({ weight }) => weight > 0) || countSessions(group) > 1
  );
  const words = keyWords(filter.about);
  return lasting.map((group, i) => ({
    rule: toRule(group, lasting.slice(0, i)),
    worth: worthOf(group, filter.nowMs),
  })).filter(({ rule }) =>
    rule.sessions >= filter.min && (filter.since === undefined || rule.ts >= filter.since) &&
    (filter.until === undefined || rule.ts <= filter.until) &&
    (words.size === 0 || shareOf(words, keyWords([rule.text, ...rule.also].join("\n"))) >= 0.5)
  ).toSorted((a, b) =>
    Number(a.rule.superseded_by !== undefined) - Number(b.rule.superseded_by !== undefined) ||
    b.worth - a.worth || compareText(b.rule.ts, a.rule.ts) || compareText(a.rule.id, b.rule.id)
  ).map(({ rule }) => rule);
}

/** What the records' prompts demand for good, newest first; each prompt counts once. */
function findStatements(store: Store, records: readonly RecordRow[]): Statement[] {
  const found = new Map<string, Statement>();
  // What counts comes before what it replaced: both may be made of one prompt.
  const ordered = records.toSorted((a, b) =>
    Number(a.superseded_by !== undefined) - Number(b.superseded_by !== undefined)
  );
  const prompts = readPrompts(store, new Set(ordered.flatMap(({ refs }) => refs)));
  const seen = new Set<string>();
  for (const record of ordered) {
    const session = record.session_id ?? record.id;
    if (record.by === "saved") {
      const text = toLine(record.text, 300);
      const facts = { kind: "saved" as const, weight: 4, entry: record.id, session, ts: record.ts };
      if (!isInstructionLike(text)) found.set(record.id, { text, record, ...facts });
    } else if (record.by === "rules") {
      for (const id of record.refs) {
        const { text: prompt, ts } = prompts.get(id) ?? { text: "", ts: "" };
        // What is sent again word for word is a template or a copy of the session, not said twice.
        if (prompt.length > 60 && seen.has(prompt)) continue;
        seen.add(prompt);
        for (const demand of findLasting(prompt)) {
          const key = `${id}\0${demand.text}`;
          if (!found.has(key)) found.set(key, { ...demand, record, entry: id, session, ts });
        }
      }
    }
  }
  return [...found.values()].toSorted((a, b) =>
    compareText(b.ts, a.ts) || compareText(a.entry, b.entry)
  );
}

/** The user's turns among some entries. */
function readPrompts(store: Store, ids: ReadonlySet<string>): Map<string, Entry> {
  const found = new Map<string, Entry>();
  if (ids.size === 0) return found;
  for (const { entry } of store.entries({ needles: ['"user"'] })) {
    if (ids.has(entry.id) && isPrompt(entry) && entry.undone !== true) found.set(entry.id, entry);
  }
  return found;
}

/**
 * Statements that ask for the same, each group and all of them newest first. What agents saved is in
 * groups of its own: it puts no words into a rule of the user's.
 */
function mergeStatements(statements: readonly Statement[]): Statement[][] {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const group = groups.find((known) =>
      isSavedByAgents(known) === isSavedByAgents([statement]) &&
      asksTheSame(known[0].text, statement.text)
    );
    if (group) group.push(statement);
    else groups.push([statement]);
  }
  return groups;
}

function toRule(group: readonly Statement[], newer: readonly Statement[][]): Rule {
  const [{ record, ts, kind, text }] = group;
  const own = new Set(group.map((statement) => statement.record.id));
  // No rule of an agent's ends the user's.
  const isAgents = isSavedByAgents(group);
  const against = newer.find((other) =>
    contradicts(other[0].text, text) && (isAgents || !isSavedByAgents(other))
  );
  const replaced = group.every((statement) => statement.record.superseded_by !== undefined)
    ? group.map((statement) => statement.record.superseded_by ?? "").find((id) => !own.has(id))
    : undefined;
  const superseded_by = against?.[0].record.id ?? replaced;
  const { saved_by } = record;
  const also = [...new Set(group.map((statement) => statement.text))].filter((one) => one !== text);
  return {
    id: record.id,
    ts,
    kind,
    text,
    sessions: countSessions(group),
    first: group.at(-1)?.ts ?? ts,
    evidence: [...new Set(group.map(({ entry }) => entry))].slice(0, maxEvidence),
    also: also.slice(0, maxWordings),
    ...(record.project === undefined ? {} : { project: record.project }),
    ...(superseded_by === undefined ? {} : { superseded_by }),
    ...(saved_by === undefined ? {} : { saved_by }),
  };
}

function isSavedByAgents([{ record }]: readonly Statement[]): boolean {
  return record.saved_by !== undefined;
}

const maxEvidence = 10;
const maxWordings = 3;

/** How established a rule is: how surely it is one, how often it was said, how lately. */
function worthOf(group: readonly Statement[], nowMs: number): number {
  const surest = Math.max(1, ...group.map(({ weight }) => weight));
  const ageDays = Math.max(0, nowMs - Date.parse(group[0].ts)) / 86_400_000;
  return surest * (1 + Math.log2(countSessions(group))) * 2 ** (-ageDays / fadeDays);
}

/** After so many days a rule that was not said again is worth half. */
const fadeDays = 180;

function countSessions(group: readonly Statement[]): number {
  return new Set(group.map(({ session }) => session)).size;
}
