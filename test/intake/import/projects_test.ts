// Which sessions belong to a workspace, told by the directory that they name.

import assert from "node:assert/strict";
import { makeProjectFilter } from "../../../src/intake/import/projects.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("a directory that leads out of the workspace by .. does not belong to it", async () => {
  await using t = await tempStore();
  const belongs = makeProjectFilter(t.workspace);
  const paths = ["", "/src", "/gone/since", "/../../../etc", "/src/../../other", "/..hidden"];
  assert.deepEqual(paths.map((path) => belongs(t.workspace + path)), [
    true,
    true,
    true,
    false,
    false,
    true,
  ]);
});
