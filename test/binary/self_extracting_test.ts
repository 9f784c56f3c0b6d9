// The launcher of the self-extracting form: unpacking once, races, tampering, permissions, and what
// it says when it cannot. end_to_end_test.ts runs the real thing.

import assert from "node:assert/strict";
import { type BareMachine, bareMachine } from "../support/bare_machine.ts";
import { writeSelfExtracting } from "../../build/self_extracting.ts";
import { hostTarget } from "../../build/target.ts";
import { checkUnpacked } from "../../src/store/check_unpacked.ts";

const ignore = Deno.build.os === "windows";

/** A file like the real one, with a stand-in for Deno that shows how it was called: small and fast. */
const work = await Deno.makeTempDir({ prefix: "ctx-launcher-" });
const ctx = `${work}/ctx`;
const fakeDeno = `#!/bin/sh\n${"# filling\n".repeat(30_000)}echo "deno $*"\n`;
await Deno.mkdir(`${work}/bundle`);
await Deno.writeTextFile(`${work}/bundle/mod.js`, "code();\n");
await Deno.writeTextFile(`${work}/bundle/chunk.js`, "more();\n");
await Deno.writeTextFile(`${work}/deno`, fakeDeno);
if (!ignore) {
  await writeSelfExtracting({
    target: hostTarget(),
    version: "1.2.3",
    bundle: `${work}/bundle`,
    deno: `${work}/deno`,
    gzip: false,
    output: ctx,
  });
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
    await t.step("a full disk", async () => {
      const bin = `${machine.root}/full`;
      await Deno.mkdir(bin);
      const stub = "#!/bin/sh\necho 'cat: write error: No space left on device' >&2\nexit 1\n";
      await Deno.writeTextFile(`${bin}/cat`, stub, { mode: 0o755 });
      const env = { ...machine.env, PATH: `${bin}:${machine.bin}` };
      const { code, stderr } = await machine.run([ctx, "ls"], { env });
      assert.equal(code, 5);
      assert.match(
        stderr,
        /^ctx: Cannot unpack into "[^"]+": the disk is full\nhint: ctx needs \d+ MB/,
      );
      assert.deepEqual(unpackedIn(machine), []);
    });
    await t.step("a file that was cut short on its way", async () => {
      const cut = `${machine.root}/cut`;
      await Deno.copyFile(ctx, cut);
      await Deno.truncate(cut, Deno.statSync(cut).size - 1000);
      const { code, stderr } = await machine.run([cut, "ls"]);
      assert.equal(code, 7);
      assert.match(
        stderr,
        /^ctx: Cannot unpack: ".*\/cut" is damaged \(a checksum does not match\)\n/,
      );
      assert.deepEqual(unpackedIn(machine), []);
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
