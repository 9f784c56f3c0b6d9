// The launcher unpacks only where nobody else can write, and runs nothing that is not the user's.

import assert from "node:assert/strict";
import { lchownSync } from "node:fs";
import { type BareMachine, bareMachine } from "../support/processes/bare_machine.ts";
import { ctx, ignore, modeOf, stampIn, unpackedIn } from "../support/processes/fake_built.ts";

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

/** Names, owners and modes of all that is below a directory. */
function listTree(path: string): string[] {
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    const { mode, uid } = Deno.lstatSync(`${path}/${name}`);
    const line = `${name} ${mode?.toString(8)} ${uid}`;
    return isDirectory ? [line, ...listTree(`${path}/${name}`)] : [line];
  }).sort();
}
