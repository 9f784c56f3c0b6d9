// OpenCode's sessions, of all its channels.

import { makeOpencodeSource } from "./opencode_source.ts";

/** OpenCode. */
export const opencode = makeOpencodeSource({
  name: "opencode",
  title: "OpenCode",
  stem: "opencode",
  variable: "OPENCODE_DB",
});
