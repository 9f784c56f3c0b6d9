// Any line of text as one line of Markdown that shows it and does nothing else: no mark-up, HTML, image or
// link; nobody is mentioned, no issue or commit referred to, by GitHub, GitLab and others. Pure.

/** Parts a sign from what follows and is not seen: references are looked for after mark-up was read. */
const joint = "&#8203;";

/** A line, escaped. */
export function escapeMarkdown(line: string): string {
  return line
    .replace(/\s+/g, " ").trim()
    .replace(/[\\`*_[\]|~$^#@!%&<>=:+-]|www\.|\bGH(?=-\d)|^(?:\d{1,9}(?=[.)]))/gi, escapeSign);
}

function escapeSign(sign: string, at: number, line: string): string {
  const after = line[at + sign.length] ?? "";
  switch (sign) {
    case "&":
      return `&amp;${isWord(after) ? joint : ""}`;
    case "<":
      return "&lt;";
    case ">":
      return "&gt;";
    case "@":
      return `@${joint}`;
    case "!":
    case "%":
      return isWord(after) ? sign + joint : sign;
    case ":":
      // An address that would be a link, and one of an issue a reference to it.
      return after === "/" ? `:${joint}` : sign;
    case "=":
    case "+":
    case "-":
      return at === 0 ? `\\${sign}` : sign;
    case "#":
    case "~":
    case "$":
    case "^":
      return `\\${sign}${isWord(after) ? joint : ""}`;
  }
  if (/^www\.$/i.test(sign)) return `${sign.slice(0, 3)}${joint}.`;
  // A number that would begin a list, and the letters before the number of an issue.
  if (/^\d/.test(sign) || /^gh$/i.test(sign)) return sign + joint;
  return `\\${sign}`;
}

function isWord(text: string): boolean {
  return /[\p{L}\p{N}"]/u.test(text);
}
