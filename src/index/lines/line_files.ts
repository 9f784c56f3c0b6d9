// The files of the line table: one up to some place in the logs, and a small one beside it with what came
// since, so that a few new rows do not have the whole table written again. The small one names the table
// that it goes on from; beside another it is not believed.

import { type ByteSource, IndexDamage, type PagedSource } from "../../disk/byte_source.ts";
import { openSealedFile } from "../../disk/paged_file.ts";
import type { Store } from "../../store/store.ts";
import { encodeLines, type LineMarks, type LineParts } from "./line_columns.ts";
import { headBytes, keyOf, lineMagic } from "./line_format.ts";
import { LineRun } from "./line_run.ts";

/** A commit asks for hundreds of lines all over the table: one up to this size is read at once. */
const maxResidentBytes = 16 << 20;

/** How it is read. */
export interface ReadLinesOptions {
  /** A larger table is read by pages as lines are asked for. */
  residentBytes?: number;
}

const baseName = "lines.bin";
const laterName = "lines.new.bin";

/** The runs that are whole and belong together: none, the table, or it and what came since. */
export function openRuns(store: Store, options: ReadLinesOptions = {}): LineRun[] {
  using opened = new DisposableStack();
  const base = opened.use(openRun(store, baseName, options));
  if (base === undefined) return [];
  const later = openRun(store, laterName, options);
  opened.move();
  if (later?.head.base === keyOf(base.head)) return [base, later];
  later?.[Symbol.dispose]();
  return [base];
}

function openRun(
  { files, layout }: Store,
  name: string,
  { residentBytes = maxResidentBytes }: ReadLinesOptions,
): LineRun | undefined {
  const label = `${layout.index}/${name}`;
  using opened = new DisposableStack();
  const reader = opened.use(files.openReader(label));
  if (reader === undefined) return undefined;
  try {
    const pages = openSealedFile(reader, { label, magic: lineMagic });
    const run = new LineRun(pages.size <= residentBytes ? new WholeSource(pages) : pages);
    opened.move();
    return run;
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

/** A file that is read at once when more than its head is asked for. */
class WholeSource implements ByteSource {
  readonly #pages: PagedSource;
  #bytes?: Uint8Array;

  constructor(pages: PagedSource) {
    this.#pages = pages;
  }

  read(offset: number, length: number): Uint8Array {
    if (offset + length <= headBytes) return this.#pages.read(offset, length);
    this.#bytes ??= this.#pages.read(0, this.#pages.size);
    return this.#bytes.subarray(offset, offset + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    target.set(this.read(offset, target.length));
  }

  [Symbol.dispose](): void {
    this.#pages[Symbol.dispose]();
  }
}

/** Writes the table: all of it, or where the marks name a table, what came since. */
export function writeLines({ files, layout }: Store, parts: LineParts, marks: LineMarks): void {
  files.makeDirectory(layout.index);
  const name = marks.base === undefined ? baseName : laterName;
  files.replace(`${layout.index}/${name}`, encodeLines(parts, marks), { sync: false });
  if (marks.base === undefined) files.remove(`${layout.index}/${laterName}`);
}

/** Removes the table. */
export function removeLines({ files, layout }: Store): void {
  for (const name of [laterName, baseName]) files.remove(`${layout.index}/${name}`);
}
