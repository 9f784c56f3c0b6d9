// The words for parts of code that a rule can be about. Pure.

import type { CodeKind } from "../guard_kinds.ts";

const kindWords: [RegExp, CodeKind][] = [
  [/^(?:function|method) (?:arguments?|parameters?)$|^(?:arguments?|parameters?)$/, "argument"],
  [/^functions?$/, "function"],
  [/^methods?$/, "method"],
  [/^(?:class(?:es)?|types?|interfaces?)$/, "class"],
  [/^variables?$/, "variable"],
  [/^(?:attributes?|fields?|properties|property)$/, "attribute"],
];

export function kindOf(word: string): CodeKind | undefined {
  const plain = word.toLowerCase().trim().replace(/^(?:all|any|every|each|your|the|new) /, "")
    .replace(/ names?$/, "");
  return kindWords.find(([form]) => form.test(plain))?.[1];
}

/** Matches such words. */
export const kind = String.raw`((?:(?:function|method) )?[a-z]+)`;
