// The versions of the index and when it follows the logs, by themselves: a command that writes compares
// them without loading it.

/** Of a segment file. Raised whenever it changes shape or counts otherwise; other versions are rebuilt. */
export const segmentVersion = 11;

/** Of text analysis in `index/text/`. Raise it on any change there. */
export const analysisVersion = 1;

/**
 * A tail below this many bytes is searched in memory: sealing it takes half as long as saving a row, which
 * a few saves share.
 */
export const sealBytes = 2048;

/**
 * Whether an index counts rows that another session shares its id with as repeats, as older versions
 * did. One that left out or hides no row counts none, whoever wrote it.
 */
export function countsShared(
  { repeats, segments }: {
    repeats?: string;
    segments: readonly { purged: boolean; dead: readonly number[] }[];
  },
): boolean {
  return repeats !== "session" && segments.some(({ purged, dead }) => purged || dead.length > 0);
}
