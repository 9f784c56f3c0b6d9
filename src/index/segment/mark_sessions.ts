// From single rows to their sessions: what one row of a session says can hold for all of its rows.

import type { Corpus } from "./corpus.ts";

/**
 * Marks every row of the sessions in which a live row is marked. The marks are changed in place; rows
 * that `isOpen` refuses keep theirs.
 */
export function markSessions(
  { segments, liveness }: Corpus,
  marks: readonly Uint8Array[],
  isOpen: (segmentNumber: number, row: number) => boolean = () => true,
): void {
  const sessions = new Set<number>();
  segments.forEach((segment, i) => {
    for (let row = 0; row < segment.rows; row++) {
      if (marks[i][row] === 1 && !liveness.dead[i]?.has(row)) sessions.add(segment.session(row));
    }
  });
  // Rows without a session have no others beside them.
  sessions.delete(0);
  if (sessions.size === 0) return;
  segments.forEach((segment, i) => {
    for (let row = 0; row < segment.rows; row++) {
      if (marks[i][row] === 0 && sessions.has(segment.session(row)) && isOpen(i, row)) {
        marks[i][row] = 1;
      }
    }
  });
}
