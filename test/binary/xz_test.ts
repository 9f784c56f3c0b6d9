// A file whose Deno is packed with xz unpacks with whatever a system has for it, or says what to do.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { checkUnpacked } from "../../src/store/lifecycle/check_unpacked.ts";
import { bareMachine } from "../support/processes/bare_machine.ts";
import { ignore, isThere, leftovers, pack, unpackedIn } from "../support/processes/fake_built.ts";

const packed = await pack("xz", { gzip: true, xz: true, code: "code();\n" });
const listed = Deno.build.os === "darwin" ? "xz tar" : "xz busybox bsdtar dpkg-deb python3";
/** Where there is no xz, files are packed with gzip. */
const isPacked = !ignore && readHeader(packed).includes(`for word in ${listed};`);

Deno.test({
  name: "Deno is unpacked by xz or by what has it built in",
  ignore: !isPacked,
  async fn(t) {
    for (const tool of listed.split(" ")) {
      const isHere = ["/usr/bin", "/bin"].some((directory) => isThere(`${directory}/${tool}`));
      await t.step({
        name: tool,
        ignore: !isHere || (tool === "busybox" && !await hasXz("/bin/busybox")),
        async fn() {
          await using machine = await bareMachine();
          const ctx = only(tool, `${machine.root}/ctx`);
          for (let i = 0; i < 2; i++) {
            const { code, stdout, stderr } = await machine.run([ctx, "ls"]);
            assert.deepEqual([code, stderr], [0, ""]);
            assert.match(stdout, /^deno run .*\/app\/mod\.js ls\n$/);
          }
          const [copy, ...more] = unpackedIn(machine);
          assert.deepEqual(more, []);
          assert.equal((await checkUnpacked(copy)).status, "ok");
          assert.deepEqual(leftovers(machine), []);
        },
      });
    }
  },
});

Deno.test({
  name: "a file packed with xz that is damaged, or has nothing to unpack it with, says so",
  ignore: !isPacked,
  async fn(t) {
    await using machine = await bareMachine();
    const damages: Record<string, (path: string, size: number) => void> = {
      "cut short": (path, size) => Deno.truncateSync(path, size - 200),
      "changed": (path, size) => {
        using file = Deno.openSync(path, { read: true, write: true });
        file.seekSync(size - 300, Deno.SeekMode.Start);
        file.writeSync(new Uint8Array(100));
      },
    };
    for (const [name, harm] of Object.entries(damages)) {
      await t.step(name, async () => {
        const path = `${machine.root}/bad`;
        await Deno.copyFile(packed, path);
        harm(path, Deno.statSync(path).size);
        const { code, stderr } = await machine.run([path, "ls"]);
        assert.equal(code, 7);
        assert.match(stderr, /^ctx: Cannot unpack: ".*\/bad" is damaged \(a checksum/);
        assert.deepEqual(unpackedIn(machine), []);
      });
    }
    await t.step("no xz", async () => {
      const { code, stderr } = await machine.run([only("", `${machine.root}/without`), "ls"]);
      assert.equal(code, 7);
      assert.equal(
        stderr,
        "ctx: Cannot unpack: xz is not installed\nhint: install it (Debian: xz-utils, others: xz), or " +
          "build a file that does not need it: deno task compile --gzip\n",
      );
    });
  },
});

/** A copy of the file that looks for one program only; its header stays as long as it is. */
function only(tool: string, path: string): string {
  const words = listed.split(" ").map((word) => word === tool ? word : "z".repeat(word.length));
  const text = readHeader(packed).replace(
    `for word in ${listed};`,
    `for word in ${words.join(" ")};`,
  );
  Deno.writeFileSync(path, Buffer.from(text, "latin1"), { mode: 0o755 });
  return path;
}

function readHeader(path: string): string {
  return Buffer.from(Deno.readFileSync(path)).toString("latin1");
}

async function hasXz(busybox: string): Promise<boolean> {
  return (await new Deno.Command(busybox, { args: ["xz", "--help"] }).output()).success;
}
