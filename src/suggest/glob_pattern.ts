// Globs for watch patterns: `*` within a part, `**` across parts, `?`, `{a,b}`. Pure.

/** A glob as a test on a whole text. */
export function makeGlob(glob: string): (text: string) => boolean {
  const pattern = new RegExp(`^${toSource(glob.replace(/^\.\//, ""))}$`);
  return (text) => pattern.test(text);
}

function toSource(glob: string): string {
  let source = "";
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i];
    if (character === "*" && glob[i + 1] === "*") {
      const slash = glob[i + 2] === "/";
      source += slash ? "(?:.*/)?" : ".*";
      i += slash ? 2 : 1;
    } else if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "{") {
      const end = glob.indexOf("}", i);
      if (end < 0) source += "\\{";
      else {
        source += `(?:${glob.slice(i + 1, end).split(",").map(toSource).join("|")})`;
        i = end;
      }
    } else source += character.replace(/[.+^$()|[\]\\}]/g, "\\$&");
  }
  return source;
}
