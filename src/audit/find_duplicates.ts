// Rules that are said twice: in the same words, or nearly. Only what one agent reads in one session
// counts: the same rule in CLAUDE.md and AGENTS.md is for two agents.

import { plain } from "../intake/agent_files/cut_rules.ts";
import { keyWords, shareOf } from "../recall/distil/key_words.ts";
import { forbids } from "./find_contradictions.ts";
import {
  areReadTogether,
  type AuditScope,
  type CutFile,
  type Finding,
  findingOf,
  isSpoken,
} from "./finding.ts";
import type { Rule } from "../intake/agent_files/cut_rules.ts";

interface Said {
  file: CutFile;
  rule: Rule;
  /** Its words without what only introduces it. */
  text: string;
  words: ReadonlySet<string>;
}

/** Fewer words say too little to be a rule said twice. */
const minWords = 4;

/** Finds rules that an earlier one says already. */
export function findDuplicates({ files }: AuditScope): Finding[] {
  const findings: Finding[] = [];
  const byWord = new Map<string, Said[]>();
  for (const file of files) {
    for (const rule of file.rules.filter(isSpoken)) {
      const text = plain(rule.text).replace(introduction, "");
      const words = keyWords(text);
      if (words.size < minWords || /:$/.test(text)) continue;
      const said = { file, rule, text, words };
      const rare = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 3);
      const near = new Set(rare.flatMap((word) => byWord.get(word) ?? []));
      const first = [...near].find((one) => areReadTogether(one.file, file) && isSame(one, said));
      if (first === undefined) {
        for (const word of words) byWord.set(word, [...byWord.get(word) ?? [], said]);
        continue;
      }
      const where = `${first.file.name}:${first.rule.line}`;
      const isExact = first.text === text;
      findings.push(findingOf(file, rule, {
        kind: "duplicate",
        evidence: isExact
          ? `the same words as ${where}`
          : `says the same as ${where}: ${first.text}`,
        proposal: `remove it; ${where} says it`,
        ...(rule.hasChildren ? {} : { edit: { lines: [] } }),
      }));
    }
  }
  return findings;
}

const introduction = /^(?:please note|please|note|important|remember|always)\b[:,]?\s*/i;

/**
 * Whether two rules share nine of ten words that carry meaning, or one has all of the other's and hardly
 * any more; with the same numbers and names.
 */
function isSame(one: Said, other: Said): boolean {
  if (one.text === other.text) return true;
  if (namesOf(one.text) !== namesOf(other.text)) return false;
  const shares = [shareOf(one.words, other.words), shareOf(other.words, one.words)];
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  if (least < 0.9 && (least < 0.8 || most < 1 || one.words.size < 5)) return false;
  return !forbids(one.text, other.text) && !forbids(other.text, one.text);
}

/** Numbers, and names as code has them: lines that differ in one are about different things. */
function namesOf(text: string): string {
  const names = text.match(/\d+(?:\.\d+)*|[\w-]*(?:[._/][\w-]+)+|\b\w+[A-Z]\w*/g) ?? [];
  return names.sort().join(" ");
}
