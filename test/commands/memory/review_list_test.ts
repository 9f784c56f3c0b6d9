// What ctx would remember, and what the user says of it: kept in the log, for good.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { execute } from "../../../src/command/execute.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { remoteOfAda, teamFiles } from "../../support/servers/team_logs.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

interface Listed {
  total: number;
  others: number;
  lines: { id: string; type: string; text: string; why: string[]; sessions: number }[];
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

const pnpm = "Always use pnpm for installs in this repository.";
const again = "Add a header. Please always use pnpm for the installs in this repository.";
const generated = "Never commit generated files.";

async function reviewed(t: TempStore, input: object = {}): Promise<Listed> {
  return await t.run<Listed>("review list", { ...input });
}

async function textsOf(t: TempStore): Promise<string[]> {
  return (await reviewed(t)).lines.map(({ text }) => text);
}

async function packOf(t: TempStore): Promise<string> {
  return (await t.run<{ text: string }>("pack")).text;
}

async function madeStore(): Promise<TempStore> {
  const t = await tempStore({
    entries: [
      ...said(1, `Add the login form. ${generated}`),
      ...said(2, `Add the logout link. ${pnpm}`),
      ...said(3, "always use pnpm for the installs of the repository, please. And add a footer."),
    ],
  });
  await t.run("distil");
  return t;
}

Deno.test("review lists what was said most first, and prints the list on a pipe", async () => {
  await using t = await madeStore();
  const { lines, total } = await reviewed(t);
  assert.equal(total, lines.length);
  assert.match(lines[0].text, /^always use pnpm/i);
  assert.deepEqual(lines[0].why, ["meant to last", "said in 2 sessions"]);
  assert.ok(lines.some(({ text }) => text === generated));
  const { stdout } = await t.ctx(["review"]);
  assert.match(stdout.split("\n")[0], /\tpreference\t2\talways use pnpm/i);
  const json = JSON.parse((await t.ctx(["review", "--json"])).stdout);
  assert.deepEqual(json.lines.map(({ id }: { id: string }) => id), lines.map(({ id }) => id));
});

Deno.test("review offers how work is done here before what was changed in the code", async () => {
  const general = "The linter strips comments of unused rules because its setting repairs files.";
  const change = "Readings of parcelScale now only wait for two seconds instead of forever.";
  const answered = (user: string, told: string, session: string): Entry[] =>
    madeSession([{ user }, { edit: "src/scale.ts" }, {
      agent: `${told}\n\nThe parcels of both tables are weighed as they were before.`,
    }], session);
  await using t = await tempStore({
    entries: [
      ...answered("Why does the comment above the scale go away?", general, "S-general"),
      ...answered("Give the parcel scale a timeout of two seconds", change, "S-change"),
    ],
  });
  await t.run("distil");
  const texts = await textsOf(t);
  assert.ok(texts.includes(change), "the change is offered, too");
  assert.ok(texts.indexOf(general) >= 0 && texts.indexOf(general) < texts.indexOf(change));
});

Deno.test("review offers first what nothing was asked after", async () => {
  const lines: Record<string, string> = {
    left: "The scale waits two seconds because its driver answers late.",
    right: "The printer sleeps two minutes because its queue drains early.",
  };
  const session = (at: string, ...later: Step[]): Entry[] =>
    madeSession([
      { user: `Why does the ${at} scale of the packing room take so long?` },
      { edit: "src/scale.ts" },
      { agent: `${lines[at]}\n\nThe parcels of both tables are weighed as before.` },
      ...later,
    ], `S-${at}`).map((row) => ({
      ...row,
      ts: row.ts.replace("2026-05-01", at === "left" ? "2026-05-01" : "2026-05-02"),
    }));
  await using t = await tempStore({
    entries: [
      ...session("left"),
      ...session("right", { user: "Show the weight in grams on the page, too" }),
    ],
  });
  await t.run("distil");
  const texts = (await textsOf(t)).filter((text) => Object.values(lines).includes(text));
  assert.deepEqual(texts, [lines.left, lines.right]);
});

Deno.test("review offers what was answered whole, and before what an answer states", async () => {
  const question = "Which store should the label queue of the printer use?";
  const name = "AskUserQuestion";
  const options = [{ label: "SQLite", description: "It never loses jobs because it is a file" }];
  const text = `User has answered your questions: "${question}"="SQLite". You can now continue.`;
  await using t = await tempStore({
    entries: madeSession([
      { user: "The label printer of the packing room loses jobs" },
      {
        row: {
          type: "tool_call",
          text: name,
          tool: { name, input: { questions: [{ question, options }] }, call_id: "q1" },
        },
      },
      { row: { role: "tool", type: "tool_output", text, tool: { name, call_id: "q1" } } },
      { edit: "src/queue.ts" },
      { agent: "The label printer never loses jobs now because the queue is kept in a file." },
    ]),
  });
  await t.run("distil");
  const [{ text: first, why }] = (await reviewed(t)).lines;
  assert.equal(first, `${question} Chosen: SQLite. ${options[0].description}`);
  assert.deepEqual(why, ["you answered a question"]);
});

Deno.test("review does not take every line that begins with a word in -ed for a change", async () => {
  const rest = "of unused rules because its setting repairs files.";
  const other = "The pre-commit hook refuses long subjects because its setting expects a ticket.";
  const isFirst = async (line: string): Promise<boolean> => {
    const entries = [other, line].flatMap((agent, i) =>
      madeSession([{ user: `Why does the comment above scale ${i} go away?` }, {
        edit: "src/scale.ts",
      }, { agent: `${agent}\n\nThe parcels of both tables are weighed as before.` }], `S-${i}`)
        .map((row) => ({ ...row, ts: row.ts.replace("2026-05-01", `2026-05-0${i + 1}`) }))
    );
    await using t = await tempStore({ entries });
    await t.run("distil");
    const texts = (await textsOf(t)).filter((text) => text === other || text === line);
    assert.equal(texts.length, 2, line);
    return texts[0] === line;
  };
  assert.ok(await isFirst(`The linter strips comments ${rest}`), "the newer of two equal lines");
  assert.ok(await isFirst(`Nested linter settings strip comments ${rest}`));
});

Deno.test("an accepted line is told to every session, survives reindexing and distilling, and can be undone", async () => {
  await using t = await madeStore();
  const { lines: [{ id, text }] } = await reviewed(t);
  const done = await t.ctx(["review", "accept", id]);
  assert.deepEqual([done.code, done.stdout], [0, `Accepted: ${text}\n`]);
  const check = async (): Promise<void> => {
    assert.ok(!(await textsOf(t)).includes(text));
    assert.equal((await packOf(t)).split(text).length, 2, "told once");
    const { stdout } = await t.ctx(["records", "--type", "preference", "--json"]);
    const saved = JSON.parse(stdout).records.find((row: { text: string }) => row.text === text);
    assert.deepEqual([saved.grade, saved.by], ["certain", "saved"]);
  };
  await check();
  await t.ctx(["reindex"]);
  await t.run("distil", { all: true });
  await check();
  assert.equal((await t.ctx(["doctor"])).code, 0);
  await t.ctx(["undo", "--yes"]);
  assert.ok((await textsOf(t)).includes(text));
});

Deno.test("a rejected line never comes back: not distilled again, not said by another session, not told", async () => {
  await using t = await madeStore();
  const { lines: [{ id }] } = await reviewed(t);
  assert.equal((await t.ctx(["review", "reject", id])).code, 0);
  const found = JSON.parse((await t.ctx(["search", "always pnpm installs", "--json"])).stdout);
  assert.ok(found.results.length > 0, "what was said is still found");
  assert.ok(found.results.every(({ type }: { type: string }) => type !== "verdict"));
  const check = async (): Promise<void> => {
    assert.doesNotMatch((await textsOf(t)).join("\n"), /pnpm/);
    assert.doesNotMatch(await packOf(t), /pnpm/);
  };
  await check();
  await t.ctx(["reindex"]);
  await t.run("distil", { all: true });
  await check();
  t.append("history.ndjson", toLog(said(9, again)));
  await t.run("distil");
  await check();
  const { stdout } = await t.ctx(["records", "--type", "preference", "--json"]);
  assert.doesNotMatch(stdout, /pnpm/);
  // Not when the log is archived and summed up, either.
  const { moved } = await t.run<{ moved: number }>("compact", { keep: 0, older_than: 0 }, {
    now: () => Date.now() + 86_400_000,
  });
  assert.ok(moved > 10);
  await check();
  assert.equal((await t.ctx(["doctor"])).code, 0);
});

Deno.test("rejecting a line keeps its opposite, and reports every record it rejects", async () => {
  const record = (id: string, text: string, grade = "candidate"): Partial<Entry> => ({
    id,
    role: "note",
    type: "decision",
    text,
    record: { by: "rules", grade },
  });
  const text = "Use default exports in all React components";
  await using t = await tempStore({
    entries: [
      record("H-1", text),
      record("H-2", "All React components use default exports", "derived"),
      record("H-3", "No default exports in all React components", "derived"),
    ],
  });
  const { stdout } = await t.ctx(["review", "reject", "H-1", "H-1"]);
  assert.equal(stdout, `Rejected: ${text}\nRejected: All React components use default exports\n`);
  const pack = await packOf(t);
  assert.match(pack, /No default exports/);
  assert.doesNotMatch(pack, /use default exports/i);
});

Deno.test("a line that is named twice is accepted once", async () => {
  await using t = await madeStore();
  const { lines: [{ id, text }] } = await reviewed(t);
  const { stdout } = await t.ctx(["review", "accept", id, id]);
  assert.equal(stdout, `Accepted: ${text}\n`);
  assert.equal(t.read("history.ndjson").split(`"supersedes":"${id}"`).length, 2);
});

Deno.test("what is put off comes back after a week", async () => {
  await using t = await madeStore();
  const { lines: [{ id, text }] } = await reviewed(t);
  const { until } = await t.run<{ until: string }>("review later", { ids: [id] });
  assert.ok(!(await textsOf(t)).includes(text));
  const later = await t.run<Listed>("review list", {}, { now: () => Date.parse(until) + 1 });
  assert.ok(later.lines.some((line) => line.text === text));
});

Deno.test("a line in other words: the new ones are told, and the old ones are not offered again", async () => {
  await using t = await madeStore();
  const { lines: [{ id }] } = await reviewed(t);
  const mine = "The lockfile says which package manager is right";
  await t.ctx(["review", "edit", id, "--text", mine]);
  assert.match(await packOf(t), new RegExp(mine));
  t.append("history.ndjson", toLog(said(9, again)));
  await t.run("distil");
  assert.doesNotMatch((await textsOf(t)).join("\n"), /pnpm/);
});

Deno.test("an accepted line is told before everything else of its kind, however old it is", async () => {
  await using t = await madeStore();
  const { lines: [{ id, text }] } = await reviewed(t);
  await t.run("review accept", { ids: [id] }, { now: () => Date.parse("2024-01-01") });
  for (const word of ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]) {
    const wish = `The ${word} module keeps its ${word} tests beside the ${word} sources`;
    await t.run("save", { text: wish, type: "preference" });
  }
  const { text: small } = await t.run<{ text: string }>("pack", { budget: 200 });
  assert.ok(small.includes(text));
  assert.match(small, /Left out: \d+ preferences/);
});

Deno.test("forgetting what a line was made from forgets what was said of it", async () => {
  await using t = await madeStore();
  const { lines: [{ id: first }, { id: second }] } = await reviewed(t);
  await t.run("review accept", { ids: [first] });
  await t.run("review reject", { ids: [second] });
  for (const session of ["S-day1", "S-day2", "S-day3"]) {
    await t.ctx(["forget", "--session", session, "--now", "--yes"]);
  }
  const log = t.read("history.ndjson");
  assert.doesNotMatch(log, /pnpm|generated files/);
});

Deno.test("a teammate's records are not offered, and cannot be accepted", async () => {
  const [prompt, reply] = said(1, `Add the login form. ${pnpm}`);
  const record = { by: "rules", grade: "candidate" };
  await using t = await tempStore({
    files: {
      "remote.json": remoteOfAda,
      ...teamFiles({
        bob: [prompt, reply, {
          id: "H-bob",
          type: "preference",
          text: pnpm,
          role: "note",
          refs: [prompt.id],
          record,
        }],
      }),
    },
  });
  assert.deepEqual((await reviewed(t, { all: true })).lines, []);
  assert.equal((await t.ctx(["review", "accept", "H-bob"])).code, 3);
});

Deno.test("only records can be reviewed; others are NOT_FOUND, with a hint", async () => {
  await using t = await madeStore();
  const { code, stderr } = await t.ctx(["review", "accept", "H-1m2ff20hgvzrprjcr"]);
  assert.equal(code, 3);
  assert.match(stderr, /^ctx: Cannot accept "H-1m2ff20hgvzrprjcr": .*\nhint: ctx review/);
});

Deno.test("an agent that calls over a server is refused, and there is no tool for it", async () => {
  await using t = await madeStore();
  const { lines: [{ id }] } = await reviewed(t);
  const before = t.read("history.ndjson");
  using context = openContext({ workspace: t.workspace, cwd: t.workspace });
  for (const name of ["review accept", "review edit", "review reject", "review later"]) {
    const command = await findCommand(name);
    assert.ok(command);
    const input = name === "review edit" ? { id, text: "Mine" } : { ids: [id] };
    await assert.rejects(
      execute(command, input, { ...context, agent: "http" }),
      { code: "DENIED", hint: "the user runs: ctx review" },
    );
  }
  assert.equal(t.read("history.ndjson"), before);
  const commands = (await loadCommands()).filter(({ name }) => name.startsWith("review "));
  assert.equal(commands.length, 6);
  assert.deepEqual(commands.flatMap(({ tool }) => tool ?? []), []);
});
