// Others' rows as one log: positioned reads over the pieces that `team/order` names. Lines never cross
// pieces. Takes no lock: erasing removes the order before it replaces a log, so an order that is still
// the same once the logs are open says that they belong together.

import { decodeLossy } from "../../core/utf8.ts";
import type { FileReader, Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTailOf } from "../../disk/lines.ts";
import {
  type Extent,
  listWriters,
  makeOrder,
  orderOf,
  parseOrder,
  teamLogOf,
} from "./team_order.ts";

type TeamLayout = Pick<Layout, "team">;

/** The logs of this many writers are opened at once; of more, each when it is read. */
const openedAtOnce = 64;

/** Opens others' rows as they are now; undefined when there are none. */
export function openTeam(files: Files, layout: TeamLayout): TeamReader | undefined {
  while (true) {
    const writers = listWriters(files, layout);
    if (writers.length === 0) return undefined;
    using opened = new DisposableStack();
    const path = orderOf(layout);
    const order = opened.use(files.openReader(path));
    const isCurrent = (): boolean => order?.isCurrent() ?? files.findSize(path) === undefined;
    const logs = new TeamLogs(files, layout);
    opened.use(logs);
    const sizes = new Map(writers.map((writer) => [
      writer,
      writers.length <= openedAtOnce
        ? logs.open(writer)?.size ?? 0
        : files.findSize(teamLogOf(layout, writer)) ?? 0,
    ]));
    const known = order && parseOrder(readAll(order), sizes);
    const wholeOf = (writer: string, size: number): number => {
      const reader = logs.open(writer);
      const tail = reader && findTailOf(reader);
      return tail?.offset ?? size;
    };
    const extents = known ?? makeOrder(sizes, wholeOf);
    if (!isCurrent()) continue;
    if (extents.length === 0) return undefined;
    return new TeamReader(extents, { logs, isCurrent, closing: opened.move() });
  }
}

/** The pieces, open; dispose of it to close them. */
export class TeamReader implements FileReader {
  readonly size: number;
  readonly isCurrent: () => boolean;
  readonly #extents: readonly Extent[];
  /** Where each piece begins in the whole. */
  readonly #starts: Float64Array;
  readonly #logs: TeamLogs;
  readonly #closing: Disposable;

  constructor(
    extents: readonly Extent[],
    options: { logs: TeamLogs; isCurrent: () => boolean; closing: Disposable },
  ) {
    this.#extents = extents;
    this.#logs = options.logs;
    this.isCurrent = options.isCurrent;
    this.#closing = options.closing;
    this.#starts = new Float64Array(extents.length);
    let size = 0;
    extents.forEach(({ from, to }, i) => {
      this.#starts[i] = size;
      size += to - from;
    });
    this.size = size;
  }

  readAt(offset: number, buffer: Uint8Array): number {
    if (offset >= this.size) return 0;
    let filled = 0;
    for (let i = this.#find(offset); i < this.#extents.length && filled < buffer.length; i++) {
      const { writer, from, to } = this.#extents[i];
      const at = from + offset + filled - this.#starts[i];
      const part = buffer.subarray(filled, filled + Math.min(to - at, buffer.length - filled));
      const count = this.#logs.open(writer)?.readAt(at, part) ?? 0;
      filled += count;
      if (count < part.length) break;
    }
    return filled;
  }

  /** Whose log the byte at an offset is of. */
  writerAt(offset: number): string {
    return this.#extents[this.#find(offset)].writer;
  }

  [Symbol.dispose](): void {
    this.#closing[Symbol.dispose]();
  }

  /** The last piece that does not begin after an offset. */
  #find(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The writers' logs, each opened once. */
class TeamLogs implements Disposable {
  readonly #files: Files;
  readonly #layout: TeamLayout;
  readonly #readers = new Map<string, FileReader | undefined>();

  constructor(files: Files, layout: TeamLayout) {
    this.#files = files;
    this.#layout = layout;
  }

  open(writer: string): FileReader | undefined {
    if (!this.#readers.has(writer)) {
      this.#readers.set(writer, this.#files.openReader(teamLogOf(this.#layout, writer)));
    }
    return this.#readers.get(writer);
  }

  [Symbol.dispose](): void {
    for (const reader of this.#readers.values()) reader?.[Symbol.dispose]();
  }
}

function readAll(reader: FileReader): string {
  const bytes = new Uint8Array(reader.size);
  return decodeLossy(bytes.subarray(0, reader.readAt(0, bytes)));
}
