// The parts of the npm package for systems that no test runs on: Deno of the right kind, and where
// Windows finds ctx.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFromNpm } from "../../build/npm_archive.ts";
import { targets } from "../../build/target.ts";
import { repository } from "../support/repository.ts";
import { isMissing } from "../support/processes/find_program.ts";
import { toOwnPath } from "../../src/core/platform_path.ts";

/** How programs of each system and processor begin: their magic and machine. */
const kinds: Record<string, (bytes: DataView) => boolean> = {
  "linux-x64": (bytes) => bytes.getUint32(0) === 0x7f454c46 && bytes.getUint16(18, true) === 0x3e,
  "linux-arm64": (bytes) => bytes.getUint32(0) === 0x7f454c46 && bytes.getUint16(18, true) === 0xb7,
  "macos-x64": (bytes) => bytes.getUint32(0, true) === 0xfeedfacf && bytes.getUint8(4) === 7,
  "macos-arm64": (bytes) => bytes.getUint32(0, true) === 0xfeedfacf && bytes.getUint8(4) === 12,
  "windows-x64": (bytes) => {
    const at = bytes.getUint32(0x3c, true);
    return bytes.getUint32(at) === 0x50450000 && bytes.getUint16(at + 4, true) === 0x8664;
  },
};

for (const { name, npm, os } of targets) {
  const cached = `${npm}@${Deno.version.deno}`;
  const ignore = !await isCached(cached);
  Deno.test({ name: `${npm} is Deno for ${name} (if npm's cache has it)`, ignore }, async () => {
    const work = await Deno.makeTempDir({ prefix: "ctx-platform-" });
    try {
      const member = os === "windows" ? "package/deno.exe" : "package/deno";
      const { buffer, byteOffset, length } = await readFromNpm(cached, { member, work });
      assert.ok(length > 50e6 && kinds[name](new DataView(buffer, byteOffset, length)));
    } finally {
      await Deno.remove(work, { recursive: true });
    }
  });
}

Deno.test("on Windows other programs start npm's ctx.cmd, of a global and of a local install", async () => {
  const { findShim } = createRequire(import.meta.url)(`${repository}/build/npm_parts.cjs`);
  const root = toOwnPath(await Deno.makeTempDir({ prefix: "ctx-shim-" }));
  const find = (os: string, own: string): string | undefined => {
    const found: string | undefined = findShim(os, own);
    return found && toOwnPath(found);
  };
  try {
    const own = `${root}/node_modules/@ctx/ctx`;
    await Deno.mkdir(`${root}/node_modules/.bin`, { recursive: true });
    assert.equal(find("win32", own), undefined);
    await Deno.writeTextFile(`${root}/node_modules/.bin/ctx.cmd`, "");
    assert.equal(find("win32", own), `${root}/node_modules/.bin/ctx.cmd`);
    await Deno.writeTextFile(`${root}/ctx.cmd`, "");
    assert.equal(find("win32", own), `${root}/ctx.cmd`);
    assert.equal(find("linux", own), undefined);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

async function isCached(name: string): Promise<boolean> {
  if (isMissing("npm")) return false;
  const args = ["pack", name, "--offline", "--dry-run"];
  const { success } = await new Deno.Command("npm", { args, stdout: "null", stderr: "null" })
    .output();
  return success;
}
