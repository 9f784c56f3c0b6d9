import assert from "node:assert/strict";
import { diskFiles } from "../../../../src/disk/files.ts";
import { layoutOf } from "../../../../src/disk/layout.ts";
import { isWorded } from "../../../../src/code/git/is_worded.ts";
import { markLines } from "../../../../src/code/git/line_marks.ts";
import { type CodeGraph, openGraph } from "../../../../src/recall/edit/graph/code_graph.ts";
import { countTerms } from "../../../../src/recall/edit/graph/count_terms.ts";
import { refreshGraph } from "../../../../src/recall/edit/graph/refresh_graph.ts";
import { filesIn, readWords, stemWords } from "../../../../src/recall/edit/graph/word_facts.ts";
import { isFormatting } from "../../../../src/recall/edit/signals/edit_facts.ts";
import { EditLikeness } from "../../../../src/recall/edit/signals/edit_likeness.ts";

const sources = {
  "docs/COMMANDS.md": "# Commands\n",
  "docs/generate.ts": 'import { page } from "./page.ts";\nwrite("docs/COMMANDS.md", page());\n',
  "docs/page.ts": "export function page(): string {\n  return rareName();\n}\n",
  "src/chat.ts": "export const rareName = 1;\n",
  "src/chat_session.ts": "chat();\n",
  "data/big.json": '{"rareName": 1}\n',
};

Deno.test("refreshGraph() knows who holds a name and who names a file, but not what data holds", async () => {
  const work = await makeTree();
  using graph = openGraph(diskFiles, layoutOf(work))!;
  const paths = pathsOf(graph);
  assert.deepEqual(paths(graph.findHolders("rareName")), ["docs/page.ts", "src/chat.ts"]);
  assert.deepEqual(paths(graph.findNaming("docs/COMMANDS.md")), ["docs/generate.ts"]);
  assert.deepEqual(paths(graph.findNaming("docs/page.ts")), [], "imports are not names");
  assert.deepEqual(paths(graph.findCalled("chat")), ["src/chat.ts", "src/chat_session.ts"]);
  assert.equal(graph.find("docs/COMMANDS.md"), undefined, "it is no source");
  await Deno.remove(work, { recursive: true });
});

Deno.test("refreshGraph() reads only words that changed, and a reader sees them at once", async () => {
  const work = await makeTree();
  const options = { files: diskFiles, layout: layoutOf(work) };
  assert.equal((await refreshGraph(options)).parsed, 0);
  Deno.writeTextFileSync(`${work}/docs/COMMANDS.md`, "Say otherName.\n");
  Deno.writeTextFileSync(`${work}/docs/fresh.md`, "Say rareName.\n");
  Deno.removeSync(`${work}/docs/page.ts`);
  const { parsed, removed, rebuilt } = await refreshGraph(options);
  assert.deepEqual([parsed, removed, rebuilt], [2, 1, false], "a new document is no new source");
  {
    using graph = openGraph(diskFiles, options.layout)!;
    const paths = pathsOf(graph);
    assert.deepEqual(paths(graph.findHolders("rareName")), ["docs/fresh.md", "src/chat.ts"]);
    assert.deepEqual(paths(graph.findHolders("otherName")), ["docs/COMMANDS.md"]);
  }
  Deno.writeTextFileSync(`${work}/docs/fresh.md`, "Say thirdName.\n");
  assert.equal((await refreshGraph({ ...options, only: ["docs/fresh.md"] })).parsed, 1);
  await Deno.remove(work, { recursive: true });
});

Deno.test("EditLikeness tells how alike files and texts are to an edit, changed ones too", async () => {
  const work = await makeTree();
  const options = { files: diskFiles, layout: layoutOf(work) };
  const likeTo = (text: string): (path: string) => number => {
    using graph = openGraph(diskFiles, options.layout)!;
    const likeness = new EditLikeness(graph, countTerms(text));
    assert.equal(likeness.toText([...countTerms("nothing of that").keys()]), 0);
    assert.ok(likeness.toText([...countTerms(text).keys()]) > 0.9);
    const found = new Map(Object.keys(sources).map((path) => [path, likeness.toFile(path)]));
    return (path) => found.get(path)!;
  };
  const before = likeTo("rareName(page)");
  assert.ok(before("docs/page.ts") > 0 && before("src/chat.ts") > 0);
  assert.deepEqual([before("src/chat_session.ts"), before("data/big.json")], [0, 0]);
  Deno.writeTextFileSync(`${work}/src/chat_session.ts`, "page(rareName);\nrareName;\n");
  await refreshGraph(options);
  const after = likeTo("rareName(page)");
  assert.ok(after("src/chat_session.ts") >= after("docs/page.ts"));
  await Deno.remove(work, { recursive: true });
});

Deno.test("countTerms() has identifiers whole and in parts", () => {
  const terms = countTerms("readManifest(read_all); HTTPServer");
  const all = ["readmanifest", "read", "manifest", "read_all", "all", "httpserver", "server"];
  for (const term of all) assert.ok(terms.has(term), term);
  assert.equal(terms.get("read"), 2);
});

Deno.test("words of names and files are what they are called by", () => {
  assert.deepEqual(stemWords("src/cli/processes/chat_session.ts"), ["chat", "session"]);
  assert.deepEqual(stemWords("src/commands/mod.ts"), []);
  assert.deepEqual(stemWords("LICENSE"), ["license"]);
  assert.deepEqual(filesIn('import a from "./a.ts";\nopen("../b/log.ndjson");'), ["b/log.ndjson"]);
});

Deno.test("an edit that moves things about is formatting; lines are told apart, brackets not", () => {
  const hunk = { line: 1, removed: ["call(a, b);"], added: ["call(", "  a,", "  b,", ");"] };
  assert.ok(!isFormatting([]) && !isFormatting([{ ...hunk, added: ["call(a);"] }]));
  assert.ok(isFormatting([{ ...hunk, added: ["call(", "  a,", "  b", ");"] }]));
  assert.equal(markLines(["  return value;", "}", "return value;  "]).length, 2);
  assert.deepEqual(markLines(["  return value;"]), markLines(["return value;  "]));
});

async function makeTree(): Promise<string> {
  const work = await Deno.makeTempDir({ prefix: "ctx-words-" });
  for (const [path, text] of Object.entries(sources)) {
    Deno.mkdirSync(`${work}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
    Deno.writeTextFileSync(`${work}/${path}`, text);
  }
  await refreshGraph({ files: diskFiles, layout: layoutOf(work) });
  return work;
}

function pathsOf(graph: CodeGraph): (ids: Iterable<number>) => string[] {
  return (ids) => [...ids].map((id) => graph.pathOf(id)).sort();
}

Deno.test("long runs of letters cost no more than others, and name no files", () => {
  // Looked at from every place this run took many minutes.
  assert.deepEqual(filesIn("see src/a.ts. " + "1a".repeat(500_000)), ["src/a.ts"]);
  assert.deepEqual(filesIn(`see src/a.ts, ../b/c.md: ${"x".repeat(80_000)}.ts and v1.2.`), [
    "src/a.ts",
    "b/c.md",
    "v1.2",
  ]);
});

Deno.test("secrets are no words, and files of keys have none", () => {
  const token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a".slice(0, 36);
  const { terms } = readWords(`const token = "${token}"; call(token);`);
  assert.ok(terms.includes("call"));
  assert.ok(!terms.includes("16c7e"));
  for (const path of [".env", "a/.env.production", "k/server.pem", "id_ed25519"]) {
    assert.equal(isWorded(path), false, path);
  }
});
