// Start-up is a feature: a plain command loads only what it needs. What was really loaded is read
// from V8's coverage of a real run, so an eager import anywhere on the way makes this fail.

import assert from "node:assert/strict";
import { repository } from "../support/repository.ts";
import { denoEnv, runProcess, sourceCommand } from "../support/run_ctx.ts";
import { type TempStore, tempStore } from "../support/temp_store.ts";

Deno.test("ctx --version loads no package at all and no command", async () => {
  await using t = await tempStore();
  const loaded = await loadedBy(t, ["--version"]);
  assert.deepEqual(packagesOf(loaded), []);
  const rooms = roomsOf(loaded);
  assert.deepEqual(rooms.filter((room) => heavyRooms.includes(room)), []);
  assert.equal(loaded.some((url) => url.endsWith("/src/commands/retrieval/get.ts")), false);
  assert.deepEqual(nodeImports(loaded), []);
});

for (
  const words of [["get", "H-H1"], ["save", "text"], ["timeline", "H-H1"], ["session", "start"]]
) {
  Deno.test(`ctx ${words.join(" ")} loads no index, server, model or node: module`, async () => {
    await using t = await tempStore({ entries: ["one"] });
    const loaded = await loadedBy(t, words);
    assert.ok(loaded.some((url) => url.endsWith(`/${words[0]}.ts`)));
    assert.deepEqual(packagesOf(loaded).filter((name) => name !== "tokenx"), []);

    assert.deepEqual(roomsOf(loaded).filter((room) => heavyRooms.includes(room)), []);
    assert.deepEqual(nodeImports(loaded), []);
  });
}

const heavyRooms = ["index", "sources", "suggest", "llm", "mcp", "web"];

/** The URLs of all modules that ran. */
async function loadedBy(t: TempStore, words: string[]): Promise<string[]> {
  const directory = `${t.workspace}/coverage`;
  const [deno, run, ...rest] = sourceCommand;
  const result = await runProcess([deno, run, `--coverage=${directory}`, ...rest, ...words], {
    cwd: t.workspace,
    env: denoEnv(t.workspace),
  });
  assert.equal(result.code, 0, result.stderr);
  const urls = [...Deno.readDirSync(directory)].filter(({ name }) => name.endsWith(".json")).map(
    ({ name }): string => JSON.parse(Deno.readTextFileSync(`${directory}/${name}`)).url,
  );
  assert.ok(urls.includes(`file://${repository}/mod.ts`), "the coverage is empty");
  return urls;
}

function packagesOf(urls: string[]): string[] {
  const names = urls.map((url) =>
    /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ??
      /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function roomsOf(urls: string[]): string[] {
  const prefix = `file://${repository}/src/`;
  const rooms = urls.filter((url) => url.startsWith(prefix)).map((url) =>
    url.slice(prefix.length).split("/")[0]
  );
  return [...new Set(rooms)];
}

/** Loaded modules that import a node: module as they load (dynamic imports are not yet loads). */
function nodeImports(urls: string[]): string[] {
  return urls.filter((url) => url.startsWith("file:")).filter((url) =>
    /\bfrom\s*["']node:|^import\s*["']node:/m.test(Deno.readTextFileSync(new URL(url)))
  );
}
