// What shells are given to offer: ids with titles, and the values that there are.

import assert from "node:assert/strict";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("ctx completions --of gives ids with titles, newest first, and the values of a field", async () => {
  await using t = await tempStore({
    entries: [
      { text: "one", type: "decision", tags: ["auth"], session_id: "S-7" },
      { text: "two", title: "Second" },
      { text: "three" },
    ],
  });
  const offer = async (...words: string[]) => (await t.ctx(["completions", ...words])).stdout;
  assert.equal(await offer("--of", "H"), "H-H3\tthree\nH-H2\tSecond\nH-H1\tone\n");
  assert.equal(await offer("--of", "H", "--word", "h2"), "H2\tSecond\n");
  assert.match(await offer("--of", "S", "--word", "S-"), /^S-7\t/);
  assert.equal(await offer("--of", "type"), "decision\t\nnote\t\n");
  await t.run("reindex", { full: true });
  assert.equal(await offer("--of", "tag"), "auth\t\n");
  assert.equal(await offer("--of", "H", "--word", ""), "H-H3\tthree\nH-H2\tSecond\nH-H1\tone\n");
  assert.equal((await t.ctx(["completions"])).code, 2);
});

Deno.test("what a shell is offered holds nothing that a terminal obeys", async () => {
  await using t = await tempStore({
    entries: [
      {
        text: "one",
        title: "a\x1b]0;owned\x07\u202eb",
        tags: ["good", "bad\x1b[2J", "two\nlines"],
      },
    ],
  });
  const offer = async (of: string) => (await t.ctx(["completions", "--of", of])).stdout;
  assert.equal(await offer("H"), "H-H1\ta ]0;owned b\n");
  assert.equal(await offer("tag"), "good\t\n");
});
