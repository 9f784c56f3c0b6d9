// The keys of exchanges, by which a search shows each exchange once.

import type { CopyKeys } from "./copy_keys.ts";
import type { Exchanges } from "./row_exchanges.ts";
import type { RankedRow, RowKeys } from "./rank.ts";

/** The keys of exchanges; where copies are folded, one whose ranked rows all are in another is that one. */
export function exchangeKeys(exchanges: Exchanges, copies?: CopyKeys): RowKeys {
  return {
    keysOf(ranked) {
      const found = Map.groupBy(ranked, ({ global }) => exchanges.of(global));
      const heads = [...found.values()].map(([best]) => best);
      const like = copies?.keysOf(heads);
      const shown = new Map<number, RankedRow[][]>();
      const keys = new Map([...found].map(([exchange, rows], i) => {
        const others = shown.get(like?.[i] ?? exchange) ?? [];
        const same = others.find((other) => copies?.areCopies(rows, other));
        if (same === undefined) shown.set(like?.[i] ?? exchange, [...others, rows]);
        return [exchange, (same ?? rows)[0].global];
      }));
      return ranked.map(({ global }) => keys.get(exchanges.of(global)) ?? global);
    },
    mostTimes: 8,
  };
}
