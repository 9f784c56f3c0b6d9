// What is suggested, what is not, and how feedback, cooldown and repeats decide on it.

import assert from "node:assert/strict";
import { sayOnce } from "../../../src/recall/edit/describe_item.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { git, projectFiles, tempProject, writeSources } from "../../support/suggest_project.ts";
import { type TempStore, testNow } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

interface Item {
  type: string;
  title: string;
  entity_id: string;
  relevance_score: number;
  reason: string;
  explain?: { feedback: { factor: number }; combined: number };
}
interface Answer {
  id: string | null;
  suggestions: Item[];
  withheld: { repeated: number; below_score: number };
  silenced: string[];
  cooling_ms: number;
  notes: string[];
}

const service = "src/auth/token_service.ts";

Deno.test("suggest gives each type with its reason", async () => {
  await using t = await tempProject({
    entries: [
      { id: "H-dec", type: "decision", text: "Rotate on every use", files: [service] },
      { id: "H-old", type: "decision", text: `${service} never rotates` },
      { id: "H-new", type: "decision", text: "It does", supersedes: "H-old", files: ["x.ts"] },
      { id: "H-doc", type: "doc", title: "Guide", text: "Call `rotateToken` from a route." },
    ],
  });
  writeSources(t, {
    "junit.xml":
      '<testsuite><testcase name="rotates" file="test/token_service_test.ts"><failure message="no"/></testcase></testsuite>',
  });
  Deno.utimeSync(`${t.workspace}/junit.xml`, new Date(testNow), new Date(testNow));
  await makeHistory(t);
  const { suggestions } = await suggest(t, { file: service, limit: 50, explain: true });
  const ids = suggestions.map((item) => item.entity_id);
  assert.ok(ids.includes("H-dec"));
  assert.ok(ids.includes("H-doc"));
  assert.ok(!ids.includes("H-old"), "a superseded decision is never suggested");
  const titles = suggestions.map((item) => item.title).join("\n");
  assert.match(titles, /Failing test: rotates/);
  assert.match(titles, /Deprecated dependency: keepToken/);
  assert.match(titles, /Recent change: src\/auth\/token_store\.ts/);
  assert.doesNotMatch(titles, /Test: /, "its name tells of it");
  for (const item of suggestions) assert.notEqual(item.reason, "");
  const scores = suggestions.map((item) => item.relevance_score);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
});

Deno.test("suggest says nothing where there is nothing to say, and that is success", async () => {
  await using t = await tempProject({ entries: [{ type: "decision", text: "Lunch is at noon" }] });
  const answer = await suggest(t, { file: "src/paint/brush.ts" });
  assert.deepEqual(answer.suggestions, []);
  assert.match(answer.id ?? "", /^G-/);
  assert.equal(t.exists("suggestions.ndjson"), false);
});

Deno.test("suggest --symbol finds callers; --line finds the symbol", async () => {
  await using t = await tempProject();
  const bySymbol = await suggest(t, { symbol: "rotateToken" });
  assert.deepEqual(bySymbol.suggestions.map((item) => item.entity_id).slice(0, 2).sort(), [
    "code:src/auth/token_routes.ts#routeToken",
    "code:test/token_service_test.ts",
  ]);
  const byLine = await suggest(t, { file: service, line: 3, repeat: true });
  assert.deepEqual(
    byLine.suggestions.map((item) => item.entity_id),
    bySymbol.suggestions.map((item) => item.entity_id),
  );
});

Deno.test("feedback changes later ranking, by kind and by item, and explain shows it", async () => {
  await using t = await tempProject();
  const first = await suggest(t, { file: service, repeat: true, explain: true });
  const [top, second] = first.suggestions;
  await t.run("feedback", { suggestion: first.id, verdict: "dismissed", item: 1 });
  const later = await suggest(t, { file: service, repeat: true, explain: true });
  const again = later.suggestions.find((item) => item.entity_id === top.entity_id);
  assert.ok((again?.relevance_score ?? 0) < top.relevance_score);
  assert.equal(later.suggestions[0].entity_id, second.entity_id);
  await t.run("feedback", { suggestion: first.id, verdict: "used", item: 1 });
  const revised = await suggest(t, { file: service, repeat: true, explain: true });
  const raised = revised.suggestions.find((item) => item.entity_id === top.entity_id)!;
  assert.ok(raised.relevance_score >= top.relevance_score);
  assert.ok(raised.explain!.feedback.factor > 1);
});

Deno.test("feedback said twice counts once; unknown suggestions and items are refused", async () => {
  await using t = await tempProject();
  const { id } = await suggest(t, { file: service });
  const once = await t.run<{ changed: number }>("feedback", {
    suggestion: id,
    verdict: "used",
    item: 1,
  });
  const twice = await t.run<{ changed: number }>("feedback", {
    suggestion: id,
    verdict: "used",
    item: 1,
  });
  assert.deepEqual([once.changed, twice.changed], [1, 0]);
  assert.equal(
    (await t.fail("feedback", { suggestion: "G-x", verdict: "used" })).code,
    "NOT_FOUND",
  );
  const far = await t.fail("feedback", { suggestion: id, verdict: "used", item: 99 });
  assert.equal(far.code, "USAGE");
});

Deno.test("cooldown and no-repeat hold across processes", async () => {
  await using t = await tempProject();
  const env = { CTX_SESSION: "S-a" };
  const words = ["suggest", service, "--json"];
  const first: Answer = JSON.parse((await t.ctx(words, { env })).stdout);
  assert.ok(first.suggestions.length > 0);
  const second: Answer = JSON.parse((await t.ctx(words, { env })).stdout);
  assert.deepEqual(second.suggestions, []);
  assert.ok(second.cooling_ms > 0);
  await t.ctx(["config", "set", "suggest.cooldown_ms", "0"]);
  const third: Answer = JSON.parse((await t.ctx(words, { env })).stdout);
  assert.deepEqual(third.suggestions, []);
  assert.equal(third.withheld.repeated, first.suggestions.length);
  const other: Answer = JSON.parse((await t.ctx(words, { env: { CTX_SESSION: "S-b" } })).stdout);
  assert.equal(other.suggestions.length, first.suggestions.length);
});

Deno.test("an item that changed is said again in the same session", async () => {
  await using t = await tempProject();
  await makeHistory(t);
  const session = { session: "S-a" };
  const later = { now: () => testNow + 60_000 };
  const before = await suggest(t, { file: service, ...session });
  assert.ok(before.suggestions.some((item) => item.type === "change"));
  writeSources(t, {
    "src/auth/token_store.ts": projectFiles["src/auth/token_store.ts"] + "// 2\n",
  });
  await git(t.workspace, ["commit", "-qam", "store again"], "2026-01-02T02:30:00Z");
  const after = await suggest(t, { file: service, ...session }, later);
  assert.deepEqual(after.suggestions.map((item) => item.title), [
    "Recent change: src/auth/token_store.ts",
  ]);
});

Deno.test("a type below suggest.min_precision goes silent, stats says so, and it comes back", async () => {
  await using t = await tempProject();
  const { id, suggestions } = await suggest(t, { file: service, repeat: true });
  const item = suggestions.findIndex((row) => row.type === "related_code") + 1;
  for (let i = 0; i < 8; i++) {
    const again = await suggest(t, { file: service, repeat: true, min_score: 0 });
    const at = again.suggestions.findIndex((row) => row.type === "related_code") + 1;
    await t.run("feedback", { suggestion: again.id, verdict: "dismissed", item: at });
  }
  assert.ok(id !== null && item > 0);
  const silenced = await suggest(t, { file: service, repeat: true, min_score: 0 });
  assert.deepEqual(silenced.silenced, ["related_code"]);
  assert.ok(!silenced.suggestions.some((row) => row.type === "related_code"));
  const { proactive } = await t.run<
    { proactive: { by_type: { type: string; silenced: boolean }[] } }
  >(
    "stats",
    { proactive: true },
  );
  const quiet = proactive.by_type.filter((row) => row.silenced).map((row) => row.type);
  assert.deepEqual(quiet, ["related_code"]);
  const month = { now: () => testNow + 31 * 86_400_000 };
  const back = await suggest(t, { file: service, repeat: true, min_score: 0 }, month);
  assert.deepEqual(back.silenced, []);
});

Deno.test("stats --proactive counts items, verdicts, latency, types and scores", async () => {
  await using t = await tempProject();
  const { id, suggestions } = await suggest(t, { file: service });
  await t.run("feedback", { suggestion: id, verdict: "used", item: 1 });
  const { proactive } = await t.run<{ proactive: Record<string, unknown> }>("stats", {
    proactive: true,
  });
  assert.equal(proactive.suggestions, 1);
  assert.equal(proactive.items, suggestions.length);
  assert.equal(proactive.used_rate, 1);
  assert.equal(proactive.dismissed_rate, 0);
  assert.ok(proactive.latency_ms !== null);
});

Deno.test("what was forgotten is forgotten in suggestions too", async () => {
  const secret = "The launch code name is Bluebird";
  await using t = await tempProject({
    entries: [{ id: "H-dec", type: "decision", text: secret, files: [service] }],
  });
  await suggest(t, { file: service });
  assert.ok(!t.read("suggestions.ndjson").includes("Bluebird"));
  await t.run("forget", { ids: ["H-dec"] });
  const { suggestions } = await suggest(t, { file: service, repeat: true });
  assert.ok(!suggestions.some((item) => item.entity_id === "H-dec"));
});

Deno.test("switches, limits and the off switch are respected", async () => {
  await using t = await tempProject();
  await t.run("config set", { key: "suggest.related_code", value: "false" });
  const { suggestions } = await suggest(t, { file: service });
  assert.ok(!suggestions.some((item) => item.type === "related_code"));
  await t.run("config set", { key: "suggest.enabled", value: "false" });
  const off = await suggest(t, { file: service, repeat: true });
  assert.deepEqual(off.suggestions, []);
  assert.match(off.notes[0], /turned off/);
});

Deno.test("suggest answers bad input clearly", async () => {
  await using t = await tempProject();
  writeSources(t, {
    "image.png": new Uint8Array([0x89, 0, 1]),
    "notes.xyz": "hello",
    "broken.ts": "export function ( {{{",
  });
  if (hasLinks) Deno.symlinkSync("/etc/hosts", `${t.workspace}/link.ts`);
  for (const file of ["../other.ts", "/etc/hosts", ...hasLinks ? ["link.ts"] : [], "src"]) {
    assert.equal((await t.fail("suggest", { file })).code, "USAGE", file);
  }
  const missing = await t.fail("suggest", { file: service, reports: ["no.xml"] });
  assert.equal(missing.code, "NOT_FOUND");
  for (const file of ["image.png", "notes.xyz"]) {
    const { notes } = await suggest(t, { file });
    assert.match(notes.join(), /language is not supported/);
  }
  assert.match((await suggest(t, { file: "broken.ts" })).notes.join(), /syntax errors/);
  assert.deepEqual((await suggest(t, { file: "src/not_there_yet.ts" })).suggestions, []);
});

Deno.test("deleting index/ loses nothing", async () => {
  await using t = await tempProject();
  await t.run("reindex");
  const before = await suggest(t, { file: service, session: "S-a" });
  Deno.removeSync(`${t.workspace}/.contextfs/index`, { recursive: true });
  const again = await suggest(t, { file: service, session: "S-a" }, {
    now: () => testNow + 60_000,
  });
  assert.equal(again.withheld.repeated, before.suggestions.length);
});

Deno.test("a torn last line of suggestions.ndjson is put aside, and nothing else is lost", async () => {
  await using t = await tempProject();
  await suggest(t, { file: service });
  t.append("suggestions.ndjson", '{"event":"sugg');
  const { id } = await suggest(t, { file: service, repeat: true });
  assert.equal(t.read("suggestions.ndjson").trimEnd().split("\n").length, 2);
  assert.ok(t.read("suggestions.ndjson").includes(id!));
  assert.ok(diskFiles.findSize(t.path("history.bad.ndjson"))! > 0);
});

Deno.test("suggest without a file or symbol says how it is called", async () => {
  await using t = await tempProject();
  const { code, stderr } = await t.ctx(["suggest"]);
  assert.equal(code, 2);
  assert.match(stderr, /no file or symbol was given/);
  assert.match(stderr, /ctx suggest FILE/);
});

Deno.test("suggest --explain is readable text, and says nothing twice", async () => {
  const text = "Rotate on every use of the token";
  await using t = await tempProject({
    entries: [{ id: "H-dec", type: "decision", text, files: [service] }],
  });
  const { id } = await suggest(t, { file: service });
  await t.run("feedback", { suggestion: id, verdict: "used", item: 1 });
  const { stdout } = await t.ctx(["suggest", service, "--explain", "--repeat"]);
  assert.equal(stdout.match(/Rotate on every use/g)?.length, 1);
  assert.match(stdout, /\n {5}0\.\d\d {2}decision file: about src\/auth/);
  assert.match(stdout, /×1\.\d\d feedback on this item: 1 used, 0 dismissed/);
  assert.doesNotMatch(stdout, /[{}]/);
});

Deno.test("sayOnce() keeps the longer of a title and a summary that begin alike", () => {
  const say = (title: string, summary: string): string[] =>
    Object.values(sayOnce({ title, summary }));
  assert.deepEqual(say("Decision: a b", "a b"), ["Decision: a b", ""]);
  assert.deepEqual(say("Decision: a…", "a b c"), ["Decision: a b c", ""]);
  assert.deepEqual(say("Doc: x", "a b c"), ["Doc: x", "a b c"]);
  assert.deepEqual(say("Doc: x", ""), ["Doc: x", ""]);
});

async function suggest(
  t: TempStore,
  input: object,
  options: { now?: () => number } = {},
): Promise<Answer> {
  return await t.run<Answer>("suggest", input, options);
}

/** A history in which only the store changed lately. */
async function makeHistory(t: TempStore): Promise<void> {
  await git(t.workspace, ["init", "-q", "-b", "main"]);
  await git(t.workspace, ["add", "-A"]);
  await git(t.workspace, ["commit", "-qm", "start"], "2025-11-01T00:00:00Z");
  for (const day of ["03", "04", "05", "06"]) {
    writeSources(t, {
      "src/auth/token_store.ts": `${projectFiles["src/auth/token_store.ts"]}// ${day}\n`,
      [service]: `${projectFiles[service]}// ${day}\n`,
    });
    await git(t.workspace, ["commit", "-qam", `work ${day}`], `2025-11-${day}T00:00:00Z`);
  }
  writeSources(t, { "src/auth/token_store.ts": projectFiles["src/auth/token_store.ts"] });
  await git(t.workspace, ["commit", "-qam", "repair the store"], "2026-01-01T12:00:00Z");
}
