// Sealed segments as files: opening them, and telling whether the log they were made
// from is still the same.

import { pools } from "../core/entry.ts";
import type { Files } from "../store/files/files.ts";
import type { Layout } from "../store/files/layout.ts";
import { edgesOf } from "../store/log_edges.ts";
import { IndexDamage, MemorySource, pageBytes, PagedSource } from "../pages/byte_source.ts";
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
  options: { resident: boolean },
): Segment {
  const source = openIndexFile(place, record);
  try {
    if (!options.resident) return checkRecord(new Segment(source), record);
    const pages = Math.floor(record.bytes / (pageBytes + 4)) * pageBytes;
    const bytes = source.read(0, pages);
    source.close();
    return checkRecord(new Segment(new MemorySource(bytes)), record);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens a checked file of the index. */
export function openIndexFile(place: IndexPlace, facts: FileFacts): PagedSource {
  if (!/^[\w.-]+$/.test(facts.name)) throw new IndexDamage(`"${facts.name}" is no index file`);
  const reader = place.files.openReader(`${place.layout.index}/${facts.name}`);
  if (reader === undefined) throw new IndexDamage(`${facts.name} is missing`);
  try {
    return new PagedSource(reader, { ...facts, label: facts.name });
  } catch (error) {
    reader.close();
    throw error;
  }
}

/**
 * The segments whose log is unchanged; one that is not takes those after it with it. Then what was
 * worked out across segments must be worked out again, so those that left rows out go too.
 */
export function soundSegments(log: LogReader, segments: readonly SegmentRecord[]): SegmentRecord[] {
  const sound = cutAt(segments, (segment) => edgesOf(log, segment) !== segment.edges);
  if (sound.length === segments.length) return sound;
  return cutAt(sound, (segment) => segment.purged)
    .map((segment) => ({ ...segment, dead: [], superseded: [] }));
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

function checkRecord(segment: Segment, record: SegmentRecord): Segment {
  if (segment.pool === record.pool && segment.rows === record.rows) return segment;
  segment[Symbol.dispose]();
  throw new IndexDamage(`${record.name} is not what the manifest says`);
}
