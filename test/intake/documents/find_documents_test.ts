// Which files a collection has: links are not followed, and what cannot be looked at is told.

import assert from "node:assert/strict";
import { findDocuments } from "../../../src/intake/documents/find_documents.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

Deno.test("a source that is a link is not followed", {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  await inDirectory(async (directory) => {
    Deno.mkdirSync(`${directory}/notes`);
    Deno.writeTextFileSync(`${directory}/notes/a.md`, "# A");
    Deno.symlinkSync(`${directory}/notes`, `${directory}/link`);
    assert.deepEqual(await find(`${directory}/notes`), {
      found: [`${directory}/notes/a.md`],
      unreadable: [],
    });
    assert.deepEqual(await find(`${directory}/link`), {
      found: [],
      unreadable: [`${directory}/link`],
    });
  });
});

Deno.test("a source that cannot be looked at is told, and not taken for one that is gone", {
  ignore: notOnWindows("a name that is too long is reported as missing"),
}, async () => {
  await inDirectory(async (directory) => {
    // The system refuses to look at a name that is so long.
    const source = `${directory}/${"x".repeat(300)}`;
    assert.deepEqual(await find(source), { found: [], unreadable: [source] });
    assert.deepEqual(await find(`${directory}/gone`), { found: [], unreadable: [] });
  });
});

async function find(source: string): Promise<{ found: string[]; unreadable: string[] }> {
  const unreadable: string[] = [];
  const found = await findDocuments([source], { onUnreadable: (path) => unreadable.push(path) });
  return { found, unreadable };
}

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = Deno.makeTempDirSync({ prefix: "ctx-documents-" });
  try {
    await run(directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}
