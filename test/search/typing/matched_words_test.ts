import assert from "node:assert/strict";
import { matchedWords } from "../../../src/search/typing/matched_words.ts";

Deno.test("matchedWords() tells the words that match in any form, in small letters", () => {
  const texts = ["We Rotate refresh tokens", "rotation of refreshToken()", "nothing else"];
  assert.deepEqual(matchedWords("rotating tokens", texts), [
    "rotate",
    "tokens",
    "rotation",
    "refreshtoken",
  ]);
});

Deno.test("matchedWords() takes phrases, leaves out filters, and runs of scripts without spaces", () => {
  assert.deepEqual(matchedWords('role:user "token family"', ["user: a token family"]), [
    "token",
    "family",
  ]);
  assert.deepEqual(matchedWords("丸の内", ["東京都千代田区丸の内一丁目"]).slice(0, 1), ["丸の内"]);
  assert.deepEqual(matchedWords("", ["anything"]), []);
});
