// A row's text is walked over once for its terms and its tokens: both must be those of its readers
// alone, whatever the text, and however often its words were met before.

import assert from "node:assert/strict";
import fc from "fast-check";
import { countTokens } from "../../../src/core/tokens.ts";
import { namesTime } from "../../../src/core/time/names_time.ts";
import { rowFlags } from "../../../src/index/segment/segment_format.ts";
import { Segment } from "../../../src/index/segment/segment.ts";
import { SegmentBuilder } from "../../../src/index/segment/segment_builder.ts";
import { tokenize } from "../../../src/index/text/tokenize.ts";

/** The tokens of texts, as a segment of them has them. */
function sealedTokens(texts: readonly string[]): number[] {
  using segment = Segment.fromBytes(sealTexts(texts));
  return texts.map((_, row) => segment.tokens(row));
}

function sealTexts(texts: readonly string[]): Uint8Array {
  const builder = new SegmentBuilder("hot");
  for (const [row, text] of texts.entries()) {
    const entry = {
      id: `H-${row}`,
      ts: "2026-01-01T00:00:00.000Z",
      role: "assistant",
      type: "turn",
    };
    builder.add({
      entry: { ...entry, session_id: "S-1", text } as never,
      pool: "hot",
      offset: row * 9,
      length: 8,
    });
  }
  return builder.finish();
}

/** The terms of a text by the way of all scripts: its accents are folded away, but only after that. */
function plainTerms(text: string): string[] {
  const found: string[] = [];
  // Not the letters of contractions: `'ré` is none.
  const accented = text.replace(/[ainouy]/gi, "$&\u0300").normalize("NFC");
  tokenize(`${accented} é`, (term) => found.push(term));
  return [...new Set(found.slice(0, -1))].sort();
}

const piece = fc.constantFrom(
  ..."aZ9_-./\\:@'+# \n\r\t,;(){}[]<>\"`=*$%&|~^!?",
  "  ",
  "\n\n",
  "don't",
  "we'll",
  "it's",
  "'s",
  "__init__",
  "_x",
  "x_",
  "getUserName",
  "HTTPServer",
  "src/lib/index.ts",
  "v1.2.3",
  "sha256",
  "2026-01-01",
  "deploys",
  "the",
  "});",
  '":"',
  "----------------------------",
  "é",
  "naïve",
  "Straße",
  "数据库",
  "データ",
  "한국어",
  "Привет",
  "Ελλάδα",
  "שלום",
  "مرحبا",
  "ไทย",
  "😀",
  "👩‍💻",
  "→",
  "…",
  "’",
  "\u00a0",
);
const made = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const ascii = made.map((text) => text.replace(/[^\0-\x7f]/g, ""));

Deno.test("the tokens of a row are those of its text, in any script, emoji and code", () => {
  const texts = fc.array(fc.oneof(made, ascii, fc.string({ unit: "binary" })), { maxLength: 8 });
  fc.assert(
    fc.property(texts, (some) => {
      // Twice: once to work tokens out, once to find what is known.
      const all = [...some, ...some];
      assert.deepEqual(sealedTokens(all), all.map((text) => countTokens(text)));
    }),
    { numRuns: 600, seed: 11 },
  );
});

Deno.test("the tokens and terms of a row are those of its text, in our own code and documents", () => {
  const root = new URL("../../../", import.meta.url);
  const texts = ["src/core/tokens.ts", "README.md", "docs/FORMAT.md", "deno.lock", "install.sh"]
    .flatMap((path) => Deno.readTextFileSync(new URL(path, root)).split(/\n(?=\n)/))
    .flatMap((text) => [text, text.replaceAll(" ", "\t")]);
  assert.ok(texts.length > 200);
  assert.deepEqual(sealedTokens(texts), texts.map((text) => countTokens(text)));
  for (const text of texts.filter((text) => !/[^\0-\x7f]/.test(text)).slice(0, 300)) {
    assert.deepEqual(sealedTerms(text), plainTerms(text), text);
  }
});

Deno.test("a row is marked as naming a time as its text alone would be", () => {
  const part = fc.oneof(
    piece,
    fc.constantFrom(
      ..."Today yesterday-ish 2026 v2026 12026 3 days an hour last Night weeks2 since; ago".split(
        " ",
      ),
      "next spring",
      "in-march",
      "MONDAY",
      "couple of years",
    ),
  );
  const text = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(" "));
  let timed = 0;
  fc.assert(
    fc.property(text, (value) => {
      using segment = Segment.fromBytes(sealTexts([value]));
      const isTimed = (segment.flags(0) & rowFlags.timed) !== 0;
      assert.equal(isTimed, namesTime(value), value);
      if (isTimed) timed++;
    }),
    { numRuns: 800, seed: 13 },
  );
  assert.ok(timed > 100, String(timed));
  const long = `${"word ".repeat(210_000)} yesterday`;
  using segment = Segment.fromBytes(sealTexts([long]));
  assert.equal((segment.flags(0) & rowFlags.timed) !== 0, true);
});

Deno.test("the terms of a row are those that its text has by the way of all scripts", () => {
  fc.assert(
    fc.property(ascii, (text) => assert.deepEqual(sealedTerms(text), plainTerms(text))),
    { numRuns: 400, seed: 12 },
  );
});

/** The words of a segment with one row, without its keywords. */
function sealedTerms(text: string): string[] {
  using segment = Segment.fromBytes(sealTexts([text]));
  return [...segment.lists("")].map(({ term }) => term).filter((term) => !term.startsWith("\x01"))
    .sort();
}
