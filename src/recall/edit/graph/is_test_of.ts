// Which test belongs to which file, by the names that languages and runners use. Pure.

/** Whether a file is by its name the test of another. */
export function isTestOf(test: string, path: string): boolean {
  const stem = stemOf(test);
  const tested = /^(.+)(?:[_.](?:test|spec)|Tests?)$/.exec(stem) ?? /^test_(.*)$/.exec(stem);
  return tested?.[1] === stemOf(path);
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
}
