// What was given and what of it was used: `ctx injected`, `ctx worth`, and what use teaches.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { countTokens } from "../../../src/core/tokens.ts";
import { isTakenUp, marksOf } from "../../../src/recall/hook/taken_up.ts";
import { noteUse } from "../../../src/recall/hook/uptake.ts";
import { rowOf, type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const lines: Partial<Entry>[] = [
  {
    id: "H-cache",
    type: "decision",
    title: "Cache",
    text: "Responses are cached in `ResponseCache` for 90 seconds, keyed by tenant_id.",
    files: ["src/cache/response_cache.ts"],
  },
  { id: "H-deploy", type: "decision", text: "Deployments go through the staging cluster first." },
];
const later = "2099-01-01T00:00:0";

async function hook(t: TempStore, event: string, conversation = "c-1"): Promise<string> {
  const message = { session_id: conversation, hook_event_name: event, cwd: t.workspace };
  const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], {
    stdin: JSON.stringify(message),
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

function say(t: TempStore, rows: Partial<Entry>[], conversation = "c-1"): void {
  const source = { agent: "claude-code", conversation };
  for (const [i, row] of rows.entries()) {
    const entry = rowOf({
      id: `H-${conversation}-${i}`,
      ts: `${later}${i}.000Z`,
      type: "turn",
      source,
      session_id: `S-${conversation}`,
      ...row,
    });
    t.append("history.ndjson", JSON.stringify(entry) + "\n");
  }
}

interface Worth {
  total: Record<string, number>;
  by: Record<string, unknown>[];
}

Deno.test("worth counts lines given, followed and used, by agent and event", async () => {
  await using t = await tempStore({ entries: lines });
  await hook(t, "SessionStart");
  await hook(t, "SessionStart", "c-2");
  const { tokens } = (await t.run<Worth>("worth")).total;
  assert.deepEqual((await t.run<Worth>("worth")).total, {
    times: 2,
    lines: 4,
    followed: 0,
    used: 0,
    tokens,
    saved_tokens: 0,
  });
  assert.match((await t.ctx(["worth"])).stdout, /; no agent has replied since\n$/);
  say(t, [
    { role: "user", text: "make it faster" },
    { role: "assistant", text: "ResponseCache holds them per tenant_id; I raise its time." },
  ]);
  const { total, by } = await t.run<Worth>("worth");
  assert.deepEqual(total, { times: 2, lines: 4, followed: 2, used: 1, tokens, saved_tokens: 0 });
  assert.deepEqual(by, [{ agent: "claude-code", event: "SessionStart", ...total }]);
  const { stdout } = await t.ctx(["worth"]);
  assert.match(stdout, /claude-code +SessionStart +2 +4 +2 +1 +\d+ +0\n/);
  assert.match(
    stdout,
    /; 1 of 2 lines with a reply were used \(50 %\), saving about 0 tokens\n$/,
  );
  const none = await t.run<Worth>("worth", { since: "2098-01-01" });
  assert.deepEqual(none.by, []);
  for (const words of ["worth --since 2098-01-01", "injected --agent nobody"]) {
    assert.match(
      (await t.ctx(words.split(" "))).stdout,
      /^No agent has received anything yet\. /,
    );
  }
});

Deno.test("worth tells what used lines saved: what they stand for without themselves, once", async () => {
  const said = "The cache held answers of one tenant for another, as we saw. ".repeat(20);
  const note = "Deployments go through the staging cluster first, as Ada wrote. ".repeat(30);
  const rest = "Logs are kept for ninety days because auditors come in spring. ".repeat(40);
  const turn = { text: said, type: "turn", ts: "2026-01-01T00:00:00.000Z" };
  const record = { by: "rules", grade: "derived" };
  await using t = await tempStore({
    entries: [
      { ...turn, id: "H-seen" },
      { ...turn, id: "H-said" },
      { ...lines[0], refs: ["H-seen", "H-said", "H-seen"], record },
      { ...lines[1], refs: ["H-seen"], text: note },
      { id: "H-alone", type: "decision", text: rest, refs: ["H-elsewhere"], record },
    ],
  });
  await hook(t, "SessionStart");
  await hook(t, "SessionStart");
  await hook(t, "SessionStart", "c-2");
  say(t, [{ role: "assistant", text: "As H-cache, H-deploy and H-alone say." }]);
  const [row] = t.read("injections.ndjson").split("\n");
  const given = new Map<string, number>();
  for (const { id, tokens } of JSON.parse(row).lines) given.set(id, tokens);
  const saved = (id: string, text: string): number => countTokens(text) - (given.get(id) ?? 0);
  const cache = countTokens(said) + saved("H-cache", said);
  const others = saved("H-deploy", note) + saved("H-alone", rest);
  const { total, by } = await t.run<Worth>("worth");
  assert.deepEqual([total.used, total.saved_tokens], [6, cache + others]);
  assert.equal(by[0].saved_tokens, total.saved_tokens);
  await t.run("forget", { ids: ["H-seen"] });
  assert.equal((await t.run<Worth>("worth")).total.saved_tokens, others);
});

Deno.test("a session that ends is looked at once; what it used rises, what it did not sinks", async () => {
  await using t = await tempStore({ entries: [...lines].reverse() });
  const order = async (): Promise<string[]> => {
    const { text } = await t.run<{ text: string }>("pack");
    return [...text.matchAll(/^- \[(\S+)\]/gm)].map(([, id]) => id);
  };
  assert.deepEqual(await order(), ["H-cache", "H-deploy"]);
  for (const conversation of ["c-1", "c-2", "c-3"]) {
    await hook(t, "SessionStart", conversation);
    const text = "First the staging cluster, then deployments go through to all.";
    say(t, [{ role: "assistant", text }], conversation);
    await hook(t, "SessionEnd", conversation);
    await hook(t, "SessionEnd", conversation);
  }
  const rows = t.read("injections.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.filter(({ event }) => event === "uptake").map(({ conversation, given, used }) => [
      conversation,
      given.toSorted(),
      used,
    ]),
    ["c-1", "c-2", "c-3"].map((name) => [name, ["H-cache", "H-deploy"], ["H-deploy"]]),
  );
  assert.deepEqual(await order(), ["H-deploy", "H-cache"]);
});

Deno.test("injected lists what was given with the lines' titles, and forgets what is forgotten", async () => {
  await using t = await tempStore({ entries: lines });
  await hook(t, "SessionStart");
  await hook(t, "SessionStart", "c-2");
  interface Listed {
    total: number;
    injections: { conversation: string; lines: { id: string; title?: string }[] }[];
  }
  const { total, injections } = await t.run<Listed>("injected", { session: "c-2" });
  assert.equal(total, 1);
  assert.deepEqual(injections[0].lines.map(({ id, title }) => [id, title]), [
    ["H-deploy", "Deployments go through the staging cluster first."],
    ["H-cache", "Cache"],
  ]);
  const { stdout } = await t.ctx(["injected", "--limit", "1"]);
  assert.match(
    stdout,
    /^\S+ \S+ {2}claude-code {2}SessionStart {2}2 lines, \d+ tokens {2}c-2\n {2}H-deploy {2}Deploy.*\n {2}H-cache {2}Cache\n$/,
  );
  assert.equal((await t.run<Listed>("injected", { agent: "codex" })).total, 0);
  assert.equal((await t.run<Listed>("injected", { since: "2098-01-01" })).total, 0);
  await t.run("forget", { ids: ["H-cache"] });
  const after = await t.run<Listed>("injected");
  assert.deepEqual(after.injections.flatMap(({ lines }) => lines.map(({ id }) => id)), [
    "H-deploy",
    "H-deploy",
  ]);
});

const cache = marksOf(rowOf(lines[0]));
const deploy = marksOf(rowOf(lines[1]));
const cases: [string, boolean, Partial<Entry>, string?][] = [
  ["names of the line come back", true, { text: "I change ResponseCache and tenant_id." }],
  ["one name of several is chance", false, { text: "ResponseCache is a nice name." }],
  ["the user had said the names", false, {
    text: "I change ResponseCache and tenant_id.",
  }, "what does ResponseCache do with tenant_id?"],
  ["a file of the line is touched", true, {
    role: "tool",
    text: "ok",
    files: ["/work/app/src/cache/response_cache.ts"],
  }],
  ["another file of that name's end is not", false, { text: "ok", files: ["cache.ts"] }],
  ["the entry itself is read", true, { role: "tool", type: "recall", text: "ctx get: H-cache" }],
  ["a search in ctx repeats only the question", false, {
    role: "tool",
    type: "recall",
    text: "ctx search: ResponseCache tenant_id",
  }],
  ["something else is said", false, { text: "The tests are green and the build runs." }],
];
for (const [name, expected, entry, prompts = "make it faster"] of cases) {
  Deno.test(`isTakenUp(): ${name}`, () => {
    const said = [rowOf({ role: "assistant", type: "turn", ...entry })];
    assert.equal(isTakenUp(cache, { later: said, prompts }), expected);
  });
}

Deno.test("isTakenUp() takes several longer words of a line for its use, fewer not", () => {
  const isUsed = (text: string): boolean =>
    isTakenUp(deploy, { later: [rowOf({ role: "assistant", text })], prompts: "go" });
  assert.equal(isUsed("Deployments go through the staging cluster, so I start there."), true);
  assert.equal(isUsed("The first cluster of tests is done, through and through."), false);
});

Deno.test("a rule that is obeyed is not unused: only what else was given can sink", async () => {
  const rule = { id: "H-rule", type: "preference", text: "Always answer in short sentences." };
  await using t = await tempStore({ entries: [...lines, rule] });
  await hook(t, "SessionStart");
  say(t, [{ role: "user", text: "hello" }, { role: "assistant", text: "Hello. What now?" }]);
  using store = t.open();
  await noteUse(store, { nowMs: Date.parse("2099-01-02T00:00:00Z") });
  const rows = t.read("injections.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  const [start, uptake] = rows;
  assert.deepEqual(start.lines.map(({ id }: { id: string }) => id).sort(), [
    "H-cache",
    "H-deploy",
    "H-rule",
  ]);
  assert.deepEqual([uptake.event, uptake.given.sort(), uptake.used], [
    "uptake",
    ["H-cache", "H-deploy"],
    [],
  ]);
});
