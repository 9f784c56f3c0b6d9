// The built file on a bare machine: build, copy, then everything a first user does. Runs against
// whichever form was built.

import assert from "node:assert/strict";
import { type BareMachine, bareMachine } from "../support/processes/bare_machine.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { builtCtx } from "../support/processes/built_ctx.ts";

const ignore = notOnWindows("the test machine has only Unix tools");
const { path: built, form } = ignore ? { path: "", form: "" } : await builtCtx();

Deno.test(
  "the built file works with nothing but coreutils and an empty home",
  { ignore },
  async (t) => {
    await using machine = await bareMachine();
    const ctx = `${machine.root}/somewhere/ctx`;
    await Deno.mkdir(`${machine.root}/somewhere`);
    await Deno.copyFile(built, ctx);
    let id = "";

    await t.step("says which form it is", async () => {
      const { stdout, stderr, code } = await machine.run([ctx, "--version", "--json"]);
      assert.deepEqual([code, stderr], [0, ""]);
      const info = JSON.parse(stdout);
      assert.equal(info.form, form);
      assert.match(info.version, /^\d+\.\d+\.\d+/);
      assert.equal(info.target, Deno.build.target);
    });
    await t.step("the version and the help are the same, whoever answers", async () => {
      const answers = async (...words: string[]): Promise<string[]> => {
        const { code, stdout, stderr } = await machine.run([ctx, ...words]);
        return [String(code), stdout, stderr];
      };
      const { stdout } = await machine.run([ctx, "--version", "--json"]);
      assert.deepEqual(await answers("--version"), [
        "0",
        `ctx ${JSON.parse(stdout).version}\n`,
        "",
      ]);
      const help = await answers("--help");
      assert.match(help[1], /^ctx: a durable memory .*\n\nUsage {2}ctx COMMAND/);
      assert.deepEqual(help, await answers("--color=never", "--help"));
      assert.deepEqual(help, await answers());
    });
    await t.step("init", async () => {
      const { code, stdout } = await machine.run([ctx, "init"]);
      assert.equal(code, 0);
      assert.match(stdout, /^Created a store in /);
    });
    await t.step("save keeps the text byte for byte", async () => {
      const text = "refresh tokens rotate\n'on' \"every\" $use; --now\tü\n";
      const saved = await machine.run([ctx, "save", "-", "--json"], { stdin: text });
      assert.deepEqual([saved.code, saved.stderr], [0, ""]);
      id = JSON.parse(saved.stdout).id;
      const words = await machine.run([ctx, "save", "--", text]);
      const read = await machine.run([ctx, "get", id, words.stdout.trim(), "--json"]);
      const texts = JSON.parse(read.stdout).results.map((row: { text: string }) => row.text);
      assert.deepEqual(texts, [text, text]);
    });
    await t.step("search", async () => {
      const { code, stdout } = await machine.run([ctx, "search", "token rotation", "--json"]);
      assert.equal(code, 0);
      // The two say the same: one of them is shown, with the other.
      const ids = JSON.parse(stdout).results.flatMap(
        (row: { id: string; like?: { ids: string[] } }) => [row.id, ...row.like?.ids ?? []],
      );
      assert.ok(ids.includes(id), `${id} is among ${ids}`);
    });
    await t.step("export, then import contextfs, gives the same rows", async () => {
      const { stdout } = await machine.run([ctx, "export"]);
      await Deno.mkdir(`${machine.home}/copy`);
      await Deno.writeTextFile(`${machine.home}/rows.ndjson`, stdout);
      const cwd = `${machine.home}/copy`;
      await machine.run([ctx, "init"], { cwd });
      const taken = await machine.run(
        [ctx, "import", "contextfs", "--root", `${machine.home}/rows.ndjson`],
        { cwd },
      );
      assert.equal(taken.code, 0, taken.stderr);
      assert.equal((await machine.run([ctx, "export"], { cwd })).stdout, stdout);
    });
    await t.step("errors and exit codes are those of the sources", async () => {
      const { code, stdout, stderr } = await machine.run([ctx, "get", "H-nope", "--json"]);
      assert.deepEqual([code, stdout], [3, ""]);
      assert.equal(JSON.parse(stderr).error.code, "NOT_FOUND");
    });
    await t.step("suggest reads sources", async () => {
      await Deno.mkdir(`${machine.workspace}/src`);
      await Deno.writeTextFile(
        `${machine.workspace}/src/a.ts`,
        'import { b } from "./b.ts";\nexport const a = (): number => b();\n',
      );
      await Deno.writeTextFile(
        `${machine.workspace}/src/b.ts`,
        "export function b(): number {\n  return 1;\n}\n",
      );
      const found = await machine.run([ctx, "suggest", "--file", "src/b.ts", "--json"]);
      assert.equal(found.code, 0, found.stderr);
      assert.match(found.stdout, /"entity_id":"code:src\/a\.ts"/);
    });
    await t.step("contextfs is a second name", async () => {
      await Deno.symlink("ctx", `${machine.root}/somewhere/contextfs`);
      const { code, stdout } = await machine.run([
        `${machine.root}/somewhere/contextfs`,
        "get",
        id,
      ]);
      assert.equal(code, 0);
      assert.match(stdout, /refresh tokens rotate/);
    });
    await t.step("help is grouped by task", async () => {
      const { stdout } = await machine.run([ctx, "--help"]);
      for (const group of ["Get started", "Find and read", "Save and correct", "Agents and team"]) {
        assert.match(stdout, new RegExp(`^${group}$`, "m"));
      }
    });
    await t.step("doctor warns of another ctx that is first on the PATH", async () => {
      const PATH = `${machine.root}/other:${machine.root}/somewhere:${machine.bin}`;
      const sound = await machine.run([ctx, "doctor"], { env: { ...machine.env, PATH } });
      assert.match(sound.stdout, /^ok +path +ctx is .*\/somewhere\/ctx$/m);
      await Deno.mkdir(`${machine.root}/other`);
      await Deno.writeTextFile(`${machine.root}/other/ctx`, "#!/bin/sh\n", { mode: 0o755 });
      const { code, stdout } = await machine.run([ctx, "doctor"], {
        env: { ...machine.env, PATH },
      });
      assert.equal(code, 0);
      assert.match(stdout, /warning +path +"ctx" on the PATH is another program: .*\/other\/ctx;/);
    });
    await t.step("what Deno compiled is in order after a command or two", async () => {
      for (let i = 0; i < 3; i++) {
        assert.equal((await machine.run([ctx, "search", "tokens"])).code, 0);
        assert.equal((await machine.run([ctx, "get", id])).code, 0);
      }
      if (form === "compiled") return;
      const files = codeCacheFiles(machine);
      const sizeOf = (name: string): number[] =>
        files.filter((path) => path.endsWith(name)).map((path) => Deno.statSync(path).size);
      assert.ok(sizeOf("/v8_code_cache_v2")[0] > 100_000, `${files}`);
      assert.deepEqual(sizeOf("-wal"), sizeOf("-wal").map(() => 0));
    });
    await t.step("garbage in the runtime's own caches does no harm", async () => {
      for (const path of codeCacheFiles(machine)) await Deno.writeTextFile(path, "garbage");
      const { code, stdout, stderr } = await machine.run([ctx, "get", id]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /refresh tokens rotate/);
    });
    await t.step("nothing outside the home and the workspace was written", () => {
      const names = [...Deno.readDirSync(machine.root)].map((item) => item.name).sort();
      assert.deepEqual(names, ["bin", "home", "other", "somewhere", "work"]);
    });
  },
);

/** The databases in which the self-extracting form keeps compiled code. */
function codeCacheFiles({ cache }: BareMachine): string[] {
  return [...Deno.readDirSync(cache)].filter(({ name }) => name.endsWith(".code"))
    .flatMap(({ name }) =>
      [...Deno.readDirSync(`${cache}/${name}`)].filter((item) => item.isFile)
        .map((item) => `${cache}/${name}/${item.name}`)
    );
}

Deno.test("the built file serves MCP on a bare machine", { ignore }, async () => {
  await using machine = await bareMachine();
  await machine.run([built, "init"]);
  await machine.run([built, "save", "the deploy key lives in the vault"]);
  const say = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
  const child = new Deno.Command("/usr/bin/env", {
    args: ["-i", `HOME=${machine.home}`, `PATH=${machine.bin}`, built, "mcp"],
    cwd: machine.workspace,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  const ask = async (message: object): Promise<Answer> => {
    await writer.write(new TextEncoder().encode(say(message)));
    return JSON.parse(await lines());
  };
  const hello = await ask({
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  });
  assert.equal(hello.result.serverInfo?.name, "ctx");
  await writer.write(new TextEncoder().encode(say({ method: "notifications/initialized" })));
  const found = await ask({
    id: 2,
    method: "tools/call",
    params: { name: "search", arguments: { query: "deploy key" } },
  });
  assert.match(JSON.stringify(found.result), /lives in the vault/);
  // Enough to be indexed by the server: it must give the lock back.
  for (let id = 3; id < 6; id++) {
    const text = `note ${id} `.repeat(2000);
    await ask({ id, method: "tools/call", params: { name: "save_memory", arguments: { text } } });
  }
  const beside = await machine.run([built, "save", "beside the server"]);
  assert.equal(beside.code, 0, beside.stderr);
  if (form === "self-extracting" && Deno.build.os === "linux") {
    const command = await Deno.readTextFile(`/proc/${child.pid}/cmdline`);
    const flags = command.split("\0").filter((word) => word.startsWith("--allow"));
    assert.deepEqual(flags.map((flag) => flag.replace(/=.*/, "")), [
      "--allow-read",
      "--allow-write",
      "--allow-env",
    ]);
    assert.equal(flags[1], `--allow-write=${machine.workspace}/.contextfs`);
    assert.ok(flags[0].startsWith(`--allow-read=${machine.workspace},`));
  }
  await writer.close();
  assert.equal((await child.status).code, 0);
});

interface Answer {
  result: { serverInfo?: { name: string } };
}

/** Reads a stream line by line. */
function readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): () => Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return async () => {
    while (!rest.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the server hung up after ${rest}`);
      rest += value;
    }
    const end = rest.indexOf("\n");
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    return line;
  };
}
