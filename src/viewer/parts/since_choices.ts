// The times that searches and sessions are narrowed to, as values of `since`.

/** What is offered, the widest last. */
export const sinceChoices: readonly [value: string, title: string][] = [
  ["", "any time"],
  ["1d", "last day"],
  ["7d", "last week"],
  ["30d", "last month"],
  ["90d", "last 90 days"],
];
