// What tells an indexed line from one that was altered in its place.

import type { Row } from "../../store/store.ts";
import { checksum } from "../../core/checksum.ts";

/** The checksum of a row's line; 0 for rows that were read without it, or are not sound. */
export function lineSum({ line }: Row): number {
  return line === undefined ? 0 : checksum(line);
}
