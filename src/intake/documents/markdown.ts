// Markdown to sections by heading, with marked's block lexer: it keeps the source of every block,
// so that headings inside code fences, lists and quotes stay text, and nothing is re-printed.

import { countLines, type ParsedDocument, type Section, splitSection } from "./section.ts";

/** Longer headings are cut: the patterns below would be slow on them. */
const maxHeadingChars = 500;

export async function parseMarkdown(source: string): Promise<ParsedDocument> {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const { body, bodyLine, matter, fault } = await splitFrontMatter(text);
  const { lexBlocks } = await import("./bounded_tokenizer.ts");
  const blocks = lexBlocks(body);
  const sections: Section[] = [];
  const path: { level: number; heading: string }[] = [];
  let title = matter.title;
  let open: Section = { path: [], level: 0, line: bodyLine, text: "" };
  let raws: string[] = [];
  let leading = "";
  const close = (): void => {
    if (open.text.trim() !== "") sections.push(...splitSection(open, raws));
    else if (sections.length === 0) leading = open.text;
  };
  let line = bodyLine;
  for (const block of blocks) {
    if (block.type === "heading") {
      close();
      const heading = toPlainText(block.text.slice(0, maxHeadingChars));
      while (path.length > 0 && path[path.length - 1].level >= block.depth) path.pop();
      path.push({ level: block.depth, heading });
      if (block.depth === 1) title ??= heading;
      const names = path.map((item) => item.heading);
      open = { path: names, level: block.depth, line, text: leading };
      raws = leading === "" ? [] : [leading];
      leading = "";
    }
    open.text += block.raw;
    raws.push(block.raw);
    line += countLines(block.raw);
  }
  close();
  return { title, description: matter.description, tags: matter.tags, sections, fault };
}

/** A heading without its marks: code, emphasis, links, images and a trailing {#id}. */
export function toPlainText(heading: string): string {
  return heading
    .replace(/\s*\{#[^}]*\}\s*$/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`([^`]*)`/g, "$1")
    .replace(/(\*\*|__|~~)(.*?)\1/g, "$2")
    .replace(/(^|[^\w*])[*_]([^*_]+)[*_](?!\w)/g, "$1$2")
    .replace(/\s+/g, " ")
    .trim();
}

// The block between `---` lines at the head of a Markdown file: title, description and tags are
// taken from it, the rest is left alone. The YAML parser is loaded only when there is such a block.

/** What a front matter says that ctx uses. */
interface FrontMatter {
  title?: string;
  description?: string;
  tags: string[];
}

/** A document's text without its front matter, and what the front matter said. */
interface SplitDocument {
  body: string;
  /** The line of the file that the body starts on, from 1. */
  bodyLine: number;
  matter: FrontMatter;
  /** Why the front matter could not be read; the body is sound all the same. */
  fault?: string;
}

const block = /^---[ \t]*\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** More is data, not front matter. */
const maxMatterChars = 16 << 10;

/** Splits a text with `\n` line ends. */
async function splitFrontMatter(text: string): Promise<SplitDocument> {
  const match = block.exec(text);
  if (!match) return { body: text, bodyLine: 1, matter: { tags: [] } };
  const body = text.slice(match[0].length);
  const bodyLine = match[0].split("\n").length;
  if (match[1].length > maxMatterChars) {
    const fault = `its front matter is longer than ${maxMatterChars} characters`;
    return { body, bodyLine, matter: { tags: [] }, fault };
  }
  const { parseYaml } = await import("./yaml.ts");
  try {
    return { body, bodyLine, matter: toFrontMatter(parseYaml(match[1], { maxAliasCount: 10 })) };
  } catch (error) {
    const fault = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { body, bodyLine, matter: { tags: [] }, fault };
  }
}

function toFrontMatter(value: unknown): FrontMatter {
  if (typeof value !== "object" || value === null) return { tags: [] };
  const fields = value as Record<string, unknown>;
  const text = (name: string): string | undefined =>
    typeof fields[name] === "string" && fields[name].trim() !== ""
      ? fields[name].trim()
      : undefined;
  const tags = Array.isArray(fields.tags)
    ? fields.tags.filter((tag) => typeof tag === "string")
    : typeof fields.tags === "string"
    ? fields.tags.split(/[,\s]+/).filter(Boolean)
    : [];
  return { title: text("title"), description: text("description"), tags };
}
