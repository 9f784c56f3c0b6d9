// Values of filters that no row has: what they may be meant for. Roles, types, agents and collections
// are lists that one can know: another value is an error that names those. Tags, files, projects and
// branches are anybody's: there the answer is nothing, with what is near. Loaded only then.

import { docType, roles, tombstoneType } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { recallType } from "../core/rows/own_tool.ts";
import { recordTypes } from "../core/rows/record.ts";
import { editDistance, guessAt } from "../core/text.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import { type KeywordField, keywordPrefix, keywordValue } from "../index/segment/keyword.ts";
import { agentNames } from "../core/rows/agent_names.ts";
import { type FilterPlan, isOwnAuthor, matchesValue } from "./filter.ts";
import { liveCount } from "./rank/live_count.ts";
import type { SearchAnswer, Stranger } from "./request.ts";

/** The values of a plan's filters that no live row has. */
export function findStrangers(corpus: Corpus, { keywords }: FilterPlan): Stranger[] {
  return keywords.flatMap(({ field, values, meant }) => {
    const known = valuesOf(corpus, field);
    const isHeld = (value: string): boolean => {
      const wanted = keywordValue(field, value.trim());
      return known.some((one) => matchesValue(one, wanted, field));
    };
    return values.filter((value) => !isOwnAuthor({ field, value, meant }))
      .filter((value) => !isHeld(value) && !isHeld(meant?.[value] ?? value))
      .map((value) => ({ field, value: (meant?.[value] ?? value).trim(), known }));
  });
}

function valuesOf({ segments, liveness }: Corpus, field: KeywordField): string[] {
  const prefix = keywordPrefix(field);
  const counts = new Map<string, number>();
  segments.forEach((segment, i) => {
    for (const term of segment.terms(prefix)) {
      // What only forgotten entries have is in an index, but not in a scan, and nobody's to know.
      const rows = liveCount(segment.findPostings(term), liveness.dead[i]);
      const value = term.slice(prefix.length);
      if (rows > 0) counts.set(value, (counts.get(value) ?? 0) + rows);
    }
  });
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value);
}

/** Throws for a value that cannot be; else the answer says what is near. */
export function settleStrangers({ strangers, ...answer }: SearchAnswer): SearchAnswer {
  const near: Record<string, string[]> = {};
  for (const { field, value, known } of strangers ?? []) {
    const vocabulary = vocabularies[field];
    if (vocabulary !== undefined && !isPattern(value)) {
      if (!vocabulary.includes(value.toLowerCase())) throw strangerError({ field, value, known });
      near[`${field}:${value}`] = known.slice(0, mostNear);
    } else near[`${field}:${value}`] = nearTo(value, known);
  }
  const { coverage } = answer;
  return {
    ...answer,
    coverage: { ...coverage, nearest_terms: { ...near, ...coverage.nearest_terms } },
  };
}

/** What ctx itself knows of: it may well be that no row here has it. */
const vocabularies: Partial<Record<KeywordField, readonly string[]>> = {
  role: roles,
  type: [
    ...recordTypes,
    docType,
    recallType,
    "note",
    "thinking",
    "tool_call",
    "tool_output",
    "turn",
  ],
  source: agentNames,
  collection: [],
};

const mostNear = 8;

function isPattern(value: string): boolean {
  return value.includes("*");
}

function strangerError({ field, value, known }: Stranger): CtxError {
  // Names that were stored are shown only where they can be nothing but names.
  const names = field === "role"
    ? [...roles]
    : known.filter((name) => /^[\w.:-]{1,40}$/.test(name) && name !== tombstoneType);
  const guess = guessAt(value.toLowerCase(), names);
  const there = names.length > 0 ? `known: ${names.slice(0, 20).join(", ")}` : "none are known";
  return new CtxError(
    "USAGE",
    `Cannot search by ${field} "${value.slice(0, 80)}": no such value${guess}; ${there}`,
    {
      hint: `leave the filter out, or quote "${field}:${
        value.slice(0, 80)
      }" to search for the words`,
    },
  );
}

/** Values that hold what was asked for, or are spelt like it. */
function nearTo(value: string, known: readonly string[]): string[] {
  const wanted = value.toLowerCase().replaceAll("*", "");
  const last = lastPart(wanted);
  return known.filter((one) =>
    wanted !== "" && (one.includes(wanted) || isLike(lastPart(one), last))
  ).slice(0, mostNear);
}

/** Few edits apart, or the same letters in another order. */
function isLike(one: string, other: string): boolean {
  const sorted = (word: string): string => [...word].sort().join("");
  const most = Math.max(1, Math.floor(other.length / 3));
  return editDistance(one, other) <= most || sorted(one) === sorted(other);
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, "").replace(/^.*\//, "");
}
