// Whether git versions a store: then others write it too. Apart from what is written for git, since
// every command asks.

import { type Files, isListed } from "./files.ts";
import type { Layout } from "./layout.ts";

/** Whether the store says that git versions it. */
export function isVersioned(
  files: Files,
  { gitattributes }: Pick<Layout, "gitattributes">,
): boolean {
  return isListed(files, gitattributes) && files.findSize(gitattributes) !== undefined;
}
