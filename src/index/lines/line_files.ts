// The file of the line table, up to some place in the logs.

import { type ByteSource, IndexDamage, type PagedSource } from "../../disk/byte_source.ts";
import { openSealedFile } from "../../disk/paged_file.ts";
import type { Store } from "../../store/store.ts";
import { encodeLines, type LineParts } from "./line_columns.ts";
import { headBytes, lineMagic, type LogMarks } from "./line_format.ts";
import { LineRun } from "./line_run.ts";

/** A commit asks for hundreds of lines all over the table: one up to this size is read at once. */
const maxResidentBytes = 16 << 20;

export interface ReadLinesOptions {
  /** A larger table is read by pages as lines are asked for. */
  residentBytes?: number;
}

const fileName = "lines.bin";

/** The table as it was written, if it is whole. */
export function openRun(
  { files, layout }: Store,
  { residentBytes = maxResidentBytes }: ReadLinesOptions = {},
): LineRun | undefined {
  const label = `${layout.index}/${fileName}`;
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

/** Writes the table. */
export function writeLines({ files, layout }: Store, parts: LineParts, logs: LogMarks): void {
  files.makeDirectory(layout.index);
  files.replace(`${layout.index}/${fileName}`, encodeLines(parts, logs), { sync: false });
}

/** Removes the table. */
export function removeLines({ files, layout }: Store): void {
  files.remove(`${layout.index}/${fileName}`);
}
