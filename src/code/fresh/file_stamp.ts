// What tells that a file is another one than before, without reading it. Small: it is on the way of
// every session start.

/** The time and size of a file, or of what a link leads to; empty when nothing is there. */
export function stampOf(path: string): string {
  try {
    const { mtime, ctime, size } = Deno.statSync(path);
    return `${mtime?.getTime()}:${ctime?.getTime()}:${size}`;
  } catch {
    return "";
  }
}
