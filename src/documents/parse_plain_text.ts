// Plain text to sections: one section, cut at paragraph borders when it is long. Pure.

import { type ParsedDocument, splitSection } from "./section.ts";

/** Parses a document without markup. */
export function parsePlainText(source: string): ParsedDocument {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (text.trim() === "") return { tags: [], sections: [] };
  const paragraphs = text.split(/(?<=\n[ \t]*\n)(?=\S)/);
  const section = { path: [], level: 0, line: 1, text };
  return { tags: [], sections: splitSection(section, paragraphs) };
}
