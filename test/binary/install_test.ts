// install.sh: from a file and from a URL, with the right checksum and with a wrong one.

import assert from "node:assert/strict";
import { sha256 } from "../../build/sha256.ts";
import { findProgram } from "../support/find_program.ts";
import { repository } from "../support/repository.ts";
import { runProcess, type RunResult } from "../support/run_ctx.ts";

const program = '#!/bin/sh\necho "ctx 1.2.3"\n';
const right = await sha256(new TextEncoder().encode(program));
const ignore = Deno.build.os === "windows";

async function withHome(
  use: (home: string, install: (...args: string[]) => Promise<RunResult>) => Promise<void>,
): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "ctx-install-" });
  try {
    await Deno.writeTextFile(`${home}/built`, program);
    await use(home, (...args) =>
      runProcess(["/bin/sh", `${repository}/install.sh`, ...args], {
        cwd: home,
        env: { HOME: home, PATH: `${home}/.local/bin:${Deno.env.get("PATH")}` },
      }));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test({
  name: "install.sh installs a local file under both names",
  ignore,
  fn: () =>
    withHome(async (home, install) => {
      const { code, stdout, stderr } = await install("built", "--sha256", right);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(
        stdout,
        `checksum verified: ${right}\n` +
          `installed ctx 1.2.3 as ${home}/.local/bin/ctx (and contextfs)\n`,
      );
      assert.equal(await Deno.readTextFile(`${home}/.local/bin/contextfs`), program);
      const names = [...Deno.readDirSync(`${home}/.local/bin`)].map((item) => item.name).sort();
      assert.deepEqual(names, ["contextfs", "ctx"]);
    }),
});

Deno.test({
  name: "install.sh reads SHA256SUMS beside the file and replaces nothing on a mismatch",
  ignore,
  fn: () =>
    withHome(async (home, install) => {
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
  name: "install.sh downloads from a release and verifies it",
  ignore: ignore || (findProgram("curl") ?? findProgram("wget")) === undefined,
  fn: () =>
    withHome(async (home, install) => {
      let sums = `${right}  ctx-linux-x64\n`;
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        (request) => new Response(request.url.endsWith("/SHA256SUMS") ? sums : program),
      );
      const url = `http://127.0.0.1:${server.addr.port}/v1/ctx-linux-x64`;
      const { code, stdout, stderr } = await install(url, "--no-alias");
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /checksum verified/);
      assert.equal(await Deno.readTextFile(`${home}/.local/bin/ctx`), program);
      sums = `${right}  another-file\n`;
      const refused = await install(url);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /SHA256SUMS does not name ctx-linux-x64/);
    }),
});
