// What rows of an answer have in common is told once: agents pay for every word. Pure.

/** The project that most rows have, to be told once, and the rows with theirs only where it differs. */
export function shareProject<R extends { project?: string }>(
  rows: readonly R[],
): { project?: string; rows: (Omit<R, "project"> & { project?: string })[] } {
  const counts = new Map<string | undefined, number>();
  for (const { project } of rows) counts.set(project, (counts.get(project) ?? 0) + 1);
  const [[project] = []] = [...counts].sort((a, b) => b[1] - a[1]);
  const own = rows.map((row) => row.project === project ? { ...row, project: undefined } : row);
  return { project, rows: own };
}

/** How budgets see rows that all have one project: without it, because it is told beside them. */
export function withoutShared<R extends { project?: string }>(
  rows: readonly R[],
): (row: R) => Omit<R, "project"> & { project?: string } {
  const isShared = rows.every(({ project }) => project === rows[0].project);
  return isShared ? (row) => ({ ...row, project: undefined }) : (row) => row;
}
