// What is said of an entry that was corrected, and of who did it where that was somebody else.

/** By which entry, and whose. */
export interface Correction {
  superseded_by?: string;
  superseded_author?: string;
}

/** `corrected by H-…`, with the author of a correction that is another member's. */
export function correctedBy(
  { superseded_by: id, superseded_author: author }: Correction,
): string | undefined {
  return id && `corrected by ${id}${author === undefined ? "" : ` (${author})`}`;
}
