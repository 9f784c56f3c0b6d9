// How a result is shown to people: on a terminal or a pipe, with or without colour. Styles are
// marked with noncharacters, so that the terminal writer can first make stored text harmless and
// then turn the marks into escape sequences, in one place.

/** What `render` may know about where it is shown. */
export interface View {
  /** Whether a person reads it on a terminal. */
  terminal: boolean;
  /** Columns to fit into. */
  width: number;
  /** Whether a stream already carried the output, so that the result is a note. */
  streamed: boolean;
  bold(text: string): string;
  dim(text: string): string;
}

/** The marks that stand for escape sequences until the terminal writer replaces them. */
export const marks = { bold: "\ufdd0", dim: "\ufdd1", end: "\ufdd2" } as const;

/** A result whose texts hold none of the marks: stored text must not pass itself off as a style. */
export function withoutMarks<T>(data: T): T {
  const json = JSON.stringify(data);
  const clean = json.replace(/[\ufdd0-\ufdd2]/g, "\ufffd");
  return clean === json ? data : JSON.parse(clean);
}

/** A view; without colour the styles leave text as it is. */
export function makeView(
  options: { terminal: boolean; color: boolean; width?: number; streamed?: boolean },
): View {
  const style = (mark: string) => (text: string): string =>
    options.color && text !== "" ? mark + text + marks.end : text;
  return {
    terminal: options.terminal,
    width: options.width ?? 100,
    streamed: options.streamed ?? false,
    bold: style(marks.bold),
    dim: style(marks.dim),
  };
}

/** Rows as aligned columns; the last column is not padded. */
export function toTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, visibleLength(cell)));
  }
  return rows.map((row) =>
    row.map((cell, i) =>
      i === row.length - 1 ? cell : cell + " ".repeat(widths[i] - visibleLength(cell))
    ).join("  ").trimEnd()
  ).join("\n");
}

/** A count with its noun: `1 entry`, `2 entries`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  // toLocaleString would load the system's locale data: 8 ms in a command that takes 60.
  const digits = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits} ${count === 1 ? one : many}`;
}

function visibleLength(text: string): number {
  return [...text.replace(/[\ufdd0-\ufdd2]/g, "")].length;
}
