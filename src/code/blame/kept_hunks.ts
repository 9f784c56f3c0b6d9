// The hunks between two versions of a file as bytes: numbers only, and few, because most changes are
// small. By them a line is followed back without reading the versions. Pure; throws IndexDamage.

import { IndexDamage } from "../../disk/byte_source.ts";
import type { LineHunk } from "../../core/lines/line_hunks.ts";

/** Hunks as bytes: how many, then for each how far it is from the one before, and its lines. */
export function encodeHunks(hunks: readonly LineHunk[]): Uint8Array {
  const bytes: number[] = [];
  // Lines are counted in 31 bits.
  const put = (value: number): void => {
    let left = value;
    for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
    bytes.push(left);
  };
  put(hunks.length);
  let end = 0;
  for (const { to, removed, added } of hunks) {
    put(to - end);
    put(removed);
    put(added);
    end = to + added;
  }
  return Uint8Array.from(bytes);
}

/** The hunks that some bytes are. */
export function decodeHunks(bytes: Uint8Array): LineHunk[] {
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new IndexDamage("the kept history has half a hunk");
  };
  const hunks: LineHunk[] = [];
  let [end, shift] = [0, 0];
  for (let left = take(); left > 0; left--) {
    const to = end + take();
    const [removed, added] = [take(), take()];
    hunks.push({ from: to + shift, removed, to, added });
    end = to + added;
    shift += removed - added;
  }
  return hunks;
}

/** Lines of the newer version, in order, as lines of the older one; undefined when one is not in it. */
export function passLines(
  hunks: readonly LineHunk[],
  lines: readonly number[],
): number[] | undefined {
  const passed: number[] = [];
  let [at, shift] = [0, 0];
  for (const line of lines) {
    for (; at < hunks.length && hunks[at].to + hunks[at].added <= line; at++) {
      shift += hunks[at].removed - hunks[at].added;
    }
    if (at < hunks.length && hunks[at].to <= line) return undefined;
    passed.push(line + shift);
  }
  return passed;
}
