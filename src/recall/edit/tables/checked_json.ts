// JSON that is kept as derived data, with a checksum on its first line.

import { checksum } from "../../../core/checksum.ts";
import type { Files } from "../../../disk/files.ts";
import { TableDamage } from "./table_damage.ts";

/** Replaces a file of checked JSON. */
export function keepJson(files: Files, path: string, value: unknown): void {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const head = new TextEncoder().encode(`${toSum(body)}\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  files.replace(path, bytes, { sync: false });
}

/** Reads checked JSON, or returns undefined when there is none; throws TableDamage. */
export function findKeptJson(files: Files, path: string): unknown {
  const bytes = files.findBytes(path);
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(10) + 1;
  const body = bytes.slice(end);
  const head = new TextDecoder().decode(bytes.subarray(0, end));
  if (head !== `${toSum(body)}\n`) throw new TableDamage(path);
  return JSON.parse(new TextDecoder().decode(body));
}

function toSum(body: Uint8Array): string {
  return checksum(body).toString(16).padStart(8, "0");
}
