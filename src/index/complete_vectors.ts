// Makes the vectors that segments lack, one segment at a time, and publishes each to readers at once,
// so that nothing done so far is lost if the process ends. Other processes may change the index
// meanwhile; a segment that is gone by then is skipped. If a segment is damaged, or no longer matches
// its log, the whole index is rebuilt.

import { breathe, isBreathDue } from "../core/breathe.ts";
import { CtxError } from "../core/errors.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import type { Store } from "../store/store.ts";
import { catchUp, findLock } from "./catch_up.ts";
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
import { localFingerprint } from "./vectors/local_model.ts";
import { encodeVectors } from "./vectors/vector_format.ts";

/** How much to do. */
export interface CompleteOptions {
  /** Segments with more rows than are left of these wait: the vectors of one are one file. */
  maxRows?: number;
  lockTimeoutMs?: number;
  warn?: (message: string) => void;
  signal?: AbortSignal;
  /** Rows done and to do. */
  progress?: (done: number, total: number) => void;
}

/**
 * Makes missing vectors, and those of another model anew; returns of how many rows. Throws STORE_LOCKED
 * when another process keeps the store locked.
 */
export async function completeVectors(
  store: Store,
  embedder: Embedder,
  options: CompleteOptions = {},
): Promise<number> {
  const { maxRows = Infinity, lockTimeoutMs = 10_000 } = options;
  // What others add meanwhile is left to them: they may never come to an end.
  const missing = findLacking(store, embedder);
  const total = missing.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const isThere = ({ name }: SegmentRecord): boolean =>
    findLacking(store, embedder).some((record) => record.name === name);
  for (const record of missing) {
    if (!isThere(record) || done + record.rows > maxRows) continue;
    const progress = (own: number): void => options.progress?.(done + own, total);
    try {
      const vectors = await writeVectors(store, record, { ...options, embedder, progress });
      if (vectors === undefined) continue;
      if (await attach(store, record, { embedder, vectors, lockTimeoutMs })) done += record.rows;
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      // Another process may have replaced it since.
      if (!isThere(record)) continue;
      options.warn?.(`the index was rebuilt (${error.message})`);
      const whole = { full: true, insist: true, sealBytes: 1, lockTimeoutMs };
      const { busy, rows } = await catchUp(store, {
        ...options,
        ...whole,
        maxRows: undefined,
        embedder,
      });
      if (busy) throw lockedError();
      return rows;
    }
  }
  return done;
}

/** How many rows of the index have no vectors of the local embedder. */
export function countUnembedded(store: Store): number {
  return findLacking(store, { fingerprint: localFingerprint })
    .reduce((sum, { rows }) => sum + rows, 0);
}

/** The segments of a store without vectors of an embedder. */
export function findLacking(
  { files, layout }: Store,
  embedder: Pick<Embedder, "fingerprint">,
): SegmentRecord[] {
  const read = readManifest(files, layout);
  return "manifest" in read ? lacking(read.manifest, embedder) : [];
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

/** Names the vectors beside their segment; false where it is gone or has others. */
async function attach(
  store: Store,
  { name: segmentName }: SegmentRecord,
  { embedder, vectors, lockTimeoutMs }: {
    embedder: Embedder;
    vectors: FileFacts;
    lockTimeoutMs: number;
  },
): Promise<boolean> {
  const { files, layout } = store;
  let isNamed = false;
  try {
    using lock = await findLock(store, { lockTimeoutMs });
    if (lock === undefined) throw lockedError();
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
    isNamed = true;
    if (!isSame) removeUnnamed(store, namesOf(segments));
    return true;
  } finally {
    if (!isNamed) removeUnnamed(store, [vectors.name]);
  }
}

function lockedError(): CtxError {
  return new CtxError(
    "STORE_LOCKED",
    "Cannot add vectors to the index: another process keeps the store locked",
    { hint: "try again in a minute: ctx reindex --vectors" },
  );
}

/** Removes files that the manifest does not name; another process may have made the same ones. */
function removeUnnamed({ files, layout }: Store, names: Iterable<string>): void {
  const read = readManifest(files, layout);
  const named = namesOf("manifest" in read ? read.manifest.segments : []);
  for (const name of names) if (!named.has(name)) files.remove(`${layout.index}/${name}`);
}
