// Writes a checked file of the index in parts, so that a large one is never whole in memory: pages,
// then a table with the checksum of each. Its name is made from its content.

import type { FileWriter } from "../disk/files.ts";
import { pageBytes } from "../disk/byte_source.ts";
import { checksum } from "../core/checksum.ts";
import type { FileFacts } from "./manifest.ts";
import { pageChecksums } from "../disk/page_checksums.ts";
import type { IndexPlace } from "./sealed.ts";

const blockBytes = 256 * pageBytes;

/** Writes bytes as a checked file with a name made from its content. */
export function writeIndexFile(
  place: IndexPlace,
  parts: Iterable<Uint8Array>,
  names: { prefix: string; suffix: string },
): FileFacts {
  const writer = new IndexFileWriter(place, names);
  try {
    for (const part of parts) writer.write(part);
    return writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** A file being written; either `finish` or `abandon` it. */
class IndexFileWriter {
  readonly #place: IndexPlace;
  readonly #names: { prefix: string; suffix: string };
  readonly #draft: string;
  readonly #sums: number[] = [];
  #block = new Uint8Array(pageBytes);
  #filled = 0;
  /** Open once there is more than a block. */
  #writer?: FileWriter;

  constructor(place: IndexPlace, names: { prefix: string; suffix: string }) {
    this.#place = place;
    this.#names = names;
    this.#draft = `${place.layout.index}/${names.prefix}.${names.suffix}.${Deno.pid}.tmp`;
  }

  write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === this.#block.length) this.#makeRoom();
      const part = bytes.subarray(from, from + this.#block.length - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
    }
  }

  /** Pads to whole pages, adds the table and gives the file its name. */
  finish(): FileFacts {
    const { files, layout } = this.#place;
    const end = Math.ceil(this.#filled / pageBytes) * pageBytes;
    this.#block.fill(0, this.#filled, end);
    this.#filled = end;
    this.#sums.push(...pageChecksums(this.#block.subarray(0, end), pageBytes));
    const table = new Uint8Array(Uint32Array.from(this.#sums).buffer);
    const bytes = this.#sums.length * (pageBytes + 4);
    const sum = checksum(table);
    const { prefix, suffix } = this.#names;
    const name = `${prefix}-${sum.toString(16).padStart(8, "0")}.${suffix}`;
    const path = `${layout.index}/${name}`;
    if (this.#writer === undefined) {
      const whole = new Uint8Array(bytes);
      whole.set(this.#block.subarray(0, end));
      whole.set(table, end);
      files.replace(path, whole, { sync: false });
    } else {
      this.#writer.write(this.#block.subarray(0, end));
      this.#writer.write(table);
      this.#writer.finish({ sync: false });
      this.#writer = undefined;
      this.#rename(path);
    }
    return { name, bytes, checksum: sum };
  }

  abandon(): void {
    this.#writer?.abandon();
  }

  #rename(path: string): void {
    const { files } = this.#place;
    try {
      files.rename(this.#draft, path);
    } catch (error) {
      files.remove(this.#draft);
      throw error;
    }
  }

  #makeRoom(): void {
    if (this.#block.length < blockBytes) {
      const larger = new Uint8Array(Math.min(blockBytes, this.#block.length * 4));
      larger.set(this.#block);
      this.#block = larger;
      return;
    }
    this.#writer ??= this.#place.files.openWriter(this.#draft);
    this.#sums.push(...pageChecksums(this.#block, pageBytes));
    this.#writer.write(this.#block);
    this.#filled = 0;
  }
}
