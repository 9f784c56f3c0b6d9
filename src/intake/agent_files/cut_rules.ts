// Cuts a rule file into what it says: list items, paragraphs and table rows, each with its headings and
// lines. By hand, because a session's start reads these files and a Markdown parser would be loaded for
// it; what it gets wrong costs a worse cut, never a wrong line number. Pure.

import { withoutMark } from "../../core/text.ts";

export interface Rule {
  /** Its lines, from 1. */
  line: number;
  end: number;
  /** The headings above it, outermost first. */
  headings: string[];
  kind: "item" | "paragraph" | "row" | "code";
  /** Without the marks of a list. */
  text: string;
  /** Of code: the language that its fence names. */
  language?: string;
  /** Whether items belong to it: it cannot go without them. */
  hasChildren?: true;
}

/** Cuts a text; each line of code stands for itself. */
export function cutRules(source: string): Rule[] {
  const lines = withoutMark(source).split(/\r?\n/);
  const rules: Rule[] = [];
  const path: { level: number; heading: string }[] = [];
  let open: { rule: Rule; indent: number } | undefined;
  let fence: { mark: string; language: string } | undefined;
  let isComment = false;
  for (let at = frontMatterEnd(lines); at < lines.length; at++) {
    // Nobody writes such a rule, and telling what it is would take a session's start too long.
    const line = lines[at].length > maxLineChars ? "" : lines[at];
    const place = { line: at + 1, end: at + 1, headings: path.map(({ heading }) => heading) };
    const mark = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    // What is indented further belongs to it, also after an empty line.
    const above = rules.at(-1);
    const startsAnew = open === undefined || /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
    if (
      startsAnew && line.trim() !== "" && (above?.kind === "item" || above?.end === at) &&
      above.kind !== "row" && indentOf(lines[above.line - 1]) < indentOf(line)
    ) {
      above.hasChildren = true;
    }
    if (fence !== undefined) {
      if (mark?.[1].startsWith(fence.mark) && line.trim() === mark[1]) fence = undefined;
      else if (line.trim() !== "") {
        rules.push({ ...place, kind: "code", text: line.trim(), language: fence.language });
      }
      continue;
    }
    if (mark) {
      fence = { mark: mark[1], language: mark[2].toLowerCase() };
      open = undefined;
      continue;
    }
    if (isComment || /^\s*<!--/.test(line)) {
      isComment = !line.includes("-->");
      open = undefined;
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (heading) {
      while (path.length > 0 && path[path.length - 1].level >= heading[1].length) path.pop();
      path.push({ level: heading[1].length, heading: plain(heading[2].replace(/ #+\s*$/, "")) });
      open = undefined;
      continue;
    }
    if (line.trim() === "" || /^\s*(?:[-*_]\s*){3,}$/.test(line)) {
      open = undefined;
      continue;
    }
    const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (item) {
      const text = item[2].replace(/^\[[ xX]\]\s+/, "");
      open = { rule: { ...place, kind: "item", text }, indent: item[1].length };
      rules.push(open.rule);
    } else if (/^\s*\|/.test(line)) {
      open = undefined;
      if (!/^[\s|:-]+$/.test(line)) rules.push({ ...place, kind: "row", text: line.trim() });
    } else if (open !== undefined) {
      open.rule.end = at + 1;
      open.rule.text += ` ${line.trim()}`;
    } else {
      open = { rule: { ...place, kind: "paragraph", text: line.trim() }, indent: 0 };
      rules.push(open.rule);
    }
  }
  return rules;
}

/** A rule's words without Markdown's marks. */
export function plain(text: string): string {
  return text.replace(/!?\[([^\][]{0,500})\]\([^)]{0,500}\)/g, "$1")
    .replace(/(\*\*|__|~~)(.*?)\1/g, "$2")
    .replace(/`([^`]*)`/g, "$1")
    .replace(/\s+/g, " ").trim();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where the text begins: settings between two `---` are not part of it. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  const end = lines.indexOf("---", 1);
  return end > 0 && end < maxMatterLines ? end + 1 : 0;
}

const maxMatterLines = 100;
const maxLineChars = 4000;
