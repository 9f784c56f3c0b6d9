// Blocks of a Claude Code message that are no text: what stands in their place. Images and files are
// never kept, only that they were there. Pure.

import { type Json, toList, toObject, toText } from "../loose_json.ts";

/** What stands for an image or a document: its kind, name and size; undefined for other blocks. */
export function placeholderOf(block: Json): string | undefined {
  if (block.type !== "image" && block.type !== "document") return undefined;
  const source = toObject(block.source);
  const data = toText(source?.data);
  const isText = source?.type === "text";
  const facts = [
    toText(source?.media_type),
    toText(block.title),
    toText(source?.url),
    data && sizeOf(isText ? data.length : data.length * 3 / 4),
  ].filter((fact) => fact);
  return facts.length === 0 ? `[${block.type}]` : `[${block.type}: ${facts.join(", ")}]`;
}

/** The text of a tool's result: text, or a list of texts, images and pages that were found. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? toList(content) : [content];
  return parts.map((part) => partText(toObject(part))).join("\n");
}

function partText(part: Json | undefined): string {
  if (part === undefined) return "";
  const found = [toText(part.title), toText(part.url), toText(part.error_code)];
  return toText(part.text) ?? placeholderOf(part) ??
    (found.filter((fact) => fact).join(" ") || `[${String(part.type)}]`);
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${Math.floor(bytes)} bytes` : `${Math.round(bytes / 1024)} KB`;
}
