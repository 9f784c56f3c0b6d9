// Leaves out of the bundle what of Orama no command runs. `create()` falls back to an index with four
// kinds of trees, a documents store, a tokenizer with a stemmer and a sorter where a component is
// missing, so the bundler must keep them; src/search/orama.ts gives every component. Search by place, by
// vector alone and Orama's own fusion are for programs, which do not use the bundle. 100 KB; Deno loads
// code at 2 ms for 100 KB. What is cut loose here goes when merge_chunks.ts bundles once more.

/** What is taken out; the bundler then drops what nothing refers to any more. */
const unused: readonly [RegExp, string][] = [
  [/\w+ \|\|= createIndex\w*\(\);/, ""],
  [/\w+ \|\|= createDocumentsStore\w*\(\);/, ""],
  [/\w+ \|\|= createSorter\w*\(\);/, ""],
  [/\w+ = createTokenizer\w*\(\{[^}]*\}\);/, ""],
  [/(\w+) = createTokenizer\w*\(\1\);/, ""],
  [/return searchVector\w*\(orama, params\);/, ""],
  [/return hybridSearch\w*\(orama, params\);/, ""],
  [/(?<!function )searchByGeoWhereClause\w*\([^()]*\)/, "undefined"],
  // Rows are not inserted, so none is checked; only programs have Orama sort.
  [/(?<=function validateSchema\w*\(\w+, \w+\) \{)[^]*?(?=\n\})/, ""],
  [/(?<=__export\w*\(sorter_exports\w*, \{)[^}]*(?=\})/, ""],
  // Orama reads the clock through `process`, which makes Deno load its Node layer: 20 ms a command.
  [/(?<!function )getNanosecondsTime\w*\(\)/, "BigInt(Math.floor(performance.now() * 1e6))"],
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
