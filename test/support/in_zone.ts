// Runs something in another time zone: days are the user's local days.

/** Calls `run` while the process is in a zone. */
export function inZone<T>(zone: string, run: () => T): T {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", zone);
  try {
    return run();
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
}
