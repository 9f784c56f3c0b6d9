import assert from "node:assert/strict";
import { diskFiles } from "../../src/store/files.ts";
import { layoutOf } from "../../src/store/layout.ts";
import { isFormatting } from "../../src/suggest/edit_facts.ts";
import { markLines } from "../../src/suggest/line_marks.ts";
import { refreshWords } from "../../src/suggest/refresh_words.ts";
import { filesIn, stemWords } from "../../src/suggest/word_facts.ts";
import { openWords, type WordTable } from "../../src/suggest/word_table.ts";

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
  assert.equal(await refreshWords(options), 0);
  Deno.writeTextFileSync(`${work}/src/chat.ts`, "export const otherName = 22;\n");
  Deno.writeTextFileSync(`${work}/src/fresh.ts`, "rareName;\n");
  Deno.removeSync(`${work}/docs/page.ts`);
  assert.equal(await refreshWords(options), 2);
  using words = openWords(diskFiles, options.layout)!;
  const paths = pathsOf(words);
  assert.deepEqual(paths(words.findHolders("rareName")), ["src/fresh.ts"]);
  assert.deepEqual(paths(words.findHolders("otherName")), ["src/chat.ts"]);
  Deno.writeTextFileSync(`${work}/src/fresh.ts`, "thirdName;\n");
  assert.equal(await refreshWords({ ...options, only: ["src/fresh.ts"] }), 1);
  await Deno.remove(work, { recursive: true });
});

Deno.test("words of names and files are what they are called by", () => {
  assert.deepEqual(stemWords("src/cli/chat_session.ts"), ["chat", "session"]);
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
