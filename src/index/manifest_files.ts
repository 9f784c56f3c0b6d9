// The files that segments name, as a set and on disk.

import type { Store } from "../store/store.ts";
import type { SegmentRecord } from "./manifest.ts";

/** The names of all files of some segments. */
export function namesOf(segments: readonly SegmentRecord[]): Set<string> {
  return new Set(
    segments.flatMap(({ name, vectors }) => vectors === undefined ? [name] : [name, vectors.name]),
  );
}

/** Whether every file is there in full: a collection of garbage may have come between. */
export function isComplete({ files, layout }: Store, segments: readonly SegmentRecord[]): boolean {
  return segments.flatMap((segment) => segment.vectors ? [segment, segment.vectors] : [segment])
    .every(({ name, bytes }) => files.findSize(`${layout.index}/${name}`) === bytes);
}
