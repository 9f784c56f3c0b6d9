// What a file is for, by its name and place. Pure.

import { findLanguage } from "../graph/languages.ts";
import { isTest } from "../graph/paired_test.ts";

/** What a file is for. */
export type PathClass = "test" | "document" | "tool" | "code" | "data";

/** Benches, examples and scripts stand beside the product. */
const toolPlace = /^(bench|benches|benchmarks?|examples?|scripts?|tools?|demos?)\//;

/** The class of a file. */
export function classOf(path: string): PathClass {
  if (isTest(path)) return "test";
  if (/\.(md|markdown|rst|adoc)$/i.test(path)) return "document";
  if (toolPlace.test(path)) return "tool";
  return findLanguage(path) !== undefined || /\.(sh|bash)$/.test(path) ? "code" : "data";
}

/** Which share of the words of two paths they have in common; places of sources say nothing. */
export function sharedPathWords(path: string, other: string): number {
  const [a, b] = [wordsOf(path), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (1 + a.size + b.size - shared);
}

function wordsOf(path: string): Set<string> {
  const words = path.replace(/\.\w+$/, "").toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => !/^(src|lib|tests?)$/.test(word)));
}
