// The table of sources. Each is loaded only when it is asked for; adding one is a file and a line
// here.

import type { Source } from "./source.ts";

/** Every source by its name, in the order `auto` tries them. */
export const sourceTable: Record<string, () => Promise<Source>> = {
  "claude-code": async () => (await import("./claude_code.ts")).claudeCode,
  codex: async () => (await import("./codex.ts")).codex,
  opencode: async () => (await import("./opencode.ts")).opencode,
  cursor: async () => (await import("./cursor.ts")).cursor,
  gemini: async () => (await import("./gemini.ts")).gemini,
  copilot: async () => (await import("./copilot.ts")).copilot,
  aider: async () => (await import("./aider.ts")).aider,
  cline: async () => (await import("./cline.ts")).cline,
  ndjson: async () => (await import("./ndjson.ts")).ndjson,
};

/** The names that `import` accepts; `contextfs` is no agent: its rows are entries already. */
export const sourceNames: readonly string[] = [...Object.keys(sourceTable), "contextfs"];
