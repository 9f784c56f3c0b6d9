// How much of a file its agent loads. Only limits that the agents' makers document: Claude Code loads
// the first 200 lines or 25 KB of MEMORY.md, Codex 32 KiB of AGENTS.md (`project_doc_max_bytes`);
// CLAUDE.md is loaded whole. Pure.

export interface ReadLimit {
  agent: string;
  lines?: number;
  bytes: number;
  shown: string;
}

const limits: (ReadLimit & { of: RegExp })[] = [
  {
    of: /(?:^|\/)memory\/MEMORY\.md$/,
    agent: "Claude Code",
    lines: 200,
    bytes: 25_000,
    shown: "200 lines or 25 KB",
  },
  { of: /(?:^|\/)AGENTS(?:\.override)?\.md$/, agent: "Codex", bytes: 32 << 10, shown: "32 KiB" },
];

/** How many lines of a file are loaded, and the limit that ends it, if there is one. */
export function loadedLines(name: string, text: string): { lines: number; limit?: ReadLimit } {
  const all = text.split("\n");
  const limit = limits.find(({ of }) => of.test(name));
  if (limit === undefined) return { lines: all.length };
  const encoder = new TextEncoder();
  let bytes = 0;
  let lines = 0;
  for (; lines < all.length && lines < (limit.lines ?? Infinity); lines++) {
    bytes += encoder.encode(all[lines]).length + 1;
    if (bytes > limit.bytes + 1) break;
  }
  return { lines, limit };
}
