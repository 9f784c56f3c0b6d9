import assert from "node:assert/strict";
import { countTokens } from "../../../src/core/tokens.ts";
import { tempStore } from "../../support/temp_store.ts";

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
const archive = [{ id: "H-old", text: "an old result that was read again" }];
const files = {
  "pins.md": "# Pins\n\n- [H-1] We use cookies\n- never push to main\n",
  "summary.md": "# Summary\n\n## Decisions\n- we ship on Fridays\n",
  "retrieval.traces.ndjson":
    '{"command":"get","ok":true,"ranking":[{"id":"H-old"}]}\n{"command":"get","ok":false,"ranking":["H-4"]}\n',
};

Deno.test("pack shows pins, summary, recent turns and results, corrections instead of errors", async () => {
  await using t = await tempStore({ entries, archive, files });
  const { text, packed } = await t.run<Packed>("pack", { budget: 1000 });
  assert.deepEqual(packed, { pins: 2, summary: 1, recent: 1, results: 1 });
  assert.match(text, /<pins>\n<entry id="H-2"[^>]* corrects="H-1">\nNo: we use tokens\n<\/entry>/);
  assert.match(text, /<entry source="pins.md">\nnever push to main\n<\/entry>/);
  assert.match(text, /<entry source="summary.md">\n## Decisions\n- we ship on Fridays\n<\/entry>/);
  assert.match(text, /<recent>\n<entry id="H-3"[^>]*>\na turn\n/);
  assert.match(text, /<results>\n<entry id="H-old"[^>]*>\nan old result/);
  assert.ok(!text.includes("cookies") && !text.includes("noise"));
});

Deno.test("pack on a pipe prints its text and nothing else, within the budget", async () => {
  await using t = await tempStore({
    entries: Array.from({ length: 80 }, (_, i) => `entry ${i} ${"some words ".repeat(i)}`),
  });
  const { stdout, code } = await t.ctx(["pack", "--budget", "600"]);
  assert.equal(code, 0);
  assert.ok(countTokens(stdout) <= 600);
  assert.match(stdout, /^<ctx_memory workspace="[^"]*">\n/);
  assert.match(stdout, /<left_out>\d+ of recent/);
});

Deno.test("pack counts everything that it leaves out, each entry once", async () => {
  const many = Array.from({ length: 1500 }, (_, i) => ({
    id: `H-${i}`,
    text: `turn ${i} ${"some words ".repeat(i % 9)}`,
    session_id: `S-${i % 2}`,
    ...(i === 1400 ? { supersedes: "H-3" } : {}),
    ...(i === 1401 ? { supersedes: "H-1399" } : {}),
    ...(i === 1402 ? { supersedes: "H-not-there" } : {}),
    ...(i % 100 === 0 ? { role: "tool" as const } : {}),
  }));
  const traced = '{"command":"get","ok":true,"ranking":[{"id":"H-5"}]}\n';
  await using t = await tempStore({
    entries: many,
    files: { "retrieval.traces.ndjson": traced, "pins.md": "- [H-7] pinned\n" },
  });
  await t.run("forget", { ids: ["H-9"] });
  // 1,500 less 15 of tools and 1 forgotten; the 2 that were corrected are left out.
  for (const budget of [128, 500, 3000, 20_000]) {
    const { packed, left_out } = await t.run<Packed>("pack", { budget });
    const sum = (counts: Record<string, number>): number =>
      Object.values(counts).reduce((total, count) => total + count, 0);
    assert.equal(sum(packed) + sum(left_out), 1484, `budget ${budget}`);
  }
  const { packed, left_out } = await t.run<Packed>("pack", { budget: 900, session: "S-1" });
  assert.equal(packed.recent + left_out.recent + packed.pins + left_out.pins + packed.results, 749);
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
  assert.deepEqual(packed, { pins: 0, summary: 0, recent: 1, results: 0 });
  assert.ok(!/tokens|main|Fridays|result that/.test(text));
});

Deno.test("a forgotten correction corrects nothing", async () => {
  await using t = await tempStore({ entries, archive, files });
  await t.run("forget", { ids: ["H-2"] });
  const { text } = await t.run<Packed>("pack");
  assert.match(text, /<entry id="H-1"/);
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
