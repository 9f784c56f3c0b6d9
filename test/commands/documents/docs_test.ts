// Collections: files in, sections searchable; what changed is told in numbers, and nothing more is
// written than changed.

import assert from "node:assert/strict";
import { findCommand } from "../../../src/commands/mod.ts";
import type { SyncResult } from "../../../src/intake/documents/sync.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

type Rows = { results: { id: string; document: string; section: string }[]; total: number };

/** A workspace with three documents in a collection. */
async function handbook(): Promise<TempStore> {
  const t = await tempStore({ entries: ["The installer of history"] });
  await write(t, "docs/guide.md", "# Guide\n\nHello.\n\n## Install\n\nRun the installer.\n");
  await write(t, "docs/deep/faq.md", "# FAQ\n\nWhy? Because.\n");
  await write(t, "docs/notes.txt", "plain words about queues\n");
  await t.run("docs add", { name: "handbook", paths: ["docs"] });
  return t;
}

async function write(t: TempStore, name: string, text: string): Promise<void> {
  const path = `${t.workspace}/${name}`;
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(path, text);
}

async function sync(t: TempStore): Promise<Partial<SyncResult>> {
  const { collections } = await t.run<{ collections: SyncResult[] }>("docs sync");
  const { added, updated, removed, unchanged, sections_added, sections_removed } = collections[0];
  return { added, updated, removed, unchanged, sections_added, sections_removed };
}

Deno.test("docs sync with nothing changed writes nothing", async () => {
  await using t = await handbook();
  const before = t.bytes("history.ndjson");
  const revision = t.open().readState().revision;
  assert.deepEqual(await sync(t), {
    added: 0,
    updated: 0,
    removed: 0,
    unchanged: 3,
    sections_added: 0,
    sections_removed: 0,
  });
  assert.deepEqual(t.bytes("history.ndjson"), before);
  assert.equal(t.open().readState().revision, revision);
});

Deno.test("docs sync writes only sections that changed, and the others keep their ids", async () => {
  await using t = await handbook();
  const outline = async (): Promise<string[]> =>
    (await t.run<{ sections: { id: string }[] }>("docs outline", { document: "guide.md" }))
      .sections.map(({ id }) => id);
  const [guide, install] = await outline();
  await write(t, "docs/guide.md", "# Guide\n\nHello.\n\n## Install\n\nRun the new installer.\n");
  assert.deepEqual(await sync(t), {
    added: 0,
    updated: 1,
    removed: 0,
    unchanged: 2,
    sections_added: 1,
    sections_removed: 1,
  });
  const after = await outline();
  assert.equal(after[0], guide);
  assert.notEqual(after[1], install);
  assert.deepEqual((await t.fail("get", { ids: [install] })).code, "NOT_FOUND");
  assert.equal((await sync(t)).unchanged, 3);
});

Deno.test("docs sync settles after a section was only removed", async () => {
  await using t = await handbook();
  await write(t, "docs/guide.md", "# Guide\n\nHello.\n\n");
  assert.equal((await sync(t)).updated, 1);
  const again = await sync(t);
  assert.deepEqual([again.updated, again.unchanged], [0, 3]);
});

Deno.test("docs sync buries the sections of removed files and takes up new ones", async () => {
  await using t = await handbook();
  await Deno.remove(`${t.workspace}/docs/deep/faq.md`);
  await write(t, "docs/new.md", "# New\n\nFresh words.\n");
  assert.deepEqual(await sync(t), {
    added: 1,
    updated: 0,
    removed: 1,
    unchanged: 2,
    sections_added: 1,
    sections_removed: 1,
  });
  const found = await t.run<Rows>("search", { query: "because", scope: "docs" });
  assert.equal(found.total, 0);
  assert.match(t.read("history.ndjson"), /"type":"tombstone"/);
});

Deno.test("documents are searched beside history, alone with --scope docs, not with history", async () => {
  await using t = await handbook();
  const all = await t.run<Rows>("search", { query: "installer" });
  assert.deepEqual(all.results.map(({ document }) => document).sort(), [
    "docs/guide.md",
    undefined,
  ]);
  for (
    const query of [{ query: "installer", scope: "history" }, { query: "installer scope:hot" }]
  ) {
    const history = await t.run<Rows>("search", query);
    assert.deepEqual(history.results.map(({ id }) => id), ["H-H1"]);
  }
  const docs = await t.run<Rows>("search", { query: "installer", scope: "docs" });
  assert.deepEqual(docs.results.map((row) => [row.document, row.section]), [
    ["docs/guide.md", "Guide › Install"],
  ]);
  const named = await t.run<Rows>("search", { query: "installer", collections: ["handbook"] });
  assert.equal(named.total, 1);
  const other = await t.fail("search", { query: "installer", collections: ["other"] });
  assert.match(other.message, /collection "other": no such value; known: handbook$/);
  const typed = await t.run<Rows>("search", { query: "installer collection:handbook" });
  assert.equal(typed.total, 1);
});

Deno.test("docs section gives the section with what is under it, word for word", async () => {
  await using t = await handbook();
  const { results } = await t.run<{ results: { text: string }[] }>("docs section", {
    document: "guide.md",
    heading: "guide",
  });
  assert.equal(
    results.map(({ text }) => text).join(""),
    "# Guide\n\nHello.\n\n## Install\n\nRun the installer.\n",
  );
  const error = await t.fail("docs section", { document: "guide.md", heading: "instell" });
  assert.equal(
    error.message,
    'Cannot find section "instell" in "guide.md" (did you mean "Install"?)',
  );
});

Deno.test("a document may be named by the end of its path, when that is clear", async () => {
  await using t = await handbook();
  await write(t, "docs/deep/guide.md", "# Other guide\n");
  await t.run("docs sync");
  assert.equal((await t.fail("docs outline", { document: "guide.md" })).code, "USAGE");
  const { document } = await t.run("docs outline", { document: "deep/guide.md" });
  assert.equal(document, "docs/deep/guide.md");
  assert.equal((await t.fail("docs outline", { document: "none.md" })).code, "NOT_FOUND");
});

Deno.test("a workspace's collection cannot reach outside, whatever its list says", async () => {
  await using t = await handbook();
  const outside = await Deno.makeTempDir({ prefix: "ctx-outside-" });
  try {
    await Deno.writeTextFile(`${outside}/secret.md`, "# Secret\n");
    await Deno.symlink(outside, `${t.workspace}/docs/link`);
    for (const path of [outside, `${t.workspace}/docs/link`, "../x"]) {
      const error = await t.fail("docs add", { name: "evil", paths: [path] });
      assert.ok(["DENIED", "NOT_FOUND"].includes(error.code), `${path}: ${error.code}`);
    }
    t.append(
      "collections.ndjson",
      JSON.stringify({
        event: "added",
        collection: "cloned",
        ts: "2026-01-01T00:00:00.000Z",
        sources: [outside, "../../etc"],
      }) + "\n",
    );
    assert.equal((await t.fail("docs sync", { names: ["cloned"] })).code, "DENIED");
    await t.run("docs sync", { names: ["handbook"] });
    const found = await t.run<Rows>("search", { query: "secret", scope: "docs" });
    assert.equal(found.total, 0);
  } finally {
    await Deno.remove(outside, { recursive: true });
  }
});

Deno.test("secrets in documents are redacted, and the document still counts as unchanged", async () => {
  await using t = await handbook();
  await write(t, "docs/env.md", "# Env\n\nAWS key AKIAQ3EGRTYUIOPASDFG here.\n");
  await t.run("docs sync");
  assert.doesNotMatch(t.read("history.ndjson"), /AKIAQ3EG/);
  assert.equal((await sync(t)).unchanged, 4);
});

Deno.test("a user's own collection is found from every workspace, unless it is left out", async () => {
  await using t = await handbook();
  await using home = await tempStore({ init: false });
  await Deno.writeTextFile(`${home.workspace}/style.md`, "# Style\n\nSmall files are kind.\n");
  const env = (name: string): string | undefined => name === "HOME" ? home.workspace : undefined;
  const paths = [`${home.workspace}/style.md`];
  await t.run("docs add", { name: "style", paths, global: true }, { env });
  const query = { query: "small files", scope: "docs" };
  const found = await t.run<Rows>("search", query, { env });
  assert.equal(found.total, 1);
  const got = await t.run<{ results: { text: string; collection: string }[] }>("get", {
    ids: [found.results[0].id],
  }, { env });
  assert.deepEqual([got.results[0].collection, got.results[0].text], [
    "style",
    "# Style\n\nSmall files are kind.\n",
  ]);
  assert.equal((await t.run<Rows>("search", { ...query, global: false }, { env })).total, 0);
  const { collections } = await t.run<{ collections: { name: string; global: boolean }[] }>(
    "docs list",
    {},
    { env },
  );
  assert.deepEqual(collections.map(({ name, global }) => [name, global]), [
    ["handbook", false],
    ["style", true],
  ]);
});

Deno.test("a word that one of two stores has is corrected in neither", async () => {
  await using t = await handbook();
  await using home = await tempStore({ init: false });
  const env = (name: string): string | undefined => name === "HOME" ? home.workspace : undefined;
  await write(t, "docs/tool.md", "# Tool\n\nThe contxtfs tool is old.\n");
  await t.run("docs sync");
  const sections = [1, 2, 3].map((i) => `# Part ${i}\n\nThe contextfs pipeline has part ${i}.\n`);
  await Deno.writeTextFile(`${home.workspace}/style.md`, sections.join("\n"));
  const paths = [`${home.workspace}/style.md`];
  await t.run("docs add", { name: "style", paths, global: true }, { env });
  const query = { query: "contxtfs pipelnie", scope: "docs" };
  const { retrieval } = await t.run<{ retrieval: { corrected?: object } }>("search", query, {
    env,
  });
  assert.deepEqual(retrieval.corrected, { pipelnie: "pipeline" });
});

Deno.test("docs remove forgets the sections and leaves the files", async () => {
  await using t = await handbook();
  assert.equal((await t.run("docs remove", { name: "handbook" })).forgotten, 4);
  assert.deepEqual(t.ids(), ["H-H1"]);
  assert.ok((await Deno.stat(`${t.workspace}/docs/guide.md`)).isFile);
  await t.run("docs add", { name: "handbook", paths: ["docs"] });
  assert.equal((await t.run<Rows>("search", { query: "installer", scope: "docs" })).total, 1);
});

Deno.test("binary files are passed over and said so", async () => {
  await using t = await handbook();
  await Deno.writeFile(`${t.workspace}/docs/bin.md`, Uint8Array.of(35, 0, 1, 2));
  const { collections } = await t.run<{ collections: SyncResult[] }>("docs sync");
  assert.deepEqual(collections[0].skipped, [{
    document: "docs/bin.md",
    reason: "not a text file",
  }]);
});

Deno.test("what docs sync could not read is told, keeps its sections, and does not stop the rest", async () => {
  await using t = await handbook();
  const before = t.ids();
  await Deno.writeTextFile(`${t.workspace}/docs/new.md`, "# New\n\nSection.\n");
  // While the collection is read, a directory takes the place of a file: nobody can read that.
  const guide = `${t.workspace}/docs/guide.md`;
  const progress = (): void => {
    if (!Deno.statSync(guide).isFile) return;
    Deno.removeSync(guide);
    Deno.mkdirSync(guide);
  };
  const result = await t.run<{ collections: SyncResult[] }>("docs sync", {}, { progress });
  const [{ unreadable, added, removed }] = result.collections;
  assert.deepEqual(unreadable.map(({ document }) => document), ["docs/guide.md"]);
  assert.deepEqual([added, removed], [1, 0]);
  assert.deepEqual(t.ids().slice(0, before.length), before);
  const command = await findCommand("docs sync");
  assert.equal(command?.failure?.(result), "INCOMPLETE");
});

Deno.test(
  "a collection that docs sync refuses is told, keeps its sections, and does not stop the rest",
  {
    ignore: notOnWindows("links need a privilege"),
  },
  async () => {
    await using t = await tempStore();
    await write(t, "x/one.md", "# One\n\nFirst.\n");
    await write(t, "docs/two.md", "# Two\n\nSecond.\n");
    await t.run("docs add", { name: "aa", paths: ["x"] });
    await t.run("docs add", { name: "bb", paths: ["docs"] });
    const before = t.ids();
    await Deno.remove(`${t.workspace}/x`, { recursive: true });
    await Deno.symlink(t.home, `${t.workspace}/x`);
    await write(t, "docs/three.md", "# Three\n\nThird.\n");
    const { code, stdout, stderr } = await t.ctx(["docs", "sync", "--json"]);
    assert.equal(code, 9, stderr);
    const { collections } = JSON.parse(stdout) as { collections: SyncResult[] };
    const reason = 'Cannot use "x": it is outside the workspace';
    assert.deepEqual(
      collections.map(({ collection, added, removed, unreadable }) => [
        collection,
        added,
        removed,
        unreadable,
      ]),
      [["aa", 0, 0, [{ document: "x", reason }]], ["bb", 1, 0, []]],
    );
    assert.deepEqual(t.ids().slice(0, before.length), before);
    assert.equal((await t.ctx(["docs", "sync", "aa"])).code, 7);
  },
);

Deno.test("the timeline of a section is its document, and notes keep theirs free of documents", async () => {
  await using t = await handbook();
  const { sections } = await t.run<{ sections: { id: string }[] }>("docs outline", {
    document: "guide.md",
  });
  const window = await t.run<{ results: { id: string }[] }>("timeline", { id: sections[0].id });
  assert.deepEqual(window.results.map(({ id }) => id), sections.map(({ id }) => id));
  const note = await t.run<{ results: { id: string }[] }>("timeline", { id: "H-H1" });
  assert.deepEqual(note.results.map(({ id }) => id), ["H-H1"]);
});

Deno.test("docs add without a path takes what has the collection's name, or says what is missing", async () => {
  await using t = await tempStore();
  Deno.mkdirSync(`${t.workspace}/guide`);
  Deno.writeTextFileSync(`${t.workspace}/guide/a.md`, "# Tides\n\nThey turn twice a day.\n");
  const added = await t.run<{ sources: string[] }>("docs add", { name: "guide" });
  assert.deepEqual(added.sources, ["guide"]);
  await assert.rejects(t.run("docs add", { name: "handbook" }), {
    message: 'Cannot add to "handbook": no path was given, and nothing here has that name',
    hint: "ctx docs add handbook PATH",
  });
});
