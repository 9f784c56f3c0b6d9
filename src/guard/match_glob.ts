// Patterns of commands, names and paths: `*` stands for anything, `?` for one character, `[0-9]` for
// one of some, `**` in paths for directories too. Takes at most text × pattern steps, whatever the
// pattern; regular expressions would let one line of a settings file stop an agent. Pure.

export function matchGlob(pattern: string, text: string): boolean {
  const parts = toParts(pattern);
  let [at, part, star, back] = [0, 0, -1, 0];
  while (at < text.length) {
    if (part < parts.length && parts[part] === "*") {
      [star, back] = [part++, at];
    } else if (part < parts.length && matchesOne(parts[part], text[at])) {
      at++;
      part++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++back;
    } else return false;
  }
  while (parts[part] === "*") part++;
  return part === parts.length;
}

/** Whether a pattern matches a path, or a directory above it. Without a slash, it is about names. */
export function matchPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, "").replace(/\/+$/, "");
  if (plain === "") return false;
  if (!plain.includes("/")) {
    return path.split("/").some((name) => matchGlob(plain, name));
  }
  const wanted = plain.split("/");
  // A path outside of the workspace is absolute, as its pattern was.
  const names = path.replace(/^\//, "").split("/");
  return matchNames(wanted, names);
}

/** Directory by directory; `**` is any number of them, and what is below a match matches too. */
function matchNames(wanted: readonly string[], names: readonly string[]): boolean {
  // Which names each beginning of the pattern can end at.
  let ends = new Set([0]);
  for (const one of wanted) {
    const next = new Set<number>();
    for (const at of ends) {
      if (one === "**") { for (let to = at; to <= names.length; to++) next.add(to); }
      else if (at < names.length && matchGlob(one, names[at])) next.add(at + 1);
    }
    ends = next;
  }
  return ends.size > 0;
}

/** A character, a set of them, or a star. */
function toParts(pattern: string): string[] {
  const parts: string[] = [];
  for (const [part] of pattern.matchAll(/\[[^\]]+\]|[^]/g)) {
    if (part !== "*" || parts.at(-1) !== "*") parts.push(part);
  }
  return parts;
}

function matchesOne(part: string, char: string): boolean {
  if (part === "?") return true;
  if (part.length === 1) return part === char;
  const set = part.slice(1, -1);
  for (let i = 0; i < set.length; i++) {
    const isRange = set[i + 1] === "-" && i + 2 < set.length;
    if (isRange ? char >= set[i] && char <= set[i + 2] : char === set[i]) return true;
    if (isRange) i += 2;
  }
  return false;
}
