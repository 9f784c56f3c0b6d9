// Markdown as HTML of a few elements: whatever else stands in a text is shown as text. No image is
// loaded, and links go to the web or to a mailbox only. In bounded time; loads marked.

import { Lexer, Parser, Renderer, type Tokens } from "marked";
import { BoundedTokenizer } from "../../intake/documents/bounded_tokenizer.ts";
import { escapeHtml } from "./escape_html.ts";

/** Longer texts are shown as they are. */
const maxChars = 100_000;
const limitMs = 1000;

/** Renders a text; what cannot be read as Markdown in time is shown as it is. */
export function markdownHtml(text: string): string {
  if (text.length > maxChars) return plainHtml(text);
  try {
    const tokenizer = new BoundedTokenizer(limitMs);
    const tokens = new Lexer({ gfm: true, breaks: true, tokenizer }).lex(text);
    return new Parser({ renderer: new PageRenderer() }).parse(tokens);
  } catch {
    return plainHtml(text);
  }
}

export function plainHtml(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>\n`;
}

/** The address of a link that may be followed. */
export function findAddress(href: string): string | undefined {
  const url = URL.parse(href.trim());
  return url !== null && safeSchemes.has(url.protocol) ? url.href : undefined;
}

const safeSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Whatever puts an attribute or a foreign text into the page; the rest of marked's are bare elements. */
class PageRenderer extends Renderer {
  override html({ text, block }: Tokens.HTML | Tokens.Tag): string {
    return block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text);
  }

  /** Never as marked has it: inside of a raw tag it takes text for HTML. */
  override text(token: Tokens.Text | Tokens.Escape): string {
    return "tokens" in token && token.tokens
      ? this.parser.parseInline(token.tokens)
      : escapeHtml(token.text);
  }

  /** Where a link goes is told where the link is, but a text of nothing else would vanish. */
  override def({ raw }: Tokens.Def): string {
    return `<p>${escapeHtml(raw.trim())}</p>\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre><code>${escapeHtml(text)}</code></pre>\n`;
  }

  override codespan({ text }: Tokens.Codespan): string {
    return `<code>${escapeHtml(text)}</code>`;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const name = `h${Math.min(6, depth + 2)}`;
    return `<${name}>${this.parser.parseInline(tokens)}</${name}>\n`;
  }

  override list({ ordered, start, items }: Tokens.List): string {
    const name = ordered ? "ol" : "ul";
    const from = ordered && Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : "";
    return `<${name}${from}>\n${items.map((item) => this.listitem(item)).join("")}</${name}>\n`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? "[x] " : "[ ] ";
  }

  override tablecell({ tokens, header }: Tokens.TableCell): string {
    const name = header ? "th" : "td";
    return `<${name}>${this.parser.parseInline(tokens)}</${name}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const told = this.parser.parseInline(tokens);
    const address = findAddress(href);
    return address === undefined
      ? told
      : `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${told}</a>`;
  }

  override image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  }
}
