// Glob patterns over paths: `*`, `**`, `?` and `{a,b}`. Pure; linear enough for honest patterns.

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

/** The pattern as a test of whole paths. */
export function makeGlob(pattern: string): (path: string) => boolean {
  let source = "";
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (pattern.startsWith("**/", i)) {
      source += "(?:[^/]+/)*";
      i += 2;
    } else if (pattern.startsWith("**", i)) {
      source += ".*";
      i += 1;
    } else if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "{") {
      depth++;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth--;
      source += ")";
    } else if (character === "," && depth > 0) source += "|";
    else source += character.replace(/[\\^$.|+()[\]{}]/, "\\$&");
  }
  const expression = new RegExp(`^${source}${")".repeat(depth)}$`);
  return (path) => expression.test(path);
}
