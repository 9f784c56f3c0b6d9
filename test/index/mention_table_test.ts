// The table of decisions and documents that hooks ask: it answers as the index does, and is used only
// while the logs are those it was made from.

import assert from "node:assert/strict";
import { mentionPath } from "../../src/index/mention_table.ts";
import { MentionIndex } from "../../src/recall/edit/signals/mention_index.ts";
import type { MentionSource } from "../../src/recall/edit/signals/mention_source.ts";
import { findReadyMentions } from "../../src/recall/edit/signals/ready_mentions.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const entries = [
  { id: "H-a", type: "decision", text: "Rotate tokens on every use", files: ["src/token.ts"] },
  { id: "H-b", type: "turn", text: "Why does src/token.ts rotate tokens?" },
  { id: "H-c", type: "decision", text: "Never rotate tokens", tags: ["auth"] },
  { id: "H-d", type: "doc", title: "Guide", text: "Call `rotateToken` once", document: "a.md" },
  { id: "H-e", type: "decision", text: "Tokens last an hour", supersedes: "H-c" },
];

Deno.test("the table of mentions answers as the index does", async () => {
  await using t = await tempStore({ entries });
  assert.equal(ready(t), undefined);
  await t.run("reindex");
  assert.deepEqual(ready(t), indexed(t));
  assert.match(ready(t) ?? "", /H-a.*H-d/);
  assert.doesNotMatch(ready(t) ?? "", /H-[bc]/);
});

Deno.test("a table of mentions that grew is the one that a rebuild writes", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  await t.run("save", { text: "We rotate keys, not tokens", type: "decision" });
  assert.equal(ready(t), undefined, "the log has grown");
  await t.run("reindex");
  assert.deepEqual(ready(t), indexed(t));
  const grown = t.bytes("index/mentions.bin");
  Deno.removeSync(mentionPath(t.open()));
  await t.run("reindex", { full: true });
  assert.deepEqual(t.bytes("index/mentions.bin"), grown);
});

Deno.test("what is forgotten leaves the table of mentions, and comes back when that is undone", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  await t.run("forget", { ids: ["H-a"] });
  assert.equal(ready(t), undefined);
  await t.run("reindex");
  assert.doesNotMatch(ready(t) ?? "H-a", /H-a/);
  await t.run("undo");
  await t.run("reindex");
  assert.match(ready(t) ?? "", /H-a/);
});

Deno.test("a damaged table of mentions, or one of other logs, is not used", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  const hint = await suggested(t);
  assert.match(hint, /H-a/);
  const sound = t.bytes("index/mentions.bin");
  for (const at of [0, 9, 40, 200, sound.length - 20, sound.length - 1]) {
    const bytes = sound.slice();
    bytes[at] ^= 255;
    t.write("index/mentions.bin", bytes);
    assert.equal(ready(t), undefined, `byte ${at}`);
    assert.equal(await suggested(t), hint);
  }
  t.write("index/mentions.bin", sound);
  // As long as before, and another row where one was: only reading it shows that.
  t.write(
    "history.ndjson",
    t.read("history.ndjson").replace("Rotate tokens", "Rotate nothing".slice(0, 13)),
  );
  assert.match(await suggested(t), /Rotate nothin/);
});

async function suggested(t: TempStore): Promise<string> {
  const { suggestions } = await t.run("suggest", { file: "src/token.ts", repeat: true });
  return JSON.stringify(suggestions);
}

function ready(t: TempStore): string | undefined {
  using mentions = findReadyMentions(t.open());
  return mentions && answersOf(mentions);
}

function indexed(t: TempStore): string {
  using mentions = new MentionIndex(t.open());
  return answersOf(mentions);
}

function answersOf(mentions: MentionSource): string {
  const ids = (rows: Iterable<number>) => [...rows].map((row) => mentions.read(row)?.entry.id);
  return JSON.stringify({
    all: ids(mentions.findDecisions()),
    file: mentions.findByFile("src/token.ts").map(({ entry }) => entry.id),
    words: ["rotate tokens", "rotateToken", "guide", "nothing of it", "auth"]
      .map((text) => mentions.findByWords(text).map(({ entry }) => entry.id)),
    terms: ["token", "rotat", "hour"].map((term) => ids(mentions.findDecisions(term))),
  });
}
