// install.sh from a URL: https only, wherever a redirect leads, with curl and with wget; the checksum of
// the release, and the provenance that `gh` verifies where it can, or the reason why it could not.

import assert from "node:assert/strict";
import { sha256 } from "../../build/sha256.ts";
import { hostTarget } from "../../build/target.ts";
import { findProgram, isMissing } from "../support/processes/find_program.ts";
import { inInstallHome, program } from "../support/processes/install_home.ts";
import { runProcess, type RunResult } from "../support/processes/run_ctx.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const right = await sha256(new TextEncoder().encode(program));
const ignore = Deno.build.os === "windows" || isMissing("openssl") || isMissing("curl");
const name = `ctx-${hostTarget().name}`;

/** What a test of a download has at hand. */
interface Release {
  home: string;
  /** The address of the server, over https. */
  origin: string;
  /** Installs with only these downloaders (and no gh, unless it was put into `home/bin`). */
  install(programs: string[], ...args: string[]): Promise<RunResult>;
}

/** A server over https whose certificate the downloaders know; it serves `/o/r/releases/…`. */
async function withRelease(
  use: (release: Release) => Promise<void>,
  answer: (path: string) => Response | undefined = () => undefined,
): Promise<void> {
  await inInstallHome(async (home) => {
    const made = await runProcess([
      ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
      ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
      ...["-keyout", "key.pem", "-out", "cert.pem"],
    ], { cwd: home });
    assert.equal(made.code, 0, made.stderr);
    await Deno.writeTextFile(`${home}/wgetrc`, `ca_certificate = ${home}/cert.pem\n`);
    await using server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen() {},
      cert: await Deno.readTextFile(`${home}/cert.pem`),
      key: await Deno.readTextFile(`${home}/key.pem`),
    }, (request) => {
      const { pathname } = new URL(request.url);
      const told = answer(pathname);
      if (told !== undefined) return told;
      return new Response(pathname.endsWith("/SHA256SUMS") ? `${right}  ${name}\n` : program);
    });
    const origin = `https://localhost:${server.addr.port}`;
    await Deno.mkdir(`${home}/bin`);
    await use({
      home,
      origin,
      install: async (programs, ...args) => {
        const path = await linkPrograms(home, programs);
        return await runProcess(["/bin/sh", installer, ...args], {
          cwd: home,
          env: {
            HOME: home,
            PATH: path,
            CURL_CA_BUNDLE: `${home}/cert.pem`,
            WGETRC: `${home}/wgetrc`,
            CTX_RELEASES_URL: `${origin}/o/r/releases`,
          },
        });
      },
    });
  });
}

const installer = fromFileUrl(new URL("../../install.sh", import.meta.url));
const tools = [
  ...["uname", "mktemp", "mkdir", "chmod", "cp", "mv", "ln", "rm", "cat", "cut", "grep", "sed"],
  ...["tail", "dirname", "sha256sum", "shasum"],
];

/** A PATH with the tools that every machine has, and these programs. */
async function linkPrograms(home: string, programs: string[]): Promise<string> {
  const directory = await Deno.makeTempDir({ dir: home });
  for (const tool of [...tools, ...programs]) {
    await Deno.symlink(findProgram(tool) ?? `/nowhere/${tool}`, `${directory}/${tool}`);
  }
  return `${home}/bin:${directory}`;
}

for (const downloader of ["curl", "wget"]) {
  Deno.test({
    name: `install.sh downloads a release with ${downloader} and verifies its checksum`,
    ignore: ignore || isMissing(downloader),
    fn: () =>
      withRelease(async ({ home, origin, install }) => {
        const { code, stdout, stderr } = await install([downloader], "--no-alias");
        assert.deepEqual([code, stderr], [0, ""]);
        assert.equal(
          stdout,
          `downloading ${origin}/o/r/releases/latest/download/${name}\n` +
            `checksum verified: ${right}\n` +
            "provenance not verified: gh (the GitHub CLI) is not installed\n" +
            `installed ctx 1.2.3 as ${home}/.local/bin/ctx\n` +
            `note: ${home}/.local/bin is not in your PATH; add: export PATH="${home}/.local/bin:$PATH"\n`,
        );
        assert.equal(await Deno.readTextFile(`${home}/.local/bin/ctx`), program);
        const other = await install([downloader], `${origin}/v1/another-file`);
        assert.equal(other.code, 1);
        assert.match(other.stderr, /SHA256SUMS does not list another-file/);
      }),
  });

  Deno.test({
    name: `install.sh follows redirects with ${downloader}, but never to http`,
    ignore: ignore || isMissing(downloader),
    async fn() {
      let asked = 0;
      await using plain = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        () => (asked++, new Response(program)),
      );
      let target = "";
      await withRelease(async ({ home, origin, install }) => {
        target = `${origin}/elsewhere`;
        const followed = await install([downloader], `${origin}/v1/moved`, "--sha256", right);
        assert.deepEqual([followed.code, followed.stderr], [0, ""]);
        await Deno.remove(`${home}/.local/bin/ctx`);
        target = `http://localhost:${plain.addr.port}/${name}`;
        const refused = await install([downloader], `${origin}/v1/moved`, "--sha256", right);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, new RegExp(`cannot download ${origin}/v1/moved`));
        assert.deepEqual([...Deno.readDirSync(`${home}/.local/bin`)].map((item) => item.name), [
          "contextfs",
        ]);
      }, (path) => path === "/v1/moved" ? Response.redirect(target) : undefined);
      assert.equal(asked, 0, "nothing was asked over http");
    },
  });
}

Deno.test({
  name: "install.sh refuses http and other protocols, and reads a local mirror by file://",
  ignore,
  fn: () =>
    inInstallHome(async (home, install) => {
      for (const url of [`http://localhost:1/${name}`, `ftp://localhost/${name}`]) {
        const { code, stderr } = await install(url);
        assert.equal(code, 1);
        assert.equal(
          stderr,
          `install.sh: cannot download ${url}: only https:// is used (or file:// for a local mirror)\n`,
        );
      }
      await Deno.writeTextFile(`${home}/SHA256SUMS`, `${right}  built\n`);
      const { code, stdout, stderr } = await install(`file://${home}/built`);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^checksum verified: /m);
      assert.match(
        stdout,
        /^provenance not verified: file:.* is not a release of ctx-memory\/ctx$/m,
      );
    }),
});

Deno.test({
  name:
    "install.sh has gh verify who built a release, and installs nothing that it does not attest",
  ignore,
  fn: () =>
    withRelease(async ({ home, install }) => {
      const gh = async (script: string): Promise<void> => {
        await Deno.writeTextFile(`${home}/bin/gh`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        await Deno.chmod(`${home}/bin/gh`, 0o755);
      };
      await gh(`echo "$*" >> ${home}/asked`);
      const verified = await install(["curl"], "--no-alias");
      assert.deepEqual([verified.code, verified.stderr], [0, ""]);
      assert.match(verified.stdout, /^provenance verified: built by o\/r$/m);
      assert.match(
        await Deno.readTextFile(`${home}/asked`),
        /^attestation verify \S+\/\.ctx\.\w+ --repo o\/r --signer-workflow o\/r\/\.github\/workflows\/release\.yml$/m,
      );
      for (
        const [script, reason] of [
          ['[ "$1" != attestation ]', "this gh is too old to verify attestations"],
          ['[ "$1" != auth ]', "gh is not logged in"],
        ]
      ) {
        await gh(script);
        const { code, stdout } = await install(["curl"], "--no-alias");
        assert.equal(code, 0);
        assert.ok(stdout.includes(`provenance not verified: ${reason}\n`), stdout);
      }
      await Deno.remove(`${home}/.local/bin/ctx`);
      await gh(
        '[ "$3" = --help ] || [ "$1" = auth ] || { echo "no attestations found" >&2; exit 1; }',
      );
      const refused = await install(["curl"], "--no-alias");
      assert.equal(refused.code, 1);
      assert.equal(
        refused.stderr,
        "no attestations found\n" +
          "install.sh: gh could not confirm that o/r built this file; nothing was installed (network or login trouble: try again, or run gh auth logout to install with the checksum only)\n",
      );
      assert.deepEqual([...Deno.readDirSync(`${home}/.local/bin`)], []);
    }),
});

Deno.test({
  name: "install.sh does not download with a wget that checks no certificates",
  ignore: ignore || isMissing("busybox"),
  fn: () =>
    withRelease(async ({ home, install }) => {
      await Deno.symlink(findProgram("busybox") ?? "", `${home}/bin/wget`);
      const { code, stderr } = await install([]);
      assert.equal(code, 1);
      assert.equal(
        stderr,
        "install.sh: curl or GNU wget is needed to download; or pass a local file\n",
      );
    }),
});
