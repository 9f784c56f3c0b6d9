// Reads one source of a workspace: its text, and what is known of it by itself.

import { isBinary } from "../../../code/git/file_hash.ts";
import type { FileFacts, SkipReason } from "./file_facts.ts";
import { findLanguage } from "./languages.ts";
import { parseSource } from "./parse_source.ts";

/** Larger sources are generated or data; they are listed, not read. */
const maxSourceBytes = 2_000_000;

/** The text of a source, or why there is none; neither when there is no such file. */
export function readSource(
  workspace: string,
  path: string,
): { text?: string; skipped?: SkipReason } {
  try {
    const { isFile, size } = Deno.lstatSync(`${workspace}/${path}`);
    if (!isFile) return {};
    if (size > maxSourceBytes) return { skipped: "too_large" };
    const bytes = Deno.readFileSync(`${workspace}/${path}`);
    return isBinary(bytes) ? { skipped: "binary" } : { text: new TextDecoder().decode(bytes) };
  } catch {
    return {};
  }
}

/** The facts of a source by itself: its imports are not resolved. Undefined when it is none. */
export function readFacts(workspace: string, path: string): FileFacts | undefined {
  const language = findLanguage(path);
  if (language === undefined) return undefined;
  const { text, skipped } = readSource(workspace, path);
  const none = { path, language, symbols: [], refs: [], specs: [], links: [] };
  return text === undefined ? skipped && { ...none, skipped } : toFacts(path, text);
}

/** The same of a text that was read before. */
export function toFacts(path: string, text: string): FileFacts | undefined {
  const language = findLanguage(path);
  return language && { path, language, ...parseSource(text, language), links: [] };
}
