// What counts as plain must be nothing to redaction: held against its corpus of secrets, and against
// words and hints of all rules in any order.

import assert from "node:assert/strict";
import fc from "fast-check";
import { secretCases } from "../../../bench/redact_corpus.ts";
import { isPlain, looksSecret } from "../../../src/core/redact/plain_text.ts";
import { redactText, redactValue } from "../../../src/core/redact/redact.ts";
import { aloneHints } from "../../../src/core/redact/redact_alone.ts";
import { redactRules } from "../../../src/core/redact/redact_rules.ts";
import { secretWords } from "../../../src/core/redact/secret_names.ts";

Deno.test("queries in plain words are plain", () => {
  const queries = [
    "token",
    "how do we rotate refresh tokens?",
    "What happens when a refresh token leaks",
    "the parser doesn't read test/auth/refresh_test.ts",
    "HTTP timeout after 30 seconds, since 2026",
    "cd web && npm install -D left-pad | tail; git push --force",
  ];
  for (const query of queries) {
    assert.equal(isPlain({ query, k: 5, since: undefined }), true, query);
  }
  const ids = { id: "H-1m2ff20hgvzrprjcr", ts: "2026-11-17T15:04:05.000Z", score_vec: null };
  assert.equal(isPlain([ids]), true);
  assert.equal(isPlain({ budgets: { tokens: 500 } }), true);
  assert.equal(isPlain({ password: ["swordfish"] }), false);
});

Deno.test("no secret of the corpus is plain, and few of them pass for stored text", () => {
  let missed = 0;
  const cases = secretCases();
  for (const { text, secret, kind } of cases) {
    const isFound = redactText(text).count > 0;
    if (isFound) assert.equal(isPlain(text), false, kind);
    if (isFound && !looksSecret(text)) missed++;
    // A UUID is plain as a value, not as a name.
    if (isPlain({ [secret]: 1 })) {
      assert.ok(redactText(secret).count === 0 && isPlain(secret), kind);
    }
  }
  assert.ok(missed < cases.length * 0.03, `${missed} of ${cases.length}`);
});

Deno.test("no flag of a command that takes a password is plain", () => {
  const programs = "mysql sshpass curl docker htpasswd openssl redis-cli psql git npm ssh".split(
    " ",
  );
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const program of programs) {
    for (const flag of letters) {
      const text = `${program} -${flag} swordfish`;
      if (isPlain(text)) assert.equal(redactText(text).count, 0, text);
    }
  }
});

Deno.test("what is plain is left as it is by redaction", () => {
  const hints = [...redactRules.flatMap((rule) => rule.hints), ...aloneHints, ...secretWords]
    .flatMap((hint) => [hint, ...hint.split(/[^a-z]+/i)]).filter((hint) => hint !== "");
  const parts = [
    ...new Set(hints),
    ..."is was are set env export use as the for to root admin staging 1234 99 2026".split(" "),
    ..."&& || | ; -rf -a -c -i -m -n -x -A -D -am --force --all --delete --version".split(" "),
    ..."mysql sshpass curl docker login htpasswd openssl redis-cli psql git commit".split(" "),
    ..."swordfish Sunshine dragon correct horse battery staple QWERTY my-pass hunter".split(" "),
  ];
  const part = fc.constantFrom(...parts);
  const sign = fc.constantFrom(" ", " ", " ", ": ", ", ", ". ", "\n", "-", "_", "/", "=");
  const text = fc.array(fc.tuple(part, sign), { minLength: 1, maxLength: 16 })
    .map((pairs) => pairs.map((pair) => pair.join("")).join(""));
  let plain = 0;
  fc.assert(
    fc.property(text, (said) => {
      if (!isPlain(said)) return;
      plain++;
      assert.equal(redactText(said).value, said);
      assert.deepEqual(redactValue({ query: [said], field: { type: said } }).count, 0);
    }),
    { numRuns: 20_000, seed: 3 },
  );
  assert.ok(plain > 1000, `${plain} texts were plain`);
});

Deno.test("ids and names of commits are left as they are by redaction", () => {
  const text = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
  const id = text("0123456789abcdefghijklmnopqrstuvwxyz", 8, 17).map((digits) => `H-${digits}`);
  const commit = fc.oneof(text("0123456789abcdef", 7, 12), text("0123456789abcdef", 40));
  const word = text("abcdefghijklmnopqrstuvwxyz", 3, 10);
  const hook = fc.array(word, { minLength: 2, maxLength: 4 })
    .map((words) => words.map((word) => word[0].toUpperCase() + word.slice(1)).join(""));
  fc.assert(
    fc.property(fc.uuid(), hook, (conversation, hook) => {
      const row = { event: "live", agent: "claude-code", hook, conversation };
      assert.equal(isPlain(row), true);
      assert.equal(redactValue(row).count, 0);
      assert.equal(redactText(conversation).count + redactText(hook).count, 0);
    }),
    { numRuns: 5000, seed: 37 },
  );
  fc.assert(
    fc.property(id, commit, (id, commit) => {
      assert.equal(isPlain({ id }), true);
      assert.equal(redactValue({ id, summary: `commit ${commit}` }).count, 0);
    }),
    { numRuns: 5000, seed: 37 },
  );
});

Deno.test("stored text with something random in it is looked at again", () => {
  assert.equal(
    looksSecret("We rotate refresh tokens on every use, in src/auth/rotate_tokens.ts"),
    false,
  );
  assert.equal(looksSecret("[H-1m2ff20hgvzrprjcr] 14 passed, 0 failed (2.5 s)"), false);
  assert.equal(
    looksSecret("All 8 tests pass. The fix is commit 72a7142b655090da456035181f15211ef2f11dca"),
    false,
  );
  assert.equal(looksSecret(`found ghp_${"a1B2".repeat(9)} in the log`), true);
  assert.equal(looksSecret('"password": "swordfish"'), true);
  const hex = "72a7142b655090da456035181f15211ef2f11dca";
  assert.equal(looksSecret(`api token: \`${hex}\``), true);
  assert.equal(looksSecret(`(${hex})`), true);
  assert.equal(looksSecret("auth_token: Z-9f86d081884c7d65a"), true);
});
