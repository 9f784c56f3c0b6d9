// What carries the files of a space: a directory, an SFTP server, a bucket. Whole files only, and no
// locks: nobody else writes a file that this store writes.

import { CtxError } from "../../core/errors.ts";

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

/** The largest file that is read: a batch of the largest row, in base64, and room to spare. */
export const maxFileBytes: number = 128 << 20;

/** The refusal of a file that no store of ours wrote. */
export function tooLargeError(path: string, place: string): CtxError {
  return new CtxError("REMOTE_UNTRUSTED", `Cannot read "${path}" in ${place}: it is too large`, {
    hint: "ctx writes no file of more than 128 MB; remove it, then run ctx sync again",
  });
}
