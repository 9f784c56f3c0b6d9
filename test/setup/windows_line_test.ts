// Hook lines on Windows, read as cmd and C programs read them (`cmd /?`; the rules of CommandLineToArgvW).

import assert from "node:assert/strict";
import fc from "fast-check";
import { toHookLine, toHookWords } from "../../src/setup/hook_line.ts";
import { isOurHook } from "../../src/setup/own_entries.ts";

/** What a directory may be called there: everything but `\ / : * ? " < > |`; here without `%`, see below. */
const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => !/[\\/:*?"<>|%\p{Cc}]/u.test(text) && text.trim() === text);
const path = fc.tuple(
  fc.constantFrom("C:\\", "D:\\", "\\\\server\\share\\"),
  fc.array(name, { maxLength: 4 }),
  fc.constantFrom("ctx.exe", "ctx.cmd"),
).map(([root, parts, file]) => root + [...parts, file].join("\\"));

Deno.test("a hook line starts the program with its words, whatever its path is called", () => {
  fc.assert(fc.property(path, fc.constantFrom("gemini", "codex", "pre-edit"), (program, agent) => {
    const words = [program, "hook", agent];
    const line = toHookLine(words, { os: "windows" });
    assert.deepEqual(toHookWords(line), words);
    assert.ok(isOurHook(toHookWords(line)));
    const [shell, d, c, ...rest] = toArgv(line);
    assert.deepEqual([shell, d, c, rest[0]], ["cmd", "/d", "/c", "if"]);
    // cmd reads the line itself, from behind /c: outside quotes there is no operator.
    const command = line.slice("cmd /d /c ".length);
    assert.equal(/[&|<>^()]/.test(command.replaceAll(/"[^"]*"/g, "")), false, command);
    const called = /^if exist "([^"]*)" (.*)$/s.exec(command);
    assert.deepEqual([called?.[1], toArgv(called?.[2] ?? "")], [program, words]);
    // In JSON settings it is the same line again.
    assert.equal(JSON.parse(JSON.stringify({ line })).line, line);
  }));
});

Deno.test("a program on the PATH is looked for first, in one word for cmd and PowerShell", () => {
  const line = toHookLine(["ctx", "hook", "plugin", "codex"], { os: "windows" });
  const [, , , command, ...rest] = toArgv(line);
  assert.equal(command, "where /q ctx || exit 0 & call ctx hook plugin codex || exit 1");
  assert.deepEqual(rest, []);
});

/** The words of a command line, as Windows gives them to a program. */
function toArgv(line: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    if (/[ \t]/.test(line[at])) {
      at++;
      continue;
    }
    let word = "";
    for (let quoted = false; at < line.length && (quoted || !/[ \t]/.test(line[at]));) {
      const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
      at += slashes;
      if (line[at] !== '"') {
        word += "\\".repeat(slashes) + (slashes === 0 ? line[at++] : "");
      } else {
        word += "\\".repeat(slashes >> 1);
        if (slashes % 2 === 1) word += '"';
        else quoted = !quoted;
        at++;
      }
    }
    words.push(word);
  }
  return words;
}
