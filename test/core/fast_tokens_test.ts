import assert from "node:assert/strict";
import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { countTokens } from "../../src/core/tokens.ts";

const languageConfigs = [
  { pattern: /[\uac00-\ud7af]/, averageCharsPerToken: 1.9 },
  { pattern: /[\u3040-\u30ff]/, averageCharsPerToken: 1.5 },
  { pattern: /[\u3400-\u9fff]/, averageCharsPerToken: 1.5 },
];

Deno.test("countTokens() counts what tokenx counts", () => {
  const character = fc.constantFrom(
    ..."abcdeXYZ0123456789 \n\t\r.,(){}[]'\"_-/äéß你好かな한글😀、。…—“→│└✓",
  );
  const text = fc.array(character, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(
        countTokens(text),
        estimateTokenCount(text, { languageConfigs }),
        JSON.stringify(text),
      );
    }),
    { numRuns: 5000 },
  );
});

Deno.test("countTokens() counts what tokenx counts with any one character among words", () => {
  for (let code = 0; code < 0x3100; code++) {
    const text = `ab${String.fromCharCode(code)}cdef ${String.fromCharCode(code)}`;
    assert.equal(countTokens(text), estimateTokenCount(text, { languageConfigs }), text);
  }
});
