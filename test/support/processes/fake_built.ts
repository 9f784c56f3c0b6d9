// Files like the built one, with a stand-in for Deno that shows how it was called: small and fast.
// And what tests of the launcher look at in its cache.

import { writeSelfExtracting } from "../../../build/self_extracting.ts";
import { hostTarget } from "../../../build/target.ts";
import type { BareMachine } from "./bare_machine.ts";

/** The self-extracting form is for Linux and macOS. */
export const ignore = Deno.build.os === "windows";

const work = await Deno.makeTempDir({ prefix: "ctx-launcher-" });
globalThis.addEventListener("unload", () => Deno.removeSync(work, { recursive: true }));
const fakeDeno = `#!/bin/sh\n${"# filling\n".repeat(30_000)}echo "deno $*"\n`;
await Deno.writeTextFile(`${work}/deno`, fakeDeno);

/** The file as it is built, the same uncompressed, and another version. */
export const ctx: string = await pack("ctx", { gzip: true, code: "code();\n" });
export const plain: string = await pack("plain", { gzip: false, code: "code();\n" });
export const newer: string = await pack("newer", { gzip: true, code: "newer();\n" });

/** Packs some code and a program in the place of Deno. */
export async function pack(
  name: string,
  { gzip, xz, code, deno = `${work}/deno` }: {
    gzip: boolean;
    xz?: boolean;
    code: string;
    deno?: string;
  },
): Promise<string> {
  const output = `${work}/${name}`;
  if (ignore) return output;
  const bundle = `${work}/bundle`;
  await Deno.mkdir(bundle, { recursive: true });
  await Deno.writeTextFile(`${bundle}/mod.js`, code);
  await Deno.writeTextFile(`${bundle}/start.js`, "start();\n");
  await Deno.writeTextFile(`${bundle}/chunk.js`, "more();\n");
  const target = hostTarget();
  await writeSelfExtracting({ target, version: "1.2.3", bundle, deno, gzip, xz, output });
  return output;
}

/** The unpacked copies. */
export function unpackedIn(machine: BareMachine): string[] {
  return [...Deno.readDirSync(machine.cache)]
    .filter((item) => item.isDirectory && !item.name.endsWith(".code"))
    .map((item) => `${machine.cache}/${item.name}`).sort();
}

/** The stamp of the version that is not a made-up one. */
export function stampIn(machine: BareMachine): string {
  const name = [...Deno.readDirSync(machine.cache)].find(({ name }) =>
    /^[0-9a-f]{32}$/.test(name) && !/^[01]+$/.test(name)
  );
  return `${machine.cache}/${name?.name}`;
}

/** All that is there beside one stamp, its copy, its maker's mark and Deno's own caches. */
export function leftovers(machine: BareMachine): string[] {
  const stamp = stampIn(machine).replace(/^.*\//, "");
  const copy = Deno.readTextFileSync(stampIn(machine)).split("\n")[0];
  return [...Deno.readDirSync(machine.cache)].map((item) => item.name)
    .filter((name) =>
      ![stamp, copy, copy.replace(/^.*\./, "pid."), `${stamp}.code`].includes(name)
    );
}

/** What there is of a version, by its stamp. */
export function namesOf(machine: BareMachine, stamp: string): string[] {
  const id = stamp.replace(/^.*\//, "");
  return [...Deno.readDirSync(machine.cache)].map(({ name }) => name).filter((name) =>
    name.startsWith(id)
  );
}

/** Where the packed files begin. */
export function headerBytes(path: string): number {
  using file = Deno.openSync(path);
  const start = new Uint8Array(64_000);
  file.readSync(start);
  const text = new TextDecoder("latin1").decode(start);
  return Number(/dd bs=(\d+) count=1 of=\/dev\/null/.exec(text)?.[1]);
}

/** Writes over the fourth byte of a file. */
export function changeByte(path: string): void {
  Deno.chmodSync(path, 0o700);
  using file = Deno.openSync(path, { read: true, write: true });
  file.seekSync(3, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode("!"));
}

/** The permission bits of a file. */
export function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** Whether there is a file. */
export function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** As the system has it, and as others have it: macOS has bash, small systems have busybox. */
export const shells: string[][] = [[], ["/bin/bash", "--posix"], ["/bin/busybox", "sh"]].filter((
  [shell],
) => !shell || isThere(shell));
