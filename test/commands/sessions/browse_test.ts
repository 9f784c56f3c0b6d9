import assert from "node:assert/strict";
import { open } from "../../../src/app/library.ts";
import { fixtureRoot, readFixtures } from "../../support/fixtures.ts";
import { casesOf } from "../../support/full_length.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Scan {
  text: string;
  total: number;
  shown: number;
  estimated_tokens: number;
}

/** A session of twelve messages with known texts. */
async function talk(): Promise<TempStore> {
  const entries = Array.from({ length: 12 }, (_, i) => {
    const role = i % 3 === 0
      ? "user" as const
      : i % 3 === 1
      ? "assistant" as const
      : "tool" as const;
    return {
      session_id: "S-talk",
      role,
      type: role === "tool" ? "tool_output" : "turn",
      text: `message ${i + 1} ${"word ".repeat(i * 20)}`.trim(),
      ...(role === "tool" ? { tool: { name: "Bash", output_bytes: 9 } } : {}),
    };
  });
  return await tempStore({ entries });
}

Deno.test("scan has one line per message, cut by the base limits at 50", async () => {
  await using t = await talk();
  const { text } = await t.run<Scan>("scan", { session: "S-talk" });
  const lines = text.trimEnd().split("\n");
  assert.equal(lines.length, 12);
  assert.equal(lines[0], '     1\t[user] 10:00:00 | "message 1"');
  assert.match(
    lines[3],
    /^ {5}4\t\[user\] 10:03:00 \| "message 4 (word ){38}\[\+\d+ chars\]"$|^ {5}4\t\[user\] .{200}\[\+\d+ chars\]"$/,
  );
  const content = (line: string) => line.slice(line.indexOf("| ") + 2);
  assert.equal(content(lines[4]).replace(/\[\+\d+ chars\]$/, "").length, 80);
  assert.match(lines[5], /\[Bash → 0\] "message 6/);
  const wide = await t.run<Scan>("scan", { session: "S-talk", tokens_per_msg: 100 });
  assert.equal(content(wide.text.split("\n")[4]).replace(/\[\+\d+ chars\]$/, "").length, 160);
});

Deno.test("scan tells how a command ended: its exit code, or that it failed", async () => {
  const said = "2 tests failed";
  const runs = [{ exit: 2, error: true }, { exit: 0 }, { error: true }, { exit: 137 }];
  const entries = runs.map((tool) => ({
    session_id: "S-run",
    role: "tool" as const,
    type: "tool_output",
    text: said,
    tool: { name: "Bash", ...tool },
  }));
  await using t = await tempStore({ entries });
  const { text } = await t.run<Scan>("scan", { session: "S-run" });
  assert.deepEqual(text.match(/\[Bash → \w+\]/g), [
    "[Bash → 2]",
    "[Bash → 0]",
    "[Bash → error]",
    "[Bash → 137]",
  ]);
});

Deno.test("scan --budget fills the budget on every fixture", async () => {
  const fixtures = readFixtures();
  for (const source of new Set(fixtures.map((fixture) => fixture.source))) {
    await using t = await tempStore();
    for (const fixture of fixtures.filter((fixture) => fixture.source === source)) {
      const root = `${fixtureRoot}/${fixture.path}`;
      await t.run("import", { sources: [source], root, all_projects: true });
    }
    const { sessions } = await t.run<{ sessions: { id: string }[] }>("sessions", { limit: 1000 });
    for (const { id } of casesOf(sessions)) {
      const whole = await t.run<Scan>("scan", { session: id, budget: 10_000_000 });
      assert.equal(whole.shown, whole.total);
      for (const budget of [300, 1000, 4000]) {
        const scan = await t.run<Scan>("scan", { session: id, budget });
        assert.ok(scan.estimated_tokens <= budget * 1.1, `${source} ${id} ${budget}`);
        if (whole.estimated_tokens < budget) assert.equal(scan.text, whole.text);
        else {assert.ok(
            scan.estimated_tokens >= budget * 0.85,
            `${source} ${id}: ${scan.estimated_tokens} of ${budget}`,
          );}
      }
    }
  }
});

Deno.test("read takes ranges and a budget", async () => {
  await using t = await talk();
  const read = async (input: object) =>
    await t.run<{ messages: { message_index: number }[]; skipped: number[] }>("read", {
      session: "S-talk",
      ...input,
    });
  const numbers = async (ranges: string) =>
    (await read({ ranges })).messages.map((message) => message.message_index);
  assert.deepEqual(await numbers("5"), [5]);
  assert.deepEqual(await numbers("1,3-4,11-"), [1, 3, 4, 11, 12]);
  const short = await read({ ranges: "1-", max_tokens: 160 });
  assert.deepEqual(short.messages.map((message) => message.message_index), [1, 2]);
  assert.equal(short.skipped.length, 10);
});

Deno.test("read gives only the range asked for, also of a session it has read before", async () => {
  await using t = await talk();
  using memory = open(t.workspace, { env: () => undefined });
  const numbersOf = async (ranges?: string): Promise<number[]> => {
    const { total, messages } = await memory.read({ session: "S-talk", ranges });
    assert.equal(total, 12);
    for (const { message_index, text } of messages) {
      assert.match(text, new RegExp(`^message ${message_index}\\b`));
    }
    return messages.map(({ message_index }) => message_index);
  };
  assert.equal((await numbersOf()).length, 12);
  assert.deepEqual(await numbersOf("2"), [2]);
  assert.deepEqual(await numbersOf("1,5-6,11-"), [1, 5, 6, 11, 12]);
  assert.deepEqual(await numbersOf("13"), []);
});

Deno.test("show has four formats, a window, and one budget for all sessions", async () => {
  await using t = await talk();
  interface Shown {
    sessions: {
      messages: { index: number; content: string }[];
      has_more_before: boolean;
      has_more_after: boolean;
      total_tokens: number;
    }[];
    skipped_ids: string[];
    estimated_tokens: number;
  }
  const show = async (input: object) =>
    await t.run<Shown>("show", { sessions: ["S-talk"], ...input });
  const indexes = (shown: Shown) => shown.sessions[0].messages.map((message) => message.index);
  assert.equal(indexes(await show({})).length, 12);
  assert.deepEqual(indexes(await show({ format: "stripped" })), [1, 2, 4, 5, 7, 8, 10, 11]);
  assert.deepEqual(indexes(await show({ format: "user_only" })), [1, 4, 7, 10]);
  const outline = await show({ format: "outline" });
  assert.equal(outline.sessions[0].messages[0].content, "[User] message 1 (3 tokens)");
  const window = await show({ expand: 6, before: 1, after: 2 });
  assert.deepEqual(indexes(window), [5, 6, 7, 8]);
  assert.ok(window.sessions[0].has_more_before && window.sessions[0].has_more_after);
  const head = await show({ max_tokens: 200 });
  assert.deepEqual(indexes(head), [1, 2]);
  assert.ok(head.estimated_tokens <= 200);
  const tail = await show({ max_tokens: 680, tail: true });
  assert.deepEqual(indexes(tail), [11, 12]);
  await t.run("save", { text: "another ".repeat(500), session: "S-more" });
  const max_tokens = (await show({})).estimated_tokens + 10;
  const both = await t.run<Shown>("show", { sessions: ["S-talk", "S-more"], max_tokens });
  assert.deepEqual(both.skipped_ids, ["S-more"]);
  assert.equal((await t.fail("show", { sessions: ["S-nothing"] })).code, "NOT_FOUND");
});

Deno.test("batch packs whole sessions and splits those that are too large", async () => {
  const entries = ["a", "b", "c"].flatMap((name, at) =>
    Array.from(
      { length: at === 1 ? 40 : 4 },
      () => ({ session_id: `S-${name}`, text: "word ".repeat(50).trim() }),
    )
  );
  await using t = await tempStore({ entries });
  interface Batches {
    batches: {
      estimated_tokens: number;
      sessions: { id: string; ranges?: string; message_count: number }[];
    }[];
  }
  const { batches } = await t.run<Batches>("batch", { target_tokens: 500 });
  assert.ok(batches.every((batch) => batch.estimated_tokens <= 500));
  const parts = batches.flatMap((batch) => batch.sessions);
  assert.equal(parts.reduce((sum, part) => sum + part.message_count, 0), 48);
  assert.deepEqual(parts.filter((part) => part.id === "S-b").map((part) => part.ranges), [
    "1-10",
    "11-20",
    "21-30",
    "31-40",
  ]);
  assert.ok(parts.filter((part) => part.id !== "S-b").every((part) => part.ranges === undefined));
});

Deno.test("sessions and their counts follow what is forgotten, also through the kept catalog", async () => {
  const entries = Array.from(
    { length: 600 },
    (_, i) => ({ session_id: `S-${i % 3}`, text: `row ${i} ${"x".repeat(600)}` }),
  );
  await using t = await tempStore({ entries });
  const counts = async () =>
    (await t.run<{ sessions: { id: string; message_count: number }[] }>("sessions")).sessions
      .map((row) => [row.id, row.message_count]).toSorted();
  assert.deepEqual(await counts(), [["S-0", 200], ["S-1", 200], ["S-2", 200]]);
  assert.ok(t.exists("index/sessions.json"));
  await t.run("save", { text: "one more", session: "S-1" });
  assert.deepEqual(await counts(), [["S-0", 200], ["S-1", 201], ["S-2", 200]]);
  await t.run("forget", { session: "S-0" });
  assert.deepEqual((await counts()).filter(([, count]) => count !== 0), [["S-1", 201], [
    "S-2",
    200,
  ]]);
  await t.run("forget", { ids: [t.ids()[0]], now: true });
  assert.equal((await counts()).reduce((sum, [, count]) => sum + Number(count), 0), 400);
  t.write("index/sessions.json", "broken");
  assert.equal((await counts()).reduce((sum, [, count]) => sum + Number(count), 0), 400);
});

Deno.test("stats has sources, projects, recorded usage and streaks", async () => {
  const day = (n: number) => `2026-01-0${n}T10:00:00.000Z`;
  const usage = { id: "u", input_tokens: 5, output_tokens: 7 };
  await using t = await tempStore({
    entries: [
      {
        text: "a",
        ts: day(1),
        session_id: "S-1",
        project: "/p",
        source: { agent: "codex" },
        usage,
      },
      {
        text: "b",
        ts: day(1),
        session_id: "S-1",
        project: "/p",
        source: { agent: "codex" },
        usage,
      },
      { text: "c", ts: day(2), session_id: "S-2", project: "/p" },
    ],
  });
  const stats = await t.run("stats");
  assert.deepEqual(stats.usage, { input_tokens: 5, output_tokens: 7 });
  assert.deepEqual(stats.sessions_by_source, { codex: 1, ctx: 1 });
  assert.deepEqual(stats.projects, [{
    project: "/p",
    entries: 3,
    sessions: 2,
    estimated_tokens: 3,
  }]);
  assert.equal(stats.longest_streak_days, 2);
  assert.equal(stats.current_streak_days, 2);
});

Deno.test("ls shows the size of what is in the directories of the store", async () => {
  await using t = await tempStore({ entries: ["one"] });
  for (const name of ["index", "chat"]) Deno.mkdirSync(t.path(name));
  t.write("chat/a.ndjson", "12345");
  t.write("chat/b.ndjson", "678");
  const { files } = await t.run<{ files: { name: string; bytes: number }[] }>("ls");
  const sizes = new Map(files.map(({ name, bytes }) => [name, bytes]));
  assert.deepEqual([sizes.get("chat"), sizes.get("index")], [8, 0]);
});
