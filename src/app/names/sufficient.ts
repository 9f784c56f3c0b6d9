// How much of an id has to be typed: the shortest beginning that no other entry's id has. Nothing is
// parsed: this may cost a list on a terminal a moment, and nothing else anything.

import { minIndexedBytes } from "../../index/ask_index.ts";
import { pools } from "../../core/entry.ts";
import { findIdTime, timeDigits } from "../../core/id.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Store } from "../../store/store.ts";

const letters = 2;
/** Fewer characters would soon begin another id. */
const least = letters + 5;
/** What tells any two entries apart: all digits of the time, and some of the hash. */
const surely = letters + timeDigits + 4;

/** How many characters of each id of an entry suffice; of others it does not know. */
export function findSufficient(store: Store): (id: string) => number | undefined {
  const isKnown = (id: string): boolean => id[0] === "H" && findIdTime(id) !== undefined;
  using snapshot = store.openSnapshot();
  const size = pools.reduce((sum, pool) => sum + snapshot.sizeOf(pool), 0);
  // In a long log this would take longer than a search: there it is what always suffices, for an
  // agent writes several entries in one millisecond.
  if (size > minIndexedBytes) return (id) => isKnown(id) ? surely : undefined;
  const found = pools.flatMap((pool) =>
    decodeLossy(snapshot.readBytes(pool, 0, snapshot.sizeOf(pool))).matchAll(/"id":"(H-[^"]+)"/g)
      .map(([, id]) => id.toLowerCase()).toArray()
  );
  const ids = [...new Set(found)].sort();
  const places = new Map(ids.map((id, i) => [id, i]));
  return (id) => {
    if (!isKnown(id)) return undefined;
    const own = id.toLowerCase();
    const at = places.get(own);
    if (at === undefined) return surely;
    const shared = Math.max(
      ...[ids[at - 1], ids[at + 1]].map((near = "") => countShared(own, near)),
    );
    return Math.max(shared < letters + timeDigits ? least : surely, shared + 1);
  };
}

/** How many characters two texts begin with in common. */
function countShared(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared;
}
