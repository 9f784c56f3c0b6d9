// How a result is shown to people: on a terminal or a pipe, with or without colour. Styles are
// marked with noncharacters, so that the terminal writer can first make stored text harmless and
// then turn the marks into escape sequences, in one place. A pipe gets plain words, whole texts and
// exact times; what fits them to a screen is in terminal_view.ts, which only terminals load.

import type { Store } from "../store/store.ts";

/** What styles mean: `name` is an id or the part of one that need not be typed, `prefix` what suffices. */
export const styleNames = [
  ...["bold", "dim", "name", "prefix", "match", "title", "when", "number"] as const,
  ...["good", "warning", "error"] as const,
];
/** One of `styleNames`. */
export type Style = typeof styleNames[number];
export type Styles = Record<Style, (text: string) => string>;

/** What `render` may know about where it is shown. */
export interface View extends Styles {
  /** Whether a person reads it on a terminal. */
  terminal: boolean;
  /** Columns to fit into. */
  width: number;
  /** Whether a stream already carried the output, so that the result is a note. */
  streamed: boolean;
  /** The store of the result, for what is shown beside it; of every project's there may be none here. */
  openStore?(): Promise<Store | undefined>;
  /** An id: short and with what one has to type of it on a terminal, whole on a pipe. */
  id(id: string): string;
  /** A time: `Tue 14:03` or `12 Mar` of the local zone on a terminal, as it is stored on a pipe. */
  time(ts: string): string;
  /** How long ago: `3 days ago`; as it is stored on a pipe. */
  age(ts: string): string;
  /** A moment in full, with its zone; as it is stored on a pipe. */
  moment(ts: string): string;
  /** `2.3 MB`; exact on a pipe. */
  size(bytes: number): string;
  /** `1,883`; digits alone on a pipe. */
  count(count: number): string;
  /** A path, from the user's home on a terminal. */
  path(path: string): string;
  /** Columns that a text takes, without its marks. */
  widthOf(text: string): number;
  /** One line of at most some columns, `…` where something is missing; whole on a pipe. */
  cut(text: string, width?: number): string;
  /** Lines of at most the width, broken between words; as it is on a pipe. */
  wrap(text: string, options?: WrapOptions): string;
  /** Rows as aligned columns; on a terminal one column gives way, so that no line is too wide. */
  table(rows: string[][], options?: TableOptions): string;
}

/** How text is broken into lines. */
export interface WrapOptions {
  /** Columns, the indent included; those of the view unless told. */
  width?: number;
  /** Put before each line, and before the first one unless `first` is. */
  indent?: string;
  first?: string;
  /** Lines at most; the last one then ends with `…`. */
  lines?: number;
}

/** How rows become columns. */
export interface TableOptions {
  /** The column that is cut where the terminal is too narrow; the last one unless told. */
  gives?: number;
  /** Columns of numbers: aligned to the right. */
  right?: readonly number[];
  /** Put before each row. */
  indent?: string;
}

/** A result whose texts hold none of the marks: stored text must not pass itself off as a style. */
export function withoutMarks<T>(data: T): T {
  const json = JSON.stringify(data);
  const clean = json.replace(anyMark, "\ufffd");
  return clean === json ? data : JSON.parse(clean);
}

/** A view of a pipe; styles leave text as it is unless there are some, where colour is asked for. */
export function makeView({ streamed = false, styles = stylesFrom(() => asStored) }: {
  streamed?: boolean;
  styles?: Styles;
}): View {
  return {
    ...styles,
    terminal: false,
    width: 100,
    streamed,
    id: asStored,
    time: asStored,
    age: asStored,
    moment: asStored,
    path: asStored,
    size: (bytes) => `${bytes} bytes`,
    count: String,
    widthOf: visibleLength,
    cut: asStored,
    wrap: (text, { first = "" } = {}) => first + text,
    table: toTable,
  };
}

export function stylesFrom(make: (i: number) => (text: string) => string): Styles {
  return Object.fromEntries(styleNames.map((name, i) => [name, make(i)])) as Styles;
}

function asStored(text: string): string {
  return text;
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
  return `${withCommas(count)} ${count === 1 ? one : many}`;
}

/** The same as a view shows numbers: programs read a pipe, and want no marks in them. */
export function counterOf(view: Pick<View, "count">): typeof countOf {
  return (count, one, many = `${one}s`) => `${view.count(count)} ${count === 1 ? one : many}`;
}

export function withCommas(count: number): string {
  // toLocaleString would load the system's locale data: 8 ms in a command that takes 60.
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Text without its marks. */
export function stripMarks(text: string): string {
  return text.replace(anyMark, "");
}

const anyMark = /[\ufdd0-\ufdef]/g;

function visibleLength(text: string): number {
  return [...stripMarks(text)].length;
}
