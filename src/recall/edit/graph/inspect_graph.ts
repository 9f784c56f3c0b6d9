// Whether the tables behind `suggest` can be read: the symbol graph, the git history, the mentions.

import type { Check } from "../../../store/lifecycle/inspect.ts";
import type { Store } from "../../../store/store.ts";
import { openTable } from "../tables/record_table.ts";
import { TableDamage } from "../tables/table_damage.ts";

/** Reads every record of every table. */
export function inspectGraph(store: Pick<Store, "files" | "layout">): Check {
  const names = tablesOf(store);
  const damaged = names.filter((name) => !isReadable(store, name));
  const status = damaged.length === 0 ? "ok" : "warning";
  const detail = damaged.length > 0
    ? `index/${damaged.join(", index/")} cannot be read: made anew when it is needed`
    : names.length === 0
    ? "no symbol graph yet: it is made when it is needed"
    : `${names.length} tables of suggest can be read`;
  return { name: "graph", invariant: 6, status, detail, fixable: damaged.length > 0 };
}

/** Removes the tables that cannot be read; returns how many. */
export function removeDamagedGraph(store: Pick<Store, "files" | "layout">): number {
  const damaged = tablesOf(store).filter((name) => !isReadable(store, name));
  for (const name of damaged) store.files.remove(`${store.layout.index}/${name}`);
  return damaged.length;
}

function tablesOf({ files, layout }: Pick<Store, "files" | "layout">): string[] {
  return files.list(layout.index).filter((name) => /^graph(\.\w+)?\.bin$/.test(name));
}

function isReadable({ files, layout }: Pick<Store, "files" | "layout">, name: string): boolean {
  try {
    using table = openTable(files, `${layout.index}/${name}`);
    table?.readMeta();
    for (const _ of table?.readAll() ?? []);
    return table !== undefined;
  } catch (error) {
    if (error instanceof TableDamage) return false;
    throw error;
  }
}
