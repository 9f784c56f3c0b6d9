// What a row gains or loses beside the words it has: by its flags, age, pin, session and time.

import { locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { announcesCall } from "./around_row.ts";
import type { RankInput } from "./rank.ts";
import { recencyFactor, timeFactor, weights } from "./ranking.ts";
import type { FlagFactors } from "./scores.ts";

/** A factor for rows that have a flag, unless they have another. */
interface FlagRule {
  name: string;
  flag: number;
  unless?: number;
  factor: number;
}

/** What counts for a row by its flags alone. */
function flagRules(asksForTime: boolean): FlagRule[] {
  const { saved, record, timed, bare } = rowFlags;
  return [
    { name: "saved", flag: saved, factor: weights.saved },
    { name: "record", flag: record, unless: saved, factor: weights.record },
    ...(asksForTime ? [{ name: "timed", flag: timed, factor: weights.timed }] : []),
    { name: "bare", flag: bare, factor: weights.bare },
  ];
}

function holds({ flag, unless = 0 }: FlagRule, flags: number): boolean {
  return (flags & flag) !== 0 && (flags & unless) === 0;
}

/** The factors of the rows of one ranking. */
export class RowBoosts {
  readonly #input: RankInput;
  readonly #rules: readonly FlagRule[];

  constructor(input: RankInput) {
    this.#input = input;
    this.#rules = input.branch === "vector" ? [] : flagRules(input.asksForTime === true);
  }

  /** The most that a row can gain beside what its flags and its age give it, which keys have already. */
  get most(): number {
    const pin = this.#input.pinned.size > 0 ? 1 + weights.pin : 1;
    const session = this.#input.ownSession ? 1 + weights.session : 1;
    const time = this.#input.times ? weights.times.inside : 1;
    return pin * session * time;
  }

  get byFlags(): FlagFactors {
    const counted = this.#rules.reduce((all, { flag, unless = 0 }) => all | flag | unless, 0);
    return { counted, factorOf: (flags) => this.#ofFlags(flags) };
  }

  /** What a row's flags gain or cost it. */
  #ofFlags(flags: number): number {
    let boost = 1;
    for (const rule of this.#rules) if (holds(rule, flags)) boost *= rule.factor;
    return boost;
  }

  /** A row's factors by name. */
  of(global: number): Record<string, number> {
    const { corpus, pinned, ownSession } = this.#input;
    const { segment, segmentNumber, row } = locate(corpus, global);
    const boosts: Record<string, number> = {
      recency: recencyFactor(segment.time(row), corpus.newestMs),
    };
    if (pinned.has(global)) boosts.pin = 1 + weights.pin;
    if (ownSession?.(segmentNumber, row)) boosts.session = 1 + weights.session;
    if (corpus.liveness.superseded[segmentNumber]?.has(row)) {
      boosts.superseded = weights.superseded;
    }
    if (this.#input.branch === "vector") return boosts;
    const flags = segment.flags(row);
    for (const rule of this.#rules) if (holds(rule, flags)) boosts[rule.name] = rule.factor;
    if ((flags & rowFlags.bare) === 0 && announcesCall(corpus, global)) {
      boosts.announcement = weights.announcement.factor;
    }
    if (this.#input.times) {
      const factor = timeFactor(this.#input.times.spans, segment.time(row));
      if (factor !== 1) boosts.times = factor;
    }
    return boosts;
  }
}
