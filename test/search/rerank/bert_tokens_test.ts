import assert from "node:assert/strict";
import { indexPieces } from "../../../src/index/text/piece_lines.ts";
import { bertTokens } from "../../../src/search/rerank/bert_tokens.ts";
import { repository } from "../../support/repository.ts";

const findId = indexPieces(Deno.readTextFileSync(`${repository}/assets/embed/pieces.txt`));

/** As Hugging Face's tokenizers have it for this model. */
const known: [string, number[]][] = [
  [
    "We rotate refreshTokens: don't log in.",
    [101, 2057, 24357, 25416, 21898, 18715, 6132, 1024, 2123, 1005, 1056, 8833, 1999, 1012, 102],
  ],
  [
    "Crème brûlée — 丸の内 ✅",
    [101, 13675, 21382, 7987, 9307, 2063, 1517, 100, 1671, 1773, 100, 102],
  ],
  ["", [101, 102]],
];

for (const [text, ids] of known) {
  Deno.test(`bertTokens() of "${text}" are those of the model's own tokenizer`, () => {
    assert.deepEqual(bertTokens(text, findId, 256), ids);
  });
}

Deno.test("bertTokens() keeps the first tokens of a long text, and its end", () => {
  const ids = bertTokens("token ".repeat(500), findId, 16);
  assert.deepEqual(ids, [101, ...new Array(14).fill(19204), 102]);
});
