/** The sums of two sets of counts, by name. */
export function addCounts(
  one: Record<string, number>,
  other: Record<string, number>,
): Record<string, number> {
  const sums = { ...one };
  for (const [name, count] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
