// Runs are remembered by their bytes and forgotten now and then; neither may change what comes out.

import assert from "node:assert/strict";
import fc from "fast-check";
import { toPlain } from "../../../src/index/text/fold.ts";
import { SegmentBuilder } from "../../../src/index/segment/segment_builder.ts";
import { tokenize } from "../../../src/index/text/tokenize.ts";
import { indexPieces } from "../../../src/index/text/piece_lines.ts";
import { WordPieces } from "../../../src/index/text/word_pieces.ts";
import type { Row } from "../../../src/store/store.ts";

const piece = fc.constantFrom(
  ..."aZ9_-./\\:@'+# \n\t,;(){}",
  "deploy",
  "userStore",
  "HTTPServer",
  "src/lib/index.ts",
  "don't",
  "the",
  "3.1.18",
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

const pieces = new WordPieces(indexPieces(
  Deno.readTextFileSync(new URL("../../../assets/embed/pieces.txt", import.meta.url)),
));

function ids(value: string): number[] {
  const found: number[] = [];
  pieces.forEachId(value, (id) => void found.push(id));
  return found;
}

function terms(value: string): string[] {
  const found: string[] = [];
  const length = tokenize(value, (term, kind) => found.push(`${kind} ${term}`));
  return [...found, String(length)];
}

Deno.test("tokenize() cuts ASCII text by bytes as it cuts other text by characters", () => {
  const property = fc.property(text, (value) => {
    // One other letter at the end sends the whole text the other way, and adds one term.
    const [before, other] = [terms(value), terms(`${value} é`)];
    assert.deepEqual(other.slice(0, -2), before.slice(0, -1));
    assert.equal(other.at(-2), "word e");
    assert.equal(Number(other.at(-1)), Number(before.at(-1)) + 1);
  });
  fc.assert(property, { numRuns: 500, seed: 5 });
});

Deno.test("tokenize() takes ASCII runs apart as it does those with other letters", () => {
  const property = fc.property(text, (value) => {
    const run = value.replace(/[^-A-Za-z0-9_./\\:@'+#]/g, "") || "a";
    // Folded they are the same, but only one of them is ASCII.
    assert.deepEqual(terms(`${run}/e`), terms(`${run}/é`), run);
  });
  fc.assert(property, { numRuns: 2000, seed: 7 });
});

Deno.test("marks and symbols separate words the fast way as they do by their Unicode class", () => {
  let plain = 0;
  for (let code = 0x80; code < 0x1fb00; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const mark = String.fromCodePoint(code);
    const value = `aB${mark}cd x${mark}'${mark}s ${mark}`;
    // Only what toPlain() makes ASCII goes the fast way.
    if (/[\u0080-\uffff]/.test(toPlain(value.normalize("NFKC")))) continue;
    plain++;
    assert.deepEqual(
      terms(`${value} é`).slice(0, -2),
      terms(value).slice(0, -1),
      code.toString(16),
    );
    assert.deepEqual(ids(`${value} é`), [...ids(value), ...ids("é")], code.toString(16));
  }
  assert.ok(plain > 2000, String(plain));
});

Deno.test("a segment is the same when the words are forgotten while it is built", () => {
  const build = (disturb: (row: number) => void): Uint8Array => {
    const builder = new SegmentBuilder("hot");
    for (let i = 0; i < 60; i++) {
      disturb(i);
      builder.add(makeRow(i));
    }
    return builder.finish();
  };
  const calm = build(() => {});
  let word = 0;
  const forgetful = build((row) => {
    if (row % 10 !== 5) return;
    const words = Array.from({ length: 25_000 }, () => `word${word++}`);
    tokenize(words.join(" "), () => {});
  });
  assert.deepEqual(forgetful, calm);
});

function makeRow(i: number): Row {
  const entry = {
    id: `H-${i}`,
    ts: "2026-01-01T00:00:00.000Z",
    role: "user" as const,
    type: "turn",
    title: `Deploy ${i % 7}`,
    text: `deploying userStore ${i % 5} to src/lib/part${i % 3}.ts, größe ${i}, ${
      "x".repeat(70 + i)
    }`,
    tags: ["deploy", "store"],
  };
  return { entry, pool: "hot", offset: i * 100, length: 99 };
}
