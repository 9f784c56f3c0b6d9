// Whether the table behind `suggest`, the symbol graph, can be read.

import type { Check } from "../../../store/lifecycle/inspect.ts";
import type { Store } from "../../../store/store.ts";
import { openTable } from "../tables/record_table.ts";
import { TableDamage } from "../tables/table_damage.ts";
import { graphPaths } from "./code_graph.ts";

/** Reads every record of the table. */
export function inspectGraph(store: Pick<Store, "files" | "layout">): Check {
  const state = readState(store);
  const isDamaged = state === "damaged";
  const detail = {
    damaged: "index/graph.bin cannot be read: it is rebuilt when needed",
    none: "no symbol graph yet: it is built when needed",
    sound: "1 tables of suggest can be read",
  }[state];
  const status = isDamaged ? "warning" : "ok";
  return { name: "graph", invariant: 6, status, detail, fixable: isDamaged };
}

/** Removes the table when it cannot be read; returns how many were removed. */
export function removeDamagedGraph(store: Pick<Store, "files" | "layout">): number {
  if (readState(store) !== "damaged") return 0;
  store.files.remove(graphPaths(store.layout).table);
  return 1;
}

function readState(
  { files, layout }: Pick<Store, "files" | "layout">,
): "none" | "sound" | "damaged" {
  try {
    using table = openTable(files, graphPaths(layout).table);
    table?.readMeta();
    for (const _ of table?.readAll() ?? []);
    return table === undefined ? "none" : "sound";
  } catch (error) {
    if (error instanceof TableDamage) return "damaged";
    throw error;
  }
}
