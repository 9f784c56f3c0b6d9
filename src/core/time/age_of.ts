// How long ago something was, for people.

/** How long ago a time was, in one unit. */
export function ageOf(ts: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(ts)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes}m ago`;
  if (minutes < 60 * 48) return `${Math.floor(minutes / 60)}h ago`;
  return `${Math.floor(minutes / 1440)}d ago`;
}

/** The same in whole words: "2 days ago". */
export function ageInWords(ts: string, nowMs: number): string {
  const [, count, unit] = /^(\d+)([mhd])/.exec(ageOf(ts, nowMs)) ?? [];
  if (count === undefined) return "just now";
  const word = unit === "m" ? "minute" : unit === "h" ? "hour" : "day";
  return `${count} ${word}${count === "1" ? "" : "s"} ago`;
}
