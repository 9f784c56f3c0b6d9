// Every number that decides an order, in one place, with what it is worth: nDCG@10 without it or with
// another value, on LoCoMo-dev (chat) / SciFact (abstracts) / CoSQA-dev (code) / recall-dev (sessions of
// coding agents; after it success@1 and success@5). `deno task bench tune` measures each weight again and
// says which survive leaving one set out. With all of it .606 / .718 / .451 / .516 .400 .700; plain BM25
// (the better of k1 1.2 b .75 and k1 .9 b .4) .502 / .684 / .374 / .418.
// Tried and left out: BM25+ delta (chat +.01, code -.01), proximity of query words (+.003, within the
// noise), powers of idf, a factor for the share of words matched (chat +.01, code -.01), lengths raised by
// some words for all rows (.004 for none), another k1 for talk (.000, sessions -.003), a boost of prompts
// where the question is about a wish (chat -.001, sessions +.000 -.013 at five). On recall-dev: less for
// texts under 20 words (+.005), the best passage of 90 words (success@1 +.02, success@5 -.01, and a
// hundred rows to read), its similarity (.000), words near those of the query (+.004), words of the session
// (.000) and of the call (.000), less for questions (-.02), records above their evidence (-.06), more of
// them for it (`cited` .3: +.002 and success@5 -.007, .6: -.016). Words that the store says are the same:
// abbreviations that it explains, added to the query (SciFact -.013, sessions +.002, others none), units
// ("24 hours" as "24h": 2 of 1,710 questions have one, .000), names written in small letters and as one
// word ("elementtree": CoSQA +.0003).

import { offsetFrom, type TimeSpan } from "../../core/time/time_span.ts";
import { searchFields } from "../../index/segment/segment_format.ts";

export const weights = {
  /** Saturation of term frequency: 1.2 .602 / .713 / .448 / .516. */
  k1: 1.3,
  /** Length normalisation, of every field; 0 costs .017 / .041 / .051 on abstracts, code and sessions. */
  b: 0.82,
  /** No field counts as shorter on average: where few rows have a title, those are not long. */
  shortest: 8,
  /**
   * How many words the lengths of talk, calls and results are raised by: there an answer is longer than
   * what only mentions it. 64 on recall-dev -.015, 200 -.010; with 4 it was .392 to .452.
   */
  loosePivot: 120,
  /** What an occurrence in a field is worth; a title twice its text: SciFact .693 → .702. */
  field: { title: 2, summary: 1, text: 1, files: 1, tags: 1, content: 0.5 },
  /** An identifier or path matched whole, on top of its parts: SciFact 0 .690, .5 .700, 1 .693. */
  wholeTerm: 0.5,
  /** Of a query with more terms, only the rarest count. */
  maxTerms: 32,
  /**
   * A turn takes part of the score of the turns one and two before it and after it, most of all of a
   * question just before it (`answer`): .15 there is .588 on chat, .8 .606 but -.005 on sessions.
   */
  context: { answer: 0.6, turns: [0.2, 0.15], sources: 64, reach: 64 },
  /**
   * What a row takes of the score of its prompt, for the words that it lacks itself, where that is more
   * than its neighbours give; `reach` is in rows. .7 on recall-dev -.005, none -.02.
   */
  prompt: { share: 1, prompts: 32, reach: 64 },
  /**
   * Calls that only look, results that only list or say "done" (a fifth of all rows, 1 to 3 % of the
   * answers), and short turns before a call: +.027; flat between .5 and .8.
   */
  bare: 0.65,
  announcement: { factor: 0.75, words: 24, reach: 8 },
  /**
   * A record keeps this much: what it was made from says more, and is lifted by it. Above its
   * evidence (1.2) it costs .06 on recall-dev; between .2 and .8 it is the same within .01: three of
   * four answers are not in its words. A goal is `bare` too: it says again what was asked.
   */
  record: 0.6,
  /** What somebody wrote down as a decision, a preference and the like says it in its own words. */
  saved: 1.3,
  /**
   * The best `pool` rows once more. A call, a result and a turn after one take `before.share` of the
   * score of the step before them, evidence takes `cited` of its record's, every row takes part in
   * the best score of its session and of its exchange (`around`: success@5 +.02), and of one
   * session's rows in the pool the last gains `later`, the first nothing: an outcome comes after its
   * attempts. On recall-dev +.03 [.01, .05] together and success@1 +.05; flat around these values.
   * Without `cited` success@5 loses .02; between turns, `before` would cost chat .01.
   */
  pool: 50,
  before: { share: 0.15, reach: 8 },
  cited: 0.15,
  around: 0.35,
  later: 0.2,
  /**
   * In the pool too. What the share of the query that a row's session has there adds to it (`sessionShare`):
   * recall-dev success@1 .380 → .393, chat +.003. How long a turn at work and an output are, against
   * `words`, as factors (`length`): in the first exchange .587 → .620. A reply of at
   * least `words` loses up to `echo` where its prompt already said what it has of the query: BEAM's 500K
   * chats .233 → .314, .2 .281. All are within two questions of 150 of their neighbours.
   */
  sessionShare: 0.06,
  length: { said: 0.055, printed: 0.07, words: 100 },
  echo: 0.3,
  /**
   * Where exchanges are one result: what the share of the query that their rows in the pool have
   * together, beyond that of the best row, adds to it. recall-dev, in the first exchange .573 → .593;
   * flat between .05 and .2, .5 -.013. Adding up the scores of the others gained about as much at small
   * weights (three forms) and lost at larger ones. All tuned on the set that it is measured on.
   */
  exchange: 0.1,
  /** Where the question is when something was, turns that name a time: without it chat -.013. */
  timed: 1.2,
  /** Where the question names a time, rows of it and of the days around it: without it chat -.018. */
  times: { inside: 2, near: 1.3, daysBefore: 1, daysAfter: 14 },
  /** What the nearer turn beside a turn adds by its cosine: without it chat -.002, sessions -.008. */
  beside: 0.06,
  /**
   * The absolute floor. A row is no hit when it matches less than `row` of the query's information
   * (summed idf, unknown words counted as the rarest) and is less similar than `rowCosine`. A query
   * is unrelated, and gets no rows at all, when no row reaches `query` of it by words alone, or
   * `queryCosine` by vectors alone. A row answers a part of a long question: of more words than
   * `queryWords` it needs as much as of so many (six questions of LoCoMo-dev in one: .34 → 0 refused,
   * of SciFact .20 → 0; with 6 or 10 the same within .02, and less or more of the strangers are refused). With both it needs a row that has most of its words (`covered`)
   * or says the same (`similar`); or something near (best cosine + `shareWorth` × best share ≥
   * `hybrid`) and enough evidence: the best score times the root of the number of words, because half
   * of a long question tells more than half of a short one, less where words occur nowhere
   * (`unknown`). `deno task bench silence` leaves out one store at a time; what is about the store's own
   * subjects and yet not answered (LoCoMo's category 5, BEAM's abstention) nothing here tells apart.
   * In a store with fewer than `few.entries` rarity means nothing: a row needs `few.words` of the words
   * or be similar. Tried and left: the words that one exchange has together (recall-dev .56), the mean of
   * the best five (.60), idf in place of words (refuses questions of common words in a large store), how
   * far the best cosine or share stands above the store's mean or above chance (areas under the curve on
   * the six stores .34 to .82 and .18 to .56, those of `evidence` .53 to .999), the margin to the next row
   * (.52 to .61), the rarest word (.55 to .91), a logistic fit of five of these (on the store left out no better, recall-dev .12 lost).
   */
  floor: {
    row: 0.02,
    rowCosine: 0.35,
    query: 0.18,
    queryWords: 8,
    queryCosine: 0.4,
    covered: 0.7,
    similar: 0.55,
    shareWorth: 0.4,
    hybrid: 0.44,
    evidence: 0.4,
    unknown: 0.5,
    few: { entries: 10, words: 0.25 },
  },
  /**
   * The vector side of the convex fusion, (words + weight · cosine) / (1 + weight), where words are the
   * share of the best possible lexical score: `vector` / √words of the query, for at least four. Few
   * words tell less than many: with .45 for all SciFact and CoSQA have .711 / .439.
   */
  vector: 1.2,
  /** Bounded: the newest entry of the store gains 5 %, and half of that each 14 days back. */
  recency: { gain: 0.05, halfLifeDays: 14 },
  /** So many rows are read to see whether they hold a phrase. */
  phraseRows: 200,
  pin: 0.1,
  session: 0.05,
  /** A superseded row keeps half its score, and stays below its replacement. */
  superseded: 0.5,
  /**
   * Of the best `rows`, one keeps this much whose code is gone or was taken back: it tells what was, and
   * stays above what has little to do with the question. What only drifted keeps its place.
   */
  stale: { rows: 20, factor: 0.7 },
} as const;

/** Every factor that a score may have, as steps name it; 1 where it does not apply. */
export const boostNames = [
  "recency",
  "pin",
  "session",
  "superseded",
  "saved",
  "record",
  "timed",
  "bare",
  "announcement",
  "times",
  "later",
  "length",
  "echo",
  "stale",
] as const;

/** How rare a term is: BM25's idf, never negative. */
export function idfOf(entries: number, withTerm: number): number {
  return Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5));
}

/** For each field, the average length; at least `shortest`. */
export function pivotsOf(entries: number, lengths: readonly number[]): number[] {
  return lengths.map((sum) => Math.max(weights.shortest, sum / Math.max(1, entries)));
}

/**
 * The length that a text of talk or tools counts as: with the usual formula it then gives
 * 1 - b + b (length + loosePivot) / (average + loosePivot).
 */
export function looseLength(length: number, model: ReturnType<typeof looseModel>): number {
  const { raise, scale } = model;
  return Math.round((length + raise) * scale);
}

/** How such a length is worked out, where the average is one of `pivotsOf`. */
export function looseModel(pivot: number): { raise: number; scale: number } {
  const { loosePivot } = weights;
  return { raise: loosePivot, scale: pivot / (pivot + loosePivot) };
}

/** How an occurrence in a field counts: `weight / (flat + slope * length)`. */
export function fieldModel(
  field: number,
  pivot: number,
): { weight: number; flat: number; slope: number } {
  const name = searchFields[field];
  const { b } = weights;
  return { weight: weights.field[name], flat: 1 - b, slope: b / pivot };
}

/** What `count` occurrences in a field of some length are worth, before saturation. */
export function fieldWorth(field: number, count: number, length: number, pivot: number): number {
  const { weight, flat, slope } = fieldModel(field, pivot);
  return weight * count / (flat + slope * length);
}

/** A term's part of the score, from its worth summed over the fields. */
export function termScore(idf: number, worth: number): number {
  return idf * worth * (weights.k1 + 1) / (weights.k1 + worth);
}

/** What a cosine weighs beside the words of a query that has so many. */
export function vectorWeight(words: number): number {
  return roundScore(weights.vector / Math.sqrt(Math.max(4, words)));
}

/** The factor for age, relative to the newest entry of the store: the clock plays no part. */
export function recencyFactor(timeMs: number, newestMs: number): number {
  const ageDays = Math.max(0, newestMs - timeMs) / 86_400_000;
  return 1 + weights.recency.gain * 2 ** (-ageDays / weights.recency.halfLifeDays);
}

/** The factor of a row's time where the query names some. */
export function timeFactor(spans: readonly TimeSpan[], timeMs: number): number {
  const { inside, near, daysBefore, daysAfter } = weights.times;
  const days = offsetFrom(spans, timeMs) / 86_400_000;
  if (days === 0) return inside;
  return days >= -daysBefore && days <= daysAfter ? near : 1;
}

/** Scores are compared and shown with six decimals, so that what is shown explains the order. */
export function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
