// The refusal of a store that is a symbolic link, or has one in the place of a file: a clone could aim
// it at anything of the user's. Said by whoever meets the link first, the configuration or the store.

import { CtxError } from "./errors.ts";

/** What is thrown for the link at a path. */
export function linkedStoreError(path: string): CtxError {
  return new CtxError("DENIED", `Cannot open the store: "${path}" is a symbolic link`, {
    hint: "move the real directory here, or pass --workspace with the directory it points into",
  });
}
