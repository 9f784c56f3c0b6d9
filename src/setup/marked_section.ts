// A section that ctx writes into the user's Markdown file, between two marks. Adds, updates and removes
// it without changing a byte of the rest. Pure.

export interface MarkedSection {
  begin: string;
  end: string;
  body: string;
}

/** The text with the section in it; undefined stands for a missing file. */
export function withSection(text: string | undefined, { begin, end, body }: MarkedSection): string {
  const eol = text?.includes("\r\n") ? "\r\n" : "\n";
  const ours = [begin, body, end, ""].join("\n").replaceAll("\n", eol);
  if (text === undefined || text === "") return ours;
  const known = findSection(text, { begin, end });
  if (known !== undefined) {
    const isLast = known.to === text.length && !text.endsWith("\n");
    const renewed = isLast ? ours.slice(0, -eol.length) : ours;
    return text.slice(0, known.from + known.gap) + renewed + text.slice(known.to);
  }
  // A file without a final line break gets none, so that removing the section restores it exactly.
  return text.endsWith("\n") ? text + eol + ours : text + eol + eol + ours.slice(0, -eol.length);
}

export function withoutSection(text: string, marks: Omit<MarkedSection, "body">): string {
  const known = findSection(text, marks);
  return known === undefined ? text : text.slice(0, known.from) + text.slice(known.to);
}

/** From the gap before the first mark to the line's end after the second. */
function findSection(
  text: string,
  { begin, end }: Omit<MarkedSection, "body">,
): { from: number; to: number; gap: number } | undefined {
  const at = text.indexOf(begin);
  const last = text.indexOf(end, at);
  if (at < 0 || last < 0) return undefined;
  const head = text.slice(0, at);
  const rest = text.slice(last + end.length);
  const gaps = rest === "" ? /(?:\r?\n\r?\n)?$/ : /(?:\r?\n)?$/;
  const gap = gaps.exec(head)?.[0].length ?? 0;
  const isSpaced = /\n\r?\n$/.test(head);
  const to = last + end.length + (/^\r?\n/.exec(rest)?.[0].length ?? 0);
  return { from: isSpaced ? at - gap : at, to, gap: isSpaced ? gap : 0 };
}
