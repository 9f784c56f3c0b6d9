// The goals of redaction on its corpus: at least 95 of 100 secrets go, no harmless line is altered, on
// the half that rules were tuned on and on the half that was held out.

import assert from "node:assert/strict";
import { countOutcome } from "../../../bench/redact.ts";
import { contexts, harmlessCases, secretCases } from "../../../bench/redact_corpus.ts";
import { redactText } from "../../../src/core/redact/redact.ts";

Deno.test("the corpus has 450 kinds of secrets in five contexts and 500 harmless lines", () => {
  const cases = secretCases();
  assert.ok(new Set(cases.map(({ kind }) => kind)).size >= 450);
  assert.equal(cases.length, new Set(cases.map(({ kind }) => kind)).size * contexts.length);
  for (const { text, secret, kind } of cases) {
    const lines = secret.split("\n");
    assert.ok(lines.every((line) => text.includes(line)), `${kind} is not in its text`);
  }
  assert.ok(harmlessCases().length >= 500);
});

for (const half of ["tuned", "held out"] as const) {
  Deno.test(`redaction meets its goals on the half of the corpus that was ${half}`, () => {
    const { samples, found, harmless, altered } = countOutcome(half);
    assert.ok(found >= samples * 0.95, `${found} of ${samples} secrets`);
    assert.equal(altered, 0, `${altered} of ${harmless} harmless lines`);
  });
}

for (const context of contexts) {
  Deno.test(`nine of ten secrets go in the context ${context}`, () => {
    const { samples, found } = countOutcome(undefined, context);
    assert.ok(found >= samples * 0.9, `${found} of ${samples} secrets`);
  });
}

Deno.test("what was redacted stays as it is", () => {
  for (const { text, kind } of secretCases()) {
    const once = redactText(text).value;
    assert.equal(redactText(once).value, once, kind);
  }
});
