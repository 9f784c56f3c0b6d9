// What spaces and members may be called. The schema says the same; here it is said before keys are
// made, and in words.

import { CtxError } from "../../core/errors.ts";

/** Throws USAGE when a space cannot be called so. */
export function checkSpaceName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name)) return;
  throw new CtxError(
    "USAGE",
    `Cannot use "${name}" as the name of a space: use only lowercase letters, digits, . _ -`,
  );
}

/** Throws USAGE when a member cannot be called so. */
export function checkMemberName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,62}$/u.test(name)) return;
  throw new CtxError("USAGE", `Cannot use "${name}" as a name: use only letters, digits, . _ @ -`);
}
