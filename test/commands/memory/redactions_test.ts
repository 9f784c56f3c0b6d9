import assert from "node:assert/strict";
import { importRows, writeHistory } from "../../support/stores/import_rows.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Told {
  total: number;
  marks: number;
  rules: { rule: string; count: number; entries: number }[];
  redactions: Record<string, unknown>[];
}

const rows = [
  { text: "nothing here", session_id: "S-1" },
  {
    text: `${
      "before ".repeat(20)
    }[REDACTED:aws-access-token] and [REDACTED:aws-access-token] after`,
    title: "Key [REDACTED:jwt]",
    session_id: "S-1",
    source: { agent: "codex" },
  },
  {
    text: "ran it",
    session_id: "S-2",
    tool: { name: "Bash", input: { command: "x [REDACTED:jwt]", env: ["A=[REDACTED:jwt]"] } },
  },
  { text: "a [REDACTED: no mark] and [REDACTED:" },
  { text: "forgotten [REDACTED:jwt]" },
  { type: "tombstone", text: "", refs: ["H-H5"] },
];

Deno.test("redactions: one row for a rule in a field, newest first, with counts by rule", async () => {
  await using t = await tempStore({ entries: rows });
  assert.deepEqual(await t.run<Told>("redactions"), {
    offset: 0,
    total: 4,
    marks: 5,
    unsure: 5,
    quoted: 0,
    rules: [
      { rule: "jwt", count: 3, entries: 2 },
      { rule: "aws-access-token", count: 2, entries: 1 },
    ],
    redactions: [
      {
        id: "H-H3",
        ts: "2026-01-01T10:02:00.000Z",
        type: "note",
        session_id: "S-2",
        source: undefined,
        rule: "jwt",
        count: 1,
        where: "tool.input.command",
        snippet: "x [REDACTED:jwt]",
        unsure: true,
      },
      {
        id: "H-H3",
        ts: "2026-01-01T10:02:00.000Z",
        type: "note",
        session_id: "S-2",
        source: undefined,
        rule: "jwt",
        count: 1,
        where: "tool.input.env",
        snippet: "A=[REDACTED:jwt]",
        unsure: true,
      },
      {
        id: "H-H2",
        ts: "2026-01-01T10:01:00.000Z",
        type: "note",
        session_id: "S-1",
        source: "codex",
        rule: "aws-access-token",
        count: 2,
        where: "text",
        snippet:
          "…ore before before before before before before before before [REDACTED:aws-access-token] and [REDACTED:aws-access-token] after",
        unsure: true,
      },
      {
        id: "H-H2",
        ts: "2026-01-01T10:01:00.000Z",
        type: "note",
        session_id: "S-1",
        source: "codex",
        rule: "jwt",
        count: 1,
        where: "title",
        snippet: "Key [REDACTED:jwt]",
        unsure: true,
      },
    ],
  });
});

Deno.test("redactions: by rule, session, time and page; the sums are of all rules", async () => {
  await using t = await tempStore({ entries: rows });
  const ids = async (input: Record<string, unknown>): Promise<unknown[]> => {
    const { total, rules, redactions } = await t.run<Told>("redactions", input);
    return [total, rules.length, ...redactions.map(({ id, where }) => `${id} ${where}`)];
  };
  assert.deepEqual(await ids({ rule: "aws-access-token" }), [1, 2, "H-H2 text"]);
  assert.deepEqual(await ids({ session: "S-1", rule: "jwt" }), [1, 2, "H-H2 title"]);
  assert.deepEqual(await ids({ since: "2026-01-01T10:02:00.000Z", limit: 1 }), [
    2,
    1,
    "H-H3 tool.input.command",
  ]);
  assert.deepEqual(await ids({ limit: 1, offset: 2 }), [4, 2, "H-H2 text"]);
});

Deno.test("redactions tell what save took out, and never the secret", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "the key is AKIAQ3EGVT5RM2WNK7XZ, rotate it" });
  const { redactions: [row], rules } = await t.run<Told>("redactions");
  assert.deepEqual([rules.length, row.where, row.count], [1, "text", 1]);
  assert.match(String(row.snippet), /^the key is \[REDACTED:[\w-]+\], rotate it$/);
  const { stdout } = await t.ctx(["redactions"]);
  assert.match(stdout, /\t1\ttext\tthe key is \[REDACTED:/);
});

Deno.test("redactions leave out marks that a text quotes, and say how many", async () => {
  await using t = await tempStore({
    entries: [
      { text: "Docs: secrets become [REDACTED:rule], such as [REDACTED:jwt]." },
    ],
  });
  const key = "AKIAQ3EGVT5RM2WNK7XZ";
  await t.run("save", { text: "It writes `[REDACTED:aws-access-key-id]` for a key." });
  await t.run("save", { text: `[REDACTED:aws-access-key-id] stands for ${key} in our tests` });
  const { total, marks, ...told } = await t.run<Told & { unsure: number; quoted: number }>(
    "redactions",
  );
  assert.deepEqual([total, marks, told.unsure, told.quoted], [2, 2, 1, 3]);
  assert.deepEqual(told.redactions.map(({ rule, count, unsure }) => [rule, count, unsure]), [
    ["aws-access-key-id", 1, undefined],
    ["jwt", 1, true],
  ]);
  const rows = t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ redacted }) => redacted), [undefined, {}, {
    "aws-access-key-id": 1,
  }]);
});

Deno.test("redactions keep only the page of many, and find the newest of them", async () => {
  const entries = Array.from({ length: 2500 }, (_, i) => ({
    id: `H-${i}`,
    ts: new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % 2500) * 1000).toISOString(),
    text: "k [REDACTED:jwt]",
  }));
  await using t = await tempStore({ entries });
  const { redactions, total } = await t.run<Told>("redactions", { limit: 3, offset: 1 });
  const order = entries.toSorted((a, b) => a.ts < b.ts ? 1 : -1).slice(1, 4).map(({ id }) => id);
  assert.deepEqual([total, redactions.map(({ id }) => id)], [2500, order]);
});

Deno.test("a secret in a long imported output counts, and is told as unsure", async () => {
  await using t = await tempStore();
  const output = `key AKIAQ3EGVT5RM2WNK7XZ\n${"a line of a log\n".repeat(2000)}`;
  const message = { id: "msg_1", role: "assistant", time: {} };
  const state = { status: "completed", input: { command: "env" }, output };
  const part = { id: "prt_1", type: "tool", tool: "bash", callID: "c", state };
  const root = writeHistory(t, {
    "message/ses_a/msg_1.json": message,
    "part/msg_1/prt_1.json": part,
  });
  await importRows(t, { source: "opencode", root });
  const { redactions, ...told } = await t.run<Told & { unsure: number; quoted: number }>(
    "redactions",
  );
  assert.deepEqual([told.marks, told.unsure, told.quoted], [1, 1, 0]);
  assert.deepEqual(redactions.map(({ where, unsure }) => [where, unsure]), [["text", true]]);
});
