// The digest cuts entries to lines; a secret in one that was kept with it goes before the cut.

import assert from "node:assert/strict";
import { Digest } from "../../../src/store/lifecycle/digest.ts";
import { rowOf } from "../../support/stores/temp_store.ts";

const token = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ4sT6vW8xY0zC2bFdJ4k";

Deno.test("a line of the digest holds no part of a secret that the cut went through", () => {
  for (const before of [165, 180, 3970]) {
    const digest = new Digest(new Map());
    digest.add(rowOf({ type: "decision", text: `${"word ".repeat(before / 5)}${token} and on` }));
    const title = `${"word ".repeat(before / 5)}${token}`;
    digest.add(rowOf({ type: "decision", title, text: "we decided" }, 1));
    assert.equal(digest.toMarkdown().includes(token.slice(0, 8)), false, String(before));
  }
});

Deno.test("a record adds no line: its evidence is noted", () => {
  const digest = new Digest(new Map());
  const text = "We decided to keep sessions in redis";
  digest.add(rowOf({ text }));
  const record = { by: "rules" };
  digest.add(rowOf({ type: "decision", text, supersedes: "H-0", record }, 1));
  assert.equal(digest.toMarkdown().match(/keep sessions in redis/g)?.length, 1);
});
