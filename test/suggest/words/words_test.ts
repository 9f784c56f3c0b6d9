import assert from "node:assert/strict";
import { diskFiles } from "../../../src/store/files/files.ts";
import { layoutOf } from "../../../src/store/files/layout.ts";
import { countTerms } from "../../../src/suggest/words/count_terms.ts";
import { isFormatting } from "../../../src/suggest/signals/edit_facts.ts";
import { markLines } from "../../../src/git/line_marks.ts";
import { refreshWords } from "../../../src/suggest/words/refresh_words.ts";
import { isWorded } from "../../../src/git/is_worded.ts";
import { filesIn, readWords, stemWords } from "../../../src/suggest/words/word_facts.ts";
import { WordLikeness } from "../../../src/suggest/words/word_likeness.ts";
import { openWords, type WordTable } from "../../../src/suggest/words/word_table.ts";

const sources = {
  "docs/COMMANDS.md": "# Commands\n",
  "docs/generate.ts": 'import { page } from "./page.ts";\nwrite("docs/COMMANDS.md", page());\n',
  "docs/page.ts": "export function page(): string {\n  return rareName();\n}\n",
  "src/chat.ts": "export const rareName = 1;\n",
  "src/chat_session.ts": "chat();\n",
  "data/big.json": '{"rareName": 1}\n',
};

Deno.test("refreshWords() knows who holds a name and who names a file, but not what data holds", async () => {
  const work = await makeTree();
  using words = openWords(diskFiles, layoutOf(work))!;
  const paths = pathsOf(words);
  assert.deepEqual(paths(words.findHolders("rareName")), ["docs/page.ts", "src/chat.ts"]);
  assert.deepEqual(paths(words.findNaming("docs/COMMANDS.md")), ["docs/generate.ts"]);
  assert.deepEqual(paths(words.findNaming("docs/page.ts")), [], "imports are not names");
  assert.deepEqual(paths(words.findCalled("chat")), ["src/chat.ts", "src/chat_session.ts"]);
  await Deno.remove(work, { recursive: true });
});

Deno.test("refreshWords() reads only what changed, and a reader sees it at once", async () => {
  const work = await makeTree();
  const options = { files: diskFiles, layout: layoutOf(work) };
  assert.equal((await refreshWords(options)).read, 0);
  Deno.writeTextFileSync(`${work}/src/chat.ts`, "export const otherName = 22;\n");
  Deno.writeTextFileSync(`${work}/src/fresh.ts`, "rareName;\n");
  Deno.removeSync(`${work}/docs/page.ts`);
  assert.equal((await refreshWords(options)).read, 2);
  using words = openWords(diskFiles, options.layout)!;
  const paths = pathsOf(words);
  assert.deepEqual(paths(words.findHolders("rareName")), ["src/fresh.ts"]);
  assert.deepEqual(paths(words.findHolders("otherName")), ["src/chat.ts"]);
  Deno.writeTextFileSync(`${work}/src/fresh.ts`, "thirdName;\n");
  assert.equal((await refreshWords({ ...options, only: ["src/fresh.ts"] })).read, 1);
  await Deno.remove(work, { recursive: true });
});

Deno.test("WordLikeness tells how alike a text is to files and texts, changed ones too", async () => {
  const work = await makeTree();
  const options = { files: diskFiles, layout: layoutOf(work) };
  const likeTo = (text: string): (path: string) => number => {
    using words = openWords(diskFiles, options.layout)!;
    const likeness = new WordLikeness(words, countTerms(text));
    assert.equal(likeness.toText(countTerms("nothing of that")), 0);
    assert.ok(likeness.toText(countTerms(text)) > 0.9);
    const found = new Map(Object.keys(sources).map((path) => [path, likeness.toFile(path)]));
    return (path) => found.get(path)!;
  };
  const before = likeTo("rareName(page)");
  assert.ok(before("docs/page.ts") > 0.3 && before("src/chat.ts") > 0.3);
  assert.deepEqual([before("src/chat_session.ts"), before("data/big.json")], [0, 0]);
  Deno.writeTextFileSync(`${work}/src/chat_session.ts`, "page(rareName);\nrareName;\n");
  await refreshWords(options);
  assert.ok(likeTo("rareName(page)")("src/chat_session.ts") > 0.5);
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
  await refreshWords({ files: diskFiles, layout: layoutOf(work) });
  return work;
}

function pathsOf(words: WordTable): (ids: number[]) => string[] {
  return (ids) => ids.map((id) => words.pathOf(id)).sort();
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
  const { words, terms } = readWords("a.ts", `const token = "${token}"; call(token);`);
  assert.ok(words.includes("call"));
  assert.ok(![...words, ...terms.keys()].some((word) => word.includes("16C7e")));
  assert.ok(![...terms.keys()].some((word) => word.includes("16c7e")));
  for (const path of [".env", "a/.env.production", "k/server.pem", "id_ed25519"]) {
    assert.equal(isWorded(path), false, path);
  }
});
