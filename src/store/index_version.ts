// The versions of the index, by themselves: a command that writes compares them without loading it.

/** Of a segment file. Raised whenever it changes shape; other versions are rebuilt. */
export const segmentVersion = 8;

/** Of text analysis in `index/text/`. Raise it on any change there. */
export const analysisVersion = 1;
