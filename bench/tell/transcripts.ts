// The transcripts of a set up to a given moment: a directory like Claude Code's that contains only the
// messages before it, and grows from moment to moment as it did during the sessions.

import { isObject } from "../../src/core/json.ts";

/** A transcript: where each of its lines ends, and when the line was written. */
interface Transcript {
  path: string;
  times: string[];
  ends: number[];
}

/** Transcripts by session. */
export type Transcripts = Map<string, Transcript>;

/** Reads when the lines of every transcript in a directory were written. */
export function readTranscripts(directory: string): Transcripts {
  const transcripts: Transcripts = new Map();
  for (const path of listTranscripts(directory)) {
    const name = path.slice(path.lastIndexOf("/") + 1, -".jsonl".length);
    transcripts.set(name, readTranscript(path));
  }
  return transcripts;
}

/** Every `*.jsonl` below a directory, in order. */
export function listTranscripts(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return listTranscripts(path);
    return name.endsWith(".jsonl") ? [path] : [];
  }).sort();
}

function readTranscript(path: string): Transcript {
  const bytes = Deno.readFileSync(path);
  const decoder = new TextDecoder();
  const times: string[] = [];
  const ends: number[] = [];
  let last = "";
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found + 1;
    last = timeOf(decoder.decode(bytes.subarray(at, end))) ?? last;
    times.push(last);
    ends.push(end);
    at = end;
  }
  return { path, times, ends };
}

function timeOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value.timestamp === "string" ? value.timestamp : undefined;
  } catch {
    return undefined;
  }
}

/** A directory of transcripts that grows; new. */
export class GrowingRoot {
  readonly path: string;
  readonly #written = new Map<string, number>();

  constructor(path: string) {
    this.path = path;
    Deno.mkdirSync(`${path}/projects/tell`, { recursive: true });
  }

  /** Adds what was written before a moment, what ended last at the end; returns whether there was anything. */
  growTo(time: string, transcripts: Transcripts): boolean {
    const grown = [...transcripts].flatMap(([session, { path, times, ends }]) => {
      const lines = times.filter((at) => at !== "" && at < time).length;
      const begin = this.#written.get(session) ?? 0;
      return lines === 0 || ends[lines - 1] <= begin
        ? []
        : [{ session, path, begin, end: ends[lines - 1], last: times[lines - 1] }];
    }).sort((a, b) => a.last < b.last ? -1 : a.last > b.last ? 1 : 0);
    for (const { session, path, begin, end } of grown) {
      const name = `${this.path}/projects/tell/${session}.jsonl`;
      Deno.writeFileSync(name, readLinesOf(path, begin, end), { append: true });
      this.#written.set(session, end);
    }
    return grown.length > 0;
  }
}

/** Whole lines of a file: the last of all may lack its end, and ctx would wait for the rest of it. */
function readLinesOf(path: string, begin: number, end: number): Uint8Array {
  using file = Deno.openSync(path);
  file.seekSync(begin, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - begin + 1);
  let size = 0;
  while (size < end - begin) {
    const count = file.readSync(bytes.subarray(size, end - begin));
    if (count === null) throw new Error(`Cannot read "${path}": it became shorter`);
    size += count;
  }
  if (bytes[size - 1] !== 10) bytes[size++] = 10;
  return bytes.subarray(0, size);
}
