// Stored data as somebody else may read it: redacted once more, since rules have grown since it was
// written, and with home directories as `~`. Pure.

import type { Entry } from "../../core/entry.ts";
import { withoutHomes } from "../../core/home_directories.ts";
import { redactValue } from "../../core/redact/redact.ts";

/** Gets data ready to be handed on. */
export function toShared<T>(value: T, home: string | undefined): T {
  return mapTexts(redactValue({ value }).value.value, (text) => withoutHomes(text, home));
}

/** An entry as it is handed on; its id, times and kinds stay. */
export function shareEntry(entry: Entry, home: string | undefined): Entry {
  const { id, ts, role, type, session_id } = entry;
  return { ...toShared(entry, home), id, ts, role, type, session_id };
}

function mapTexts<T>(value: T, map: (text: string) => string): T;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [map(name), mapTexts(part, map)]),
  );
}
