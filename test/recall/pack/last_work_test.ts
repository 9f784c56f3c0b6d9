// The session told as where you left off is the newest of this project; on other branches than the main
// one, of this branch if there is one.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { keepKnown } from "../../../src/recall/pack/known.ts";
import { readPackItems } from "../../../src/recall/pack/pack_items.ts";
import { TempRepository } from "../../support/temp_repository.ts";
import { type TempStore, tempStore, testNow, toLog } from "../../support/stores/temp_store.ts";

const dayMs = 86_400_000;

function digest(id: string, daysAgo: number, more: Partial<Entry> = {}): Partial<Entry> {
  return {
    id,
    role: "note",
    type: "digest",
    ts: new Date(testNow - daysAgo * dayMs).toISOString(),
    text: `Work of ${id}`,
    session_id: `S-${id}`,
    record: { by: "rules", grade: "derived" },
    ...more,
  };
}

async function told(t: TempStore): Promise<string[]> {
  const { text } = await t.run<{ text: string }>("pack");
  return text.split("\n").filter((line) => line.includes("where you left off"))
    .map((line) => line.replace(/^- \[\S+\] where you left off[^:]*: /, ""));
}

async function onBranch(t: TempStore, branch: string): Promise<TempRepository> {
  const repository = new TempRepository(t.workspace);
  await repository.git("init", "-q", "-b", branch);
  return repository;
}

Deno.test("where you left off is the newest session, whatever was used or saved before", async () => {
  const uptake = {
    ts: new Date(testNow).toISOString(),
    event: "uptake",
    conversation: "c-1",
    given: ["H-1"],
    used: ["H-1"],
  };
  await using t = await tempStore({
    entries: [
      digest("H-1", 1),
      digest("H-2", 0),
      digest("H-3", 2, { record: undefined }),
      digest("H-4", 3, { record: { by: "agent" } }),
    ],
    files: { "injections.ndjson": JSON.stringify(uptake) + "\n" },
  });
  assert.deepEqual(await told(t), ["Work of H-2"]);
});

Deno.test("an older session is not where you left off, though little is sure about the last", async () => {
  const candidate = { by: "rules", grade: "candidate" };
  await using t = await tempStore({
    entries: [
      digest("H-1", 2),
      digest("H-2", 1, { record: candidate, files: ["src/scale.ts"] }),
    ],
  });
  assert.deepEqual(await told(t), []);
  await using planned = await tempStore({
    entries: [digest("H-1", 2), digest("H-2", 1, { record: { ...candidate, work: true } })],
  });
  assert.deepEqual(await told(planned), []);
  await keepKnown(planned.open(), { nowMs: testNow, workspace: planned.workspace });
  assert.deepEqual(await told(planned), [], "also from what is kept ready");
  // A session that only asked something left no work.
  await using asked = await tempStore({
    entries: [digest("H-1", 2), digest("H-2", 1, { record: candidate })],
  });
  assert.deepEqual(await told(asked), ["Work of H-1"]);
});

Deno.test("a session of this branch is told before a newer one of another branch, which is named", async () => {
  await using t = await tempStore({
    entries: [digest("H-a", 0, { branch: "feature-a" }), digest("H-b", 9, { branch: "feature-b" })],
  });
  assert.deepEqual(await told(t), ["Work of H-a"], "no branch is known");
  const repository = await onBranch(t, "feature-b");
  assert.deepEqual(await told(t), ["Work of H-b"]);
  await repository.git("checkout", "-q", "-b", "feature-c");
  assert.deepEqual(await told(t), ["On branch feature-a: Work of H-a"]);
});

Deno.test("on the main branch, the last session of any branch is told", async () => {
  await using t = await tempStore({
    entries: [digest("H-a", 0, { branch: "feature-a" }), digest("H-m", 9, { branch: "main" })],
  });
  await onBranch(t, "main");
  assert.deepEqual(await told(t), ["On branch feature-a: Work of H-a"]);
});

Deno.test("a session of another project is never told; one of a worktree is", async () => {
  const far = digest("H-far", 0, { project: "/other/project" });
  await using alone = await tempStore({ entries: [far] });
  assert.deepEqual(await told(alone), []);
  await using t = await tempStore();
  const rows = [
    far,
    digest("H-tree", 1, {
      project: `${t.workspace}-tree/src`,
      branch: "tree",
      record: { by: "agent" },
    }),
    digest("H-own", 2, { project: t.workspace, branch: "gone" }),
  ];
  t.write("history.ndjson", toLog(rows));
  const repository = await onBranch(t, "main");
  assert.deepEqual(await told(t), ["On branch gone: Work of H-own"]);
  await repository.commit("Begin", { "a.ts": "one\n" });
  await repository.git("worktree", "add", "-q", "-b", "tree", `${t.workspace}-tree`);
  try {
    assert.deepEqual(await told(t), ["On branch tree: Work of H-tree"]);
  } finally {
    await Deno.remove(`${t.workspace}-tree`, { recursive: true });
  }
});

Deno.test("no older session is told in place of one whose outcome is told", async () => {
  await using t = await tempStore({
    entries: [
      digest("H-old", 1),
      digest("H-new", 0),
      { id: "H-out", role: "note", type: "outcome", text: "It is done", session_id: "S-H-new" },
    ],
  });
  assert.deepEqual(await told(t), []);
  await t.run("forget", { ids: ["H-out"] });
  assert.deepEqual(await told(t), ["Work of H-new"]);
});

Deno.test("what is kept ready has the newest session of a branch, however many others there are", async () => {
  const many = Array.from(
    { length: 120 },
    (_, n) => digest(`H-n${n}`, 1 + n / 1000, { branch: "busy", record: { by: "agent" } }),
  );
  await using t = await tempStore({
    entries: [
      ...many,
      digest("H-new", 0, { branch: "busy" }),
      digest("H-m", 40, { branch: "quiet" }),
    ],
  });
  await onBranch(t, "quiet");
  await keepKnown(t.open(), {
    nowMs: testNow,
    workspace: t.workspace,
    standing: new Map([["H-new", 0.5], ["H-m", 0.5]]),
  });
  const { rows } = JSON.parse(t.read("index/known.json")).known;
  assert.deepEqual(rows.slice(0, 2).map(({ id }: Entry) => id), ["H-new", "H-m"]);
  assert.equal(rows.length, 96);
  assert.deepEqual(await told(t), ["Work of H-m"]);
});

Deno.test("what git would not commit is not told as not committed", async () => {
  const files = [".env", "out/a.js", "nested/n.txt", "src/cache/b.ts", "src/a.ts"];
  const entries = [digest("H-1", 0, { files: ["../x.ts", ...files] })];
  await using t = await tempStore({ entries });
  const repository = await onBranch(t, "main");
  await repository.commit("Begin", { ".gitignore": ".env\nout/\n", "src/.gitignore": "cache\n" });
  await repository.git("init", "-q", "nested");
  repository.write(Object.fromEntries(files.map((name) => [name, "new\n"])));
  assert.deepEqual(await told(t), ["Work of H-1 Not committed: src/a.ts."]);
  const twice = ["src/a.ts", `${t.workspace}/src/a.ts`];
  const named = digest("H-2", 0, { text: "Edited: src/a.ts.", files: twice });
  t.write("history.ndjson", toLog([named]));
  assert.deepEqual(await told(t), ["Edited: src/a.ts. Not committed."]);
});

Deno.test("projects and files on Windows are told apart by their whole paths", async () => {
  await using t = await tempStore({
    entries: [
      digest("H-far", 0, { project: "C:\\other" }),
      digest("H-own", 1, { project: "c:\\shop", files: ["C:\\shop\\a.ts", "b.ts"] }),
    ],
  });
  assert.deepEqual(await told(t), []);
  const scope = { nowMs: testNow, workspace: "C:\\shop", most: 64 };
  const { items, lastWork: { edited } } = await readPackItems(t.open(), scope);
  assert.deepEqual(items.map(({ id }) => id), ["H-own"]);
  assert.deepEqual(edited, ["C:/shop/a.ts", "C:/shop/b.ts"]);
});

Deno.test("what is committed here is told with what is not, and not once something else is committed", async () => {
  const line = "Committed: feat: read the weighing scale; test: cover the scale. " +
    "Last check: `deno test` passed.";
  await using t = await tempStore({ entries: [digest("H-1", 1, { text: line, files: ["a.ts"] })] });
  const repository = await onBranch(t, "main");
  await repository.commit("feat: read the weighing scale", { "a.ts": "a\n" });
  await repository.commit("test: cover the scale", { "b.ts": "b\n" });
  assert.deepEqual(await told(t), [], "git's log says all of that");
  repository.write({ "a.ts": "b\n" });
  const open = `${line} Not committed: a.ts.`;
  assert.deepEqual(await told(t), [open]);
  await repository.git("checkout", "-q", "-b", "other");
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--no-ff", "-m", "Merge branch 'other'", "other");
  assert.deepEqual(await told(t), [open], "a merge is no work of its own");
  await repository.commit("Something else", { "c.ts": "b\n" });
  repository.write({ "a.ts": "c\n" });
  assert.deepEqual(await told(t), []);
});

Deno.test("a task is where you left off while its files are not committed, and nothing else is since", async () => {
  const text = "Show the weight in grams. Edited: src/a.ts.";
  const row = (ts: number) =>
    toLog([digest("H-1", 0, { text, ts: new Date(ts).toISOString(), files: ["src/a.ts"] })]);
  await using t = await tempStore();
  const repository = await onBranch(t, "main");
  await repository.commit("Begin", { "src/a.ts": "a\n" });
  const committed = Date.parse(await repository.git("log", "-1", "--format=%cI"));
  t.write("history.ndjson", row(committed + 5_000));
  assert.deepEqual(await told(t), [], "all of it is committed");
  repository.write({ "src/a.ts": "b\n" });
  assert.deepEqual(await told(t), [`${text} Not committed.`]);
  t.write("history.ndjson", row(committed - dayMs));
  assert.deepEqual(await told(t), [], "there is a newer commit");
});

Deno.test("work on another branch is told while that is as it was left, and not once it is merged", async () => {
  const feature = "Committed: feat: read the weighing scale; test: cover the scale.";
  await using t = await tempStore();
  const repository = await onBranch(t, "main");
  repository.wait(25);
  await repository.commit("Begin", { "a.ts": "a\n" });
  const begun = Date.parse(await repository.git("log", "-1", "--format=%cI"));
  const write = (text: string): void => {
    const ts = new Date(begun).toISOString();
    t.write("history.ndjson", toLog([digest("H-1", 0, { text, branch: "scale", ts })]));
  };
  write(feature);
  assert.deepEqual(await told(t), [], "there is no such branch");
  await repository.git("checkout", "-q", "-b", "scale");
  await repository.commit("feat: read the weighing scale", { "a.ts": "b\n" });
  await repository.commit("test: cover the scale", { "b.ts": "b\n" });
  await repository.git("checkout", "-q", "main");
  assert.deepEqual(await told(t), [`On branch scale: ${feature}`]);
  await repository.git("checkout", "-q", "-b", "rest");
  assert.deepEqual(await told(t), [`On branch scale: ${feature}`]);
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--squash", "scale");
  await repository.git("commit", "-q", "-m", "Weighing (#7)", "-m", "* test: cover the scale");
  await repository.git("checkout", "-q", "rest");
  assert.deepEqual(await told(t), [], "a pull request was squashed");
  await repository.git("checkout", "-q", "main");
  await repository.git("reset", "-q", "--hard", "HEAD~1");
  await repository.git("merge", "-q", "--ff-only", "scale");
  assert.deepEqual(await told(t), [], "git's log has it");
  await repository.git("reset", "-q", "--hard", "HEAD~2");
  await repository.git("checkout", "-q", "rest");
  assert.deepEqual(await told(t), [`On branch scale: ${feature}`]);
  write(feature);
  await repository.commit("Something else", { "c.ts": "b\n" });
  assert.deepEqual(await told(t), [], "other work was committed since");
});

Deno.test("what a branch began with does not say that the work on it is merged", async () => {
  const text = "Committed: chore: sharpen the labels; feat: read the weighing scale.";
  await using t = await tempStore();
  const repository = await onBranch(t, "main");
  repository.wait(25);
  await repository.commit("Begin", { "a.ts": "a\n" });
  await repository.git("checkout", "-q", "-b", "rest");
  await repository.git("checkout", "-q", "main");
  await repository.commit("chore: sharpen the labels", { "b.ts": "b\n" });
  await repository.git("checkout", "-q", "-b", "scale");
  await repository.commit("feat: read the weighing scale", { "a.ts": "b\n" });
  const ts = await repository.git("log", "-1", "--format=%cI");
  t.write("history.ndjson", toLog([digest("H-1", 0, { text, branch: "scale", ts })]));
  for (const branch of ["main", "rest"]) {
    await repository.git("checkout", "-q", branch);
    assert.deepEqual(await told(t), [`On branch scale: ${text}`], branch);
  }
  await repository.git("branch", "-q", "-f", "main", "scale");
  assert.deepEqual(await told(t), [], "it is merged as it is");
  await repository.git("branch", "-q", "-f", "main", "scale~");
  await repository.git("checkout", "-q", "main");
  await repository.commit("feat: read", { "c.ts": "c\n" });
  await repository.git("checkout", "-q", "rest");
  assert.deepEqual(await told(t), [`On branch scale: ${text}`], "few words may be in any line");
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--squash", "scale");
  await repository.git("commit", "-q", "-m", "feat: read the weighing scale (#8)");
  assert.deepEqual(await told(t), [], "it is merged here");
  await repository.git("checkout", "-q", "rest");
  assert.deepEqual(await told(t), [], "it is merged elsewhere");
});

Deno.test("what rules found in a commit or an answer is told at one start, and offered in review", async () => {
  const found = (id: string, narrow: boolean | "once"): Partial<Entry> => ({
    ...digest(id, 0.5),
    type: "decision",
    title: "Weighing",
    text: narrow === "once"
      ? "Labels need a second print after the table was moved"
      : `Weigh twice because the ${narrow ? "old" : "new"} scale drifts`,
    record: { by: "rules", grade: "derived", ...(narrow ? { narrow } : {}) },
  });
  await using t = await tempStore({
    entries: [found("H-typed", false), found("H-chosen", true), found("H-once", "once")],
  });
  const start = (conversation: string): string =>
    `${
      JSON.stringify({
        ts: new Date(testNow).toISOString(),
        agent: "claude-code",
        conversation,
        event: "SessionStart",
        lines: [{ id: "H-typed", tokens: 9 }, { id: "H-chosen", tokens: 9 }, {
          id: "H-once",
          tokens: 9,
        }],
        tokens: 27,
      })
    }\n`;
  const told = async (): Promise<string[]> => {
    const { text } = await t.run<{ text: string }>("pack");
    return text.match(/H-\w+/g)?.sort() ?? [];
  };
  assert.deepEqual(await told(), ["H-chosen", "H-once", "H-typed"]);
  t.write("injections.ndjson", start("c-1"));
  assert.deepEqual(await told(), ["H-typed"]);
  const { lines } = await t.run<{ lines: { id: string }[] }>("review list", { all: true });
  assert.deepEqual(lines.map(({ id }) => id).sort(), ["H-chosen", "H-once"]);
});

Deno.test("what rules found in a commit or an answer is told on its own branch, new, and where it is lasting", async () => {
  const found = (id: string, more: Partial<Entry>, narrow: unknown = true): Partial<Entry> => ({
    ...digest(id, 0.5, more),
    type: "decision",
    text: `Weigh twice because the ${id} scale drifts`,
    record: { by: "rules", grade: "derived", narrow },
  });
  await using t = await tempStore({
    entries: [
      found("H-here", { branch: "scale" }),
      found("H-main", { branch: "main" }),
      found("H-beside", { branch: "labels" }),
      found("H-silent", { branch: "scale" }, "silent"),
      found("H-old", { branch: "scale", ts: new Date(testNow - 1.1 * dayMs).toISOString() }),
      found(
        "H-once",
        { branch: "labels", ts: new Date(testNow - 2 * dayMs).toISOString() },
        "once",
      ),
    ],
  });
  await onBranch(t, "scale");
  const { text } = await t.run<{ text: string }>("pack");
  assert.deepEqual(text.match(/H-\w+(?=\])/g)?.sort(), ["H-here", "H-main", "H-once"]);
});

Deno.test("what rules found is told at starts for three days of work, a demand for longer", async () => {
  const found = (type: string, daysAgo: number): Partial<Entry> => ({
    ...digest(`H-${type}-${daysAgo}`, daysAgo),
    type,
    text: `The ${type} of ${daysAgo} days ago about weighing`,
  });
  await using t = await tempStore({
    entries: [found("decision", 2), found("decision", 6), found("fix", 7), found("preference", 9)],
  });
  const { text } = await t.run<{ text: string }>("pack");
  assert.deepEqual(text.match(/H-\w+-\d/g), ["H-preference-9", "H-decision-2"]);
  t.write("history.ndjson", toLog([found("decision", 6), found("fix", 7)]));
  const { text: later } = await t.run<{ text: string }>("pack");
  assert.deepEqual(later.match(/H-\w+-\d/g), ["H-decision-6", "H-fix-7"], "after a pause");
});

Deno.test("what sessions of the days before left uncommitted on this branch is named too", async () => {
  const line = "Committed: feat: read the weighing scale. Last check: `deno test` passed.";
  const entries = [
    digest("H-1", 9, { files: ["old.ts"], branch: "main" }),
    digest("H-2", 1, { files: ["src/page.ts", "a.ts"], branch: "main" }),
    digest("H-3", 1, { files: ["beside.ts"], branch: "side" }),
    digest("H-4", 0, { text: line, files: ["a.ts"], branch: "main" }),
  ];
  await using t = await tempStore({ entries });
  const repository = await onBranch(t, "main");
  await repository.commit("feat: read the weighing scale", { "a.ts": "a\n" });
  repository.write({ "src/page.ts": "p\n", "old.ts": "o\n", "beside.ts": "b\n" });
  assert.deepEqual(await told(t), [`${line} Not committed: src/page.ts.`]);
  repository.write({ "a.ts": "b\n" });
  assert.deepEqual(await told(t), [`${line} Not committed: a.ts, src/page.ts.`]);
});
