// install.sh: from a file, with the right checksum and with a wrong one, over what is there; and that
// an agent's first call finds everything unpacked and compiled.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { listFiles } from "../../build/bundle.ts";
import { writeSelfExtracting } from "../../build/self_extracting.ts";
import { sha256 } from "../../build/sha256.ts";
import { hostTarget } from "../../build/target.ts";
import { builtCtx } from "../support/processes/built_ctx.ts";
import { headerBytes } from "../support/processes/fake_built.ts";
import { findProgram } from "../support/processes/find_program.ts";
import { inInstallHome, program } from "../support/processes/install_home.ts";
import { repository } from "../support/repository.ts";
import { runProcess } from "../support/processes/run_ctx.ts";

const ignore = Deno.build.os === "windows";
const right = await sha256(new TextEncoder().encode(program));

Deno.test({
  name: "install.sh installs a local file under both names",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      const { code, stdout, stderr } = await install("built", "--sha256", right);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(
        stdout,
        `checksum verified: ${right}\n` +
          "provenance not verified: built is a local file\n" +
          `installed ctx 1.2.3 as ${home}/.local/bin/ctx (and contextfs)\n`,
      );
      assert.equal(await Deno.readTextFile(`${home}/.local/bin/contextfs`), program);
      const names = [...Deno.readDirSync(`${home}/.local/bin`)].map((item) => item.name).sort();
      assert.deepEqual(names, ["contextfs", "ctx"]);
    }),
});

Deno.test({
  name: "install.sh puts the man page where man finds it, and the documented removal takes it away",
  ignore: ignore || findProgram("man") === undefined,
  fn: () =>
    inInstallHome(async (home, install) => {
      const page = `cat '${repository}/docs/ctx.1'`;
      await Deno.writeTextFile(
        `${home}/paged`,
        `#!/bin/sh\n[ "$1 $2" = "completions man" ] && ${page} || echo "ctx 1.2.3"\n`,
      );
      const { code, stderr } = await install("paged");
      assert.deepEqual([code, stderr], [0, ""]);
      const env = {
        HOME: home,
        PATH: `${home}/.local/bin:${Deno.env.get("PATH")}`,
        MANWIDTH: "80",
      };
      for (const name of ["ctx", "contextfs"]) {
        const page = await runProcess(["man", "-P", "cat", name], { cwd: home, env });
        assert.match(page.stdout, /^CTX\(1\)/, page.stderr);
      }
      const text = await Deno.readTextFile(`${repository}/docs/BINARY.md`);
      const removal = text.split("\n").filter((line) => /^rm -r?f ~/.test(line)).join("\n");
      await runProcess(["/bin/sh", "-c", removal], { cwd: home, env });
      const left = [...Deno.readDirSync(`${home}/.local/share/man/man1`)];
      assert.deepEqual([left, [...Deno.readDirSync(`${home}/.local/bin`)]], [[], []]);
      await install("paged", "--no-man");
      assert.deepEqual([...Deno.readDirSync(`${home}/.local/share/man/man1`)], []);
    }),
});

Deno.test({
  name: "install.sh reads SHA256SUMS beside the file and replaces nothing on a mismatch",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
      await Deno.writeTextFile(`${home}/.local/bin/ctx`, "the old one");
      await Deno.writeTextFile(`${home}/SHA256SUMS`, `${"0".repeat(64)}  built\n`);
      const { code, stderr } = await install("built");
      assert.equal(code, 1);
      assert.equal(
        stderr,
        `install.sh: wrong checksum: expected ${
          "0".repeat(64)
        }, found ${right}; nothing was installed\n`,
      );
      assert.equal(await Deno.readTextFile(`${home}/.local/bin/ctx`), "the old one");
      const names = [...Deno.readDirSync(`${home}/.local/bin`)].map((item) => item.name);
      assert.deepEqual(names, ["ctx"]);
    }),
});

Deno.test({
  name: "install.sh --help says how to install and to uninstall, also from a pipe",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      const { code, stdout, stderr } = await install("--help");
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^Installs ctx as /);
      assert.match(stdout, /^To uninstall, remove /m);
      const piped = await runProcess(["/bin/sh", "-s", "--", "--help"], {
        cwd: home,
        stdin: await Deno.readTextFile(`${repository}/install.sh`),
      });
      assert.equal(piped.stdout, stdout);
      assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name), ["built"]);
    }),
});

Deno.test({
  name: "install.sh replaces nothing by what does not start, nor another program's contextfs",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      const bin = `${home}/.local/bin`;
      await Deno.mkdir(bin, { recursive: true });
      await Deno.writeTextFile(`${bin}/ctx`, "the old one");
      await Deno.writeTextFile(`${home}/broken`, "#!/bin/sh\nexit 1\n");
      const broken = await install("broken");
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /does not start on this machine; nothing was installed\n$/);
      assert.equal(await Deno.readTextFile(`${bin}/ctx`), "the old one");
      await Deno.writeTextFile(`${bin}/contextfs`, "another program");
      const { code, stdout } = await install("built");
      assert.equal(code, 0);
      assert.match(stdout, /^note: .*\/contextfs is another program and was left alone$/m);
      assert.equal(await Deno.readTextFile(`${bin}/contextfs`), "another program");
      assert.equal(await Deno.readTextFile(`${bin}/ctx`), program);
      const names = [...Deno.readDirSync(bin)].map(({ name }) => name).sort();
      assert.deepEqual(names, ["contextfs", "ctx"]);
    }),
});

Deno.test({
  name: "install.sh takes no checksum that is none, and no directory for the program",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      for (const sum of ["", "abc", "z".repeat(64), "A".repeat(64)]) {
        const { code, stderr } = await install("built", "--sha256", sum);
        assert.deepEqual([code, stderr], [
          1,
          `install.sh: --sha256 needs 64 hexadecimal digits in lower case, not "${sum}"\n`,
        ]);
      }
      const bytes = new TextEncoder().encode(program);
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      const odd = `${home}/a\\b\nc`;
      const done = await install("built", "--sha256", sum, "--dir", odd, "--no-man");
      assert.equal(done.code, 0, done.stderr);
      assert.equal(await Deno.readTextFile(`${odd}/ctx`), program);
      await Deno.mkdir(`${home}/.local/bin/ctx`, { recursive: true });
      const taken = await install("built");
      assert.deepEqual([taken.code, taken.stderr], [
        1,
        `install.sh: ${home}/.local/bin/ctx is a directory; pass another --dir\n`,
      ]);
    }),
});

Deno.test({
  name: "after install.sh nothing is left to unpack or to compile for an agent's first calls",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      const { path, form } = await builtCtx();
      const { code, stderr } = await install(path);
      assert.deepEqual([code, stderr], [0, ""]);
      const ctx = `${home}/.local/bin/ctx`;
      // What is cut off cannot be unpacked.
      if (form === "self-extracting") await Deno.truncate(ctx, headerBytes(ctx));
      const unpacked = listUnpacked(home);
      const compiled = listCompiled(home);
      assert.ok(unpacked.length > 100 || form === "compiled", `${unpacked.length} files`);

      const work = `${home}/work`;
      await Deno.mkdir(work);
      const run = async (words: string[], input?: unknown[]): Promise<string> => {
        const ran = await runProcess([ctx, ...words], {
          cwd: work,
          stdin: input?.map((line) => JSON.stringify(line) + "\n").join(""),
          env: { HOME: home, XDG_CACHE_HOME: `${home}/.cache`, PATH: "/nowhere" },
        });
        assert.deepEqual([ran.code, ran.stderr], [0, ""], words.join(" "));
        return ran.stdout;
      };
      assert.match(await run(["--version"]), /^ctx \d/);
      await run(["init"]);
      const id = (await run(["save", "refresh tokens rotate"])).trim();
      const called = await run(["mcp"], [
        { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: 2, method: "tools/list" },
        callOf(3, "search", { query: "token rotation" }),
        callOf(4, "get", { ids: [id] }),
        callOf(5, "save_memory", { text: "families are revoked" }),
      ]);
      assert.match(called, /"serverInfo":\{"name":"ctx"/);
      await run(["hook", "claude-code"], [{ cwd: work, hook_event_name: "Stop" }]);
      await Deno.writeTextFile(`${work}/a.ts`, "export const a = 1;\n");
      await run(["hook", "pre-edit"], [
        { cwd: work, tool_name: "Edit", tool_input: { file_path: `${work}/a.ts` } },
      ]);
      assert.match(await run(["search", "token rotation"]), /refresh tokens rotate/);
      assert.equal(await run(["get", id]), "refresh tokens rotate");
      await run(["timeline", id]);

      assert.deepEqual(listUnpacked(home), unpacked);
      assert.deepEqual(listCompiled(home).filter((name) => !compiled.includes(name)), []);
    }),
});

Deno.test({
  name: "install.sh over a running server: it goes on, and its copy goes once it has ended",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      const { path, form } = await builtCtx();
      if (form === "compiled") return;
      await install(path);
      const [old] = listCopies(home);
      await Deno.mkdir(`${home}/bundle`);
      for (const name of listFiles(`${old}/app`)) {
        await Deno.copyFile(`${old}/app/${name}`, `${home}/bundle/${name}`);
      }
      await Deno.writeTextFile(`${home}/bundle/version`, "another");
      await writeSelfExtracting({
        target: hostTarget(),
        version: "9.9.9",
        bundle: `${home}/bundle`,
        deno: `${old}/deno`,
        gzip: false,
        output: `${home}/newer`,
      });

      const work = `${home}/work`;
      await Deno.mkdir(work);
      const env = { HOME: home, XDG_CACHE_HOME: `${home}/.cache` };
      const ctx = `${home}/.local/bin/ctx`;
      assert.equal((await runProcess([ctx, "init"], { cwd: work, env })).code, 0);
      const server = startServer(ctx, { cwd: work, env });
      await server.ask({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
      const { code, stderr } = await install("newer");
      assert.deepEqual([code, stderr], [0, ""]);
      const [now] = listCopies(home).filter((copy) => copy !== old);
      assert.deepEqual(listCopies(home), [old, now].sort());
      // It loads code that it had no use for until now.
      assert.match(await server.ask(callOf(2, "search", { query: "anything" })), /hits: 0/);
      assert.equal(await server.end(), 0);

      const next = startServer(ctx, { cwd: work, env });
      await next.ask({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
      assert.equal(await next.end(), 0);
      assert.deepEqual(listCopies(home), [now]);
      const names = [...Deno.readDirSync(`${home}/.cache/ctx`)].map(({ name }) => name);
      assert.equal(names.filter((name) => name.endsWith(".code")).length, 1, `${names}`);
    }),
});

interface Server {
  ask(message: unknown): Promise<string>;
  end(): Promise<number>;
}

/** A server over standard input and output, and how to talk with it. */
function startServer(
  ctx: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Server {
  const child = new Deno.Command(ctx, {
    args: ["mcp"],
    cwd,
    clearEnv: true,
    env: { ...env, PATH: "/usr/bin:/bin" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async ask(message) {
      await writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
      let text = "";
      while (!text.endsWith("\n")) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
      }
      return text;
    },
    async end() {
      await writer.close();
      const { code } = await child.status;
      await reader.cancel();
      return code;
    },
  };
}

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

function callOf(id: number, name: string, args: Record<string, unknown>): unknown {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

/** The unpacked copies. */
function listCopies(home: string): string[] {
  return [...Deno.readDirSync(`${home}/.cache/ctx`)].filter(({ name, isDirectory }) =>
    isDirectory && !name.endsWith(".code")
  ).map(({ name }) => `${home}/.cache/ctx/${name}`).sort();
}

/** Names, places and times of the unpacked files. */
function listUnpacked(home: string): string[] {
  const visit = (path: string): string[] =>
    [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
      const { ino, mtime } = Deno.statSync(`${path}/${name}`);
      if (name.endsWith(".code") || name.startsWith("run.")) return [];
      const line = `${path}/${name} ${ino} ${mtime?.getTime()}`;
      return isDirectory ? [line, ...visit(`${path}/${name}`)] : [line];
    });
  return isThere(`${home}/.cache`) ? visit(`${home}/.cache/ctx`).sort() : [];
}

/** The modules that Deno has compiled. */
function listCompiled(home: string): string[] {
  if (!isThere(`${home}/.cache`)) return [];
  const kept = [...Deno.readDirSync(`${home}/.cache/ctx`)].find(({ name }) =>
    name.endsWith(".code")
  );
  const path = `${home}/.cache/ctx/${kept?.name}/v8_code_cache_v2`;
  using cache = new DatabaseSync(path, { readOnly: true });
  const rows = cache.prepare("select specifier from codecache").all();
  return rows.map(({ specifier }) => String(specifier)).sort();
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
