// The scoring loop: adds one term's postings to the scores of the rows. The only hot code of a
// lexical search; fields in a fixed order, so that a row's sum is the same in any segment layout.

import { textField } from "../index/analyze.ts";
import type { Segment } from "../index/segment.ts";
import { fieldWorth, weights } from "./ranking.ts";

/** Scores of all rows of a corpus, by global number; a row without a match has none. */
export interface Scores {
  score: Float64Array;
  /** A bit for each term of the query. */
  matched: Uint32Array;
  /** The rows that have a score, segment after segment. */
  touched: Uint32Array;
  count: number;
}

/** One term, ready to be scored. */
export interface ScoredTerm {
  idf: number;
  bit: number;
  /** The average length of each field, raised by the pivot. */
  pivots: readonly number[];
}

/** Makes room for a corpus of some size. */
export function makeScores(size: number): Scores {
  return {
    score: new Float64Array(size),
    matched: new Uint32Array(size),
    touched: new Uint32Array(size),
    count: 0,
  };
}

/** Adds one posting list to the scores. Dead rows are passed over. */
export function accumulate(
  scores: Scores,
  part: {
    list: Uint8Array;
    segment: Segment;
    base: number;
    dead?: ReadonlySet<number>;
    term: ScoredTerm;
  },
): void {
  const { list, segment, base, dead, term } = part;
  const { score, matched, touched } = scores;
  let { count } = scores;
  const { idf, bit, pivots } = term;
  const textLengths = segment.lengths(textField);
  const b = weights.b.text;
  const { k1 } = weights;
  const k1plus1 = k1 + 1;
  const textWeight = weights.field.text;
  const slope = b / pivots[textField];
  const flat = 1 - b + slope * weights.lengthPivot;
  let row = 0;
  let at = 0;
  while (at < list.length) {
    let byte = list[at++];
    let head = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = list[at++];
      head |= (byte & 127) << shift;
    }
    row += head >>> 2;
    const kind = head & 3;
    let worth = 0;
    if (kind === 0) {
      worth = textWeight / (flat + slope * textLengths[row]);
    } else if (kind === 1) {
      let times = 0;
      let shift = 0;
      do {
        byte = list[at++];
        times |= (byte & 127) << shift;
        shift += 7;
      } while (byte & 128);
      worth = textWeight * times / (flat + slope * textLengths[row]);
    } else {
      let mask = list[at++];
      for (let field = 0; mask > 0; field++, mask >>= 1) {
        if ((mask & 1) === 0) continue;
        let times = 0;
        let shift = 0;
        do {
          byte = list[at++];
          times |= (byte & 127) << shift;
          shift += 7;
        } while (byte & 128);
        worth += fieldWorth(field, times, segment.lengths(field)[row], pivots[field]);
      }
    }
    if (dead !== undefined && dead.has(row)) continue;
    const global = base + row;
    if (matched[global] === 0) touched[count++] = global;
    matched[global] |= bit;
    score[global] += idf * worth * k1plus1 / (k1 + worth);
  }
  scores.count = count;
}
