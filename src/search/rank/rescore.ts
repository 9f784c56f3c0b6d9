// The best rows of a ranking once more, by what stands around them: a row takes part in the score of
// the step before it, of the best row of its exchange and of its session, and of records that cite
// it; of one session's rows the later counts more, and how long it is counts by what it is.
// Nothing falls, because the best rows around lend more than a factor takes: so rows further down stay
// below, and pages fit together.

import { type Corpus, isSuperseded, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import type { RankedRow } from "./rank.ts";
import { weights } from "./ranking.ts";
import { applySteps, type Step, step } from "./steps.ts";
import { turnsBeside } from "./around_row.ts";
import type { Exchanges } from "./row_exchanges.ts";

export interface RescoreInput {
  corpus: Corpus;
  exchanges: Exchanges;
  /** How any row comes by the score that the ranking has for it. */
  stepsOf: (global: number) => Step[];
  /** Whether a row matches by words or is similar enough. */
  isCandidate: (global: number) => boolean;
  cosines?: Float32Array;
  /** The terms of the query that a row has, as bits, and the share of the query that some terms are. */
  matchedOf: (global: number) => number;
  shareOf: (matched: number) => number;
}

type Prompts = ReadonlyMap<number, number | undefined>;

/** The rows with their new scores, in the old order. */
export function rescore(rows: readonly RankedRow[], input: RescoreInput): RankedRow[] {
  const { corpus, exchanges } = input;
  const later = laterShares(rows, corpus);
  const { reach } = weights.prompt;
  const prompts = new Map(rows.map(({ global }) => [global, exchanges.promptOf(global, reach)]));
  const around = bestAround(rows, { corpus, prompts });
  const near = nearTurns(input);
  const heard = sessionShares(rows, input);
  const factors = ownFactors(input, prompts);
  return rows.map((row) => {
    const { global } = row;
    // It must stay below what replaced it.
    if (isSuperseded(corpus, global)) return row;
    const steps = [
      ...input.stepsOf(global),
      step("later", "×", 1 + weights.later * (later.get(global) ?? 1)),
      ...factors(global),
      ...[
        step("before", "+", lentBefore(global, input)),
        ...around(row),
        step("session share", "+", weights.sessionShare * heard(global)),
        step("beside", "+", near(global)),
        step("cited", "+", lentByRecords(global, input)),
      ].filter(({ value }) => value > 0),
    ];
    return { ...row, steps, final: applySteps(steps) };
  });
}

/** For each row of a session, its place among those of the session: near 0 the first, near 1 the last. */
function laterShares(rows: readonly RankedRow[], corpus: Corpus): Map<number, number> {
  const sessions = new Map<number, number[]>();
  for (const { global } of rows) {
    const { segment, row } = locate(corpus, global);
    const session = segment.session(row);
    if (session === 0 || (segment.flags(row) & rowFlags.record) !== 0) continue;
    const own = sessions.get(session);
    if (own === undefined) sessions.set(session, [global]);
    else own.push(global);
  }
  const shares = new Map<number, number>();
  for (const own of sessions.values()) {
    own.sort((a, b) => a - b).forEach((global, i) => shares.set(global, (i + 0.5) / own.length));
  }
  return shares;
}

/**
 * What the best rows of a row's session and of its exchange lend it: where one answer is, others are.
 * A row that stands alone is the best of its own, so that notes and documents are not set back.
 */
function bestAround(
  rows: readonly RankedRow[],
  { corpus, prompts }: { corpus: Corpus; prompts: Prompts },
): (row: RankedRow) => Step[] {
  const sessions = new Map<number, number>();
  const exchanges = new Map<number, number>();
  for (const { global, final } of rows) {
    const session = sessionOf(corpus, global);
    sessions.set(session, Math.max(final, sessions.get(session) ?? 0));
    const prompt = prompts.get(global) ?? global;
    exchanges.set(prompt, Math.max(final, exchanges.get(prompt) ?? 0));
  }
  return ({ global, final }) => {
    const session = sessionOf(corpus, global);
    const ofSession = session === 0 ? final : sessions.get(session) ?? final;
    const ofExchange = exchanges.get(prompts.get(global) ?? global) ?? final;
    return [
      step("session best", "+", weights.around * ofSession),
      step("exchange best", "+", weights.around * ofExchange),
    ];
  };
}

function sessionOf(corpus: Corpus, global: number): number {
  const { segment, row } = locate(corpus, global);
  return segment.session(row);
}

/**
 * The share of the query that the rows of a row's session have together: the right session has more of
 * it than others. What stands alone counts as the best session, so that it is not set back.
 */
function sessionShares(
  rows: readonly RankedRow[],
  { corpus, matchedOf, shareOf }: RescoreInput,
): (global: number) => number {
  const matched = new Map<number, number>();
  for (const { global } of rows) {
    const session = sessionOf(corpus, global);
    const had = session === 0 ? 0 : matched.get(session) ?? 0;
    matched.set(session, had | matchedOf(global));
  }
  const most = Math.max(0, ...[...matched.values()].map(shareOf));
  return (global) => {
    const session = sessionOf(corpus, global);
    return session === 0 ? most : shareOf(matched.get(session) ?? 0);
  };
}

/**
 * What a row's own kind and length make of its score. Of what was said at work, the longer is more often
 * the answer; of what was printed, less. Where people only talk, a long reply that has of the query what
 * its prompt said already is an echo.
 */
function ownFactors(
  { corpus, exchanges, matchedOf, shareOf }: RescoreInput,
  prompts: Prompts,
): (global: number) => Step[] {
  const { said, printed, words } = weights.length;
  return (global) => {
    const { segment, row } = locate(corpus, global);
    const flags = segment.flags(row);
    const length = segment.textLength(row);
    if ((flags & rowFlags.result) !== 0) {
      return [step("length", "×", 1 - printed * Math.max(0, Math.log(length / words)))];
    }
    const prompt = prompts.get(global);
    if ((flags & rowFlags.talk) === 0 || prompt === undefined) return [];
    if (exchanges.isWork(prompt)) {
      return [step("length", "×", 1 + said * Math.log((length + 20) / (words + 20)))];
    }
    const own = shareOf(matchedOf(global));
    if (prompt === global || own === 0 || length < words) return [];
    const repeated = shareOf(matchedOf(global) & matchedOf(prompt));
    return [step("echo", "×", 1 - weights.echo * repeated / own)];
  };
}

/** What the turn beside a turn adds that is nearer to the query. */
function nearTurns({ corpus, cosines }: RescoreInput): (global: number) => number {
  if (cosines === undefined) return () => 0;
  return (global) => {
    const near = turnsBeside(corpus, global).map((turn) => cosines[turn]);
    return weights.beside * Math.max(0, ...near);
  };
}

const tools = rowFlags.call | rowFlags.result;
const passed = rowFlags.thinking | rowFlags.tombstone | rowFlags.recall | rowFlags.record;

/** What the step before lends: between turns, context already did. */
function lentBefore(global: number, { corpus, stepsOf }: RescoreInput): number {
  const { segment, row } = locate(corpus, global);
  const session = segment.session(row);
  if (session === 0) return 0;
  const isTool = (segment.flags(row) & tools) !== 0;
  const { share, reach } = weights.before;
  for (let at = global - 1; at >= Math.max(0, global - reach); at--) {
    const before = locate(corpus, at);
    const flags = before.segment.flags(before.row);
    const isDead = corpus.liveness.dead[before.segmentNumber]?.has(before.row) === true;
    if (isDead || (flags & passed) !== 0) continue;
    if (before.segment.session(before.row) !== session) continue;
    return isTool || (flags & tools) !== 0 ? share * applySteps(stepsOf(at)) : 0;
  }
  return 0;
}

/** What the best record that cites a row lends it. */
function lentByRecords(
  global: number,
  { corpus, stepsOf, isCandidate }: RescoreInput,
): number {
  if (corpus.segments.every((segment) => segment.cites === 0)) return 0;
  const { segment, row } = locate(corpus, global);
  const hash = segment.idHash(row);
  let best = 0;
  corpus.segments.forEach((other, i) => {
    for (const number of other.recordsCiting(hash)) {
      const record = corpus.bases[i] + number;
      if (corpus.liveness.dead[i]?.has(number) || !isCandidate(record)) continue;
      best = Math.max(best, applySteps(stepsOf(record)));
    }
  });
  return weights.cited * best;
}
