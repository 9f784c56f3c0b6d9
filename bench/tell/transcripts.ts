// The transcripts of a set, cut in time: a directory of Claude Code's that holds only the messages before
// a moment, and grows from moment to moment as it did when the sessions went on.

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

  /** Adds what was written before a moment; returns whether there was anything. */
  growTo(time: string, transcripts: Transcripts): boolean {
    let grew = false;
    for (const [session, { path, times, ends }] of transcripts) {
      const lines = times.filter((at) => at !== "" && at < time).length;
      const end = lines === 0 ? 0 : ends[lines - 1];
      const begin = this.#written.get(session) ?? 0;
      if (end <= begin) continue;
      const piece = readPiece(path, begin, end);
      Deno.writeFileSync(`${this.path}/projects/tell/${session}.jsonl`, piece, { append: true });
      this.#written.set(session, end);
      grew = true;
    }
    return grew;
  }
}

function readPiece(path: string, begin: number, end: number): Uint8Array {
  using file = Deno.openSync(path);
  file.seekSync(begin, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - begin);
  for (let at = 0; at < bytes.length;) {
    const count = file.readSync(bytes.subarray(at));
    if (count === null) throw new Error(`Cannot read "${path}": it became shorter`);
    at += count;
  }
  return bytes;
}
