// Deltas of git: an object as copies from another one and new bytes. Pure; throws GitDamage for one
// that does not fit its base or says more than it holds.

import { GitDamage, maxObjectBytes } from "./git_object.ts";

/** How large the object is that a delta makes. */
export function resultSize(delta: Uint8Array): number {
  return readSize(delta, readSize(delta, 0).next).value;
}

/** Rebuilds an object from its base and a list of copies and inserts. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const baseSize = readSize(delta, 0);
  const size = readSize(delta, baseSize.next);
  if (baseSize.value !== base.length || size.value > maxObjectBytes) throw misfit();
  const result = new Uint8Array(size.value);
  let at = size.next;
  let filled = 0;
  while (at < delta.length) {
    const order = delta[at++];
    let part: Uint8Array;
    if ((order & 0x80) === 0) {
      part = delta.subarray(at, at + order);
      if (order === 0 || part.length < order) throw misfit();
      at += order;
    } else {
      let from = 0;
      let length = 0;
      for (let i = 0; i < 4; i++) if (order & (1 << i)) from += delta[at++] * 2 ** (8 * i);
      for (let i = 0; i < 3; i++) if (order & (16 << i)) length += delta[at++] * 2 ** (8 * i);
      if (length === 0) length = 0x10000;
      part = base.subarray(from, from + length);
      // A delta that ends within an order gives NaN, which is no length of anything.
      if (part.length !== length) throw misfit();
    }
    if (filled + part.length > result.length) throw misfit();
    result.set(part, filled);
    filled += part.length;
  }
  if (filled !== result.length) throw misfit();
  return result;
}

function readSize(delta: Uint8Array, from: number): { value: number; next: number } {
  let value = 0;
  for (let at = from; at < delta.length && at < from + 7; at++) {
    value += (delta[at] & 0x7f) * 2 ** (7 * (at - from));
    if ((delta[at] & 0x80) === 0) return { value, next: at + 1 };
  }
  throw misfit();
}

function misfit(): GitDamage {
  return new GitDamage("a delta does not fit");
}
