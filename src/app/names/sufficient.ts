// How much of an id has to be typed: the shortest beginning that no other entry's id has. Ids begin
// with their time, so the index's column of times tells; of what is not indexed the bytes are looked
// through. Nothing is parsed: this may cost a list on a terminal a moment, and nothing else anything.

import { askIndex, minIndexedBytes } from "../../index/ask_index.ts";
import { pools } from "../../core/entry.ts";
import { findIdTime, parseBase32, timeDigits } from "../../core/id.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { findLogSize } from "../../store/log_files.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";

/** Digits that are always shown: fewer would soon begin another id. */
const leastDigits = 5;
/** The milliseconds in which ids share that many digits. */
const spanMs = 32 ** (timeDigits - leastDigits);
/** Digits of the hash that tell apart what has the same time. */
const hashDigits = 4;
/** More bytes than this that are not indexed are not looked through. */
const mostBytes = 1 << 19;
const letters = 2;
/** What tells any two entries apart. */
const surely = letters + timeDigits + hashDigits;

/** How many characters of each id of an entry suffice; of others it does not know. */
export async function findSufficient(
  store: Store,
  ids: readonly string[],
): Promise<(id: string) => number | undefined> {
  const size = pools.reduce(
    (sum, pool) => sum + findLogSize(store.files, store.layout, pool),
    0,
  );
  // In a long log this would take longer than a search: there it is what always suffices, for an
  // agent writes several entries in one millisecond.
  if (size > minIndexedBytes) {
    return (id) => id[0] === "H" && findIdTime(id) !== undefined ? surely : undefined;
  }
  const neighbours = new Neighbours(ids.flatMap((id) => id[0] === "H" ? findIdTime(id) ?? [] : []));
  using snapshot = store.openSnapshot();
  const odd = new Set<string>();
  const covered = await askIndex(store, snapshot, (index) => {
    for (const id of ids) {
      const beginning = id.slice(0, letters + leastDigits);
      if (index.hasOddId(beginning)) odd.add(beginning);
    }
    const known = index.allTimes();
    for (const times of known.times) neighbours.add(times);
    return known.covered;
  }, { minBytes: 0 });
  const isKnown = neighbours.add(tailTimes(snapshot, covered));
  return (id) => {
    const time = id[0] === "H" ? findIdTime(id) : undefined;
    if (time === undefined) return undefined;
    const isOdd = odd.has(id.slice(0, letters + leastDigits));
    return isOdd || !isKnown ? surely : letters + neighbours.digitsOf(time);
  };
}

/** Times, and how near others come to each. */
class Neighbours {
  readonly #digits: Map<number, { digits: number; same: number }>;
  /** The times by their span; most others fall into none. */
  readonly #spans = new Map<number, number[]>();
  readonly #mayHave = new Uint8Array(1 << 12);

  constructor(times: readonly number[]) {
    this.#digits = new Map(times.map((time) => [time, { digits: leastDigits, same: 0 }]));
    for (const time of this.#digits.keys()) {
      const span = Math.floor(time / spanMs);
      this.#spans.set(span, [...this.#spans.get(span) ?? [], time]);
      this.#mayHave[span & 0xfff] = 1;
    }
  }

  /** Compares with further times; false when there are none to compare with. */
  add(others: Float64Array | undefined): boolean {
    for (let i = 0; i < (others?.length ?? 0); i++) {
      const other = others?.[i] ?? 0;
      const span = Math.floor(other / spanMs);
      if (this.#mayHave[span & 0xfff] === 0) continue;
      for (const time of this.#spans.get(span) ?? []) this.#compare(time, other);
    }
    return others !== undefined;
  }

  digitsOf(time: number): number {
    const { digits = timeDigits, same = 0 } = this.#digits.get(time) ?? {};
    return same > 1 ? timeDigits + hashDigits : digits;
  }

  #compare(time: number, other: number): void {
    const known = this.#digits.get(time);
    if (known === undefined) return;
    if (time === other) known.same++;
    else known.digits = Math.max(known.digits, sharedDigits(time, other) + 1);
  }
}

/** How many digits two times of one span share. */
function sharedDigits(a: number, b: number): number {
  const differing = (a % spanMs) ^ (b % spanMs);
  return timeDigits - Math.ceil((32 - Math.clz32(differing)) / 5);
}

/** The times in ids that stand behind the indexed part of the logs; undefined when that is long. */
function tailTimes(
  snapshot: Snapshot,
  covered?: Partial<Record<typeof pools[number], number>>,
): Float64Array | undefined {
  const parts = pools.map((pool) => {
    const from = covered?.[pool] ?? 0;
    return { pool, from, length: snapshot.sizeOf(pool) - from };
  });
  if (parts.some(({ length }) => length > mostBytes)) return undefined;
  const times = parts.flatMap(({ pool, from, length }) =>
    decodeLossy(snapshot.readBytes(pool, from, length)).matchAll(/"id":"H-([0-9a-hjkmnp-tv-z]{9})/g)
      .map(([, digits]) => parseBase32(digits)).toArray()
  );
  return Float64Array.from(times);
}
