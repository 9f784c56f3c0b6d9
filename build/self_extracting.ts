// The self-extracting form: a shell header, ctx's own files and a whole Deno in one executable
// file, for places where `deno compile` cannot get its base. Linux and macOS.

import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { entryName, listFiles } from "./bundle.ts";
import { fillLauncher } from "./fill_launcher.ts";
import { startGroups } from "./merge_chunks.ts";
import { findXz, packXz, unxzDeno, type XzSizes } from "./pack_xz.ts";
import { sha256 } from "./sha256.ts";
import type { Target } from "./target.ts";

/** What a self-extracting file is made of. */
export interface SelfExtractingOptions {
  target: Target;
  version: string;
  /** The stamped bundle. */
  bundle: string;
  /** The Deno executable for the target. */
  deno: string;
  /** Compress what is packed: less than half the size, but unpacking then needs gzip. */
  gzip: boolean;
  /** Compress Deno with xz, if this machine has it: a fifth less, but unpacking takes longer. */
  xz?: boolean;
  output: string;
}

/** Writes the file; returns its size in bytes. */
export async function writeSelfExtracting(options: SelfExtractingOptions): Promise<number> {
  const deno = await Deno.readFile(options.deno);
  const files = await Promise.all(
    listFiles(options.bundle).map(async (name) => ({
      name: `app/${name}`,
      bytes: await Deno.readFile(`${options.bundle}/${name}`),
    })),
  );
  const summed = [...files, { name: "deno", bytes: deno }];
  const lines = await Promise.all(
    summed.map(async ({ name, bytes }) => `${await sha256(bytes)}  ${name}\n`),
  );
  const sums = new TextEncoder().encode(lines.join(""));
  const pieces = [{ name: "sums", bytes: sums }, ...files];
  const app = concat(pieces.map(({ bytes }) => bytes));
  const xz = options.gzip && options.xz ? await packXz(deno) : undefined;
  const packed = options.gzip ? [gzip(app), xz ?? gzip(deno)] : [app, deno];
  const header = await makeHeader(options, {
    sums: await sha256(sums),
    pieces,
    packedBytes: packed[0].length,
    xz: xz && { packedBytes: xz.length, bytes: deno.length },
    needMb: Math.ceil((deno.length + (xz?.length ?? 0) + 2 * app.length) / 1e6),
  });
  const parts = [header, ...packed];
  const temporary = `${options.output}.tmp`;
  using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
  let size = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += file.writeSync(part.subarray(at));
    size += part.length;
  }
  await Deno.chmod(temporary, 0o755);
  await Deno.rename(temporary, options.output);
  return size;
}

interface Payload {
  sums: string;
  pieces: { name: string; bytes: Uint8Array }[];
  /** The length in the file of all pieces together. */
  packedBytes: number;
  /** Of Deno as it was packed with xz. */
  xz?: XzSizes;
  needMb: number;
}

/** The shell header, with its own length in it. */
async function makeHeader(options: SelfExtractingOptions, payload: Payload): Promise<Uint8Array> {
  const { os } = options.target;
  const darwin = os === "darwin";
  const values: Record<string, string> = {
    TARGET: options.target.name,
    ID: payload.sums.slice(0, 32),
    SUMS: payload.sums,
    NEEDS: payload.xz
      ? "coreutils, and gzip and xz to unpack"
      : options.gzip
      ? "coreutils, and gzip to unpack"
      : "coreutils",
    NEED_MB: String(payload.needMb),
    SHA256: darwin ? "shasum -a 256" : "sha256sum",
    LOADED: loadedFiles(payload).join(" "),
    PIECES: payload.pieces
      .map(({ name, bytes }) => `      piece ${bytes.length} "$new/${name}" &&`).join("\n"),
    UNPACK: payload.xz ? "unxz_deno" : options.gzip ? '"$gzip" -dc' : "cat",
    UNXZ: payload.xz ? unxzDeno(payload.xz) : "",
    FIND_XZ: payload.xz ? findXz(darwin) : "",
    OPEN_PIECES: options.gzip ? openCompressed(payload.packedBytes) : "exec 4<&3 &&",
    FIND_GZIP: options.gzip ? findGzip : "",
    HEADER: "@HEADER@",
  };
  const text = await fillLauncher("launcher.sh", { os, version: options.version, values });
  const fill = (length: number): Uint8Array =>
    new TextEncoder().encode(text.replace("@HEADER@", String(length)));
  let header = fill(10_000);
  while (fill(header.length).length !== header.length) header = fill(header.length);
  return fill(header.length);
}

/** What every command loads: each start looks whether one of them was touched. */
function loadedFiles({ pieces }: Payload): string[] {
  const names = [entryName, startGroups[0].file].map((name) => `app/${name}`);
  return names.filter((name) => pieces.some((piece) => piece.name === name));
}

/** Pieces are cut from a file: what comes through a pipe comes in lengths of its own. */
function openCompressed(length: number): string {
  return `dd bs=${length} count=1 status=none <&3 | "$gzip" -dc > "$new/pieces" &&
      exec 4< "$new/pieces" && rm "$new/pieces" &&`;
}

/** Looks beyond PATH too: gzip is nearly always there even where PATH does not lead to it. */
const findGzip = `  gzip=
  for word in gzip /usr/bin/gzip /bin/gzip; do
    command -v "$word" > /dev/null 2>&1 && gzip=$word && break
  done
  [ -n "$gzip" ] ||
    fail DENIED 7 'Cannot unpack: gzip is not there' \\
      'install gzip, or build a file that does not need it: deno task compile --plain'`;

/** The default level: the highest saves one part in twenty-five more and doubles the time of a build. */
function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
