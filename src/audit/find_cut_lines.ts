// Lines that an agent never gets: it stops reading the file before them. Only limits that the agents'
// makers document: Claude Code loads the first 200 lines or 25 KB of MEMORY.md, Codex 32 KiB of
// AGENTS.md (`project_doc_max_bytes`); CLAUDE.md is loaded whole.

import { countOf } from "../command/view.ts";
import type { AuditScope, CutFile, Finding } from "./finding.ts";

interface Limit {
  of: RegExp;
  agent: string;
  lines?: number;
  bytes: number;
  shown: string;
}

const limits: Limit[] = [
  {
    of: /(?:^|\/)memory\/MEMORY\.md$/,
    agent: "Claude Code",
    lines: 200,
    bytes: 25_000,
    shown: "200 lines or 25 KB",
  },
  { of: /(?:^|\/)AGENTS(?:\.override)?\.md$/, agent: "Codex", bytes: 32 << 10, shown: "32 KiB" },
];

/** Finds what is beyond a limit, one finding for each file. */
export function findCutLines({ files }: AuditScope): Finding[] {
  return files.flatMap((file) => {
    const limit = limits.find(({ of }) => of.test(file.name));
    return limit === undefined ? [] : findCut(file, limit);
  });
}

function findCut({ name, text, rules }: CutFile, limit: Limit): Finding[] {
  const lines = text.split("\n");
  const encoder = new TextEncoder();
  let bytes = 0;
  let at = 0;
  for (; at < lines.length && at < (limit.lines ?? Infinity); at++) {
    bytes += encoder.encode(lines[at]).length + 1;
    if (bytes > limit.bytes + 1) break;
  }
  const lost = rules.filter(({ end }) => end > at);
  if (lost.length === 0) return [];
  const first = Math.max(lost[0].line, at + 1);
  return [{
    kind: "cut",
    file: name,
    line: first,
    end: lines.length,
    text: lost[0].text,
    evidence: `${limit.agent} reads only the first ${limit.shown}; ${
      countOf(lost.length, "line")
    } from here on never reach it`,
    proposal: "move what matters above this line, and the rest into another file",
  }];
}
