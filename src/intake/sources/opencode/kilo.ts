// Kilo: its command line and its extension keep OpenCode's tables in a database of their own. The
// tasks of the extension before 2026 are read by the source `cline`.

import { makeOpencodeSource } from "./opencode.ts";

export const kilo = makeOpencodeSource("kilo", "Kilo");
