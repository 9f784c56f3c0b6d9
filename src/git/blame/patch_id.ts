// The identity of a patch: the same for commits that change the same lines of the same files, wherever
// they stand and however they are indented, so that a rebased or picked commit is known again. Pure.

import { hash64 } from "../../core/hash.ts";
import type { CommitChanges } from "./changes_of.ts";

/** Sixteen hexadecimal digits; undefined for a commit without changes, or with too many to compare. */
export function patchIdOf(
  { files, isCut }: Pick<CommitChanges, "files" | "isCut">,
): string | undefined {
  if (files.length === 0 || isCut) return undefined;
  // A sum, so that the order of files does not matter.
  let [high, low] = [0, 0];
  for (const { path, oldPath = "", added, removed, passedOver, blob } of files) {
    const lines = [
      ...removed.map(({ text }) => `-${text}`),
      ...added.map(({ text }) => `+${text}`),
    ].map((line) => line.replace(/\s+/g, ""));
    const content = passedOver === undefined ? lines : [passedOver, blob ?? ""];
    const [a, b] = hash64([path, oldPath, ...content].join("\n"));
    high = (high + a) >>> 0;
    low = (low + b) >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
