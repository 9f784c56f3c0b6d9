// Leaves out of the bundle what Orama brings for stores of its own: its index with four kinds of
// trees, documents store, tokenizer with a stemmer, sorter, facets, groups, search by place and its
// own hybrid search, 100 KB. `create()` falls back to them where a component is missing, so the bundler must keep them;
// src/index/orama.ts gives every component, so they never run. Deno loads code at 2 ms for 100 KB.
// What is cut loose here goes when merge_chunks.ts bundles once more.

/** What is taken out; the bundler then drops what nothing refers to any more. */
const unused: readonly [RegExp, string][] = [
  [/\w+ \|\|= createIndex\w*\(\);/, ""],
  [/\w+ \|\|= createDocumentsStore\w*\(\);/, ""],
  [/\w+ \|\|= createSorter\w*\(\);/, ""],
  [/\w+ = createTokenizer\w*\(\{[^}]*\}\);/, ""],
  [/(\w+) = createTokenizer\w*\(\1\);/, ""],
  [/return hybridSearch\w*\(orama, params\);/, ""],
  [/return searchVector\w*\(orama, params\);/, ""],
  [/(?<!function )fetchDocumentsWithDistinct\w*\([^()]*\)/, "undefined"],
  [/(?<!function )getFacets\w*\([^()]*\)/, "undefined"],
  [/(?<!function )getGroups\w*\([^()]*\)/, "undefined"],
  [/(?<!function )searchByGeoWhereClause\w*\([^()]*\)/, "undefined"],
];

/** Whether a chunk holds Orama's `create()`. */
export function holdsOrama(code: string): boolean {
  return code.includes("NO_LANGUAGE_WITH_CUSTOM_TOKENIZER") && code.includes("createSorter");
}

/** The chunk without what is never used; throws when Orama is no longer as it was. */
export function trimOrama(code: string): string {
  return unused.reduce((text, [pattern, rest]) => {
    if (!pattern.test(text)) throw new Error(`Cannot trim Orama: nothing matches ${pattern}`);
    return text.replaceAll(new RegExp(pattern, "g"), rest);
  }, code);
}
