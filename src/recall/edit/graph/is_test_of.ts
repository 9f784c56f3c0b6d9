// Which test belongs to which file, by the names that languages and runners use, and which files anybody
// would look at together because of their names. Pure.

/** Whether a file is by its name the test of another. */
export function isTestOf(test: string, path: string): boolean {
  const stem = stemOf(test);
  const tested = /^(.+)(?:[_.](?:test|spec)|Tests?)$/.exec(stem) ?? /^test_(.*)$/.exec(stem);
  return tested?.[1] === stemOf(path);
}

/** Whether a file's name has all words of another's: nobody has to be told of it. */
export function isNamedAfter(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => new Set(wordsOf(stemOf(path))));
  return a.size > 0 && b.size > 0 && (a.isSubsetOf(b) || b.isSubsetOf(a));
}

function wordsOf(stem: string): string[] {
  return stem.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter(Boolean)
    .map((word) => word.toLowerCase());
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
}
