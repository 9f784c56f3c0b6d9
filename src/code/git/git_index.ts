// The index of git: what the next commit will hold. Read only when a file is in no commit yet. Pure,
// but for the reading; throws GitDamage.

import { diskFiles } from "../../disk/files.ts";
import { GitDamage } from "./git_object.ts";
import type { TreeEntry } from "./git_tree.ts";

/** A file in the index; a stage beyond 0 is one side of a conflict. */
export interface IndexEntry extends TreeEntry {
  stage: number;
}

const maxIndexBytes = 256 << 20;
const decoder = new TextDecoder();

/** The files of the index by path; with a conflict, that of the last stage. */
export function readIndex(gitDirectory: string, oidBytes: number): Map<string, IndexEntry> {
  const path = `${gitDirectory}/index`;
  const size = diskFiles.findSize(path) ?? 0;
  if (size === 0) return new Map();
  const bytes = size > maxIndexBytes ? undefined : diskFiles.findBytes(path);
  if (bytes === undefined) throw new GitDamage("its index is too large");
  return parseIndex(bytes, oidBytes);
}

function parseIndex(bytes: Uint8Array, oidBytes: number): Map<string, IndexEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = new Map<string, IndexEntry>();
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) {
    throw new GitDamage("its index is none");
  }
  const version = view.getUint32(4);
  if (version < 2 || version > 4) throw new GitDamage(`its index has version ${version}`);
  let [at, name] = [12, new Uint8Array()];
  for (let left = view.getUint32(8); left > 0; left--) {
    const flagsAt = at + 40 + oidBytes;
    if (flagsAt + 2 > bytes.length) throw new GitDamage("its index is cut off");
    const flags = view.getUint16(flagsAt);
    let start = flagsAt + 2 + (version > 2 && (flags & 0x4000) !== 0 ? 2 : 0);
    let kept = new Uint8Array();
    if (version === 4) {
      const { value, next } = readNumber(bytes, start);
      kept = name.slice(0, Math.max(0, name.length - value));
      start = next;
    }
    const end = bytes.indexOf(0, start);
    if (end < 0) throw new GitDamage("its index is cut off");
    name = new Uint8Array([...kept, ...bytes.subarray(start, end)]);
    entries.set(decoder.decode(name), {
      mode: view.getUint32(at + 24),
      oid: bytes.subarray(at + 40, flagsAt).toHex(),
      stage: (flags >> 12) & 3,
    });
    // Entries are filled up with one to eight zero bytes, but not in version 4.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  return entries;
}

/** A number as in the offsets of packs: seven bits in each byte, the highest first. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let at = from;
  let byte = bytes[at++];
  let value = byte & 0x7f;
  while (byte & 0x80 && at < from + 5) {
    byte = bytes[at++];
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
