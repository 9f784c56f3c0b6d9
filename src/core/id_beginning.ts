// What the beginning of an id tells: ids begin with their time.

import { parseBase32, timeDigits } from "./id.ts";

/**
 * The times that ids may have which begin so: the first, and the one after the last. Undefined when
 * no id made by `makeId` begins so.
 */
export function idTimesFrom(beginning: string): [from: number, to: number] | undefined {
  const match = /^[a-z](?:-([0-9a-hjkmnp-tv-z]{0,17}))?$/i.exec(beginning);
  if (!match) return undefined;
  const told = (match[1] ?? "").toLowerCase().slice(0, timeDigits);
  const width = 32 ** (timeDigits - told.length);
  const first = parseBase32(told) * width;
  return [first, first + width];
}
