// Lines that an agent never gets: it stops reading the file before them.

import { countOf } from "../command/view.ts";
import { loadedLines } from "../intake/agent_files/loaded_lines.ts";
import type { AuditScope, Finding } from "./finding.ts";

/** Finds what is beyond a limit, one finding for each file. */
export function findCutLines({ files }: AuditScope): Finding[] {
  return files.flatMap(({ name, text, rules }): Finding[] => {
    const { lines, limit } = loadedLines(name, text);
    const lost = rules.filter(({ end }) => end > lines);
    if (limit === undefined || lost.length === 0) return [];
    return [{
      kind: "cut",
      file: name,
      line: Math.max(lost[0].line, lines + 1),
      end: text.split("\n").length,
      text: lost[0].text,
      evidence: `${limit.agent} reads only the first ${limit.shown}; it never sees the ${
        countOf(lost.length, "rule")
      } from here on`,
      proposal: "move what matters above this line, and the rest into another file",
    }];
  });
}
