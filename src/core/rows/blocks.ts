// A Markdown text as blocks that can be quoted: headings, paragraphs, list items, code, tables, each
// exactly as it stands. Pure.

export type BlockKind = "heading" | "paragraph" | "item" | "code" | "table";

/** A piece of a text, verbatim. */
export interface Block {
  kind: BlockKind;
  text: string;
  /** The heading above it, without its marks; a line that is bold as a whole counts as one. */
  heading: string;
  /** The language of a code block. */
  language?: string;
}

const maxBlocks = 400;

export function toBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let open: { kind: BlockKind; lines: string[] } | undefined;
  let fence: { mark: string; language: string; lines: string[] } | undefined;
  const close = (): void => {
    if (open) blocks.push({ kind: open.kind, text: open.lines.join("\n"), heading });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    if (blocks.length >= maxBlocks) break;
    const mark = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (fence) {
      fence.lines.push(line);
      if (mark && line.trim() === fence.mark) {
        blocks.push({
          kind: "code",
          text: fence.lines.join("\n"),
          heading,
          language: fence.language,
        });
        fence = undefined;
      }
      continue;
    }
    if (mark) {
      close();
      fence = { mark: mark[1], language: mark[2].toLowerCase(), lines: [line] };
    } else if (line.trim() === "" || /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) close();
    else if (isHeading(line)) {
      close();
      heading = toPlain(line);
      blocks.push({ kind: "heading", text: line, heading });
    } else {
      const kind: BlockKind = /^\s*(?:[-*+•]|\d+[.)]|✅|❌|☐|☑)\s+/.test(line)
        ? "item"
        : /^\s*\|.*\|\s*$/.test(line)
        ? "table"
        : "paragraph";
      // A line that goes on with an item or a paragraph; each item is a block of its own.
      const goesOn = open && kind !== "item" && (kind === open.kind || /^\s{2,}\S/.test(line));
      if (!goesOn) close();
      (open ??= { kind, lines: [] }).lines.push(line);
    }
  }
  close();
  return blocks;
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s+\S/.test(line) || /^\s*\*\*[^*]{2,80}\*\*:?\s*$/.test(line);
}

/** A line without Markdown marks. */
export function toPlain(line: string): string {
  return line.replace(/^[\s#>*+•-]+|^\s*\d+[.)]\s+/g, "").replace(/\*\*|__|`/g, "").trim();
}

/** A text with an end: the lines of a pack run on, and subjects and list items have none. */
export function endSentence(text: string): string {
  return /[.!?…:;]["'`)]?$/.test(text) ? text : `${text}.`;
}

/** The sentences of a paragraph or an item, verbatim. */
export function toSentences(text: string): string[] {
  return text.split(/(?<=[.!?。！？]["')*`]{0,2})\s+|(?<=[。！？])|\n+/).map((part) => part.trim())
    .filter((part) => part !== "");
}
