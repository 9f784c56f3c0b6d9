// Markdown to sections by heading, with marked's block lexer: it keeps the source of every block,
// so that headings inside code fences, lists and quotes stay text, and nothing is re-printed.

import { withoutMark } from "../../core/text.ts";
import { splitFrontMatter } from "./front_matter.ts";
import { countLines, type ParsedDocument, type Section, splitSection } from "./section.ts";

/** Longer headings are cut: the patterns below would be slow on them. */
const maxHeadingChars = 500;

export async function parseMarkdown(source: string): Promise<ParsedDocument> {
  const text = withoutMark(source).replace(/\r\n?/g, "\n");
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
