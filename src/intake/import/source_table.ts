// The table of sources. Each is loaded only when it is asked for. CONTRIBUTING.md says how to add one.

import type { Source } from "../sources/source.ts";

/** Every source by its name, in the order `auto` tries them. */
export const sourceTable: Record<string, () => Promise<Source>> = {
  "claude-code": async () => (await import("../sources/claude_code/claude_code.ts")).claudeCode,
  codex: async () => (await import("../sources/codex/codex.ts")).codex,
  opencode: async () => (await import("../sources/opencode/opencode.ts")).opencode,
  kilo: async () => (await import("../sources/opencode/kilo.ts")).kilo,
  cursor: async () => (await import("../sources/cursor/cursor.ts")).cursor,
  gemini: async () => (await import("../sources/gemini/gemini.ts")).gemini,
  copilot: async () => (await import("../sources/copilot/copilot.ts")).copilot,
  aider: async () => (await import("../sources/aider/aider.ts")).aider,
  cline: async () => (await import("../sources/cline/cline.ts")).cline,
  crush: async () => (await import("../sources/crush/crush.ts")).crush,
  goose: async () => (await import("../sources/goose/goose.ts")).goose,
  kiro: async () => (await import("../sources/kiro/kiro.ts")).kiro,
  zed: async () => (await import("../sources/zed/zed.ts")).zed,
  qwen: async () => (await import("../sources/qwen/qwen.ts")).qwen,
  antigravity: async () => (await import("../sources/antigravity/antigravity.ts")).antigravity,
  pi: async () => (await import("../sources/pi/pi.ts")).pi,
  omp: async () => (await import("../sources/pi/omp.ts")).omp,
  openclaw: async () => (await import("../sources/pi/openclaw.ts")).openclaw,
  droid: async () => (await import("../sources/droid/droid.ts")).droid,
  grok: async () => (await import("../sources/grok/grok.ts")).grok,
  kimi: async () => (await import("../sources/kimi/kimi.ts")).kimi,
  continue: async () => (await import("../sources/continue/continue.ts")).continueDev,
  openhands: async () => (await import("../sources/openhands/openhands.ts")).openhands,
  specstory: async () => (await import("../sources/specstory/specstory.ts")).specstory,
  chatgpt: async () => (await import("../sources/web_export/chatgpt.ts")).chatgpt,
  "claude-web": async () => (await import("../sources/web_export/claude_web.ts")).claudeWeb,
  "claude-mem": async () => (await import("../sources/memories/claude_mem.ts")).claudeMem,
  "server-memory": async () => (await import("../sources/memories/server_memory.ts")).serverMemory,
  mem0: async () => (await import("../sources/memories/mem0.ts")).mem0,
  beads: async () => (await import("../sources/memories/beads.ts")).beads,
  ndjson: async () => (await import("../sources/ndjson/ndjson.ts")).ndjson,
};

/** The names that `import` accepts; `contextfs` is no agent: its rows are entries already. */
export const sourceNames: readonly string[] = [...Object.keys(sourceTable), "contextfs"];
