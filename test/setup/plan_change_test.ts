// Files of agents that `ctx setup` edits: what is no file is refused, not waited for.

import assert from "node:assert/strict";
import { findText } from "../../src/setup/plan_change.ts";

Deno.test("a pipe in the place of an agent's file is refused at once", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const directory = Deno.makeTempDirSync();
  const path = `${directory}/mcp.json`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  // Whoever reads it gets this; otherwise the writer waits until it is ended.
  const writer = new Deno.Command("sh", { args: ["-c", `echo '{}' > "$0"`, path] }).spawn();
  assert.throws(() => findText(path), /Cannot read/);
  assert.equal(findText(`${directory}/none.json`), undefined);
  writer.kill();
  await writer.status;
  Deno.removeSync(directory, { recursive: true });
});
