// A configuration that cannot be one, as a clone may bring along: it is left out with a warning, and
// every command goes on.

import assert from "node:assert/strict";
import { tempStore } from "../support/stores/temp_store.ts";

const deep = 200_000;
const hostile: [name: string, text: string, what: string][] = [
  ["lists in lists", "[".repeat(deep), "it has more than 1,000 brackets"],
  ["lists that end", "[".repeat(5000) + "]".repeat(5000), "it has more than 1,000 brackets"],
  [
    "objects in objects",
    `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
    "it has more than 1,000 brackets",
  ],
  [
    "a list behind a comment",
    `/* " */ { "a": ${"[".repeat(5000)}`,
    "it has more than 1,000 brackets",
  ],
  ["many words", `{ "a": "${"word ".repeat(100_000)}" }`, "it is longer than 256 kB"],
];

Deno.test("a trial of one in one is refused: 0 turns it off, and it needs at least two", async () => {
  await using t = await tempStore();
  const set = (value: string) => t.ctx(["config", "set", "--user", "inject.trial", value]);
  const one = await set("1");
  assert.equal(one.code, 2);
  assert.match(one.stderr, /must be 0 or a whole number from 2 to 10, not "1"/);
  assert.equal((await set("2")).code, 0);
  assert.equal((await set("0")).code, 0);
});

for (const [name, text, what] of hostile) {
  Deno.test(`a config.jsonc of ${name} is ignored with a warning`, async () => {
    await using t = await tempStore({
      entries: ["Tokens rotate"],
      files: { "config.jsonc": text },
    });
    const path = `${t.root}/config.jsonc`;
    const warning = `Cannot read "${path}": ${what}; the file is ignored`;
    const lines = [["save", "Deploys are on Monday"], ["gc", "--yes"], ["search", "tokens"]];
    for (const line of lines) {
      const { code, stderr } = await t.ctx(line);
      assert.equal(code, 0, `${line[0]}: ${stderr}`);
      assert.ok(stderr.includes(warning), stderr);
    }
    const fix = await t.ctx(["doctor", "--fix", "--json"]);
    assert.equal(fix.code, 2, fix.stderr);
    const { checks } = JSON.parse(fix.stdout);
    assert.deepEqual(
      checks.filter((check: { status: string }) => check.status === "failed"),
      [{
        name: "config",
        status: "failed",
        detail: `Cannot read "${path}": ${what}: remove the file to go back to the defaults`,
        fixable: false,
      }],
    );
    const set = await t.ctx(["config", "set", "lock_timeout_ms", "9000"]);
    assert.equal(set.code, 2);
    assert.match(set.stderr, new RegExp(`${what}\\n`));
    assert.equal(t.read("config.jsonc"), text);
  });
}
