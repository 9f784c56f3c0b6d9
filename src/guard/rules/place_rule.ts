// Rules about where new files go. Pure.

import type { CompiledRule } from "./compiled_rule.ts";

/** "tests go in test/". */
export function placeRule(text: string): CompiledRule | undefined {
  const [, what, where] =
    /^(?:always )?(?:put|place|keep|write|create|add|store)?\s*(?:all |new |your )*(tests?|unit tests?|test files?|docs?|documentation) (?:files? )?(?:go|goes|belong|belongs|live|lives|in|into|under|must be in|should be in|should go|are)\s?(?:in|into|under|to)? (?:the )?[`'"]?([\w./-]+\/?[\w.-]*)[`'"]?(?: (?:folder|directory))?(?:,? (?:not|never) .{1,60})?$/i
      .exec(text) ?? [];
  const isFolder = where?.includes("/") || / (?:folder|directory)\b/i.test(text);
  if (where === undefined || !(isFolder || knownFolders.has(where))) return undefined;
  const creates = placeWords.find(([form]) => form.test(what))?.[1];
  if (creates === undefined) return undefined;
  const plain = where.replace(/^\.?\//, "").replace(/\/+$/, "");
  // Of each package, too.
  const below = plain.includes("/") ? [`${plain}/`, `**/${plain}/`] : [`${plain}/`];
  const except = creates.includes("*.md") ? { except: knownNotes } : {};
  return { check: { on: "edit", creates, below }, instead: `put it in ${where}`, ...except };
}

const knownFolders: ReadonlySet<string> = new Set(
  "test tests __tests__ spec specs doc docs documentation".split(" "),
);
/** Files that belong where they are, whatever is said of the documentation. */
const knownNotes = [
  ..."README.md CHANGELOG.md CONTRIBUTING.md LICENSE.md SECURITY.md AGENTS.md CLAUDE.md".split(" "),
  ..."GEMINI.md SKILL.md .github/ .claude/ .codex/ .cursor/ .contextfs/".split(" "),
];
const placeWords: [RegExp, string[]][] = [
  [/test/i, ["*_test.*", "*.test.*", "*.spec.*", "test_*.py"]],
  [/doc/i, ["*.md", "*.mdx"]],
];
