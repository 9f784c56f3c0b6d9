// Blocks of a Claude Code message that are no text: what stands in their place. Images and files are
// never kept, only that they were there. Tool results that were too long for a transcript lie in
// `tool-results` beside it; the transcript has their beginning and the name of the file.

import { findJson, type Json, toList, toObject, toText } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { SourceSession } from "../source.ts";

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

const maxBytes = 20 << 20;
const notice = /^\s*<persisted-output>[^]{0,300}?saved to: [^\n]*?([\w-][\w.-]*\.(txt|json))\s*\n/;

/**
 * The whole of a result of which a transcript has only the beginning; undefined when it has all of it
 * or the file is gone. Of the path that is named only the file's name counts.
 */
export function findSpilled(
  text: string,
  session: SourceSession,
  tally: Tally,
): string | undefined {
  const [, name, kind] = notice.exec(text.slice(0, 2000)) ?? [];
  if (name === undefined) return undefined;
  const whole = readWhole(`${directoryOf(session)}/tool-results/${name}`);
  if (whole === undefined) tally.skip("spilled_output_gone");
  const content = kind === "json" && whole !== undefined ? findJson(whole) : undefined;
  return content === undefined ? whole : contentText(content);
}

/** Sub-agents put theirs beside those of the session that started them. */
function directoryOf({ path, id, parent }: SourceSession): string {
  const nested = path.lastIndexOf("/subagents/");
  return nested >= 0 ? path.slice(0, nested) : path.replace(/[^/]*$/, parent ?? id);
}

function readWhole(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    return isFile && size <= maxBytes ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
