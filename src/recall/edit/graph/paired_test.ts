// Which test belongs to which file, by the names that languages and runners use. Pure.

const suffixes = ["_test", ".test", ".spec", "_spec", "Test", "Tests"];
const prefix = "test_";

/** Whether a file is by its name the test of another. */
export function isTestOf(test: string, path: string): boolean {
  return testedStem(test) === nameWithoutEnding(path);
}

/** Unrelated tests, benches and examples rarely change with the file they use. */
export function passingFactor(user: string, path: string): number {
  if (isTestOf(user, path)) return 1;
  if (topOf(user) !== topOf(path)) return 0.3;
  return isTest(user) ? 0.5 : 1;
}

/** Whether a file is by its name or place a test. */
function isTest(path: string): boolean {
  return testedStem(path) !== undefined || /(^|\/)(tests?|__tests__)\//.test(path);
}

function topOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

function testedStem(path: string): string | undefined {
  const stem = nameWithoutEnding(path);
  const suffix = suffixes.find((item) => stem.endsWith(item) && stem.length > item.length);
  if (suffix !== undefined) return stem.slice(0, -suffix.length);
  return stem.startsWith(prefix) ? stem.slice(prefix.length) : undefined;
}

function nameWithoutEnding(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
}
