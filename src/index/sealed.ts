// Sealed segments as files: opening them, and telling whether the log they were made
// from is still the same.

import { pools } from "../core/entry.ts";
import type { Files } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { edgesOf } from "../store/log_files.ts";
import { IndexDamage, PagedSource } from "../disk/byte_source.ts";
import type { LogReader } from "./log_reader.ts";
import type { FileFacts, SegmentRecord } from "./manifest.ts";
import { Segment } from "./segment/segment.ts";

/** Where the index is. */
export interface IndexPlace {
  files: Files;
  layout: Layout;
}

/** Opens a sealed segment; `resident` reads and checks the whole file at once. */
export function openSealed(
  place: IndexPlace,
  record: SegmentRecord,
  options: { resident: boolean; rowsInAll?: number },
): Segment {
  using opened = new DisposableStack();
  const source = opened.use(openIndexFile(place, record));
  const segment = options.resident
    ? Segment.fromBytes(source.read(0, source.size))
    : new Segment(source, options.rowsInAll);
  if (segment.pool !== record.pool || segment.rows !== record.rows) {
    throw new IndexDamage(`${record.name} is not what the manifest says`);
  }
  if (!options.resident) opened.move();
  return segment;
}

export function openIndexFile(place: IndexPlace, facts: FileFacts): PagedSource {
  if (!/^[\w.-]+$/.test(facts.name)) throw new IndexDamage(`"${facts.name}" is no index file`);
  using opened = new DisposableStack();
  const reader = opened.use(place.files.openReader(`${place.layout.index}/${facts.name}`));
  if (reader === undefined) throw new IndexDamage(`${facts.name} is missing`);
  const source = new PagedSource(reader, { ...facts, label: facts.name });
  opened.move();
  return source;
}

/**
 * The segments before the first whose log changed. When some are dropped, which rows to leave out
 * must be decided again, so segments that left rows out are dropped too.
 */
export function soundSegments(log: LogReader, segments: readonly SegmentRecord[]): SegmentRecord[] {
  const sound = cutAt(segments, (segment) => edgesOf(log, segment) !== segment.edges);
  if (sound.length === segments.length) return sound;
  return cutAt(sound, (segment) => segment.purged)
    .map(({ live: _live, ...segment }) => ({ ...segment, dead: [], superseded: [] }));
}

/** In each pool, the segments before the first broken one. */
function cutAt(
  segments: readonly SegmentRecord[],
  isBroken: (segment: SegmentRecord) => boolean,
): SegmentRecord[] {
  return pools.flatMap((pool) => {
    const own = segments.filter((segment) => segment.pool === pool);
    const broken = own.findIndex(isBroken);
    return broken < 0 ? own : own.slice(0, broken);
  });
}
