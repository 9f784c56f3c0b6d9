// Time filters for searches and sessions, as values of `since`.

/** The choices, from the shortest period to the longest. */
export const sinceChoices: readonly [value: string, title: string][] = [
  ["", "any time"],
  ["1d", "last day"],
  ["7d", "last week"],
  ["30d", "last month"],
  ["90d", "last 90 days"],
];
