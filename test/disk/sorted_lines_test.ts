// Lines of sorted files are found by halving, whatever their lengths are.

import assert from "node:assert/strict";
import { diskFiles } from "../../src/disk/files.ts";
import { findSortedLines } from "../../src/disk/sorted_lines.ts";

const keyOf = (line: string): string => line.split(" ")[0];

Deno.test("sorted lines are found among short and very long ones, and others are not", () => {
  const path = Deno.makeTempFileSync();
  try {
    for (const lengths of [[0], [1, 9000, 3], [100], [5000, 20_000, 1, 1, 1]]) {
      const keys = Array.from({ length: 400 }, (_, i) => `k${String(i * 2).padStart(4, "0")}`);
      const lines = keys.map((key, i) => `${key} ${"x".repeat(lengths[i % lengths.length])}`);
      Deno.writeTextFileSync(path, `head of the file\n${lines.join("\n")}\n~\n`);
      using reader = diskFiles.openReader(path)!;
      const find = (wanted: string[]): string[] => [
        ...findSortedLines(reader, { keys: wanted, keyOf, from: "head of the file\n".length }),
      ];
      keys.forEach((key, i) => assert.deepEqual(find([key]), [lines[i]]));
      assert.deepEqual(find(["k", "k0001", "k0799", "z", ""]), []);
      assert.deepEqual(find([keys[399], "k0003", keys[0]]), [lines[399], lines[0]]);
    }
  } finally {
    Deno.removeSync(path);
  }
});
