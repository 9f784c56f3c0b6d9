// A writer's files hang together: one that its own key signed, but for another row of files, is not followed.

import assert from "node:assert/strict";
import type { FileCarrier } from "../../../src/team/carrier/file_carrier.ts";
import { followWriter } from "../../../src/team/files/follow_writer.ts";
import { encodeFile, fileName } from "../../../src/team/files/writer_file.ts";
import { toBase64Url } from "../../../src/team/trust/base64url.ts";
import { makeSignKey } from "../../../src/team/trust/keys.ts";

const writer = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
const key = makeSignKey();
const join = {
  type: "join" as const,
  name: "ada",
  sign_key: toBase64Url(key.publicKey),
  cert: "",
  seen: {},
};

function signed(number: number, previous: string, { ts = "2026-11-18T10:00:00Z", after = 0 } = {}) {
  const events = number === 1 ? [join] : [];
  return encodeFile(
    { format: 1, space: "web", writer, number, previous, ts, after, rows: 0, events },
    { rows: [], key },
  );
}

/** How far files are followed, in the order of their names. */
async function reachOf(...list: { bytes: Uint8Array }[]): Promise<number> {
  return (await follow(list, () => true)).reach;
}

async function follow(
  list: { bytes: Uint8Array }[],
  isTrusted: () => boolean,
): Promise<{ reach: number; read: string[] }> {
  const read: string[] = [];
  const files = new Map(list.map(({ bytes }, i) => [fileName(i + 1), bytes]));
  const carrier: FileCarrier = {
    place: "here",
    list: () => Promise.resolve([...files.keys()]),
    read(path) {
      read.push(path.split("/").at(-1)!);
      return Promise.resolve(files.get(path.split("/").at(-1)!));
    },
    create: () => Promise.resolve(false),
    replace: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    async [Symbol.asyncDispose]() {},
  };
  const place = { carrier, space: "web", writer };
  return { reach: (await followWriter(place, undefined, { isTrusted })).reach, read };
}

Deno.test("files are followed by their number, the header before and the rows before", async () => {
  const one = signed(1, "");
  const two = signed(2, one.digest);
  const three = signed(3, two.digest);
  assert.equal(await reachOf(one, two, three), 3);
  // A copy of the store went another way.
  const other = signed(2, one.digest, { ts: "2026-11-18T11:00:00Z" });
  assert.equal(await reachOf(one, other, three), 2);
  assert.equal(await reachOf(one, two, signed(4, two.digest)), 2, "its number is another");
  assert.equal(await reachOf(one, two, signed(3, two.digest, { after: 5 })), 2, "rows are missing");
});

Deno.test("of a writer that nobody answers for only the first file is read", async () => {
  const one = signed(1, "");
  const two = signed(2, one.digest);
  const list = [one, two, signed(3, two.digest)];
  assert.deepEqual(await follow(list, () => false), { reach: 1, read: [fileName(1)] });
});
