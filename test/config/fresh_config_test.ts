import assert from "node:assert/strict";
import { keepFresh } from "../../src/config/fresh_config.ts";
import { Config } from "../../src/config/merged_config.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test("a running program reloads its settings after a file changes, and only then", async () => {
  await using t = await tempStore();
  const paths = ["user.jsonc", "config.jsonc"].map((name) => t.path(name));
  let loads = 0;
  const readConfig = keepFresh(paths, () => {
    loads++;
    return Promise.resolve(new Config());
  });
  const first = await readConfig();
  assert.equal(await readConfig(), first);
  const changes: [what: string, change: () => void][] = [
    ["created", () => t.write("config.jsonc", "{}")],
    ["edited", () => t.write("config.jsonc", '{ "lock_timeout_ms": 7000 }')],
    ["removed", () => Deno.removeSync(t.path("config.jsonc"))],
    ["created by the user", () => t.write("user.jsonc", "{}")],
  ];
  for (const [i, [what, change]] of changes.entries()) {
    change();
    const changed = await readConfig();
    assert.equal(loads, i + 2, what);
    assert.equal(await readConfig(), changed, what);
  }
  assert.equal(loads, changes.length + 1);
});
