// The self-extracting form: a shell header, ctx's own files and a whole Deno in one executable
// file, for places where `deno compile` cannot get its base. Linux and macOS.

import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { firstNames, renderOverview } from "../src/cli/line/help.ts";
import { loadForms } from "../src/cli/task_list.ts";
import { makeView } from "../src/command/view.ts";
import { storeNames } from "../src/disk/layout.ts";
import { entryName, listFiles } from "./bundle.ts";
import { startGroups } from "./merge_chunks.ts";
import { findXz, packXz, unxzDeno, type XzSizes } from "./pack_xz.ts";
import {
  bareCommand,
  editorCommands,
  lastingCommands,
  localCommands,
  localFlags,
  mcpVariables,
  netCommands,
  netFlags,
  openers,
  otherWords,
  pagedCommands,
  pageServers,
  providerCommands,
  providerSettings,
  providerVariables,
  quickCommands,
  selfCommands,
  startFlags,
  widerServers,
} from "./permissions.ts";
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
  const template = await Deno.readTextFile(new URL("./launcher.sh", import.meta.url));
  const darwin = options.target.os === "darwin";
  const values: Record<string, string> = {
    VERSION: options.version,
    TARGET: options.target.name,
    ID: payload.sums.slice(0, 32),
    SUMS: payload.sums,
    NEEDS: payload.xz
      ? "coreutils, and gzip and xz to unpack"
      : options.gzip
      ? "coreutils, and gzip to unpack"
      : "coreutils",
    NEED_MB: String(payload.needMb),
    HOME_CACHE: darwin ? "/Library/Caches/ctx" : "/.cache/ctx",
    SHA256: darwin ? "shasum -a 256" : "sha256sum",
    LOADED: loadedFiles(payload).join(" "),
    HELP: toShell(renderOverview(await loadForms(firstNames), makeView({})).trimEnd()),
    PIECES: payload.pieces
      .map(({ name, bytes }) => `      piece ${bytes.length} "$new/${name}" &&`).join("\n"),
    UNPACK: payload.xz ? "unxz_deno" : options.gzip ? '"$gzip" -dc' : "cat",
    UNXZ: payload.xz ? unxzDeno(payload.xz) : "",
    FIND_XZ: payload.xz ? findXz(darwin) : "",
    OPEN_PIECES: options.gzip ? openCompressed(payload.packedBytes) : "exec 4<&3 &&",
    FIND_GZIP: options.gzip ? findGzip : "",
    LOCAL: localCommands.join(" | "),
    EDITOR: editorCommands.join(" | "),
    SELF: selfCommands.join(" | "),
    PAGE: pageServers.join(" | "),
    OPENERS: (openers[options.target.os] ?? []).join(" "),
    LASTING: toPattern(lastingCommands),
    PAGED: pagedCommands.map((name) => `"${name} "*`).join(" | "),
    OTHER_WORDS: Object.entries(otherWords)
      .map(([words, name]) => `"${words}") task=${name} ;;`).join("\n    "),
    QUICK: quickCommands.join(" | "),
    WIDER: widerServers.flatMap((word) => word.startsWith("-") ? [word, `${word}=*`] : [word])
      .join(" | "),
    STORE_NAMES: storeNames.join(" "),
    MCP_ENV: `"${mcpVariables.join(",")}"`,
    START: startFlags.join(" "),
    LOCAL_FLAGS: localFlags.join(" "),
    PROVIDER: toPattern(providerCommands),
    NET: netCommands.join(" | "),
    NET_FLAGS: netFlags.join(" "),
    PROVIDER_ENV: providerVariables.map((name) => `$${name}`).join(""),
    PROVIDER_WORDS: providerSettings.map((name) => `*${name}*`).join(" | "),
  };
  const fill = (length: number): Uint8Array =>
    new TextEncoder().encode(
      template.replace(/@([A-Z0-9_]+)@/g, (_all, name) => {
        const value = name === "HEADER" ? String(length) : values[name];
        if (value === undefined) throw new Error(`Cannot fill launcher.sh: no value for ${name}`);
        return value;
      }),
    );
  let header = fill(10_000);
  while (fill(header.length).length !== header.length) header = fill(header.length);
  return fill(header.length);
}

/** What every command loads: each start looks whether one of them was touched. */
function loadedFiles({ pieces }: Payload): string[] {
  const names = [entryName, startGroups[0].file].map((name) => `app/${name}`);
  return names.filter((name) => pieces.some((piece) => piece.name === name));
}

/** A text as one word of the shell. */
function toShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A pattern of the shell for some commands; no word at all stands for one of them. */
function toPattern(commands: readonly string[]): string {
  return commands.map((name) => name === bareCommand ? `'' | ${name}` : name).join(" | ");
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
