// The permissions of the built file: what its header starts Deno with for each command, and that the
// runtime denies the rest. docs/BINARY.md has the table; every test that it names is there.

import assert from "node:assert/strict";
import { permissionMatrix } from "../../build/permission_matrix.ts";
import { doorNames, taskNames } from "../../src/cli/task_list.ts";
import { findBuilt } from "../support/processes/built_ctx.ts";
import { repository } from "../support/repository.ts";
import { isolatedEnv, runProcess } from "../support/processes/run_ctx.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const built = await findBuilt();
const ignore = built?.form !== "self-extracting";
const local = ["--allow-read", "--allow-write", "--allow-env"];
const provider = { CTX_LLM_MODEL: "m" };

Deno.test("docs/BINARY.md names tests that exist", async () => {
  const page = await Deno.readTextFile(`${repository}/docs/BINARY.md`);
  for (const { file, test } of permissionMatrix.flatMap(({ proofs }) => proofs)) {
    const text = await Deno.readTextFile(`${repository}/${file}`);
    assert.ok(text.includes(`"${test}"`), `${file} has "${test}"`);
    assert.ok(page.includes(test), test);
  }
});

Deno.test({
  name: "every command is started with the permissions of its row and no others",
  ignore,
  async fn() {
    await using t = await tempStore();
    const first = (names: readonly string[]): string[] => names.map((name) => name.split(" ")[0]);
    const all = new Set(first([...taskNames, ...doorNames]));
    const asks = [
      "search",
      "pick",
      "ask",
      "chat",
      "eval",
      "compact",
      "reindex",
    ];
    for (const name of all) {
      if (name === "mcp") continue;
      const [alone, provided] = [
        await startedWith([name], t.workspace),
        await startedWith(
          [name],
          t.workspace,
          provider,
        ),
      ];
      const run = alone.deno;
      const wide = [...local, "--allow-net", "--allow-sys=ca"];
      const [expected, expectedProvided] = ["serve", "ui"].includes(name)
        ? [[...wide, `--allow-run=${run}`], [...wide, `--allow-run=${run}`]]
        : ["setup", "start", "import", "hook"].includes(name)
        ? [[...local, `--allow-run=${alone.file}`], [...local, `--allow-run=${provided.file}`]]
        : ["edit", "review"].includes(name)
        ? [[...local, "--allow-run=vi"], [...local, "--allow-run=vi"]]
        : ["watch", "upgrade", "sync", "remote", "team"].includes(name)
        ? [wide, wide]
        : [local, asks.includes(name) ? wide : local];
      if (name === "ui") alone.flags = alone.flags.map(withoutOpener);
      if (name === "ui") provided.flags = provided.flags.map(withoutOpener);
      assert.deepEqual(alone.flags, expected, name);
      assert.deepEqual(provided.flags, expectedProvided, `${name} with a provider`);
    }
    // The header answers by itself.
    assert.deepEqual((await startedWith([], t.workspace)).flags, []);
    assert.deepEqual((await startedWith([], t.workspace, provider)).flags, []);
    const mcp = await startedWith(["mcp"], t.workspace);
    const names = mcp.flags.map((flag) => flag.replace(/=.*/, ""));
    assert.deepEqual(names, ["--allow-read", "--allow-write", "--allow-env"]);
    assert.ok(mcp.flags.every((flag) => flag.includes("=")), `${mcp.flags}`);
    const wider = await startedWith(["mcp"], t.workspace, provider);
    assert.deepEqual(wider.flags, [
      ...local,
      "--allow-net",
      "--allow-sys=ca",
      `--allow-run=${wider.deno}`,
    ]);
  },
});

Deno.test({
  name: "a provider in the user's file gives a network to what asks it, and to nothing else",
  ignore,
  async fn() {
    await using t = await tempStore();
    const env = { XDG_CONFIG_HOME: `${t.workspace}/config` };
    Deno.mkdirSync(`${t.workspace}/config/ctx`, { recursive: true });
    const file = `${t.workspace}/config/ctx/config.jsonc`;
    for (
      const [text, expected] of [
        ['{ "durability": "fast" }', false],
        ['{\n  // mine\n  "embedder": { "kind": "http" } }', true],
        ['{ "llm.model": "m" }', true],
      ] as const
    ) {
      Deno.writeTextFileSync(file, text);
      const { flags } = await startedWith(["search", "x"], t.workspace, env);
      assert.equal(flags.includes("--allow-net"), expected, text);
      assert.deepEqual((await startedWith(["save", "x"], t.workspace, env)).flags, local);
    }
  },
});

Deno.test({
  name: "what a row does not name is denied by the runtime",
  ignore,
  async fn() {
    await using t = await tempStore();
    const own = { "connect": false, "run another": false, "run ctx's own": false };
    const never = { "ffi": false, "sys": false };
    const rows: [words: string[], env: Record<string, string>, may: object][] = [
      [["save"], {}, { ...own, ...never }],
      [["import"], provider, { ...own, ...never }],
      [["setup"], {}, { ...own, ...never }],
      [["edit"], { EDITOR: "nano -w" }, { ...own, ...never }],
      [["search"], {}, { ...own, ...never }],
      [["search"], provider, { ...own, ...never, "connect": true }],
      [["watch"], {}, { ...own, ...never, "connect": true }],
      [["suggest", "watch"], {}, { ...own, ...never, "connect": true }],
      [["serve"], {}, { ...own, ...never, "connect": true, "run ctx's own": true }],
      [["mcp"], {}, { ...own, ...never }],
    ];
    for (const [words, env, may] of rows) {
      const start = await startedWith(words, t.workspace, env);
      assert.ok(start.words.includes("--no-remote") && start.words.includes("--no-npm"));
      assert.deepEqual(await probe(start), may, `${words} ${JSON.stringify(env)}`);
    }
  },
});

interface Start {
  /** The file that was started. */
  file: string;
  deno: string;
  /** All words before the program. */
  words: string[];
  /** Those that are permissions. */
  flags: string[];
}

/** What the header of the built file would start: the header itself, saying it instead of doing it. */
async function startedWith(
  words: string[],
  workspace: string,
  env: Record<string, string> = {},
): Promise<Start> {
  const script = `${workspace}/header.sh`;
  await Deno.writeTextFile(script, await sayingHeader());
  const run = (): ReturnType<typeof runProcess> =>
    runProcess(["/bin/sh", script, ...words], { cwd: workspace, env });
  const { stdout, stderr } = await run();
  const said = stdout.split("\n").slice(0, -1);
  assert.ok(said.length > 0, stderr);
  const before = said.slice(0, said.findIndex((word) => word.endsWith("/app/mod.js")));
  return {
    file: script,
    deno: said[0],
    words: before.slice(1),
    flags: before.filter((word) => word.startsWith("--allow-")),
  };
}

let header: string | undefined;

async function sayingHeader(): Promise<string> {
  if (header !== undefined) return header;
  // The copy must be there: a header alone has nothing to unpack.
  await runProcess([built!.path, "--version"], { cwd: "/", env: isolatedEnv(repository) });
  using file = await Deno.open(built!.path);
  const bytes = new Uint8Array(1 << 17);
  const count = await file.read(bytes) ?? 0;
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, count));
  const end = text.indexOf('\nbegin "$@"\nexit');
  assert.ok(end > 0, "the header ends with its last start");
  const start = 'exec "$deno" run';
  assert.ok(text.includes(start));
  return header = text.slice(0, end).replaceAll(start, `say "$deno" run`)
    .replace("\n", "\nsay() { printf '%s\\n' \"$@\"; exit; }\n");
}

/** Tries, under the permissions of a start, what might be tried. */
async function probe(start: Start): Promise<Record<string, boolean>> {
  const directory = await Deno.makeTempDir({ prefix: "ctx-probe-" });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    await Deno.writeTextFile(
      `${directory}/probe.js`,
      `const attempts = {
  "connect": async () => (await Deno.connect({ hostname: "127.0.0.1", port: ${listener.addr.port} })).close(),
  "run another": () => new Deno.Command("/bin/true").output(),
  "run ctx's own": () => new Deno.Command(${
        JSON.stringify(start.deno)
      }, { args: ["--version"] }).output(),
  "ffi": () => Deno.dlopen("libc.so.6", {}),
  "sys": () => Deno.hostname(),
};
const worked = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    worked[name] = true;
  } catch {
    worked[name] = false;
  }
}
console.log(JSON.stringify(worked));
`,
    );
    const { stdout, stderr } = await new Deno.Command(start.deno, {
      args: [...start.words, `${directory}/probe.js`],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    return JSON.parse(text);
  } finally {
    listener.close();
    await Deno.remove(directory, { recursive: true });
  }
}

/** What opens a link is named where it is installed. */
function withoutOpener(flag: string): string {
  return flag.replace(/,(xdg-open|wslview|open)$/, "");
}
