// What other memory tools remember, as notes: nobody said it in a conversation that ctx could show.

import * as make from "../entries.ts";
import { findJson, toList, toText } from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";

/** A note with a title and the files it is about. */
export function memoryRow(
  parts: readonly unknown[],
  base: make.Base,
  { title, files = [] }: { title?: unknown; files?: string[] } = {},
): SourceEntry[] {
  const text = parts.map((part) => toText(part)?.trim()).filter((part) => part).join("\n");
  if (text === "") return [];
  const named = toText(title);
  const row = { ...make.notice("note", text, base), role: "note" as const };
  return [make.withFiles(named === undefined ? row : { ...row, title: named }, files)];
}

/** The texts of a list, which may be JSON in a string. */
export function toTexts(value: unknown): string[] {
  const list = typeof value === "string" ? findJson(value) : value;
  return toList(list).map(toText).filter((text) => text !== undefined);
}

export function toItems(value: unknown): string {
  return toTexts(value).map((text) => `- ${text}`).join("\n");
}
