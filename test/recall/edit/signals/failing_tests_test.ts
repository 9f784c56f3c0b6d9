// JUnit reports: what is read of them, and that they are read from the workspace only.

import assert from "node:assert/strict";
import { findFailures, parseJunit } from "../../../../src/recall/edit/signals/failing_tests.ts";
import { tempProject } from "../../../support/suggest_project.ts";
import { notOnWindows } from "../../../support/not_on_windows.ts";

Deno.test("the built file reads a JUnit report, with and without being told where it is", async () => {
  const junit =
    '<testsuite><testcase name="rotates &amp; keeps" file="test/token_service_test.ts"><failure message="boom">at src/auth/token_service.ts:2</failure></testcase></testsuite>';
  await using t = await tempProject();
  Deno.writeTextFileSync(`${t.workspace}/junit.xml`, junit);
  for (const words of [["--report", "junit.xml"], ["--repeat"]]) {
    const { code, stdout, stderr } = await t.ctx([
      "suggest",
      "src/auth/token_service.ts",
      ...words,
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /rotates & keeps/);
  }
});

Deno.test("a test report that is a link out of the workspace is not read", {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  const root = await Deno.makeTempDir({ prefix: "ctx-reports-" });
  try {
    const workspace = `${root}/project`;
    await Deno.mkdir(workspace);
    const report =
      '<testsuite name="s"><testcase classname="src/x.ts" name="outside" file="src/x.ts"><failure message="no">b</failure></testcase></testsuite>';
    await Deno.writeTextFile(`${root}/junit.xml`, report);
    await Deno.writeTextFile(`${workspace}/report.xml`, report.replace("outside", "inside"));
    await Deno.symlink(`${root}/junit.xml`, `${workspace}/junit.xml`);
    const options = { reports: [], now: Date.now(), days: 7 };
    const names = findFailures(workspace, options).map(({ name }) => name);
    assert.deepEqual(names, ["inside"]);
    assert.throws(
      () => findFailures(workspace, { ...options, reports: ["junit.xml"] }),
      /Cannot read the report/,
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("parseJunit() reads failures and errors with their file and message", () => {
  const text = `<testsuite><testcase name="fine"/>
    <testcase classname="a.test.ts" name="it > that"><failure message="not &quot;a&quot;">x</failure></testcase>
    <testcase name='boom' file="b.ts"><error>at b.ts:1</error></testcase>
    <testcase name="cut"><failure>`;
  assert.deepEqual(parseJunit(text), [
    { name: "it > that", file: "a.test.ts", message: 'not "a"' },
    { name: "boom", file: "b.ts", message: "" },
    { name: "cut", message: "" },
  ]);
  for (const other of ["", "hello", "{", "<html>", "\0"]) assert.deepEqual(parseJunit(other), []);
});
