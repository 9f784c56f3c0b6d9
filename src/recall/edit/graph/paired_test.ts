// Which test belongs to which file, by the names that languages and runners use. Pure.

const suffixes = ["_test", ".test", ".spec", "_spec", "Test", "Tests"];
const prefixes = ["test_"];

/** Whether a file is by its name the test of another. */
export function isTestOf(test: string, path: string): boolean {
  const target = splitName(path).stem;
  return testedStem(splitName(test).stem) === target;
}

/** Whether a file is by its name or place a test. */
export function isTest(path: string): boolean {
  return testedStem(splitName(path).stem) !== undefined || /(^|\/)(tests?|__tests__)\//.test(path);
}

/** What a file and its test share: the name without its ending and test marks, in lower case. */
export function stemOf(path: string): string {
  const { stem } = splitName(path);
  return (testedStem(stem) ?? stem).toLowerCase();
}

/** Of files that could be the other half, the one in the matching place; none when that is unclear. */
export function choosePair(path: string, others: string[]): string | undefined {
  if (others.length <= 1) return others[0];
  const directories = placeOf(path);
  const shared = others.map((other) =>
    placeOf(other).filter((part) => directories.includes(part)).length
  );
  const best = Math.max(...shared);
  const nearest = others.filter((_, i) => shared[i] === best);
  return nearest.length === 1 ? nearest[0] : undefined;
}

/** Whether two files are in matching directories, or one of them in none that says anything. */
export function sharePlace(path: string, other: string): boolean {
  const [a, b] = [placeOf(path), placeOf(other)];
  return a.length === 0 || b.length === 0 || a.some((part) => b.includes(part));
}

/** Unrelated tests, benches and examples rarely change with the file they use. */
export function passingFactor(user: string, path: string): number {
  if (isTestOf(user, path)) return 1;
  if (topOf(user) !== topOf(path)) return 0.3;
  return isTest(user) ? 0.5 : 1;
}

function topOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

/** The directories that say something: not the root of sources or of tests. */
function placeOf(path: string): string[] {
  return path.split("/").slice(0, -1).filter((part) => !/^(src|lib|tests?|__tests__)$/.test(part));
}

function testedStem(stem: string): string | undefined {
  const suffix = suffixes.find((item) => stem.endsWith(item) && stem.length > item.length);
  if (suffix !== undefined) return stem.slice(0, -suffix.length);
  const prefix = prefixes.find((item) => stem.startsWith(item) && stem.length > item.length);
  return prefix === undefined ? undefined : stem.slice(prefix.length);
}

function splitName(path: string): { stem: string; extension: string } {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0
    ? { stem: name, extension: "" }
    : { stem: name.slice(0, dot), extension: name.slice(dot) };
}
