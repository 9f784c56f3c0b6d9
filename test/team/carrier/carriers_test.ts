// What every carrier of files does alike: a directory, a real SFTP server, a real S3-compatible server.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import type { FileCarrier } from "../../../src/team/carrier/file_carrier.ts";
import { openCarrier } from "../../../src/team/carrier/open_carrier.ts";
import { startS3 } from "../../support/servers/s3_server.ts";
import { hasNoSshd, startSshd } from "../../support/servers/sshd.ts";
import { toFileUrl, toOwnPath } from "../../../src/core/platform_path.ts";

/** A carrier with nothing in it, and what has to end after it. */
interface Opened extends AsyncDisposable {
  carrier: FileCarrier;
}

const carriers: [name: string, ignore: boolean, open: () => Promise<Opened>][] = [
  ["a directory", false, async () => {
    const directory = toOwnPath(await Deno.makeTempDir());
    const { carrier } = await openCarrier(toFileUrl(directory), {
      files: diskFiles,
      env: () => undefined,
    });
    return {
      carrier,
      [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
    };
  }],
  ["SFTP", hasNoSshd(), async () => {
    const server = await startSshd();
    const home = await Deno.makeTempDir();
    server.admit(home, { known: "hashed" });
    const env = (name: string) => name === "HOME" ? home : undefined;
    const { carrier } = await openCarrier(server.url("a b/é"), { files: diskFiles, env });
    return {
      carrier,
      async [Symbol.asyncDispose]() {
        await carrier[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
        await Deno.remove(home, { recursive: true });
      },
    };
  }],
  ["S3", false, async () => {
    const server = await startS3();
    const env = (name: string) => server.variables[name];
    const { carrier } = await openCarrier(server.url("a b/é"), { files: diskFiles, env });
    return { carrier, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }],
];

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

for (const [name, ignore, open] of carriers) {
  Deno.test({
    name: `${name}: a new file is put once, replaced, listed, read and removed`,
    ignore,
    async fn() {
      await using opened = await open();
      const { carrier } = opened;
      assert.deepEqual(await carrier.list("web"), []);
      assert.equal(await carrier.read("web/space.json"), undefined);
      assert.equal(await carrier.create("web/space.json", text("one")), true);
      assert.equal(await carrier.create("web/space.json", text("two")), false);
      assert.deepEqual(await carrier.read("web/space.json"), text("one"));
      await carrier.replace("web/space.json", text("three, which is longer"));
      assert.deepEqual(await carrier.read("web/space.json"), text("three, which is longer"));
      const folder = "web/writers/0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
      for (const number of [3, 1, 2]) {
        await carrier.create(`${folder}/0000000${number}.ndjson`, text(String(number)));
      }
      assert.deepEqual(await carrier.list("web"), ["space.json", "writers/"]);
      assert.deepEqual(await carrier.list("web/writers"), [
        "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001/",
      ]);
      const names = await carrier.list(folder);
      assert.deepEqual(names, ["00000001.ndjson", "00000002.ndjson", "00000003.ndjson"]);
      const later = await carrier.list(folder, "00000002.ndjson");
      assert.deepEqual(later.filter((item) => item > "00000002.ndjson"), ["00000003.ndjson"]);
      await carrier.remove(`${folder}/00000002.ndjson`);
      await carrier.remove(`${folder}/00000002.ndjson`);
      assert.deepEqual(await carrier.list(folder), ["00000001.ndjson", "00000003.ndjson"]);
    },
  });

  Deno.test({
    name: `${name}: large files and many come back whole`,
    ignore,
    async fn() {
      await using opened = await open();
      const { carrier } = opened;
      const large = crypto.getRandomValues(new Uint8Array(1 << 16));
      const bytes = new Uint8Array(3_000_000).map((_, i) => large[i % large.length] ^ i);
      await carrier.create("web/large", bytes);
      assert.deepEqual(await carrier.read("web/large"), bytes);
      const names = Array.from({ length: 1100 }, (_, i) => `${String(i).padStart(8, "0")}.ndjson`);
      for (let i = 0; i < names.length; i += 50) {
        await Promise.all(
          names.slice(i, i + 50).map((item) => carrier.create(`web/many/${item}`, text(item))),
        );
      }
      assert.deepEqual(await carrier.list("web/many"), names);
    },
  });
}
