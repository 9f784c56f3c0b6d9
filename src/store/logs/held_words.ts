// Words that an agent was told and whose transcript is not there yet: each in a file of its own under
// `held/`, written without the store's lock, because it is on the way of every prompt, and removed
// once the transcript has them. Redacted like everything that is written.

import { hashHex } from "../../core/hash.ts";
import { findJson, isObject } from "../../core/json.ts";
import { redactRow } from "../../core/redact/redact_row.ts";
import { decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import type { heldWords } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

export type HeldWords = RowOf<typeof heldWords>;

interface StorePlace {
  files: Files;
  layout: Layout;
}

/** Keeps words until their transcript is there. The same words at the same time are kept once. */
export async function holdWords(
  { files, layout }: StorePlace,
  { now, ...words }: Omit<HeldWords, "ts"> & { now: number },
): Promise<void> {
  const held: HeldWords = await redactRow({ ts: new Date(now).toISOString(), ...words });
  const line = `${JSON.stringify(held)}\n`;
  files.makeDirectory(layout.held);
  const path = `${layout.held}/${hashHex(line)}.ndjson`;
  files.replace(path, encodeExact(line), { sync: false });
}

/** What is held, oldest first, with the file of each; a file that is no such words has none. */
export function readHeld({ files, layout }: StorePlace): { path: string; words?: HeldWords }[] {
  return files.list(layout.held).filter((name) => name.endsWith(".ndjson")).map((name) => {
    const path = `${layout.held}/${name}`;
    const value = findJson(decodeLossy(files.findBytes(path) ?? new Uint8Array()));
    return isHeld(value) ? { path, words: value } : { path };
  }).sort((a, b) => (a.words?.ts ?? "") < (b.words?.ts ?? "") ? -1 : 1);
}

function isHeld(value: unknown): value is HeldWords {
  return isObject(value) && (value.role === "user" || value.role === "assistant") &&
    ["ts", "agent", "conversation", "text"].every((name) => typeof value[name] === "string") &&
    !Number.isNaN(Date.parse(String(value.ts)));
}
