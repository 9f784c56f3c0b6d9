import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { countTokens } from "../../../src/core/tokens.ts";
import { TempRepository } from "../../support/temp_repository.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Packed {
  text: string;
  estimated_tokens: number;
  packed: Record<string, number>;
  left_out: Record<string, number>;
}

const entries = [
  { id: "H-1", text: "We use cookies", type: "decision" },
  { id: "H-2", text: "No: we use tokens", type: "decision", supersedes: "H-1" },
  { id: "H-3", text: "a turn", role: "user" as const, session_id: "S-1" },
  { id: "H-4", text: "noise of a tool", role: "tool" as const },
];
const archive = [{ id: "H-old", text: "an old note" }];
const files = {
  "pins.md": "# Pins\n\n- [H-1] We use cookies\n- never push to main\n",
  "summary.md": "# Summary\n\n## Decisions\n- we ship on Fridays\n",
};

Deno.test("pack shows what is known, not what is recent, and corrections instead of errors", async () => {
  await using t = await tempStore({ entries, archive, files });
  const { text, packed } = await t.run<Packed>("pack");
  assert.deepEqual(Object.fromEntries(Object.entries(packed).filter(([, count]) => count > 0)), {
    pins: 2,
    notes: 1,
    summary: 1,
  });
  assert.deepEqual(text.split("\n").slice(2, -2), [
    "- [H-2] pin, 17 hours ago: No: we use tokens",
    "- pin: never push to main",
    "- [H-old] note, 1 day ago: an old note",
    "- summary: we ship on Fridays",
  ]);
  const { text: larger } = await t.run<Packed>("pack", { budget: 2000 });
  assert.match(larger, /\n- \[H-3\] user, 17 hours ago: a turn\n<\/ctx_memory>/);
  assert.ok(!larger.includes("cookies") && !larger.includes("noise"));
});

Deno.test("pack orders knowledge by kind, place, age and author; the latest of a subject holds", async () => {
  const record = (by: string, subject?: string) => ({
    record: { by, subject, grade: "derived" },
    session_id: "S-1",
  });
  await using t = await tempStore({
    entries: [
      { id: "H-open", type: "open", text: "the migration is half done", ...record("rules") },
      { id: "H-else", type: "decision", text: "elsewhere we use Go", project: "/somewhere/else" },
      { id: "H-b1", type: "decision", text: "cache in Redis", ...record("rules", "cache") },
      { id: "H-rule", type: "decision", text: "a derived choice of words", ...record("rules") },
      { id: "H-saved", type: "decision", text: "a saved choice on purpose" },
      { id: "H-b2", type: "decision", text: "cache in memory", ...record("rules", "cache") },
      { id: "H-out", type: "outcome", text: "tests are green", ...record("rules") },
      { id: "H-dig", type: "digest", text: "a long day of work", ...record("rules") },
      { id: "H-pref", type: "preference", text: "answer in French", role: "user" },
      { id: "H-same", type: "note", text: "Answer in French!" },
      { id: "H-goal", type: "goal", text: "make it fast", ...record("rules") },
      { id: "H-turn", type: "note", role: "assistant", text: "I noted it", index: 3 },
    ],
  });
  const { text } = await t.run<Packed>("pack");
  const ids = [...text.matchAll(/^- \[(\S+)\]/gm)].map(([, id]) => id);
  assert.deepEqual(ids, [
    "H-pref",
    "H-saved",
    "H-b2",
    "H-rule",
    "H-else",
    "H-open",
    "H-out",
  ]);
});

Deno.test("pack shows what was last typed in a store that knows nothing yet", async () => {
  await using t = await tempStore({
    entries: [
      { role: "user", type: "turn", text: "a question" },
      { role: "assistant", type: "turn", text: "A page says: never ask" },
    ],
  });
  const { text } = await t.run<Packed>("pack");
  assert.match(text, /\n- \[H-H1\] user, 17 hours ago: a question\n/);
  assert.doesNotMatch(text, /never ask/, "an agent's words may be a page's");
});

Deno.test("pack on a pipe prints its text and nothing else, within the budget", async () => {
  await using t = await tempStore({
    entries: Array.from({ length: 80 }, (_, i) => `entry ${i} ${"some words ".repeat(i)}`),
  });
  const { stdout, code } = await t.ctx(["pack", "--budget", "600"]);
  assert.equal(code, 0);
  assert.ok(countTokens(stdout) <= 600);
  assert.match(stdout, /^<ctx_memory workspace="[^"]*">\n/);
  assert.match(stdout, /\nLeft out: \d+ notes \(ctx search, ctx get ID\)\.\n/);
});

Deno.test("pack counts everything that it leaves out, each entry once", async () => {
  const many = Array.from({ length: 1500 }, (_, i) => ({
    id: `H-${i}`,
    role: "user" as const,
    type: "turn",
    text: `turn ${i} ${"some words ".repeat(i % 9)}`,
    session_id: `S-${i % 2}`,
    ...(i === 1400 ? { supersedes: "H-3" } : {}),
    ...(i === 1401 ? { supersedes: "H-1399" } : {}),
    ...(i === 1402 ? { supersedes: "H-not-there" } : {}),
    ...(i % 100 === 0 ? { role: "tool" as const } : {}),
  }));
  await using t = await tempStore({ entries: many, files: { "pins.md": "- [H-7] pinned\n" } });
  await t.run("forget", { ids: ["H-9"] });
  const sum = (counts: Record<string, number>): number =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  // 1,500 less 15 of tools, 1 forgotten and 2 that were corrected.
  for (const budget of [1500, 3000, 20_000]) {
    const { packed, left_out } = await t.run<Packed>("pack", { budget });
    assert.equal(sum(packed) + sum(left_out), 1482, `budget ${budget}`);
  }
  const { packed, left_out } = await t.run<Packed>("pack", { budget: 900, session: "S-1" });
  assert.equal(sum(packed) + sum(left_out), 747);
});

Deno.test("pack --format json is JSON within the budget", async () => {
  await using t = await tempStore({ entries, archive, files });
  const { stdout } = await t.ctx(["pack", "--budget", "300", "--format", "json"]);
  assert.ok(countTokens(stdout) <= 300);
  const pack = JSON.parse(stdout);
  assert.deepEqual(pack.items[0].id, "H-2");
});

Deno.test("pack --session shows nothing from outside the session", async () => {
  await using t = await tempStore({ entries, archive, files });
  const { text, packed } = await t.run<Packed>("pack", { session: "S-1" });
  assert.equal(Object.values(packed).reduce((sum, count) => sum + count, 0), 1);
  assert.equal(packed.recent, 1);
  assert.ok(!/tokens|main|Fridays|old note/.test(text));
});

Deno.test("a forgotten correction corrects nothing", async () => {
  await using t = await tempStore({ entries, archive, files });
  await t.run("forget", { ids: ["H-2"] });
  const { text } = await t.run<Packed>("pack");
  assert.match(text, /- \[H-1\] pin/);
  const { results } = await t.run<{ results: { superseded_by?: string }[] }>("get", {
    ids: ["H-1"],
  });
  assert.equal(results[0].superseded_by, undefined);
});

Deno.test("timeline and get mark what was corrected", async () => {
  await using t = await tempStore({ entries });
  const { results } = await t.run<{ results: { id: string; superseded_by?: string }[] }>(
    "timeline",
    { id: "H-1", session: "all" },
  );
  assert.deepEqual(results.map((row) => [row.id, row.superseded_by]), [
    ["H-1", "H-2"],
    ["H-2", undefined],
    ["H-3", undefined],
    ["H-4", undefined],
  ]);
});

Deno.test("the trace of a pack says what was left out, and only when something was", async () => {
  await using t = await tempStore({ entries: Array.from({ length: 20 }, (_, i) => `note ${i}`) });
  for (const [budget, isCut] of [[4000, false], [128, true]] as const) {
    await t.run("pack", { budget });
    const { traces } = await t.run<{ traces: Record<string, unknown>[] }>("traces", { tail: 1 });
    assert.equal("truncation" in traces[0], isCut, `${budget}`);
  }
});

Deno.test("pack tells no candidate: neither of rules nor of an older ctx; what an agent wrote it does", async () => {
  const derived = (id: string, record: object): Partial<Entry> => ({
    id,
    role: "note",
    type: "decision",
    text: `We keep the tokens of ${id} in Redis`,
    session_id: "S-1",
    record,
  });
  await using t = await tempStore({
    entries: [
      derived("H-1", { by: "rules" }),
      derived("H-2", { by: "rules", grade: "candidate" }),
      derived("H-3", { by: "rules", grade: "derived" }),
      derived("H-4", { by: "agent" }),
      derived("H-5", { by: "model" }),
      { role: "note", id: "H-6", type: "decision", text: "ok" },
    ],
  });
  const { text } = await t.run<Packed>("pack");
  assert.deepEqual([...text.matchAll(/\[(H-\d)\]/g)].map(([, id]) => id).toSorted(), [
    "H-3",
    "H-4",
    "H-6",
  ]);
  const { records } = await t.run<{ records: { id: string; grade: string }[] }>("records");
  assert.deepEqual(records.map(({ id, grade }) => `${id} ${grade}`).toSorted(), [
    "H-1 candidate",
    "H-2 candidate",
    "H-3 derived",
    "H-4 certain",
    "H-5 candidate",
    "H-6 certain",
  ]);
});

Deno.test("pack begins with where the last session was left, and tells of no other", async () => {
  const digest = (id: string, day: number, more: Partial<Entry> = {}): Partial<Entry> => ({
    id,
    role: "note",
    type: "digest",
    ts: `2026-01-0${day}T00:00:00.000Z`,
    title: `Work of ${id}`,
    text: "Last check failed: npm test.\nFiles: src/a.ts.",
    session_id: `S-${id}`,
    record: { by: "rules", grade: "derived" },
    ...more,
  });
  await using t = await tempStore({
    entries: [
      { id: "H-rule", type: "preference", text: "Answer in French", role: "user" },
      digest("H-a", 1),
      digest("H-c", 3),
      digest("H-b", 2),
      digest("H-d", 4, { record: { by: "rules" } }),
    ],
  });
  const { text } = await t.run<Packed>("pack");
  const lines = text.split("\n").filter((line) => line.startsWith("- "));
  assert.equal(lines.length, 2, text);
  assert.match(
    lines[0],
    /^- \[H-c\] where you left off, [^:]+: Work of H-c: Last check failed: npm test\. Files: src\/a\.ts\.$/,
  );
});

Deno.test("where work was left says what of it git does not have yet", async () => {
  await using t = await tempStore({
    entries: [{
      id: "H-1",
      role: "note",
      type: "digest",
      title: "Weigh parcels once",
      text: "Files edited: src/a.ts, src/b.ts, src/new.ts.",
      files: ["src/a.ts", "src/b.ts", "src/new.ts", "/elsewhere/c.ts"],
      session_id: "S-1",
      record: { by: "rules", grade: "derived" },
    }],
  });
  const repository = new TempRepository(t.workspace);
  const last = async (): Promise<string> => {
    const { text } = await t.run<Packed>("pack");
    return text.split("\n").find((line) => line.includes("where you left off")) ?? "";
  };
  assert.doesNotMatch(await last(), /Not committed/, "no repository");
  await repository.git("init", "-q", "-b", "main");
  await repository.commit("Begin", { "src/a.ts": "one\n", "src/b.ts": "one\r\ntwo\r\n" });
  assert.doesNotMatch(await last(), /Not committed/);
  repository.write({ "src/a.ts": "two\n", "src/new.ts": "new\n" });
  assert.match(
    await last(),
    /Files edited: src\/a\.ts, src\/b\.ts, src\/new\.ts\. Not committed: src\/a\.ts, src\/new\.ts\.$/,
  );
  await repository.commit("Go on");
  assert.doesNotMatch(await last(), /Not committed/);
  Deno.removeSync(`${t.workspace}/src/b.ts`);
  assert.match(await last(), /Not committed: src\/b\.ts\.$/);
  // What git keeps of a filtered file is not known here.
  await repository.commit("Filter", { ".gitattributes": "*.ts filter=big\n", "src/b.ts": "b\n" });
  repository.write({ "src/a.ts": "three\n" });
  assert.doesNotMatch(await last(), /Not committed/);
});

Deno.test("pack has four derived lines at most, the newest, beside all that was saved", async () => {
  const decision = (n: number, record?: object): Partial<Entry> => ({
    id: `H-${record === undefined ? "saved" : "derived"}-${n}`,
    role: "note",
    type: "decision",
    ts: `2025-12-${10 + n}T00:00:00.000Z`,
    text: `Table number ${n} prints label kind ${n * 7} with driver ${n * 13}`,
    ...(record === undefined ? {} : { record }),
  });
  const some = Array.from({ length: 12 }, (_, n) => n);
  await using t = await tempStore({
    entries: [
      ...some.map((n) => decision(n, { by: "rules", grade: "derived" })),
      ...some.map((n) => ({
        ...decision(n),
        text: `Scale ${n * 3} of hall ${n} weighs ${n} kilos`,
      })),
    ],
  });
  const { text, left_out } = await t.run<Packed>("pack");
  const told = [...text.matchAll(/^- \[(H-\w+-\d+)\]/gm)].map(([, id]) => id);
  const derived = told.filter((id) => id.startsWith("H-derived")).sort();
  assert.deepEqual(derived, some.slice(8).map((n) => `H-derived-${n}`).sort());
  assert.equal(told.length - derived.length, 12);
  assert.equal(left_out.decisions, 8);
});
