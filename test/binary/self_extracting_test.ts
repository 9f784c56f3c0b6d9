// The launcher of the self-extracting form: unpacking once, races, tampering, permissions, and what
// it says when it cannot. end_to_end_test.ts runs the real thing.

import assert from "node:assert/strict";
import { checkUnpacked } from "../../src/store/lifecycle/check_unpacked.ts";
import { type BareMachine, bareMachine } from "../support/processes/bare_machine.ts";
import {
  changeByte,
  ctx,
  headerBytes,
  ignore,
  leftovers,
  modeOf,
  plain,
  shells,
  stampIn,
  unpackedIn,
} from "../support/processes/fake_built.ts";

Deno.test({
  name: "the first start unpacks privately, later ones leave it alone",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    const first = unpackedIn(machine);
    assert.equal(first.length, 1);
    assert.equal(modeOf(machine.cache), 0o700);
    assert.equal(modeOf(first[0]), 0o700);
    assert.equal(modeOf(`${first[0].replace(/\.\w+$/, "")}.code`), 0o700);
    assert.equal(modeOf(`${first[0]}/deno`), 0o500);
    assert.equal(modeOf(`${first[0]}/app/mod.js`), 0o400);
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.deepEqual(unpackedIn(machine), first);
  },
});

Deno.test({
  name: "first starts that race all succeed and leave one copy",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    const runs = await Promise.all(
      Array.from({ length: 12 }, () => machine.run([ctx, "--version"])),
    );
    assert.deepEqual(runs.map(({ code, stderr }) => [code, stderr]), runs.map(() => [0, ""]));
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.deepEqual(leftovers(machine), []);
  },
});

const damages: Record<string, (copy: string, machine: BareMachine) => void> = {
  "a byte of the code is changed": (copy) => changeByte(`${copy}/app/mod.js`),
  "a byte of what every command loads is changed": (copy) => changeByte(`${copy}/app/start.js`),
  "a byte of Deno is changed": (copy) => changeByte(`${copy}/deno`),
  "a file is replaced by one from long ago": (copy) => {
    const path = `${copy}/app/mod.js`;
    Deno.writeTextFileSync(`${copy}/../old.js`, "old();\n");
    Deno.utimeSync(`${copy}/../old.js`, 0, 0);
    Deno.renameSync(`${copy}/../old.js`, path);
  },
  "Deno is cut short": (copy) => {
    Deno.chmodSync(`${copy}/deno`, 0o700);
    Deno.truncateSync(`${copy}/deno`, 1000);
  },
  "a file is missing": (copy) => Deno.removeSync(`${copy}/app/mod.js`),
  "a file is added": (copy) => Deno.writeTextFileSync(`${copy}/app/extra.js`, "0"),
  "the copy is gone": (copy) => Deno.removeSync(copy, { recursive: true }),
  "the stamp is a directory": (_copy, machine) => {
    const stamp = stampIn(machine);
    Deno.removeSync(stamp);
    Deno.mkdirSync(stamp);
  },
  "the stamp is cut short": (_copy, machine) => Deno.truncateSync(stampIn(machine), 40),
  "the stamp is garbage": (_copy, machine) =>
    Deno.writeTextFileSync(stampIn(machine), "\0../../..\n$(exit)\n"),
};

Deno.test({
  name: "doctor compares the checksums: a changed byte is found, whatever the times say",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const [copy] = unpackedIn(machine);
    assert.equal((await checkUnpacked(copy)).status, "ok");
    Deno.chmodSync(machine.cache, 0o777);
    const open = await checkUnpacked(copy);
    assert.equal(open.status, "warning");
    assert.equal(
      open.detail,
      `others can write to "${machine.cache}", where ctx runs from: chmod 700 "${machine.cache}"`,
    );
    Deno.chmodSync(machine.cache, 0o700);
    const path = `${copy}/app/mod.js`;
    const { atime, mtime } = Deno.statSync(path);
    changeByte(path);
    Deno.utimeSync(path, atime!, mtime!);
    const { status, detail } = await checkUnpacked(copy);
    assert.equal(status, "warning");
    assert.ok(detail.startsWith(`"${path}" was changed after installation`), detail);
    for (const length of [1, 0]) {
      Deno.chmodSync(`${copy}/sums`, 0o600);
      Deno.truncateSync(`${copy}/sums`, length);
      assert.equal((await checkUnpacked(copy)).status, "warning");
    }
    Deno.removeSync(`${copy}/sums`);
    assert.equal((await checkUnpacked(copy)).status, "warning");
  },
});

Deno.test({
  name: "a tampered or half-written copy is repaired",
  ignore,
  async fn(t) {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    // Shells differ in what they hold of a file that is not there; macOS has bash.
    for (const shell of shells) {
      for (const [name, damage] of Object.entries(damages)) {
        await t.step([...shell, name].join(" "), async () => {
          damage(unpackedIn(machine)[0], machine);
          const { code, stdout, stderr } = await machine.run([...shell, ctx, "ls"]);
          assert.deepEqual([code, stderr], [0, ""]);
          assert.match(stdout, /^deno run .*\/app\/mod\.js ls\n$/);
          const [copy] = unpackedIn(machine);
          const sums = await machine.run(["/bin/sh", "-c", checkSums, "sh", copy]);
          assert.equal(sums.code, 0, sums.stderr);
          assert.deepEqual(leftovers(machine), []);
        });
      }
    }
  },
});

Deno.test({
  name: "a write into a file that only some commands load is left for doctor to find",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "ls"]);
    const [copy] = unpackedIn(machine);
    changeByte(`${copy}/app/chunk.js`);
    assert.equal((await machine.run([ctx, "ls"])).code, 0);
    assert.deepEqual(unpackedIn(machine), [copy]);
    const { status, detail } = await checkUnpacked(copy);
    assert.equal(status, "warning");
    assert.ok(detail.startsWith(`"${copy}/app/chunk.js" was changed after installation`), detail);
  },
});

const checkSums =
  'cd "$1" && if command -v sha256sum >/dev/null; then sha256sum -c sums; else shasum -a 256 -c sums; fi';

const starts: Record<string, [string[], RegExp]> = {
  "a local command has no network and no subprocess": [
    ["get", "H-1"],
    /^deno run --v8-flags=\S+ --quiet --no-prompt .* --allow-read --allow-write --allow-env \S+\/app\/mod\.js get H-1\n$/,
  ],
  "a command that may ask a provider has no network where none is configured": [
    ["ask", "why"],
    /--allow-read --allow-write --allow-env \S+\/app\/mod\.js ask why\n$/,
  ],
  "a server may start itself, and nothing else": [
    ["serve"],
    /--allow-net --allow-sys=ca --allow-run=(\S+\/deno) \S+\/app\/mod\.js serve\n$/,
  ],
  "mcp is held to the workspace around it": [
    ["mcp"],
    /--allow-read=(\S+\/work),\S+\/\.config\/ctx\/config\.jsonc,\S+\/app --allow-write=\1\/\.contextfs --allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,CTX_\* \S+mod\.js mcp --workspace \1\n$/,
  ],
  "mcp is held to the workspace it is given": [
    ["mcp", "--workspace", "../a,b"],
    /--allow-read=(\S+\/a,,b),\S+ --allow-write=\1\/\.contextfs /,
  ],
  "mcp with an agent confines itself": [
    ["mcp", "agent"],
    /--allow-net --allow-sys=ca --allow-run=\S+\/deno /,
  ],
};

Deno.test({
  name: "Deno is started with the permissions of the sub-command",
  ignore,
  async fn(t) {
    await using machine = await bareMachine();
    await Deno.mkdir(`${machine.workspace}/.contextfs`);
    await Deno.writeTextFile(`${machine.workspace}/.contextfs/history.ndjson`, "");
    await Deno.mkdir(`${machine.workspace}/deep/inside`, { recursive: true });
    await Deno.mkdir(`${machine.workspace}/deep/a,b`);
    for (const [name, [words, expected]] of Object.entries(starts)) {
      await t.step(name, async () => {
        const cwd = `${machine.workspace}/deep/inside`;
        const { code, stdout, stderr } = await machine.run([ctx, ...words], { cwd });
        assert.deepEqual([code, stderr], [0, ""]);
        assert.match(stdout, expected);
      });
    }
  },
});

Deno.test({
  name: "a start in a directory that was removed says so",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    const leave = '/bin/mkdir gone && cd gone && /bin/rmdir ../gone && exec "$@"';
    const start = ["/bin/sh", "-c", leave, "sh", ctx];
    for (const words of [["--version"], ["ls"]]) {
      const { code, stdout, stderr } = await machine.run([...start, ...words]);
      assert.deepEqual([code, stdout], [3, ""]);
      // The shell has its say first.
      assert.ok(
        stderr.endsWith(
          "ctx: Cannot start: the working directory was removed\n" +
            "hint: cd to a directory that exists, then run the same command again\n",
        ),
        stderr,
      );
    }
    const { stderr } = await machine.run([...start, "ls", "--json"]);
    assert.equal(JSON.parse(stderr.slice(stderr.indexOf("{"))).error.code, "NOT_FOUND");
  },
});

Deno.test({
  name: "a first start that cannot unpack says why and what to do",
  ignore,
  async fn(t) {
    await using machine = await bareMachine();
    const unusable: Record<string, string>[] = [{}, { HOME: "rel", XDG_CACHE_HOME: "cache" }];
    for (const home of unusable) {
      await t.step(`no HOME but ${JSON.stringify(home)}`, async () => {
        const { code, stdout, stderr } = await machine.run([ctx, "ls"], {
          env: { PATH: machine.bin, ...home },
        });
        assert.deepEqual([code, stdout], [7, ""]);
        assert.equal(
          stderr,
          "ctx: Cannot unpack: neither HOME nor XDG_CACHE_HOME names a directory\n" +
            "hint: set HOME, or XDG_CACHE_HOME to a directory that you may write to\n",
        );
      });
    }
    await t.step("a cache that cannot be written, as JSON", async () => {
      await Deno.writeTextFile(`${machine.root}/file`, "");
      const env = { ...machine.env, XDG_CACHE_HOME: `${machine.root}/file` };
      const { code, stdout, stderr } = await machine.run([ctx, "ls", "--json"], { env });
      assert.deepEqual([code, stdout], [7, ""]);
      assert.deepEqual(JSON.parse(stderr), {
        error: {
          code: "DENIED",
          message: `Cannot unpack into '${machine.root}/file/ctx': Not a directory`,
          hint: "set XDG_CACHE_HOME to a directory that you may write to",
          retryable: false,
        },
      });
    });
    for (const [file, tool] of [[plain, "cat"], [ctx, "gzip"]]) {
      await t.step(`a full disk, ${tool}`, async () => {
        const bin = `${machine.root}/full`;
        await Deno.mkdir(bin, { recursive: true });
        const stub = `#!/bin/sh\necho '${tool}: stdout: No space left on device' >&2\nexit 1\n`;
        await Deno.writeTextFile(`${bin}/${tool}`, stub, { mode: 0o755 });
        const env = { ...machine.env, PATH: `${bin}:${machine.bin}` };
        const { code, stderr } = await machine.run([file, "ls"], { env });
        assert.equal(code, 5);
        assert.match(
          stderr,
          /^ctx: Cannot unpack into "[^"]+": the disk is full\nhint: ctx needs \d+ MB/,
        );
        assert.deepEqual(unpackedIn(machine), []);
      });
    }
    const bad: Record<string, (path: string) => void> = {
      "was cut short on its way": (path) => Deno.truncateSync(path, Deno.statSync(path).size - 200),
      "lost everything but its header": (path) => Deno.truncateSync(path, headerBytes(path)),
      "has another byte in its code": (path) => flipByte(path, headerBytes(path) + 150),
      "has another byte in Deno": (path) => flipByte(path, Deno.statSync(path).size - 100),
    };
    for (const [name, harm] of Object.entries(bad)) {
      for (const file of [ctx, plain]) {
        await t.step(`a ${file === ctx ? "compressed" : "plain"} file that ${name}`, async () => {
          const copy = `${machine.root}/bad`;
          await Deno.copyFile(file, copy);
          harm(copy);
          const { code, stderr } = await machine.run([copy, "ls"]);
          assert.equal(code, 7);
          assert.match(
            stderr,
            /^ctx: Cannot unpack: ".*\/bad" is damaged \(a checksum does not match\)\n/,
          );
          assert.deepEqual(unpackedIn(machine), []);
        });
      }
    }
    await t.step("a machine without gzip", async () => {
      const copy = `${machine.root}/without`;
      const text = new TextDecoder("latin1").decode(await Deno.readFile(ctx));
      const blind = text.replace("gzip /usr/bin/gzip /bin/gzip", "none /usr/bin/none /bin/none");
      await Deno.writeFile(copy, Uint8Array.from(blind, (char) => char.charCodeAt(0)), {
        mode: 0o755,
      });
      const { code, stderr } = await machine.run([copy, "ls"]);
      assert.equal(code, 7);
      assert.equal(
        stderr,
        "ctx: Cannot unpack: gzip is not there\nhint: install gzip, or build a file that does not " +
          "need it: deno task compile --plain\n",
      );
    });
    await t.step("none of that stays", async () => {
      for (const file of [ctx, plain]) assert.equal((await machine.run([file, "ls"])).code, 0);
      assert.deepEqual(leftovers(machine), []);
    });
  },
});

function flipByte(path: string, at: number): void {
  using file = Deno.openSync(path, { read: true, write: true });
  const byte = new Uint8Array(1);
  file.seekSync(at, Deno.SeekMode.Start);
  file.readSync(byte);
  byte[0] ^= 0xff;
  file.seekSync(at, Deno.SeekMode.Start);
  file.writeSync(byte);
}
