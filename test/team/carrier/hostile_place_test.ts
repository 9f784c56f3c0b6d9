// Others may write where the files of a space are: links there lead nowhere, nothing is read without an
// end, and an address or a file of known hosts that is damaged is told in words.

import assert from "node:assert/strict";
import { diskFiles, type Files, overlayFiles } from "../../../src/disk/files.ts";
import { type FileCarrier, maxFileBytes } from "../../../src/team/carrier/file_carrier.ts";
import { openCarrier } from "../../../src/team/carrier/open_carrier.ts";
import { readS3Settings } from "../../../src/team/carrier/s3_settings.ts";
import { findHostKeys, readSshLogin } from "../../../src/team/carrier/ssh_login.ts";
import { hasNoSshd, startSshd } from "../../support/servers/sshd.ts";
import { toFileUrl, toOwnPath } from "../../../src/core/platform_path.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const untrusted = { code: "REMOTE_UNTRUSTED" };
const folder = "web/writers/0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";

/** A shared folder, and one beside it that is nobody's business. */
interface Place extends AsyncDisposable {
  carrier: FileCarrier;
  shared: string;
  outside: string;
}

async function localPlace(files: Files = diskFiles): Promise<Place> {
  const root = toOwnPath(await Deno.makeTempDir());
  const [shared, outside] = [`${root}/shared`, `${root}/outside`];
  for (const path of [shared, outside]) Deno.mkdirSync(path);
  const { carrier } = await openCarrier(toFileUrl(shared), { files, env: () => undefined });
  return {
    ...{ carrier, shared, outside },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function sftpPlace(): Promise<Place> {
  const server = await startSshd();
  const home = await Deno.makeTempDir();
  server.admit(home, { known: "hashed" });
  const env = (name: string) => name === "HOME" ? home : undefined;
  const { carrier } = await openCarrier(server.url("shared"), { files: diskFiles, env });
  const shared = decodeURIComponent(new URL(server.url("shared")).pathname);
  const outside = `${home}/outside`;
  for (const path of [shared, outside]) Deno.mkdirSync(path, { recursive: true });
  return {
    ...{ carrier, shared, outside },
    async [Symbol.asyncDispose]() {
      await carrier[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

const places: [name: string, ignore: boolean, open: () => Promise<Place>][] = [
  ["a directory", false, () => localPlace()],
  ["SFTP", hasNoSshd(), sftpPlace],
];
const hasNoLinks = notOnWindows("links need a privilege");

for (const [name, ignore, open] of places) {
  Deno.test({
    name: `${name}: a link to a folder is neither followed nor written through`,
    ignore: ignore || hasNoLinks,
    async fn() {
      await using place = await open();
      const { carrier, shared, outside } = place;
      Deno.writeTextFileSync(`${outside}/00000001.ndjson`, "private");
      Deno.writeTextFileSync(`${outside}/20261118-notes.txt`, "private");
      Deno.mkdirSync(`${shared}/web/writers`, { recursive: true });
      Deno.symlinkSync(outside, `${shared}/${folder}`);
      assert.deepEqual(
        await carrier.list("web/writers").then((names) =>
          names.filter((item) => item.endsWith("/"))
        ),
        [],
      );
      await assert.rejects(carrier.list(folder), untrusted);
      await assert.rejects(carrier.read(`${folder}/00000001.ndjson`), untrusted);
      await assert.rejects(carrier.create(`${folder}/00000002.ndjson`, text("two")), untrusted);
      await assert.rejects(carrier.replace(`${folder}/00000001.ndjson`, text("one")), untrusted);
      await assert.rejects(carrier.remove(`${folder}/20261118-notes.txt`), untrusted);
      assert.deepEqual([...Deno.readDirSync(outside)].map((item) => item.name).sort(), [
        "00000001.ndjson",
        "20261118-notes.txt",
      ]);
      assert.equal(Deno.readTextFileSync(`${outside}/00000001.ndjson`), "private");
    },
  });

  Deno.test({
    name: `${name}: what is no plain file is not read: a link, a folder, a device without an end`,
    ignore: ignore || hasNoLinks,
    async fn() {
      await using place = await open();
      const { carrier, shared, outside } = place;
      Deno.writeTextFileSync(`${outside}/secret`, "private");
      Deno.mkdirSync(`${shared}/web/folder.json`, { recursive: true });
      Deno.symlinkSync(`${outside}/secret`, `${shared}/web/space.json`);
      for (const item of ["space.json", "folder.json"]) {
        await assert.rejects(carrier.read(`web/${item}`), untrusted);
      }
      // Its name is taken; in its place goes the file, and not what it leads to.
      assert.equal(await carrier.create("web/space.json", text("one")), false);
      await carrier.replace("web/space.json", text("one"));
      assert.deepEqual(await carrier.read("web/space.json"), text("one"));
      assert.equal(Deno.readTextFileSync(`${outside}/secret`), "private");
      Deno.symlinkSync("/dev/zero", `${shared}/web/endless`);
      await assert.rejects(carrier.read("web/endless"), untrusted);
    },
  });
}

Deno.test("a directory: of two who make a file at the same moment one is told that it is there", async () => {
  // The other's file comes after the look.
  await using place = await localPlace(overlayFiles(diskFiles, { findSize: () => undefined }));
  const { carrier, shared } = place;
  assert.equal(await carrier.create("web/space.json", text("one")), true);
  assert.equal(await carrier.create("web/space.json", text("two")), false);
  assert.equal(Deno.readTextFileSync(`${shared}/web/space.json`), "one");
  assert.deepEqual(await carrier.list("web"), ["space.json"]);
});

Deno.test("S3: an answer that goes on and on, or swells when it is unpacked, is given up", async () => {
  let sent = 0;
  const chunk = new Uint8Array(1 << 20);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += chunk.length;
          if (sent > 3 * maxFileBytes) controller.close();
          else controller.enqueue(chunk);
        },
      }),
    ));
  try {
    const keys: Record<string, string> = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
    const { carrier } = await openCarrier(
      `s3://bucket?endpoint=http://127.0.0.1:${server.addr.port}`,
      { files: diskFiles, env: (name) => keys[name] },
    );
    await assert.rejects(carrier.read("web/space.json"), untrusted);
    assert.ok(sent < 2 * maxFileBytes, String(sent));
    sent = 0;
    await assert.rejects(carrier.list("web"), untrusted);
    assert.ok(sent < 2 * maxFileBytes, String(sent));
  } finally {
    await server.shutdown();
  }
});

Deno.test("addresses that are damaged, or hold a secret, are refused without showing it", () => {
  const keys: Record<string, string> = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
  const refuse = (run: () => unknown): void => {
    assert.throws(run, (error: Error & { code?: string }) => {
      assert.equal(error.code, "CONFIG_INVALID", String(error));
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  };
  const env = (name: string): string | undefined => ({ USER: "ada", ...keys })[name];
  for (
    const url of [
      "s3://bucket/%zz",
      "s3://:hunter2@bucket/a",
      "s3://bucket/a?endpoint=https://ada:hunter2@example.org",
      "s3://bucket/a?endpoint=http://ada:hunter2@example.org",
      "s3://bucket/a?region=hunter2.example.org/",
      "s3://bucket/a%2F..%2F..%2Fother",
    ]
  ) refuse(() => readS3Settings(url, env));
  for (const url of ["ssh://ada@host/%zz", "ssh://%zz@host/a", "ssh://ada:hunter2@host/a"]) {
    refuse(() => readSshLogin(url, env));
  }
});

Deno.test("known_hosts: a key that was revoked is not taken, and a damaged line harms no other", () => {
  const place = { host: "git.example.org", port: 22 };
  const known = [
    "|1|not*base64|x ssh-rsa AAAAbad",
    "git.example.org ssh-ed25519 AAAAgood",
    "git.example.org ssh-rsa AAAAleaked",
    "@revoked * ssh-rsa AAAAleaked",
  ].join("\n");
  assert.deepEqual(findHostKeys(known, place), [{ type: "ssh-ed25519", key: "AAAAgood" }]);
});

Deno.test("a bucket whose listing never ends is refused in words", async () => {
  let pages = 0;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    pages++;
    return new Response(
      `<ListBucketResult><Contents><Key>web/${pages}</Key></Contents><NextContinuationToken>${pages}</NextContinuationToken></ListBucketResult>`,
    );
  });
  const variables: Record<string, string> = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  const { carrier } = await openCarrier(
    `s3://memory?endpoint=http://127.0.0.1:${server.addr.port}`,
    { files: diskFiles, env: (name) => variables[name] },
  );
  await assert.rejects(carrier.list("web"), {
    code: "REMOTE_UNTRUSTED",
    message: 'Cannot list "web" in s3://memory: the service lists more than 1,000,000 files',
  });
  assert.equal(pages, 1000);
});
