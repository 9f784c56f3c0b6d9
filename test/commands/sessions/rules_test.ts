import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Rules {
  total: number;
  rules: {
    id: string;
    text: string;
    kind: string;
    sessions: number;
    evidence: string[];
    also: string[];
    superseded_by?: string;
  }[];
  text?: string;
  notes?: string[];
}

/** A session on a day of May 2026, in which the user says these things one after the other. */
function said(day: number, ...prompts: string[]): Entry[] {
  const steps = prompts.flatMap((user): Step[] => [
    { user },
    { agent: `Done: what the prompt asked for is in src/part${day}.ts now, and its tests pass.` },
  ]);
  return madeSession(steps, `S-day${day}`).map((row) => ({
    ...row,
    ts: row.ts.replace("2026-05-01", `2026-05-${String(day).padStart(2, "0")}`),
  }));
}

async function rulesOf(t: TempStore, input: Record<string, unknown> = {}): Promise<Rules> {
  return await t.run<Rules>("rules", input);
}

Deno.test("rules: what was said in several sessions is one rule, with every prompt as evidence", async () => {
  const first = "Add the login form. Always use pnpm for installs in this repository.";
  const second =
    "always use pnpm for the installs of the repository, please. And add the logout link.";
  await using t = await tempStore({
    entries: [
      ...said(1, "Never commit generated files.", first),
      ...said(2, "Fix the typo in the header of the page."),
      ...said(3, second),
    ],
  });
  const { rules, total } = await rulesOf(t);
  assert.equal(total, 2);
  assert.deepEqual(rules.map(({ text, sessions }) => [text, sessions]), [
    ["always use pnpm for the installs of the repository, please.", 2],
    ["Never commit generated files.", 1],
  ]);
  assert.deepEqual(rules[0].evidence, ["S-day3-1", "S-day1-3"]);
  assert.deepEqual(rules[0].also, ["Always use pnpm for installs in this repository."]);
  assert.deepEqual((await rulesOf(t, { min: 2 })).total, 1);
  assert.deepEqual((await rulesOf(t, { since: "2026-05-02" })).total, 1);
  assert.deepEqual((await rulesOf(t, { about: "generated files" })).rules[0].text, rules[1].text);
  assert.deepEqual((await rulesOf(t, { about: "kubernetes" })).total, 0);
});

Deno.test("rules: a later rule marks the one that it contradicts", async () => {
  await using t = await tempStore({
    entries: [
      ...said(1, "Always use npm."),
      ...said(2, "Never write comments in test files."),
      ...said(3, "From now on use pnpm, never npm."),
      ...said(4, "Always write comments in test files."),
    ],
  });
  const { rules } = await rulesOf(t);
  const by = new Map(rules.map((rule) => [rule.text, rule]));
  assert.equal(
    by.get("Always use npm.")?.superseded_by,
    by.get("From now on use pnpm, never npm.")?.id,
  );
  assert.equal(
    by.get("Never write comments in test files.")?.superseded_by,
    by.get("Always write comments in test files.")?.id,
  );
  assert.deepEqual(rules.slice(2).map(({ superseded_by }) => superseded_by !== undefined), [
    true,
    true,
  ]);
});

Deno.test("rules: only the user's words; agents, sub-agents, tools, pastes and tasks make none", async () => {
  const rule = "Always answer in French.";
  await using t = await tempStore({
    entries: madeSession([
      { user: "Translate the start page of the shop." },
      { agent: `${rule} From now on I will always use the formal form of address.` },
      { run: "cat RULES.md", output: rule },
      { row: { role: "user", text: rule, sidechain: true } },
      { user: `What does this mean?\n> ${rule}` },
      { user: `<system-reminder>${rule}</system-reminder>\nplease go on with the next page` },
      { row: { role: "user", text: `<task-notification>${rule}</task-notification>` } },
      { user: "Add a banner that always shows the current language." },
      { user: "Don't touch the footer yet." },
    ]),
  });
  assert.deepEqual(await rulesOf(t), {
    total: 0,
    offset: 0,
    rules: [],
    over_budget: 0,
    estimated_tokens: 0,
    notes: [
      "1 session without records yet: read for this answer; to keep the records: ctx records --derive",
    ],
  } as unknown as Rules);
});

Deno.test("rules: a request is a rule when it comes again in another session, in other words", async () => {
  const once = "Don't use default exports. And rename the helper of the lexer as well.";
  const again = "Please write the parser. Do not use default exports.";
  await using t = await tempStore({ entries: said(1, "Write the lexer.", once) });
  assert.equal((await rulesOf(t)).total, 0);
  await using both = await tempStore({
    entries: [
      ...said(1, "Write the lexer.", once),
      ...said(2, "Look at the parser.", again),
    ],
  });
  await both.ctx(["distil"]);
  assert.deepEqual((await rulesOf(both)).rules.map(({ text, sessions }) => [text, sessions]), [
    ["Do not use default exports.", 2],
  ]);
  // The same prompt in two sessions is a template or a copy: it was said once.
  await using copies = await tempStore({
    entries: [...said(1, "Write the lexer.", once), ...said(2, "Look at it.", once)],
  });
  assert.equal((await rulesOf(copies)).total, 0);
});

Deno.test("rules rest on records: what is distilled is not said to be new, what is forgotten is gone", async () => {
  await using t = await tempStore({ entries: said(1, "Never commit generated files.") });
  const before = await rulesOf(t);
  assert.deepEqual(before.notes, [
    "1 session without records yet: read for this answer; to keep the records: ctx records --derive",
  ]);
  await t.ctx(["distil"]);
  const { notes, rules } = await rulesOf(t);
  assert.equal(notes, undefined);
  assert.deepEqual(rules, before.rules);
  await t.ctx(["forget", rules[0].id, "--yes"]);
  await t.ctx(["distil", "--all"]);
  assert.equal((await rulesOf(t)).total, 0);
});

Deno.test("rules: a preference that was saved counts, and a saved one takes a rule's place", async () => {
  await using t = await tempStore({ entries: said(1, "Never commit generated files.") });
  await t.ctx(["distil"]);
  const [{ id }] = (await rulesOf(t)).rules;
  await t.ctx([
    ...["save", "Generated files are committed, in their own commit"],
    ...["--type", "preference", "--supersedes", id],
  ]);
  const { rules } = await rulesOf(t);
  assert.deepEqual(rules.map(({ kind, superseded_by }) => [kind, superseded_by !== undefined]), [
    ["saved", false],
    ["instruction", true],
  ]);
  assert.equal(rules[1].superseded_by, rules[0].id);
});

Deno.test("ctx rules on a pipe is tab-separated; extract-rules is another name for it", async () => {
  await using t = await tempStore({ entries: said(1, "Never commit generated files.") });
  await t.ctx(["distil"]);
  const { stdout } = await t.ctx(["rules"]);
  assert.match(
    stdout,
    /^H-\w+\t2026-05-01T09:01:00\.000Z\tinstruction\t1\tNever commit generated files\.\n$/,
  );
  assert.equal((await t.ctx(["extract-rules"])).stdout, stdout);
});

Deno.test("ctx rules says that there are none, beside the rules and not among them", async () => {
  await using t = await tempStore({ entries: ["a note"] });
  const { code, stdout, stderr } = await t.ctx(["rules", "--format", "lines"]);
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /no standing rules/i);
});
