// Test reports of the common kinds.

import assert from "node:assert/strict";
import { parseTestReport } from "../../../../src/recall/edit/signals/failure_report.ts";

const reports: Record<string, { text: string; name: string; file?: string; message: string }> = {
  "JUnit XML": {
    text:
      '<?xml version="1.0"?><testsuites><testsuite><testcase name="fine"/><testcase name="a &lt; b" file="test/a_test.ts"><failure message="no">at x</failure></testcase></testsuite></testsuites>',
    name: "a < b",
    file: "test/a_test.ts",
    message: "no",
  },
  TAP: {
    text:
      "TAP version 13\n1..2\nok 1 - fine\nnot ok 2 - adds\n  ---\n  location: '/w/test/a.test.js:3:1'\n  error: 'wrong sum'\n  ...\n",
    name: "adds",
    file: "/w/test/a.test.js",
    message: "wrong sum",
  },
  "Jest and Vitest JSON": {
    text: JSON.stringify({
      testResults: [{
        name: "/w/a.test.ts",
        assertionResults: [
          { status: "passed", fullName: "fine" },
          { status: "failed", fullName: "adds", failureMessages: ["wrong sum\n at x"] },
        ],
      }],
    }),
    name: "adds",
    file: "/w/a.test.ts",
    message: "wrong sum",
  },
  "pytest JSON": {
    text: JSON.stringify({
      tests: [
        { nodeid: "tests/test_a.py::fine", outcome: "passed" },
        {
          nodeid: "tests/test_a.py::test_adds",
          outcome: "failed",
          call: { crash: { path: "/w/a.py", message: "wrong sum" }, longrepr: "trace" },
        },
      ],
    }),
    name: "tests/test_a.py::test_adds",
    file: "tests/test_a.py",
    message: "wrong sum",
  },
  "pytest's last failures": {
    text: '{"tests/test_a.py::test_adds": true}',
    name: "tests/test_a.py::test_adds",
    file: "tests/test_a.py",
    message: "failed last time",
  },
  "Go JSON": {
    text: [
      '{"Action":"run","Package":"x","Test":"TestAdd"}',
      '{"Action":"output","Package":"x","Test":"TestAdd","Output":"    a_test.go:9: wrong sum\\n"}',
      '{"Action":"fail","Package":"x","Test":"TestAdd"}',
      '{"Action":"pass","Package":"x","Test":"TestFine"}',
    ].join("\n"),
    name: "TestAdd",
    file: "a_test.go",
    message: "wrong sum",
  },
  "Node events": {
    text: [
      '{"type":"test:pass","data":{"name":"fine"}}',
      '{"type":"test:fail","data":{"name":"adds","file":"/w/a.test.js","details":{"error":{"message":"wrong sum"}}}}',
    ].join("\n"),
    name: "adds",
    file: "/w/a.test.js",
    message: "wrong sum",
  },
  "Mocha JSON": {
    text: JSON.stringify({
      failures: [{ fullTitle: "adds", file: "/w/a.js", err: { message: "wrong sum", stack: "" } }],
    }),
    name: "adds",
    file: "/w/a.js",
    message: "wrong sum",
  },
};

for (const [kind, { text, name, file, message }] of Object.entries(reports)) {
  Deno.test(`parseTestReport() reads ${kind}`, async () => {
    const [failure, ...rest] = await parseTestReport(text);
    assert.deepEqual(rest, []);
    assert.deepEqual({ name: failure.name, file: failure.file, message: failure.message }, {
      name,
      file,
      message,
    });
  });
}

Deno.test("parseTestReport() reads JUnit XML with colours, markup in texts and no end", async () => {
  const failure =
    '<failure message="not &quot;a&quot;&#10;&#x3c;">\x1b[31mred <![CDATA[</failure> & <testcase>]]></failure>';
  const text = `<!-- <testcase name="no"><error/></testcase> -->
    <testsuite><properties><property name="x"/></properties>
    <testcase classname="a.test.ts" name="it > that">${failure}</testcase>
    <testcase name="boom"><error>at b.ts:1</error><system-out>talk</system-out></testcase>
    <testcase name="cut"><failure>`;
  const found = await parseTestReport(text);
  assert.deepEqual(found.map(({ name, file, message }) => [name, file, message]), [
    ["it > that", "a.test.ts", 'not "a"\n<'],
    ["boom", undefined, "at b.ts:1"],
  ]);
  assert.ok(found[0].trace.endsWith("red </failure> & <testcase>"));
});

Deno.test("parseTestReport() finds nothing in another kind of text", async () => {
  for (const text of ["", "hello", "{", "[1]", "<html>", "\0\0", "null"]) {
    assert.deepEqual(await parseTestReport(text), []);
  }
});

Deno.test("an element with more attributes than any report has ends the reading", async () => {
  const failed = '<testcase name="a"><failure message="no"/></testcase>';
  const endless = `<testcase ${'a="" '.repeat(20_000)}>`;
  assert.equal((await parseTestReport(`<testsuite>${failed}${endless}${failed}`)).length, 1);
});
