// Files for served callers: a link that appears in the store while a server runs leads nowhere.

import assert from "node:assert/strict";
import { confineFiles } from "../../src/disk/confined_files.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { layoutOf } from "../../src/disk/layout.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test({
  name: "served callers cannot read or write through a link in the store",
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  await using outside = await tempStore({ files: { "notes.md": "- private\n" } });
  await using t = await tempStore({ files: { "pins.md": "- ours\n" } });
  const files = confineFiles(diskFiles, layoutOf(t.workspace));
  assert.equal(new TextDecoder().decode(files.findBytes(t.path("pins.md"))), "- ours\n");
  Deno.removeSync(t.path("pins.md"));
  Deno.symlinkSync(outside.path("notes.md"), t.path("pins.md"));
  Deno.symlinkSync(outside.root, t.path("docs"));
  const denied = { code: "DENIED", message: /it is outside the workspace$/ };
  for (const name of ["pins.md", "docs/notes.md"]) {
    const path = t.path(name);
    assert.throws(() => files.findBytes(path), denied, name);
    assert.throws(() => files.replace(path, new Uint8Array(), { sync: false }), denied, name);
  }
  assert.throws(() => files.list(t.path("docs")), denied);
  assert.equal(outside.read("notes.md"), "- private\n");
});
