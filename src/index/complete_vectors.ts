// Makes the vectors that segments lack, one segment after the other, and shows each to readers at once:
// whatever ends this, what was done stays. Other processes may change the index meanwhile; a segment
// that is gone by then is left out.

import { breathe, isBreathDue } from "../core/breathe.ts";
import { CtxError } from "../core/errors.ts";
import { takeLock } from "../disk/lock.ts";
import type { Store } from "../store/store.ts";
import { writeIndexFile } from "./index_file_writer.ts";
import { LogReader } from "./log_reader.ts";
import {
  type FileFacts,
  makeManifest,
  type Manifest,
  namesOf,
  readManifest,
  type SegmentRecord,
  writeManifest,
} from "./manifest.ts";
import { openSealed, soundSegments } from "./sealed.ts";
import { embeddableText, type Embedder } from "./vectors/embedder.ts";
import { VectorCollector } from "./vectors/vector_block.ts";
import { encodeVectors } from "./vectors/vector_format.ts";

/** How much to do. */
export interface CompleteOptions {
  /** Segments with more rows than are left of these wait: the vectors of one are one file. */
  maxRows?: number;
  lockTimeoutMs?: number;
  signal?: AbortSignal;
  /** Rows done and to do. */
  progress?: (done: number, total: number) => void;
}

/** Makes missing vectors, and those of another model anew; returns of how many rows. */
export async function completeVectors(
  store: Store,
  embedder: Embedder,
  options: CompleteOptions = {},
): Promise<number> {
  const { maxRows = Infinity } = options;
  const first = readManifest(store.files, store.layout);
  // What others add meanwhile is left to them: they may never come to an end.
  const missing = "manifest" in first ? lacking(first.manifest, embedder) : [];
  const total = missing.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const record of missing) {
    const read = readManifest(store.files, store.layout);
    const isThere = "manifest" in read &&
      lacking(read.manifest, embedder).some(({ name }) => name === record.name);
    if (!isThere || done + record.rows > maxRows) continue;
    const progress = (own: number): void => options.progress?.(done + own, total);
    const vectors = await writeVectors(store, record, { ...options, embedder, progress });
    if (vectors === undefined) continue;
    if (await attach(store, record, { ...options, embedder, vectors })) done += record.rows;
    else removeUnnamed(store, [vectors.name]);
  }
  return done;
}

/** How many rows of the index have no vectors. */
export function countUnembedded({ files, layout }: Store): number {
  const read = readManifest(files, layout);
  const segments = "manifest" in read ? read.manifest.segments : [];
  return segments.reduce((sum, { rows, vectors }) => vectors === undefined ? sum + rows : sum, 0);
}

/** The segments without vectors of an embedder. */
function lacking(
  { segments, model }: Pick<Manifest, "segments" | "model">,
  { fingerprint }: Pick<Embedder, "fingerprint">,
): SegmentRecord[] {
  const isOther = model?.fingerprint !== fingerprint;
  return segments.filter(({ vectors }) => isOther || vectors === undefined);
}

/** The file with the vectors of a segment; undefined where its log has changed. */
async function writeVectors(
  store: Store,
  record: SegmentRecord,
  { embedder, signal, progress }: {
    embedder: Embedder;
    signal?: AbortSignal;
    progress: (rows: number) => void;
  },
): Promise<FileFacts | undefined> {
  using log = new LogReader(store);
  if (soundSegments(log, [record]).length === 0) return undefined;
  using segment = openSealed(store, record, { resident: false });
  const collector = new VectorCollector(embedder);
  for (let row = 0; row < segment.rows; row++) {
    collector.add(embeddableText(log.read(segment, row)));
    if (collector.isDue) await collector.embed();
    if (isBreathDue()) await breathe(signal);
    if ((row + 1) % 1024 === 0) progress(row + 1);
  }
  const vectors = await collector.finish();
  const parts = encodeVectors({ ...vectors, values: [vectors.values] });
  const prefix = `${record.pool}-${record.from}-${record.to}`;
  return writeIndexFile(store, parts, { prefix, suffix: "vec" });
}

/** Names the vectors beside their segment; false where it is gone, has others or cannot be locked. */
async function attach(
  store: Store,
  { name: segmentName }: SegmentRecord,
  { embedder, vectors, lockTimeoutMs: timeoutMs = 10_000 }: CompleteOptions & {
    embedder: Embedder;
    vectors: FileFacts;
  },
): Promise<boolean> {
  const { files, layout } = store;
  const holder = { pid: Deno.pid, command: "index", since: new Date().toISOString() };
  try {
    using lock = await takeLock(layout.lock, { holder, timeoutMs });
    const read = readManifest(files, layout);
    if (!("manifest" in read)) return false;
    const { segments, model, logs } = read.manifest;
    if (!lacking(read.manifest, embedder).some(({ name }) => name === segmentName)) return false;
    const { name, fingerprint, dimensions } = embedder;
    const isSame = model?.fingerprint === fingerprint;
    const records = segments.map(({ vectors: own, ...record }): SegmentRecord => {
      const file = record.name === segmentName ? vectors : isSame ? own : undefined;
      return file === undefined ? record : { ...record, vectors: file };
    });
    lock.check();
    const made = { name, fingerprint, dimensions };
    writeManifest(files, layout, makeManifest(records, { model: made, logs }));
    if (!isSame) removeUnnamed(store, namesOf(segments));
    return true;
  } catch (error) {
    if (error instanceof CtxError && error.code === "STORE_LOCKED") return false;
    throw error;
  }
}

/** Removes files that the manifest does not name; another process may have made the same ones. */
function removeUnnamed({ files, layout }: Store, names: Iterable<string>): void {
  const read = readManifest(files, layout);
  const named = namesOf("manifest" in read ? read.manifest.segments : []);
  for (const name of names) if (!named.has(name)) files.remove(`${layout.index}/${name}`);
}
