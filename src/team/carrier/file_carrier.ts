// What carries the files of a space: a directory, an SFTP server, a bucket. Whole files only, and no
// locks: nobody else writes a file that this store writes.

import { CtxError } from "../../core/errors.ts";
import { concat } from "../../core/utf8.ts";

/** Files by their path below the place that a URL names, such as `web/space.json`. */
export interface FileCarrier extends AsyncDisposable {
  /** How the place is named in messages; without a secret. */
  readonly place: string;
  /**
   * The names in a folder, sorted; those of folders end with a slash. Empty when there is none. With
   * `after`, names up to that one may be left out.
   */
  list(folder: string, after?: string): Promise<string[]>;
  /** The whole file; undefined when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Puts a new file, whole or not at all; false when there is one of that name. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Puts another file in the place of one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file if it is there. */
  remove(path: string): Promise<void>;
}

/** The name of a new file until it is whole: nobody can foresee it and put a link there. */
export function draftOf(path: string): string {
  return path.replace(/[^/]*$/, (name) => `.${name}.${crypto.randomUUID()}.tmp`);
}

/** The largest file that is read: a batch of the largest row, in base64, and room to spare. */
export const maxFileBytes: number = 128 << 20;

/** All that a stream brings; throws, and lets go of it, where that is more than a file can be. */
export async function readBounded(
  stream: AsyncIterable<Uint8Array>,
  refuse: () => CtxError,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > maxFileBytes) throw refuse();
    parts.push(part);
  }
  return concat(parts);
}

/** The refusal of what is in the place of a file or a folder and is neither, such as a link. */
export function strangeError(path: string, place: string): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot use "${path}" in ${place}: it is a link, or not of the kind that ctx makes there`,
    { hint: "ctx follows no links there; remove it, then run ctx sync again" },
  );
}

/** The refusal of a file that no store of ours wrote. */
export function tooLargeError(path: string, place: string): CtxError {
  return new CtxError("REMOTE_UNTRUSTED", `Cannot read "${path}" in ${place}: it is too large`, {
    hint: "ctx writes no file of more than 128 MB; remove it, then run ctx sync again",
  });
}
