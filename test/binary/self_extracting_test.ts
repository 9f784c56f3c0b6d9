// The launcher of the self-extracting form: unpacking once, races, tampering, permissions, and what
// it says when it cannot. end_to_end_test.ts runs the real thing.

import assert from "node:assert/strict";
import { lchownSync } from "node:fs";
import { type BareMachine, bareMachine } from "../support/bare_machine.ts";
import { writeSelfExtracting } from "../../build/self_extracting.ts";
import { hostTarget } from "../../build/target.ts";
import { checkUnpacked } from "../../src/store/check_unpacked.ts";

const ignore = Deno.build.os === "windows";

/** Files like the real one, with a stand-in for Deno that shows how it was called: small and fast. */
const work = await Deno.makeTempDir({ prefix: "ctx-launcher-" });
const ctx = `${work}/ctx`;
const plain = `${work}/plain`;
const newer = `${work}/newer`;
const fakeDeno = `#!/bin/sh\n${"# filling\n".repeat(30_000)}echo "deno $*"\n`;
await Deno.writeTextFile(`${work}/deno`, fakeDeno);
await pack(ctx, { gzip: true, code: "code();\n" });
await pack(plain, { gzip: false, code: "code();\n" });
await pack(newer, { gzip: true, code: "newer();\n" });

async function pack(
  output: string,
  { gzip, code, deno = `${work}/deno` }: { gzip: boolean; code: string; deno?: string },
): Promise<void> {
  if (ignore) return;
  await Deno.mkdir(`${work}/bundle`, { recursive: true });
  await Deno.writeTextFile(`${work}/bundle/mod.js`, code);
  await Deno.writeTextFile(`${work}/bundle/chunk.js`, "more();\n");
  const bundle = `${work}/bundle`;
  await writeSelfExtracting({ target: hostTarget(), version: "1.2.3", bundle, deno, gzip, output });
}
globalThis.addEventListener("unload", () => Deno.removeSync(work, { recursive: true }));

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

function changeByte(path: string): void {
  Deno.chmodSync(path, 0o700);
  using file = Deno.openSync(path, { read: true, write: true });
  file.seekSync(3, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode("!"));
}

Deno.test({
  name: "doctor compares the checksums: a changed byte is found, whatever the times say",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const [copy] = unpackedIn(machine);
    assert.equal((await checkUnpacked(copy)).status, "ok");
    const path = `${copy}/app/mod.js`;
    const { atime, mtime } = Deno.statSync(path);
    changeByte(path);
    Deno.utimeSync(path, atime!, mtime!);
    const { status, detail } = await checkUnpacked(copy);
    assert.equal(status, "warning");
    assert.ok(detail.startsWith(`"${path}" is not what was shipped`), detail);
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
    const shells = [[], ["/bin/bash", "--posix"]].filter(([shell]) => !shell || isThere(shell));
    for (const shell of shells) {
      for (const [name, damage] of Object.entries(damages)) {
        await t.step([...shell, name].join(" "), async () => {
          damage(unpackedIn(machine)[0], machine);
          const { code, stdout, stderr } = await machine.run([...shell, ctx, "--version"]);
          assert.deepEqual([code, stderr], [0, ""]);
          assert.match(stdout, /^deno run .*\/app\/mod\.js --version\n$/);
          const [copy] = unpackedIn(machine);
          const sums = await machine.run(["/bin/sh", "-c", checkSums, "sh", copy]);
          assert.equal(sums.code, 0, sums.stderr);
          assert.deepEqual(leftovers(machine), []);
        });
      }
    }
  },
});

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

const checkSums =
  'cd "$1" && if command -v sha256sum >/dev/null; then sha256sum -c sums; else shasum -a 256 -c sums; fi';

Deno.test({
  name: "a copy that a server runs from stays when it is replaced, until the server has ended",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "mcp"]);
    const [copy] = unpackedIn(machine);
    const suffix = copy.slice(-6);
    const marks = (): string[] => leftovers(machine).filter((name) => name.startsWith("run."));
    assert.match(marks().join(), new RegExp(`^run\\.${suffix}\\.\\d+$`));
    await Deno.writeTextFile(`${machine.cache}/run.${suffix}.${Deno.pid}`, "");
    changeByte(`${copy}/app/mod.js`);
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.equal(unpackedIn(machine).length, 2);
    // Its own mark is gone with it, ours stays while we run.
    assert.deepEqual(marks(), [`run.${suffix}.${Deno.pid}`]);
    await Deno.remove(`${machine.cache}/run.${suffix}.${Deno.pid}`);
    const [now] = unpackedIn(machine).filter((path) => path !== copy);
    changeByte(`${now}/app/mod.js`);
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    assert.equal(unpackedIn(machine).length, 1);
  },
});

Deno.test({
  name: "what a killed first start left is cleared away, and versions before the last",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const id = stampIn(machine);
    await Deno.mkdir(`${id}.AbCdEf/app`, { recursive: true });
    await Deno.writeTextFile(`${id}.AbCdEf.stamp`, "half");
    await Deno.remove(id);
    for (const name of ["models", "index.db", "f00"]) {
      await Deno.writeTextFile(`${machine.cache}/${name}`, "another program's");
    }
    await Deno.writeTextFile(`${machine.cache}/pid.AbCdEf`, "999999999\n");
    for (const version of ["0", "1"]) {
      const name = `${machine.cache}/${version.repeat(32)}`;
      await Deno.mkdir(`${name}.AbCdEf`);
      await Deno.writeTextFile(name, "stamp");
      // The times of files are no finer than the system's tick.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.equal((await machine.run([ctx, "--version"])).code, 0);
    const before = "1".repeat(32);
    assert.deepEqual(leftovers(machine).sort(), [
      before,
      `${before}.AbCdEf`,
      "f00",
      "index.db",
      "models",
    ]);
  },
});

Deno.test({
  name: "installing a version removes the copies and compiled code of all others",
  ignore,
  async fn() {
    await using machine = await bareMachine();
    await machine.run([ctx, "--version"]);
    const old = stampIn(machine);
    const install = async (file = newer): Promise<void> => {
      const env = { ...machine.env, CTX_INSTALLING: "1" };
      const { code, stdout, stderr } = await machine.run([file, "--version"], { env });
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^deno run /);
    };
    await machine.run([newer, "--version"]);
    assert.ok(isThere(old), "the last version stays while both are used");
    await install();
    assert.deepEqual(namesOf(machine, old), []);
    const [copy] = unpackedIn(machine);
    // What is sound is not unpacked again: it could not be.
    await Deno.copyFile(newer, `${machine.root}/header`);
    await Deno.truncate(`${machine.root}/header`, headerBytes(newer));
    await install(`${machine.root}/header`);
    assert.deepEqual(unpackedIn(machine), [copy]);

    // A server's copy stays, and goes with the first server that starts after it has ended.
    await machine.run([ctx, "--version"]);
    const [running] = unpackedIn(machine).filter((path) => path !== copy);
    const mark = `${machine.cache}/run.${running.slice(-6)}.${Deno.pid}`;
    await Deno.writeTextFile(mark, "");
    await install();
    assert.equal(namesOf(machine, old).length, 4, `${namesOf(machine, old)}`);
    await machine.run([newer, "mcp"]);
    assert.ok(isThere(`${running}/app/mod.js`));
    await Deno.remove(mark);
    await machine.run([newer, "mcp"]);
    assert.deepEqual(namesOf(machine, old), []);
    assert.ok(isThere(`${copy}/app/mod.js`));
  },
});

Deno.test({
  name: "a copy that a command runs from stays too, where the system tells",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using machine = await bareMachine();
    await pack(`${work}/sleeper`, { gzip: true, code: "sleep();\n", deno: "/bin/sleep" });
    await machine.run([`${work}/sleeper`, "ask", "why"]);
    const [copy] = unpackedIn(machine);
    const running = new Deno.Command(`${copy}/deno`, { args: ["1000"] }).spawn();
    const env = { ...machine.env, CTX_INSTALLING: "1" };
    try {
      await machine.run([newer, "--version"], { env });
      assert.ok(isThere(`${copy}/deno`));
    } finally {
      running.kill("SIGKILL");
      await running.status;
    }
    await machine.run([newer, "--version"], { env });
    assert.ok(!isThere(`${copy}/deno`));
  },
});

/** Directories that others can write to, and what they do to one. */
const unsafe: Record<string, { needsRoot?: boolean; make: (cache: string) => Promise<void> }> = {
  "the cache directory is open to all": {
    make: (cache) => Deno.chmod(cache, 0o777),
  },
  "the cache directory is open to a group": {
    needsRoot: true,
    async make(cache) {
      await Deno.chown(cache, null, 54321);
      await Deno.chmod(cache, 0o775);
    },
  },
  "the directory above it is open to all": {
    make: (cache) => Deno.chmod(`${cache}/..`, 0o777),
  },
  "the directory above it is another user's": {
    needsRoot: true,
    make: (cache) => Deno.chown(`${cache}/..`, 54321, 54321),
  },
  "ctx's own directory is open to all": {
    async make(cache) {
      await Deno.mkdir(`${cache}/ctx`);
      await Deno.chmod(`${cache}/ctx`, 0o1777);
    },
  },
  "ctx's own directory is another user's": {
    needsRoot: true,
    async make(cache) {
      await Deno.mkdir(`${cache}/ctx`);
      await Deno.chown(`${cache}/ctx`, 54321, 54321);
    },
  },
  "another user put a link to a directory of ours there": {
    needsRoot: true,
    async make(cache) {
      await Deno.chmod(cache, 0o1777);
      await Deno.mkdir(`${cache}/../ours`);
      await Deno.chmod(`${cache}/../ours`, 0o755);
      await Deno.symlink("../ours", `${cache}/ctx`);
      lchownSync(`${cache}/ctx`, 54321, 54321);
    },
  },
  "a link of ours lies where all can write": {
    async make(cache) {
      await Deno.mkdir(`${cache}/../ours`);
      await Deno.symlink("../ours", `${cache}/ctx`);
      await Deno.chmod(cache, 0o777);
    },
  },
  "a link of ours leads to where all can write": {
    async make(cache) {
      await Deno.mkdir(`${cache}/../all/ctx`, { recursive: true });
      await Deno.chmod(`${cache}/../all`, 0o777);
      await Deno.symlink("../all/ctx", `${cache}/ctx`);
    },
  },
};

Deno.test({
  name: "nothing is unpacked where others can write: the home's cache is taken, or none",
  ignore,
  async fn(t) {
    for (const [name, { needsRoot = false, make }] of Object.entries(unsafe)) {
      // Only root can make what belongs to somebody else.
      await t.step({
        name,
        ignore: needsRoot && Deno.uid() !== 0,
        async fn() {
          await using machine = await bareMachine();
          const cache = `${machine.root}/shared/cache`;
          await Deno.mkdir(cache, { recursive: true });
          await make(cache);
          const before = listTree(`${machine.root}/shared`);
          const env = { ...machine.env, XDG_CACHE_HOME: cache };
          const refused = await machine.run([ctx, "ls"], {
            env: { PATH: machine.bin, XDG_CACHE_HOME: cache },
          });
          assert.deepEqual([refused.code, refused.stdout], [7, ""]);
          assert.equal(
            refused.stderr,
            `ctx: Cannot unpack into "${cache}/ctx": others can write there, or it is not yours\n` +
              "hint: set XDG_CACHE_HOME to a directory that is yours and that only you can write to\n",
          );
          const first = await machine.run([ctx, "ls"], { env });
          assert.equal(first.code, 0, first.stderr);
          assert.equal(
            first.stderr,
            `ctx: not unpacked below "${cache}", where others can write: "${machine.cache}" is used\n`,
          );
          const second = await machine.run([ctx, "ls"], { env });
          assert.deepEqual([second.code, second.stderr], [0, ""]);
          assert.equal(second.stdout, first.stdout);
          assert.equal(unpackedIn(machine).length, 1);
          assert.deepEqual(listTree(`${machine.root}/shared`), before, "nothing was written there");
        },
      });
    }
    await t.step("a sticky directory and links of one's own are fine", async () => {
      await using machine = await bareMachine();
      const cache = `${machine.root}/sticky`;
      await Deno.mkdir(`${machine.home}/big`);
      await Deno.mkdir(cache);
      await Deno.chmod(cache, 0o1777);
      await Deno.symlink(`${machine.home}/big`, `${cache}/ctx`);
      const env = { ...machine.env, XDG_CACHE_HOME: cache };
      for (let i = 0; i < 2; i++) {
        const { code, stderr } = await machine.run([ctx, "ls"], { env });
        assert.deepEqual([code, stderr], [0, ""]);
      }
      assert.equal(modeOf(`${machine.home}/big`), 0o700);
    });
  },
});

Deno.test({
  name: "a copy that another user put in the place of ours is not run",
  // Only root can make what belongs to somebody else.
  ignore: ignore || Deno.uid() !== 0,
  async fn(t) {
    const planted: Record<string, (machine: BareMachine) => Promise<void>> = {
      "the whole cache": async ({ cache }) => await Deno.chown(cache, 54321, 54321),
      "the copy": async (machine) => await Deno.chown(unpackedIn(machine)[0], 54321, 54321),
      "the stamp": async (machine) => await Deno.chown(stampIn(machine), 54321, 54321),
    };
    for (const [name, plant] of Object.entries(planted)) {
      await t.step(name, async () => {
        await using machine = await bareMachine();
        await machine.run([ctx, "ls"]);
        const [copy] = unpackedIn(machine);
        await plant(machine);
        const { stdout } = await machine.run([ctx, "ls"]);
        assert.ok(!stdout.includes(copy), stdout);
      });
    }
  },
});

const starts: Record<string, [string[], RegExp]> = {
  "a local command has no network and no subprocess": [
    ["get", "H-1"],
    /^deno run --v8-flags=\S+ --quiet --no-prompt .* --allow-read --allow-write --allow-env --allow-sys \S+\/app\/mod\.js get H-1\n$/,
  ],
  "another command has both, and never ffi": [
    ["ask", "why"],
    /--allow-sys --allow-net --allow-run \S+\/app\/mod\.js ask why\n$/,
  ],
  "mcp is held to the workspace around it": [
    ["mcp"],
    /--allow-read=(\S+\/work),\S+\/\.config\/ctx\/config\.jsonc,\S+\/app --allow-write=\1\/\.contextfs --allow-env=HOME,XDG_CONFIG_HOME,CTX_SESSION,CTX_DEBUG,CTX_TOKEN \S+mod\.js mcp\n$/,
  ],
  "mcp is held to the workspace it is given": [
    ["mcp", "--workspace", "../a,b"],
    /--allow-read=(\S+\/a,,b),\S+ --allow-write=\1\/\.contextfs /,
  ],
  "mcp with an agent confines itself": [["mcp", "agent"], /--allow-net --allow-run /],
};

Deno.test({
  name: "Deno is started with the permissions of the sub-command",
  ignore,
  async fn(t) {
    await using machine = await bareMachine();
    await Deno.mkdir(`${machine.workspace}/.contextfs`);
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

/** The unpacked copies. */
function unpackedIn(machine: BareMachine): string[] {
  return [...Deno.readDirSync(machine.cache)]
    .filter((item) => item.isDirectory && !item.name.endsWith(".code"))
    .map((item) => `${machine.cache}/${item.name}`).sort();
}

function stampIn(machine: BareMachine): string {
  const name = [...Deno.readDirSync(machine.cache)].find(({ name }) =>
    /^[0-9a-f]{32}$/.test(name) && !/^[01]+$/.test(name)
  );
  return `${machine.cache}/${name?.name}`;
}

/** All that is there beside one stamp, its copy, its maker's mark and Deno's own caches. */
function leftovers(machine: BareMachine): string[] {
  const stamp = stampIn(machine).replace(/^.*\//, "");
  const copy = Deno.readTextFileSync(stampIn(machine)).split("\n")[0];
  return [...Deno.readDirSync(machine.cache)].map((item) => item.name)
    .filter((name) =>
      ![stamp, copy, copy.replace(/^.*\./, "pid."), `${stamp}.code`].includes(name)
    );
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** What there is of a version, by its stamp. */
function namesOf(machine: BareMachine, stamp: string): string[] {
  const id = stamp.replace(/^.*\//, "");
  return [...Deno.readDirSync(machine.cache)].map(({ name }) => name).filter((name) =>
    name.startsWith(id)
  );
}

/** Where the packed files begin. */
function headerBytes(path: string): number {
  const text = new TextDecoder("latin1").decode(Deno.readFileSync(path));
  return Number(/dd bs=(\d+) count=1 of=\/dev\/null/.exec(text)?.[1]);
}

function flipByte(path: string, at: number): void {
  using file = Deno.openSync(path, { read: true, write: true });
  const byte = new Uint8Array(1);
  file.seekSync(at, Deno.SeekMode.Start);
  file.readSync(byte);
  byte[0] ^= 0xff;
  file.seekSync(at, Deno.SeekMode.Start);
  file.writeSync(byte);
}

/** Names, owners and modes of all that is below a directory. */
function listTree(path: string): string[] {
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    const { mode, uid } = Deno.lstatSync(`${path}/${name}`);
    const line = `${name} ${mode?.toString(8)} ${uid}`;
    return isDirectory ? [line, ...listTree(`${path}/${name}`)] : [line];
  }).sort();
}
