// A file that another program holds for a moment, as virus scanners on Windows do with new files.

import assert from "node:assert/strict";
import { makeFiles } from "../../src/disk/files.ts";
import { tempStore } from "../support/stores/temp_store.ts";

/** Files whose renaming fails some times. */
function heldFiles(times: number, os: typeof Deno.build.os) {
  let tries = 0;
  const renameSync: typeof Deno.renameSync = (from, to) => {
    if (++tries <= times) throw new Deno.errors.PermissionDenied("Access is denied. (os error 5)");
    Deno.renameSync(from, to);
  };
  return { files: makeFiles({ ...Deno, renameSync }, os), tries: () => tries };
}

Deno.test("on Windows, replacing a briefly locked file is retried", async () => {
  await using t = await tempStore();
  const { files, tries } = heldFiles(3, "windows");
  files.replace(t.path("pins.md"), new TextEncoder().encode("- a\n"), { sync: false });
  assert.deepEqual([tries(), t.read("pins.md")], [4, "- a\n"]);
});

Deno.test("a file that stays locked or read-only is reported", async () => {
  await using t = await tempStore();
  for (const [os, expected] of [["windows", 10], ["linux", 1]] as const) {
    const { files, tries } = heldFiles(Infinity, os);
    const replace = () => files.replace(t.path("pins.md"), new Uint8Array(), { sync: false });
    assert.throws(replace, { code: "DENIED" });
    assert.equal(tries(), expected);
  }
  assert.deepEqual(t.list().filter((name) => name.endsWith(".tmp")), []);
});
