// Which sources of a collection are globs, and where a walk for them starts. Pure; what a glob matches
// is in core/glob.ts.

/** Whether a text is a pattern and not a plain path. */
export function isGlob(text: string): boolean {
  return /[*?{]/.test(text);
}

/** The directory before the first pattern character: where a walk has to start. */
export function globBase(pattern: string): string {
  const parts = pattern.split("/");
  const at = parts.findIndex(isGlob);
  return parts.slice(0, at < 0 ? parts.length : at).join("/");
}
