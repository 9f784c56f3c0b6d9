// Which test belongs to which file, by the naming conventions of languages and test runners, and which
// files anybody would open together because of their names. Pure.

/** Whether a file is by its name the test of another. */
export function isTestOf(test: string, path: string): boolean {
  const stem = stemOf(test);
  const tested = /^(.+)(?:[_.](?:test|spec)|Tests?)$/.exec(stem) ?? /^test_(.*)$/.exec(stem);
  return tested?.[1] === stemOf(path);
}

/** Whether one file is the test of the other, or its name has all words of the other's: that is no news. */
export function isNamedAfter(one: string, other: string): boolean {
  if (isTestOf(one, other) || isTestOf(other, one)) return true;
  const [few, many] = [one, other].map((path) => new Set(wordsOf(stemOf(path))))
    .sort((a, b) => a.size - b.size);
  return few.size >= leastWords && few.isSubsetOf(many);
}

/** A single word is in many names. */
const leastWords = 2;

function wordsOf(stem: string): string[] {
  return stem.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter(Boolean)
    .map((word) => word.toLowerCase());
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
}
