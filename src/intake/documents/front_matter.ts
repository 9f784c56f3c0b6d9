// The block between `---` lines at the head of a Markdown file: title, description and tags are
// taken from it, the rest is left alone. The YAML parser is loaded only when there is such a block.

/** What a front matter says that ctx uses. */
export interface FrontMatter {
  title?: string;
  description?: string;
  tags: string[];
}

/** A document's text without its front matter, and what the front matter said. */
export interface SplitDocument {
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
export async function splitFrontMatter(text: string): Promise<SplitDocument> {
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
