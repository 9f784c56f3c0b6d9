// What a record rests on: its evidence, where the words of each row come from, and how far that is
// trusted. Loaded only where somebody reads a record.

import type { Entry } from "../core/entry.ts";
import { recordOf } from "../core/rows/record.ts";
import { leastTrust, type Origin, originOf, type Trust } from "../core/voice/trust_of.ts";
import type { Row, Store } from "../store/store.ts";
import { findEntries } from "./find_entries.ts";

/** A record's trust and the rows that it has it from. */
export interface Lineage {
  trust: Trust;
  evidence: (Origin & { id: string })[];
}

/** The lineage of a record; undefined of any other entry. */
export async function findLineage(store: Store, { entry }: Row): Promise<Lineage | undefined> {
  const record = recordOf(entry);
  if (record === undefined) return undefined;
  const refs = entry.refs ?? [];
  const found = await findEntries(store, refs);
  const evidence = refs.flatMap((id) => {
    const row = found.get(id)?.row;
    return row === undefined ? [] : [{ id, ...originIn(row, record.outside) }];
  });
  return { trust: leastTrust(evidence.map(({ trust }) => trust)), evidence };
}

/** Of the row whose words it repeats, they are somebody else's. */
function originIn(row: Row, outside: Entry["id"] | undefined): Origin {
  const origin = originOf(row);
  return row.entry.id === outside ? { ...origin, trust: "outside" } : origin;
}
