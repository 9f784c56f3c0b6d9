// The number by which segments find an id; two ids may share one, so rows are compared.

import { hash64 } from "../../core/hash.ts";

/** The hash by which rows are found from an id. */
export function idHashOf(id: string): number {
  return hash64(id)[1];
}
