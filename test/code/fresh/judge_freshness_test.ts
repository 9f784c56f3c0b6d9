// The verdict on lines alone: what was written, what is there.

import assert from "node:assert/strict";
import { FileLines } from "../../../src/code/fresh/file_lines.ts";
import { groundOf } from "../../../src/code/fresh/ground.ts";
import { judgeFreshness } from "../../../src/code/fresh/judge_freshness.ts";

const old = `export function wait(tries: number): number {
  return tries * 1000;
}`;
const now = `export function wait(tries: number): number {
  const capped = Math.min(tries, 6);
  const jitter = Math.random() * 250;
  return 2 ** capped * 1000 + jitter;
}`;
const around = "import { clock } from './clock.ts';\n\nexport const limit = 12;\n";

function verdictOf(file: string | undefined, edits = [{ path: "wait.ts", old, new: now }]): string {
  const state = file === undefined ? undefined : new FileLines(file);
  return judgeFreshness(groundOf(edits), () => state).name;
}

Deno.test("judgeFreshness() says fresh while the lines are there, whatever is around them", () => {
  assert.equal(verdictOf(`${around}${now}\n${around}`), "fresh");
});

Deno.test("judgeFreshness() lets a formatter change blanks, quotes, commas and line breaks", () => {
  const formatted = `${around}${now}`
    .replace("const capped = Math.min(tries, 6);", "const capped = Math.min(\n\ttries,\n\t6,\n  )")
    .replaceAll("'", '"').replaceAll(";", "").replaceAll("  ", "\t");
  assert.equal(verdictOf(formatted), "fresh");
});

Deno.test("judgeFreshness() says drifted when a part is there or a changed line resembles it", () => {
  assert.equal(verdictOf(now.replace("const jitter = Math.random() * 250;", "")), "drifted");
  const edit = [{ path: "wait.ts", old: "", new: "const longestWaitMs = 30_000;" }];
  assert.equal(verdictOf(`${around}const longestWaitMs = 60_000;`, edit), "drifted");
});

Deno.test("judgeFreshness() says gone when nothing is left, or the file is not", () => {
  assert.equal(verdictOf(around), "gone");
  assert.equal(verdictOf(undefined), "gone");
});

Deno.test("judgeFreshness() says gone when only lines of the same kind are there", () => {
  const imports = ["paths", "logging", "trailers", "session"]
    .map((name) => `import { ${name} } from "../../shared/library/${name}.ts";`).join("\n");
  const edit = [{
    path: "a.ts",
    old: "",
    new: 'import { filter } from "../../shared/library/filter.ts";',
  }];
  assert.equal(verdictOf(`${imports}\n${around}`, edit), "gone");
  const test = (name: string): string =>
    `Deno.test("${name}", async () => {\n  await using t = await tempStore();\n  t.run("${name}");\n});`;
  const tests = Array.from({ length: 16 }, (_, i) => test(`case ${i}`)).join("\n");
  const lost = `Deno.test("rotates the keys of a tenant", async () => {
  await using t = await tempStore();
  const keys = await rotateKeysOfTenant("acme", { keepOld: false });
  assert.deepEqual(keys.map(({ tenant }) => tenant), ["acme", "acme"]);
});`;
  assert.equal(verdictOf(tests, [{ path: "a_test.ts", old: "", new: lost }]), "gone");
});

Deno.test("judgeFreshness() knows a line again by its place, and by all but its values", () => {
  const place = "function open() {\n  record(mode);\n";
  const edit = [{ path: "a.ts", old: place, new: `${place}  return finish(mode, "plain");\n}` }];
  const calls = "  return finish(a);\n  return finish(b);\n  return finish(c);\n";
  const today = `${place}  return finish(mode, "plain", "decided");\n}\n${calls}`;
  assert.equal(verdictOf(today, edit), "drifted");
  assert.equal(verdictOf(`${around}${calls}`, edit), "gone");
  const version = [{ path: "a.toml", old: 'version = "1.2.3"', new: 'version = "1.3.0"' }];
  assert.equal(verdictOf('name = "tool"\nversion = "2.0.1"\n', version), "drifted");
  assert.equal(verdictOf('name = "tool"\nversion = "1.2.3"\n', version), "reverted");
});

Deno.test("judgeFreshness() compares no line that redaction changed", () => {
  const edit = [{
    path: ".env",
    old: "",
    new: "# The secret of tests\nTEST_SECRET=[REDACTED:assigned-secret]",
  }];
  assert.equal(verdictOf("# The secret of tests\nTEST_SECRET=abc\n", edit), "fresh");
});

Deno.test("judgeFreshness() says reverted when what was taken away is back", () => {
  assert.equal(verdictOf(`${around}${old}`), "reverted");
});

Deno.test("judgeFreshness() of a file that cannot be compared is unknown, and says why", () => {
  const ground = groundOf([{ path: "wait.ts", old, new: now }]);
  const { name, because } = judgeFreshness(ground, () => "wait.ts is no text");
  assert.deepEqual([name, because], ["unknown", "wait.ts is no text"]);
});

Deno.test("judgeFreshness() of several files is not fresh, and not gone, while one is not compared", () => {
  const edits = ["wait.ts", "wait.bin"].map((path) => ({ path, old: "", new: now }));
  const judge = (file: string): string =>
    judgeFreshness(
      groundOf(edits),
      (path) => path === "wait.bin" ? "wait.bin is no text" : new FileLines(file),
    ).name;
  assert.deepEqual([judge(now), judge(around)], ["unknown", "drifted"]);
});

Deno.test("judgeFreshness() of lines that were only taken away needs two that are back", () => {
  const away = (lines: string): { path: string; old: string; new: string }[] => [
    { path: "wait.ts", old: lines, new: "" },
  ];
  assert.equal(verdictOf(now, away("  const capped = Math.min(tries, 6);")), "fresh");
  assert.equal(verdictOf(now, away(now)), "reverted");
});

Deno.test("judgeFreshness() tells nothing by brackets and lines that are everywhere", () => {
  const edit = [{ path: "a.go", old: "", new: "}\n\telse {\n\treturn\n})" }];
  assert.equal(verdictOf("func a() {\n}\n", edit), "unknown");
});

Deno.test("groundOf() leaves out what a later edit of the same exchange took away again", () => {
  const edits = [
    { path: "a.ts", old: "", new: "const first = load();\nconst second = load();" },
    { path: "a.ts", old: "const first = load();", new: "const initial = load();" },
  ];
  const [{ added, removed }] = groundOf(edits);
  assert.deepEqual([added, removed], [["const second=load()", "const initial=load()"], []]);
});

Deno.test("judgeFreshness() takes no longer for hostile files: one long line, the same line often", () => {
  const long = new FileLines(`${"x".repeat(1 << 20)}\n`);
  const many = new FileLines("const same = value(1);\n".repeat(50_000));
  const lines = Array.from({ length: 500 }, (_, i) => `const same = value(${i}, other${i});`);
  const ground = groundOf([{ path: "a", old: "", new: lines.join("\n") }]);
  assert.equal(judgeFreshness(ground, () => long).name, "gone");
  assert.equal(judgeFreshness(ground, () => many).of, 500);
});
