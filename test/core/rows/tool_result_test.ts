import assert from "node:assert/strict";
import { countLines, foundIn, resultOf } from "../../../src/core/rows/tool_result.ts";
import { firstLine } from "../../../src/core/text.ts";

const chunk = `Chunk ID: 853167
Wall time: 0.0000 seconds
Process exited with code 3
Original token count: 1356
Output:
made it
so far`;

/** Outputs as agents wrap them: words, exit code, lines. */
const cases: [string, string, { text: string; exit?: number; lines: number }][] = [
  ["plain text", "one\ntwo\n", { text: "one\ntwo\n", lines: 2 }],
  ["nothing", "", { text: "", lines: 0 }],
  ["Codex, by chunks", chunk, { text: "made it\nso far", exit: 3, lines: 2 }],
  [
    "Codex, older",
    "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nhi",
    { text: "hi", exit: 0, lines: 1 },
  ],
  ["Claude Code, a command that failed", "Exit code 2\nno such", {
    text: "no such",
    exit: 2,
    lines: 1,
  }],
  ["Claude Code, an error", "<tool_use_error>File is gone.</tool_use_error>", {
    text: "File is gone.",
    lines: 1,
  }],
  [
    "Claude Code, lines of a file",
    "    11→a\n    12→b\n\n<system-reminder>\nBe careful.\n</system-reminder>",
    { text: "    11→a\n    12→b", lines: 2 },
  ],
  [
    "OpenCode, a file",
    "<path>/a</path>\n<type>file</type>\n<content>1: a\n2: b\n\n(End of file - total 2 lines)\n</content>",
    { text: "1: a\n2: b\n", lines: 2 },
  ],
  [
    "Gemini, a command",
    "Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 1\nSignal: 0",
    { text: "a\nb", exit: 1, lines: 2 },
  ],
  ["Copilot, a command", "hi\n<exited with exit code 0>", { text: "hi", exit: 0, lines: 1 }],
  ["Cursor, JSON", '{"output":"a\\nb","exitCode":4}', { text: "a\nb", exit: 4, lines: 2 }],
];

for (const [name, text, expected] of cases) {
  Deno.test(`resultOf() ${name}`, () => {
    const { text: words, exit, lines } = resultOf({ text });
    assert.deepEqual({ text: words, ...(exit === undefined ? {} : { exit }), lines }, expected);
  });
}

Deno.test("resultOf() knows a command that goes on, and what an import counted", () => {
  const running = chunk.replace("exited with code 3", "running with session ID 7");
  assert.equal(resultOf({ text: running }).isRunning, true);
  const cut = "a\n[+900 chars]\nz";
  assert.deepEqual(
    [
      resultOf({ text: cut }).isPart,
      resultOf({ text: cut, tool: { name: "x", lines: 90, exit: 1 } }),
    ],
    [true, { text: cut, exit: 1, isRunning: false, lines: 90, isPart: false }],
  );
});

Deno.test("countLines() counts the numbers of a file whose middle is missing", () => {
  assert.equal(countLines("     1→a\n     2→b\n[+900 chars]\n   156→z\n"), 156);
});

Deno.test("foundIn() tells how much a search found, and where", () => {
  assert.deepEqual(foundIn("Found 2 files\na.ts\nb.ts"), { count: "2 files", text: "a.ts\nb.ts" });
  assert.deepEqual(foundIn("No matches found"), { count: "0 matches", text: "" });
  assert.deepEqual(
    foundIn('{"success":{"matches":[{"file":"a.ts"},{"file":"a.ts"}],"totalMatchedLines":3}}'),
    { count: "3 matches", text: "a.ts" },
  );
  assert.deepEqual(foundIn("a.ts:1:x"), { text: "a.ts:1:x" });
});

Deno.test("firstLine() shows what a command printed, not what Codex wrote above it", () => {
  assert.equal(firstLine(chunk, 80), "made it");
  assert.equal(firstLine(chunk.replace(/made it[^]*/, ""), 80), "Process exited with code 3");
});

Deno.test("outputs of one thing over and over take no longer than others", () => {
  const much = 200_000;
  const texts = [
    `a${" ".repeat(much)}b`,
    `a${"\n".repeat(much)}b`,
    `<content>\n${"(End of file".repeat(much / 12)}`,
    `1→a\n${"0".repeat(much)}`,
  ];
  for (const text of texts) {
    const begun = performance.now();
    resultOf({ text });
    assert.ok(performance.now() - begun < 2000, text.slice(0, 20));
  }
});
