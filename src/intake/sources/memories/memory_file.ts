// A file of memories: each file is one session. It is read when it is asked for (`--root`, `--from`):
// such files have no place of their own, or come with a clone.

import { hashHex } from "../../../core/hash.ts";
import { findJson, type Json, toObject } from "../loose_json.ts";
import { readValues, type RecordFormat } from "../reading.ts";
import type { Source } from "../source.ts";
import { fileSource } from "../source_kinds.ts";
import { realPath } from "../../../core/platform_path.ts";

const maxFileBytes = 64 << 20;

/** How one tool's files differ from another's. */
interface MemoryFileKind {
  name: string;
  title: string;
  files: RegExp;
  /** How a file of this tool begins. */
  begins: RegExp;
  values: (text: string, document: unknown) => unknown[];
  isMemory: (value: Json) => boolean;
  format: RecordFormat;
}

export function memoryFileSource(kind: MemoryFileKind): Source {
  return fileSource({
    name: kind.name,
    title: kind.title,
    roots: () => [],
    files: kind.files,
    skips: /^(?:node_modules|\.git)$/,
    // Many files have the same name: only its path tells one from another.
    describe: () => ({ path, directory, stem, head }) =>
      kind.begins.test(head.text)
        ? { id: hashHex(realPath(path)), title: `${lastNames(directory)}/${stem}` }
        : undefined,
    async read(session, sink) {
      const { tally } = sink;
      const { size } = Deno.statSync(session.path);
      if (size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes >> 20} MiB`);
      const text = Deno.readTextFileSync(session.path).replace(/^\uFEFF/, "");
      tally.files++;
      tally.bytes += size;
      const values = kind.values(text, findJson(text)).filter((value) =>
        typeof value !== "string" || value.trim() !== ""
      ).map((value) => toObject(typeof value === "string" ? findJson(value) : value));
      const known = values.filter((value) => value !== undefined && kind.isMemory(value));
      tally.bad_lines += values.length - known.length;
      if (values.length === 0) tally.problem(session.path, "it holds no memories");
      await readValues(kind.format, session, sink, known.filter((value) => value !== undefined));
    },
  });
}

/** The name of a directory; a hidden one's with the name of the directory that it is in. */
function lastNames(directory: string): string {
  return /[^/]+(?:\/\.[^/]+)?$/.exec(directory)?.[0] ?? "";
}
