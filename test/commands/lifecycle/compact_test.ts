import assert from "node:assert/strict";
import { llmEnv, ScriptedLlm } from "../../support/servers/scripted_llm.ts";
import { tempStore, testNow } from "../../support/stores/temp_store.ts";

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(testNow - days * dayMs).toISOString();

const entries = [
  {
    id: "H-1",
    ts: daysAgo(40),
    type: "decision",
    text: "We rotate tokens",
    files: ["src/auth.ts"],
  },
  { id: "H-2", ts: daysAgo(39), role: "assistant" as const, text: "Fixed the race in the parser" },
  { id: "H-3", ts: daysAgo(38), text: "[main 1a2b3c4] Add the lock", unknown: [1] },
  { id: "H-4", ts: daysAgo(2), text: "young" },
  { id: "H-5", ts: daysAgo(1), text: "younger" },
];

Deno.test("compact moves what is neither among the newest nor young, byte for byte", async () => {
  await using t = await tempStore({ entries });
  const lines = t.read("history.ndjson").split("\n");
  const result = await t.run("compact", { keep: 1, older_than: 7 });
  assert.deepEqual(result, { moved: 3, kept: 2, summary: "extractive", dry_run: false });
  assert.equal(t.read("history.archive.ndjson"), lines.slice(0, 3).join("\n") + "\n");
  assert.equal(t.read("history.ndjson"), lines.slice(3).join("\n"));
  assert.deepEqual(t.ids(), ["H-1", "H-2", "H-3", "H-4", "H-5"]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("compact keeps the newest by time, not by place, and equal times by place", async () => {
  const ts = daysAgo(30);
  await using t = await tempStore({
    entries: [
      { id: "H-late", ts: daysAgo(10) },
      { id: "H-a", ts },
      { id: "H-b", ts },
      { id: "H-c", ts },
    ],
  });
  await t.run("compact", { keep: 2, older_than: 0 });
  assert.deepEqual([...t.open().entries({ pools: ["hot"] })].map(({ entry }) => entry.id), [
    "H-late",
    "H-c",
  ]);
});

Deno.test("compact writes a deterministic summary that names its sources", async () => {
  await using t = await tempStore({ entries });
  await t.run("compact", { keep: 0, older_than: 7 });
  const text = t.read("summary.md").replace(/<!--.*-->/g, "").trim();
  assert.equal(
    text,
    `# Summary


3 archived entries, 2025-11-23 to 2025-11-25.

## Decisions
- 2025-11-23 We rotate tokens [H-1]

## Errors fixed
- 2025-11-24 Fixed the race in the parser [H-2]

## Files
- src/auth.ts (1)

## Commits
- 2025-11-25 1a2b3c4 Add the lock [H-3]`,
  );
});

Deno.test("compacting nothing changes nothing and says so", async () => {
  await using t = await tempStore({ entries });
  await t.run("compact", { keep: 2, older_than: 7 });
  const contents = (): string[] =>
    t.list().map((name) => /^(\.lock|retrieval\.traces\.ndjson)$/.test(name) ? "" : t.read(name));
  const before = contents();
  const again = await t.ctx(["compact", "--keep", "2", "--older-than", "7"]);
  assert.deepEqual([again.code, again.stdout], [
    0,
    "Nothing to compact.\n",
  ]);
  assert.deepEqual(contents(), before);
});

Deno.test("compact --dry-run only tells", async () => {
  await using t = await tempStore({ entries });
  const before = t.read("history.ndjson");
  const result = await t.run("compact", { keep: 1, older_than: 7, dry_run: true });
  assert.deepEqual(result, { moved: 3, kept: 2, summary: "unchanged", dry_run: true });
  assert.equal(t.read("history.ndjson"), before);
});

Deno.test("compact asks a model without holding the lock and keeps its words", async () => {
  await using t = await tempStore({ entries });
  const asked: string[] = [];
  const summarize = async (digest: string): Promise<string> => {
    asked.push(digest);
    await t.run("save", { text: "another writer is not blocked" });
    return "Tokens are rotated.";
  };
  const result = await t.run("compact", { keep: 2, older_than: 7 }, { summarize });
  assert.equal(result.summary, "model");
  assert.match(asked[0], /We rotate tokens \[H-1\]/);
  assert.match(t.read("summary.md"), /kind=model .*\nTokens are rotated\.\n<!-- ctx:end -->/);
});

Deno.test("compact falls back to an extract when the model fails, and says so", async () => {
  await using t = await tempStore({ entries });
  const summarize = () => Promise.reject(new Error("no answer"));
  const result = await t.run("compact", { keep: 2, older_than: 7 }, { summarize });
  assert.equal(result.summary, "extractive");
  assert.deepEqual(t.warnings, [
    "the model returned no summary (no answer); wrote an extractive one instead",
  ]);
});

Deno.test("compact leaves corrected decisions out of the summary", async () => {
  await using t = await tempStore({
    entries: [...entries, { id: "H-6", ts: daysAgo(20), text: "We do not", supersedes: "H-1" }],
  });
  await t.run("compact", { keep: 0, older_than: 7 });
  assert.ok(!t.read("summary.md").includes("We rotate tokens"));
  assert.match(t.read("summary.md"), /## Corrections\n- 2025-12-13 We do not \(corrects H-1\)/);
});

Deno.test("compact lets the configured model write the summary, outside the lock and counted", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ text: "Tokens rotate [H-1]; the race is fixed [H-2]." }]);
  const variables: Record<string, string> = { ...llmEnv(llm), HOME: t.workspace };
  const env = (name: string): string | undefined => variables[name];
  const result = await t.run("compact", { keep: 0, older_than: 7 }, { env });
  assert.deepEqual(result, { moved: 3, kept: 2, summary: "model", dry_run: false });
  assert.match(t.read("summary.md"), /Tokens rotate \[H-1\]; the race is fixed/);
  const cost = await t.run<{ own_calls: { calls: number } }>("cost", {}, { env });
  assert.equal(cost.own_calls.calls, 1);
});
