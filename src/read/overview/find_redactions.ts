// What redaction replaced in the entries of a store: which rule, where, and the words around it. A
// text may also quote a mark: rows say how many marks redaction made in them; of those that do not a
// mark counts where a rule has its name, and is told as unsure. One walk over the bytes of the
// logs; only rows with a mark are parsed.

import * as s from "../../command/shape.ts";
import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { markBeginning, marksIn } from "../../core/redact/marks.ts";
import { isRuleName } from "../../core/redact/find_secrets.ts";
import { alignToCharacter, compareText } from "../../core/text.ts";
import type { Store } from "../../store/store.ts";

/** The marks of one rule in one field of an entry; the first one with the words around it. */
const redaction = s.object({
  ...s.each(s.text(), "id", "ts", "type", "rule", "where", "snippet"),
  ...s.each(s.optional(s.text()), "session_id", "source"),
  count: s.number(),
  /** Whether the row does not say that redaction made the mark: it may be quoted. */
  unsure: s.optional(s.boolean()),
});
type Redaction = s.ValueOf<typeof redaction>;

/** Redactions, newest first, and what they add up to. */
export const redactionList = {
  /** How many there are with the rule that was asked for; and marks in them. */
  ...s.each(s.number(), "total", "marks"),
  /** Marks of the rows looked at that may be quoted, and those that are: they count nowhere. */
  ...s.each(s.number(), "unsure", "quoted"),
  /** Of every rule: its marks, and in how many entries. */
  rules: s.listOf(s.object({ rule: s.text(), ...s.each(s.number(), "count", "entries") })),
  redactions: s.listOf(redaction),
};

export interface RedactionOptions {
  rule?: string;
  session?: string;
  /** From this time on. */
  since?: string;
  limit: number;
  offset: number;
  signal: AbortSignal;
}

export async function findRedactions(
  store: Store,
  { rule, session, since, limit, offset, signal }: RedactionOptions,
): Promise<s.ObjectOf<typeof redactionList>> {
  const rules = new Map<string, { count: number; entries: number }>();
  const all: Redaction[] = [];
  let marks = 0;
  let unsure = 0;
  let quoted = 0;
  for (const { entry } of store.entries({ needles: [markBeginning] })) {
    if (isBreathDue()) await breathe(signal);
    if (session !== undefined && entry.session_id !== session) continue;
    if (since !== undefined && entry.ts < since) continue;
    const met = new Set<string>();
    const made = makeAllowance(entry);
    for (const marked of redactionsOf(entry)) {
      const count = made.take(marked.rule, marked.count);
      quoted += marked.count - count;
      if (count === 0) continue;
      const found: Redaction = { ...marked, count, ...(made.isSure ? {} : { unsure: true }) };
      if (!made.isSure) unsure += count;
      const sum = rules.get(found.rule) ?? { count: 0, entries: 0 };
      sum.count += found.count;
      if (!met.has(found.rule)) sum.entries++;
      met.add(found.rule);
      rules.set(found.rule, sum);
      if (rule !== undefined && found.rule !== rule) continue;
      marks += found.count;
      all.push(found);
    }
  }
  all.sort((a, b) => compareText(b.ts, a.ts) || compareText(a.id, b.id));
  return {
    redactions: all.slice(offset, offset + limit),
    total: all.length,
    marks,
    unsure,
    quoted,
    rules: [...rules].map(([name, sum]) => ({ rule: name, ...sum }))
      .sort((a, b) => b.count - a.count || compareText(a.rule, b.rule)),
  };
}

/** How many marks of a rule redaction made in an entry, handed out field by field. */
function makeAllowance(
  { redacted }: Entry,
): { isSure: boolean; take: (rule: string, count: number) => number } {
  if (!isObject(redacted)) {
    return { isSure: false, take: (rule, count) => isRuleName(rule) ? count : 0 };
  }
  const left = new Map(Object.entries(redacted).map(([rule, count]) => [rule, Number(count) || 0]));
  return {
    isSure: true,
    take(rule, count) {
      const taken = Math.min(count, left.get(rule) ?? 0);
      left.set(rule, (left.get(rule) ?? 0) - taken);
      return taken;
    },
  };
}

/** The marks of an entry, by field and rule. */
function redactionsOf(entry: Entry): Redaction[] {
  const found = new Map<string, Redaction>();
  const note = (text: string, where: string): void => {
    for (const { rule, start, end } of marksIn(text)) {
      const key = `${where} ${rule}`;
      const known = found.get(key);
      if (known !== undefined) {
        known.count++;
        continue;
      }
      const { id, ts, type, session_id, source } = entry;
      const snippet = around(text, start, end);
      found.set(key, {
        id,
        ts,
        type,
        session_id,
        source: source?.agent,
        rule,
        count: 1,
        where,
        snippet,
      });
    }
  };
  const walk = (value: unknown, where: string): void => {
    if (typeof value === "string") return note(value, where);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((item) => walk(item, where));
    for (const [name, part] of Object.entries(value)) {
      // A name may hold a secret too.
      note(name, where === "" ? "a name" : where);
      walk(part, marksIn(name).length > 0 ? where : where === "" ? name : `${where}.${name}`);
    }
  };
  const { redacted: _counts, ...fields } = entry;
  walk(fields, "");
  return [...found.values()];
}

const aroundChars = 60;

/** A mark on one line, with the words around it. */
function around(text: string, start: number, end: number): string {
  const from = alignToCharacter(text, Math.max(0, start - aroundChars));
  const to = alignToCharacter(text, Math.min(text.length, end + aroundChars));
  const line = text.slice(from, to).replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}
