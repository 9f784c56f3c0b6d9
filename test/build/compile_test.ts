// Building: the bundle, its stamp, the base of `deno compile`, and the form that comes out.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { toFileUrl, toOwnPath } from "../../src/core/platform_path.ts";
import { hideLazyImports, liftBytes, listFiles, stampBundle } from "../../build/bundle.ts";
import { repository } from "../../build/repository.ts";
import { compileNative } from "../../build/compile_native.ts";
import { startGroups } from "../../build/merge_chunks.ts";
import { getMember } from "../../build/npm_archive.ts";
import { findDenort } from "../../build/denort.ts";
import {
  editorCommands,
  localCommands,
  netCommands,
  pageServers,
  providerCommands,
  selfCommands,
  servers,
  startFlags,
} from "../../build/permissions.ts";
import { getTarget, hostTarget } from "../../build/target.ts";
import { builtBundle } from "../support/processes/built_ctx.ts";
import { doorNames, taskNames } from "../../src/cli/task_list.ts";

Deno.test("hideLazyImports() keeps static imports and hides lazy ones", () => {
  assert.equal(
    hideLazyImports('import{a}from"./chunk-A.js";let b=()=>import("./get-B1.js"),c=import(d);'),
    'import{a}from"./chunk-A.js";let b=()=>import((0,"./get-B1.js")),c=import(d);',
  );
});

Deno.test("liftBytes() takes large bytes out of the code and leaves small ones", () => {
  const bytes = new Uint8Array(90_000).map((_, i) => i % 251);
  const code = (data: Uint8Array): string =>
    `var a = m41___toBinary("${data.toBase64()}");\nexport { a as default };\n`;
  assert.deepEqual(liftBytes(code(bytes), "a.bin"), {
    code: 'var a = Deno.readFileSync(new URL("./a.bin",import.meta.url));\n' +
      "export { a as default };\n",
    bytes,
  });
  const small = code(bytes.subarray(0, 100));
  assert.deepEqual(liftBytes(small, "a.bin"), { code: small });
});

/**
 * Bytes of code that everyday commands load before they answer, a few per cent above what they are.
 * The files of each are those of `startGroups`; what they import is counted with them.
 */
const loads: Record<string, { files: string[]; most: number }> = {
  "any command": { files: [], most: 150_000 },
  get: { files: ["get_start.js"], most: 166_000 },
  "a list": { files: ["list_start.js"], most: 195_000 },
  search: { files: ["search_start.js"], most: 399_000 },
  "a search that names code": { files: ["search_start.js", "fresh_start.js"], most: 443_000 },
  "a write": { files: ["redact_start.js", "write_start.js"], most: 262_000 },
  "the hook before an edit": { files: ["hook_start.js"], most: 273_000 },
  "the hook at a prompt": { files: ["agent_start.js", "prompt_start.js"], most: 527_000 },
  "the hook at a session start": {
    files: ["agent_start.js", "capture_start.js", "session_start.js"],
    most: 346_000,
  },
  "a turn that brings rows": {
    files: ["agent_start", "capture_start", "turn_start", "redact_start", "write_start"]
      .map((name) => `${name}.js`),
    most: 343_000,
  },
  "the protocol of a server": { files: ["mcp_start.js"], most: 840_000 },
};

Deno.test("the bundle is flat, holds workers and assets, and starts without its lazy parts", async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-bundle-" });
  try {
    const plain = await builtBundle();
    const names = listFiles(plain);
    assert.ok(
      ["mod.js", "worker.js", "model.json"].every((name) => names.includes(name)),
      names.join(" "),
    );
    assert.equal(countUsing(plain), countUsing(`${repository}src`), "`using` was lost");
    await stampBundle(plain, `${work}/app`, { form: "bundle", commit: "abc" });
    assert.ok(countUsing(`${work}/app`) >= countUsing(plain), "`using` was lost");
    const kept = listFiles(`${work}/app`);
    const entries = startGroups.flatMap((group) => group.entries);
    const merged = new Set(entries.map((entry) => entry.split("#")[0]));
    const gone = names.filter((name) => !/^chunk-/.test(name) && !kept.includes(name));
    assert.deepEqual(
      gone.map((name) => name.replace(/-\w{8}\.js$/, "")),
      [...merged].filter((name) => name !== "mod" && name !== "chunk").sort(),
    );
    for (const { file } of startGroups) {
      assert.ok(kept.includes(file), file);
      // Other text would be copied twice, as two bytes a character.
      assert.match(Deno.readTextFileSync(`${work}/app/${file}`), /^[\0-\x7f]*$/, file);
    }
    for (const { file } of startGroups) {
      const { modules } = await graphOf(`${work}/app/${file}`);
      const code = modules.map(({ specifier }) => Deno.readTextFileSync(new URL(specifier)));
      // Only MCP's protocol is made with it; a validator and Node's layer are not.
      const heavy = /^(zod|mcp)_/.test(file) ? /require_ajv|from\s*"node:/ : /\$ZodType/;
      assert.doesNotMatch(code.join(""), heavy, `${file} loads ${heavy}`);
    }
    const graph = await graphOf(`${work}/app/mod.js`);
    const foreign = graph.modules.filter(({ specifier }) => !specifier.startsWith("file:"));
    assert.deepEqual(foreign, []);
    const code = graph.modules.map(({ specifier }) => Deno.readTextFileSync(new URL(specifier)));
    assert.ok(
      graph.modules.length < 5,
      `${graph.modules.length} modules before the first command`,
    );
    for (const [name, { files, most }] of Object.entries(loads)) {
      const graphs = await Promise.all(
        ["mod.js", ...files].map((file) => graphOf(`${work}/app/${file}`)),
      );
      const loaded = [
        ...new Set(graphs.flatMap(({ modules }) => modules.map(({ specifier }) => specifier))),
      ];
      const bytes = loaded.reduce((sum, url) => sum + Deno.statSync(new URL(url)).size, 0);
      assert.ok(bytes < most, `${name} loads ${bytes} bytes of code: ${loaded.join(" ")}`);
    }
    assert.doesNotMatch(code.join(""), /deno fmt --check/, "all of deno.json is in it");
    const version = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", `${work}/app/mod.js`, "--version", "--json"],
    }).output();
    const { form, commit } = JSON.parse(new TextDecoder().decode(version.stdout));
    assert.deepEqual([form, commit], ["bundle", "abc"]);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("findDenort() takes DENORT_BIN, then the cache, then the download host", async () => {
  const before = Deno.env.get("DENORT_BIN");
  try {
    Deno.env.set("DENORT_BIN", "/nowhere/denort");
    assert.deepEqual(await findDenort(hostTarget(), ""), {
      found: false,
      reason: 'DENORT_BIN is "/nowhere/denort", which is not there',
    });
    Deno.env.set("DENORT_BIN", Deno.execPath());
    assert.deepEqual(await findDenort(hostTarget(), ""), { found: true, where: Deno.execPath() });
    Deno.env.delete("DENORT_BIN");
    const target = { ...getTarget("linux-x64"), triple: "none" };
    assert.deepEqual(await findDenort(target, "http://127.0.0.1:9"), {
      found: false,
      reason: "Deno's download host cannot be reached",
    });
  } finally {
    if (before === undefined) Deno.env.delete("DENORT_BIN");
    else Deno.env.set("DENORT_BIN", before);
  }
});

Deno.test({
  name: "compileNative() embeds every file of the bundle into the base it is given",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const work = await Deno.makeTempDir({ prefix: "ctx-native-" });
    const before = Deno.env.get("DENORT_BIN");
    try {
      await Deno.mkdir(`${work}/bundle`);
      await Deno.writeTextFile(`${work}/bundle/mod.js`, 'import("./lazy.js");"entry-mark";\n');
      await Deno.writeTextFile(`${work}/bundle/lazy.js`, '"lazy-mark";\n');
      await Deno.writeTextFile(`${work}/bundle/page.html`, "asset-mark\n");
      Deno.env.set("DENORT_BIN", await Deno.realPath("/bin/true"));
      const output = `${work}/ctx`;
      await compileNative({ target: hostTarget(), bundle: `${work}/bundle`, output });
      const text = new TextDecoder("latin1").decode(await Deno.readFile(output));
      for (const mark of ["entry-mark", "lazy-mark", "asset-mark", "worker-options"]) {
        assert.ok(text.includes(mark), mark);
      }
    } finally {
      if (before === undefined) Deno.env.delete("DENORT_BIN");
      else Deno.env.set("DENORT_BIN", before);
      await Deno.remove(work, { recursive: true });
    }
  },
});

Deno.test("getMember() finds a file in a tar archive", () => {
  const tar = new Uint8Array(2048);
  const put = (at: number, text: string): void => tar.set(new TextEncoder().encode(text), at);
  put(0, "package/README");
  put(124, "00000000003 ");
  put(512, "abc");
  put(1024, "package/deno");
  put(1148, "00000000005\0");
  put(1536, "hello");
  assert.equal(new TextDecoder().decode(getMember(tar, "package/deno")), "hello");
  assert.throws(() => getMember(tar, "package/none"), /has no "package\/none"/);
});

Deno.test("every command has permissions of its own, and once", () => {
  const named = [
    ...localCommands,
    ...editorCommands,
    ...selfCommands,
    ...providerCommands,
    ...netCommands,
    ...servers,
    ...pageServers,
  ];
  const firsts = new Set([...taskNames, ...doorNames].map((name) => name.split(" ")[0]));
  assert.deepEqual([...named].sort(), [...firsts].sort());
});

Deno.test("a start finds compiled code of earlier ones", async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-bundle-" });
  try {
    await stampBundle(await builtBundle(), `${work}/app`, { form: "bundle" });
    // Deno writes behind the program's back, and a start may end before that is done.
    for (let start = 0; start < 10 && keptCode(work, "start.js") === 0; start++) {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", ...startFlags, `${work}/app/mod.js`, "--version"],
        env: { DENO_DIR: `${work}/deno`, HOME: work },
      }).output();
      assert.ok(success);
    }
    assert.ok(keptCode(work, "start.js") > 100_000);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

/** The bytes of compiled code that Deno keeps of a module. */
function keptCode(work: string, name: string): number {
  try {
    using cache = new DatabaseSync(`${work}/deno/v8_code_cache_v2`, { readOnly: true });
    const rows = cache.prepare("select specifier, length(data) as bytes from codecache").all();
    return Number(rows.find(({ specifier }) => String(specifier).endsWith(`/${name}`))?.bytes ?? 0);
  } catch {
    return 0;
  }
}

/** How many variables are closed at the end of their block, in all code below a directory. */
function countUsing(directory: string): number {
  let count = 0;
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) count += countUsing(path);
    else if (/\.[jt]s$/.test(name)) {
      count += Deno.readTextFileSync(path).match(/\busing \w+ ?= ?/g)?.length ?? 0;
    }
  }
  return count;
}

/** All that a module of a bundle loads before it runs. */
async function graphOf(path: string): Promise<{ modules: { specifier: string }[] }> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-config", toFileUrl(toOwnPath(path))],
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}
