// Start-up is a feature: a plain command loads only what it needs. What was really loaded is read
// from V8's coverage of a real run, so an eager import anywhere on the way makes this fail.

import assert from "node:assert/strict";
import { toFileUrl } from "../../src/core/platform_path.ts";
import { repository } from "../support/repository.ts";
import { denoEnv, runProcess, sourceCommand } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

Deno.test("ctx --version loads no package at all and no command", async () => {
  await using t = await tempStore();
  const loaded = await loadedBy(t, ["--version"]);
  assert.deepEqual(packagesOf(loaded), []);
  const rooms = roomsOf(loaded);
  assert.deepEqual(rooms.filter(isHeavy), []);
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
    assert.deepEqual(packagesOf(loaded), []);

    assert.deepEqual(roomsOf(loaded).filter(isHeavy), []);
    assert.deepEqual(nodeImports(loaded), []);
  });
}

Deno.test("a search of an index that is up to date loads nothing that indexes rows or compares files", async () => {
  await using t = await tempStore({ entries: ["one"] });
  await t.run("reindex");
  const names = async (): Promise<string[]> => {
    const loaded = await loadedBy(t, ["search", "one"]);
    return loaded.map((url) => url.slice(url.lastIndexOf("/") + 1));
  };
  const indexing = ["build_tail.ts", "segment_builder.ts", "dictionary_writer.ts", "catch_up.ts"];
  const heavy = [...indexing, "number_cache.ts", "analyze.ts", "freshness_reader.ts"];
  const loaded = await names();
  assert.deepEqual(heavy.filter((name) => loaded.includes(name)), []);
  await t.run("save", { text: "one more" });
  const after = await names();
  assert.ok(after.includes("build_tail.ts"), "a tail is indexed without what indexes it");
  assert.equal(after.includes("catch_up.ts"), false);
});

/** What people and hooks run every day; none of it crosses a border that zod guards. */
const plainCommands = [
  ["search", "one"],
  ["ls"],
  ["sessions"],
  ["pack"],
  ["status"],
  ["stats"],
  ["traces"],
  ["ask", "what is one?"],
  ["compact"],
  ["doctor"],
  ["export"],
  ["forget", "H-H1", "--yes"],
  ["undo", "--yes"],
  ["suggest", "mod.ts"],
  ["subscriptions"],
  ["config", "list"],
  ["docs", "list"],
  ["remote", "status"],
];

Deno.test("no plain command, nor a hook, loads zod or the schemas that it makes", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s", prompt: "one?" };
  const message = JSON.stringify({ ...prompt, cwd: t.workspace });
  const runs: [words: string[], stdin?: string][] = [
    ...plainCommands.map((words): [string[]] => [words]),
    [["hook", "claude-code"], message],
  ];
  const loads: string[] = [];
  for (const [words, stdin] of runs) {
    const loaded = await loadedBy(t, words, stdin);
    const heavy = [...packagesOf(loaded), ...roomsOf(loaded)].filter((name) =>
      name === "zod" || name === "formats"
    );
    loads.push(...heavy.map((name) => `ctx ${words.join(" ")}: ${name}`));
  }
  assert.deepEqual(loads, []);
});

Deno.test("a search in plain words loads no rules of redaction", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "one note about the path of one" });
  const loads: string[] = [];
  for (const query of ["one note", "what is one?", "one unheardof", "path-of-one", "one NOT two"]) {
    const loaded = await loadedBy(t, ["search", query]);
    const files = loaded.filter((url) => url.endsWith("/core/redact/redact.ts"));
    loads.push(...files.map(() => query));
    const isAsked = loaded.some((url) => url.endsWith("/command/known_query.ts"));
    assert.equal(isAsked, !["one note", "what is one?"].includes(query), query);
  }
  assert.deepEqual(loads, []);
});

const hookMessage = (event: object): string =>
  JSON.stringify({ session_id: "a", cwd: "WORKSPACE", ...event });

/** The most files of src/ that a command loads in the example store: a few more than it does. */
const mostFiles: [words: string[], most: number, stdin?: string][] = [
  [["search", "token"], 137],
  [["get", "H-1m2ff20hgvzrprjcr"], 60],
  [["save", "text"], 88],
  [
    ["hook", "claude-code"],
    110,
    hookMessage({
      hook_event_name: "UserPromptSubmit",
      prompt: "please rename the variable to something shorter",
    }),
  ],
  // A saved decision is about this one: it is searched for and sent.
  [
    ["hook", "claude-code"],
    165,
    hookMessage({
      hook_event_name: "UserPromptSubmit",
      prompt: "how do we rotate refresh tokens",
    }),
  ],
  [
    ["hook", "claude-code"],
    127,
    hookMessage({
      hook_event_name: "SessionStart",
      source: "startup",
    }),
  ],
  [
    ["hook", "pre-edit"],
    114,
    hookMessage({
      tool_name: "Edit",
      tool_input: { file_path: "WORKSPACE/a.ts" },
    }),
  ],
];

Deno.test("everyday commands and hooks load few files", async () => {
  await using t = await tempStore();
  const example = `${repository}/.contextfs-example`;
  for (const { name, isFile } of Deno.readDirSync(example)) {
    if (isFile) Deno.copyFileSync(`${example}/${name}`, `${t.root}/${name}`);
  }
  // As it is in every store after a few saves.
  await t.run("reindex");
  const found: string[] = [];
  for (const [words, most, stdin = ""] of mostFiles) {
    const loaded = await loadedBy(t, words, stdin.replaceAll("WORKSPACE", t.workspace));
    const files = loaded.filter((url) => url.startsWith(`${toFileUrl(repository)}/src/`)).length;
    if (files > most) {
      found.push(`ctx ${words.join(" ")} ${stdin} loads ${files} files, not ${most}`);
    }
  }
  assert.deepEqual(found, []);
});

const idle = Deno.build.os === "windows" ? "C:/windows/system32/hostname.exe" : "/usr/bin/true";

const heavyRooms = ["index", "intake/sources", "recall/edit", "ask/llm", "serve/mcp", "serve/web"];

/** The URLs of all modules that ran. */
async function loadedBy(t: TempStore, words: string[], stdin = ""): Promise<string[]> {
  const directory = await Deno.makeTempDir({ dir: t.home });
  const [deno, run, ...rest] = sourceCommand;
  const result = await runProcess([deno, run, `--coverage=${directory}`, ...rest, ...words], {
    cwd: t.workspace,
    // What a hook leaves for later is done by another process: here one that ends at once and writes nothing.
    env: { ...denoEnv(t.workspace), CTX_HOOK_WAIT: "", CTX_EXECUTABLE: idle },
    stdin,
  });
  assert.equal(result.code, 0, `ctx ${words.join(" ")}: ${result.stderr}`);
  const urls = [...Deno.readDirSync(directory)].filter(({ name }) => name.endsWith(".json")).map(
    ({ name }): string => JSON.parse(Deno.readTextFileSync(`${directory}/${name}`)).url,
  );
  assert.ok(urls.includes(`${toFileUrl(repository)}/mod.ts`), "the coverage is empty");
  return urls;
}

function packagesOf(urls: string[]): string[] {
  const names = urls.map((url) =>
    /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ??
      /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function isHeavy(room: string): boolean {
  return heavyRooms.some((heavy) => `${room}/`.startsWith(`${heavy}/`));
}

function roomsOf(urls: string[]): string[] {
  const prefix = `${toFileUrl(repository)}/src/`;
  // Whether an index is worth loading is asked before it is.
  const rooms = urls.filter((url) => url.startsWith(prefix) && !url.endsWith("/ask_index.ts"))
    .map((url) => url.slice(prefix.length).replace(/\/[^/]*$/, ""));
  return [...new Set(rooms)];
}

/** Loaded modules that import a node: module as they load (dynamic imports are not yet loads). */
function nodeImports(urls: string[]): string[] {
  return urls.filter((url) => url.startsWith("file:")).filter((url) =>
    /\bfrom\s*["']node:|^import\s*["']node:/m.test(Deno.readTextFileSync(new URL(url)))
  );
}
