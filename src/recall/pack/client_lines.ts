// What an agent that starts loads by itself: its own rule files. A line that they say already is not
// sent a second time. Only files at fixed places are read: no folder is walked.

import { cutRules, plain } from "../../intake/agent_files/cut_rules.ts";
import { findAgentFiles, loadedBy } from "../../intake/agent_files/find_agent_files.ts";
import { loadedLines } from "../../intake/agent_files/loaded_lines.ts";

/** Files at the root of a workspace that agents load. */
const rootFiles = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  "AGENTS.md",
  "GEMINI.md",
  "QWEN.md",
  ".cursorrules",
  ".github/copilot-instructions.md",
];

/** Which agent starts, and where the user's own files are. */
export interface StartingClient {
  name: string;
  home?: string;
}

/** Fewer words are in too many lines. */
const minWords = 3;

/** Tells which of an agent's own files says a line; undefined where none does. */
export function readClientLines(
  workspace: string,
  { name, home }: StartingClient,
): (text: string, isGuess?: boolean) => string | undefined {
  const files = loadedBy(findAgentFiles({ workspace, home, files: rootFiles }), name);
  const rules = files.flatMap((file) => {
    const { lines } = loadedLines(file.name, file.text);
    return cutRules(file.text).filter(({ end }) => end <= lines)
      .map(({ text }) => ({ file: file.name, words: wordsIn(text) }));
  });
  return (text, isGuess) => {
    const words = wordsIn(text);
    if (words.length < minWords) return undefined;
    return rules.find((rule) => saysAll(rule.words, words) || isGuess && isAbout(rule.words, words))
      ?.file;
  };
}

/** Whether an agent has rules of the project from its start; of an unknown agent, whether any has. */
export function hasRules(workspace: string, client: string | undefined): boolean {
  const files = findAgentFiles({ workspace, files: rootFiles });
  return client === undefined
    ? files.some(({ loads }) => loads === "start")
    : loadedBy(files, client).length > 0;
}

function wordsIn(text: string): string[] {
  return plain(text).toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? [];
}

/** Whether a rule has nine of ten words of a line in their order, denies as often, and says little more. */
function saysAll(rule: readonly string[], line: readonly string[]): boolean {
  if (rule.length > 2 * line.length || countDenials(rule) !== countDenials(line)) return false;
  let from = 0;
  let found = 0;
  for (const word of line) {
    const at = rule.indexOf(word, from);
    if (at < 0) continue;
    found++;
    from = at + 1;
  }
  return found >= 0.9 * line.length;
}

/**
 * Whether a rule has each word of a line that carries meaning: what the file says of it was written with
 * care, and has the exceptions that a prompt leaves out.
 */
function isAbout(rule: readonly string[], line: readonly string[]): boolean {
  const meant = line.filter((word) => !filling.has(word));
  if (rule.length > maxRuleWords || meant.length < 2) return false;
  const said = ` ${rule.join(" ")} `.replaceAll(" pull request", " pr").split(" ");
  return meant.every((word) => {
    const stem = word.slice(0, 5).replace(/s$/, "");
    return said.some((other) => other.startsWith(stem));
  });
}

const maxRuleWords = 60;
const filling: ReadonlySet<string> = new Set(
  `a an the this that to in on of for from with by at and or is are be it its we you i my our your do does don't dont
  please use using make create always never not no avoid should must when if as so only just any all before after`
    .split(/\s+/),
);

function countDenials(words: readonly string[]): number {
  return words.filter((word) => denials.has(word) || /n['’]t$/.test(word)).length;
}

const denials: ReadonlySet<string> = new Set(
  "never not no avoid without except unless instead cannot".split(" "),
);
