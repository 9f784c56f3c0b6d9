// Files of the work tree as they are today, also in a process that read them before.

import assert from "node:assert/strict";
import { FileLines } from "../../../src/code/fresh/file_lines.ts";
import { normalLine } from "../../../src/code/fresh/normal_line.ts";
import { WorkFiles } from "../../../src/code/fresh/work_files.ts";
import { realPath } from "../../../src/core/platform_path.ts";

Deno.test("WorkFiles reads a file again when its time or its size changed", async () => {
  const workspace = realPath(await Deno.makeTempDir({ prefix: "ctx-test-" }));
  try {
    const path = `${workspace}/a.ts`;
    const time = new Date("2026-01-01T10:00:00Z");
    const write = (text: string, at: Date) => {
      Deno.writeTextFileSync(path, text);
      Deno.utimeSync(path, at, at);
    };
    const count = (line: string) => {
      const file = new WorkFiles(workspace).find("a.ts");
      assert.ok(file instanceof FileLines);
      return file.countWhole(normalLine(line)!);
    };
    write("const limit = readLimit();\n", time);
    assert.equal(count("const limit = readLimit()"), 1);
    write("const limit = readOther();\n", new Date(time.getTime() + 1000));
    assert.equal(count("const limit = readLimit()"), 0);
    write("const limit = readLimit();\n\n", new Date(time.getTime() + 1000));
    assert.equal(count("const limit = readLimit()"), 1);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
});
