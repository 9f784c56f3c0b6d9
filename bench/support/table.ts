// The result of a bench: a small table with a title.

/** One table of measurements. */
export interface BenchTable {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

/** A table as Markdown. */
export function toMarkdown(table: BenchTable): string {
  const line = (cells: (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(table.head.map(() => "---"));
  return `## ${table.title}\n\n${[line(table.head), rule, ...table.rows.map(line)].join("\n")}\n`;
}

/** The middle of some numbers. */
export function medianOf(numbers: number[]): number {
  return percentileOf(numbers, 50);
}

/** The number that so many percent of some numbers are below. */
export function percentileOf(numbers: number[], percent: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))];
}

/** A number with a few digits. */
export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
