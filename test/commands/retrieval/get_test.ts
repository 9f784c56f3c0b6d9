// `ctx get`: pages, budgets, formats, sessions and what is missing.

import assert from "node:assert/strict";
import { getSessions } from "../../../src/read/get_sessions.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { tempStore, toLog } from "../../support/stores/temp_store.ts";

Deno.test("get shows one page and says where the next one starts", async () => {
  await using t = await tempStore({ entries: ["0123456789"] });
  assert.deepEqual(await t.run("get", { ids: ["H-H1"], head: 4, offset: 2 }), {
    layer: "L2",
    results: [{
      id: "H-H1",
      ts: "2026-01-01T10:00:00.000Z",
      role: "note",
      type: "note",
      session_id: undefined,
      title: undefined,
      tags: undefined,
      files: undefined,
      source: undefined,
      supersedes: undefined,
      refs: undefined,
      superseded_by: undefined,
      pool: "hot",
      text: "2345",
      offset: 2,
      truncated: true,
      next_offset: 6,
      original_chars: 10,
      estimated_tokens: 2,
    }],
    missing: [],
    skipped_ids: [],
    head: 4,
    estimated_tokens: 68,
  });
});

Deno.test("two entries with one id: each is reached by its session, with an index too", async () => {
  const rows = [
    { id: "H-1", text: "the first", session_id: "S-1" },
    { id: "H-0", text: "before", session_id: "S-2" },
    { id: "H-1", text: "the second", session_id: "S-2" },
    { id: "H-2", text: "after", session_id: "S-2" },
    { id: "H-9", text: "gone", session_id: "S-2" },
  ];
  await using t = await tempStore({ entries: rows });
  const filler = "x".repeat(1 << 20);
  for (const size of ["short", "long"]) {
    if (size === "long") {
      await t.run("forget", { ids: ["H-9"] });
      t.append("history.ndjson", toLog(Array.from({ length: 5 }, () => filler), "F"));
      await t.run("reindex", {}, {
        env: (name) => name === "CTX_EMBEDDER_KIND" ? "none" : undefined,
      });
    }
    const one = await t.run<Got>("get", { ids: ["H-1"] });
    assert.deepEqual(one.results.map(({ text }) => text), ["the first"]);
    const other = await t.run<Got>("get", { ids: ["H-1"], session: "S-2" });
    assert.deepEqual(other.results.map(({ text }) => text), ["the second"]);
    const around = await t.run<Timeline>("timeline", { id: "H-1", session: "S-2" });
    const shown = around.results.map(({ summary, anchor }) => anchor ? `(${summary})` : summary);
    assert.deepEqual(shown, [
      "before",
      "(the second)",
      "after",
      ...(size === "short" ? ["gone"] : []),
    ]);
    assert.equal((await t.fail("get", { ids: ["H-1"], session: "S-3" })).code, "NOT_FOUND");
  }
  assert.equal((await t.fail("forget", { ids: ["H-1"] })).code, "USAGE");
  const window = await t.run<Got & { sessions: { messages: { content: string }[] }[] }>("get", {
    ids: ["H-1"],
    session: "S-2",
    before: 1,
    after: 0,
  });
  const [{ messages }] = window.sessions;
  assert.deepEqual(messages.map(({ content }) => content), ["before", "the second"]);
});

Deno.test("get opens the logs as often for many ids as for one", async () => {
  const entries = ["S-1", "S-2", "S-3"].map((session_id, i) => ({ text: `said ${i}`, session_id }));
  await using t = await tempStore({ entries });
  const opened = async (ids: string[]): Promise<number> => {
    let count = 0;
    const files = {
      ...diskFiles,
      openReader: (path: string) => (count++, diskFiles.openReader(path)),
    };
    const options = { format: "full", session: "all", before: 1, after: 1 } as const;
    const { others, join } = await getSessions(t.open({ files }), ids, options);
    const { sessions } = join({ skipped_ids: [], estimated_tokens: 0 });
    assert.deepEqual([others, sessions.length], [[], ids.length]);
    return count;
  };
  for (const ids of [["H-H1", "H-H2", "H-H3"], ["S-1", "S-2", "S-3"]]) {
    const one = await opened(ids.slice(0, 1));
    assert.ok(one > 0);
    // Messages are read from where the catalog says that they are: one look for each session.
    assert.ok(await opened(ids) <= one + 2 * (ids.length - 1), ids.join());
  }
});

interface Timeline {
  results: { summary: string; anchor: boolean }[];
}

Deno.test("get on a pipe prints the page alone and tells the next offset on stderr", async () => {
  await using t = await tempStore({ entries: ["0123456789"] });
  const { code, stdout, stderr } = await t.ctx(["get", "H-H1", "--head", "4"]);
  assert.deepEqual({ code, stdout, stderr }, {
    code: 0,
    stdout: "0123",
    stderr: "ctx: more: --offset 4 for the next page, --head 0 for the whole text\n",
  });
});

Deno.test("get past the end gives an empty last page", async () => {
  await using t = await tempStore({ entries: ["abc"] });
  const { results: [item] } = await t.run<Got>("get", { ids: ["H-H1"], offset: 99 });
  assert.deepEqual([item.text, item.truncated, item.next_offset], ["", false, undefined]);
});

Deno.test("get lists unknown ids in missing and still gives the known ones", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  const got = await t.run<Got>("get", { ids: ["H-H2", "H-none", "H-H1"] });
  assert.deepEqual(got.results.map((item) => item.text), ["two", "one"]);
  assert.deepEqual(got.missing, ["H-none"]);
});

Deno.test("get puts what is over the budget into skipped_ids, in order", async () => {
  await using t = await tempStore({ entries: ["one two three four", "five six seven eight", "x"] });
  const got = await t.run<Got>("get", { ids: ["H-H1", "H-H2", "H-H3"], max_tokens: 100 });
  assert.deepEqual(got.results.map((item) => item.id), ["H-H1"]);
  assert.deepEqual(got.skipped_ids, ["H-H2", "H-H3"]);
  assert.ok(got.estimated_tokens <= 100);
});

Deno.test("get with a session shows nothing outside it", async () => {
  await using t = await tempStore({ entries: [{ text: "mine", session_id: "S-1" }, "other"] });
  const got = await t.run<Got>("get", { ids: ["H-H1", "H-H2"], session: "S-1" });
  assert.deepEqual(got.results.map((item) => item.id), ["H-H1"]);
  assert.deepEqual(got.missing, ["H-H2"]);
});

Deno.test("get tells which entry corrected the one it shows", async () => {
  await using t = await tempStore({ entries: ["old", { text: "new", supersedes: "H-H1" }] });
  const { results: [item] } = await t.run<Got>("get", { ids: ["H-H1"] });
  assert.equal(item.superseded_by, "H-H2");
});

Deno.test("get leaves out tool outputs, keeps the user's words, or shows first lines", async () => {
  await using t = await tempStore({
    entries: [
      { text: "output", role: "tool", type: "tool_output" },
      { text: "# Question\nwhy?", role: "user", type: "turn" },
    ],
  });
  const textsOf = async (format: string): Promise<string[]> =>
    (await t.run<Got>("get", { ids: ["H-H1", "H-H2"], format })).results.map(({ text }) => text);
  assert.deepEqual(await textsOf("full"), ["output", "# Question\nwhy?"]);
  assert.deepEqual(await textsOf("stripped"), [
    "[tool output left out: 6 characters]",
    "# Question\nwhy?",
  ]);
  assert.deepEqual(await textsOf("user_only"), ["", "# Question\nwhy?"]);
  assert.deepEqual(await textsOf("outline"), [
    "[tool] output (1 tokens)",
    "[user] Question (5 tokens)",
  ]);
});

interface Got {
  results: {
    id: string;
    text: string;
    truncated: boolean;
    next_offset?: number;
    superseded_by?: string;
  }[];
  missing: string[];
  skipped_ids: string[];
  estimated_tokens: number;
}
