// A store of the bench, and searching it in this process through the product's own code.

import { openIndex } from "../../src/index/search_index.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import type { SearchMode, SearchRequest, SearchUnit } from "../../src/search/request.ts";
import type { SearchRow } from "../../src/search/row_shape.ts";
import { searchIndex } from "../../src/search/run_search.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";

/** Finds the ids of the ten best rows. */
export type Find = (text: string) => string[] | Promise<string[]>;

/** Opens the store of a workspace; its clock stands still. */
export function openStore(workspace: string): Store {
  return new Store({
    workspace,
    files: diskFiles,
    now: () => 0,
    random: () => "",
    warn: () => {},
  });
}

/** Opens a search of a workspace: the ids of the best rows, or of the best rows of exchanges. */
export function openSearch(workspace: string, mode: SearchMode, unit: SearchUnit = "row"): Find {
  const find = openRows(workspace, { k: 10, mode, unit });
  return async (text) => (await find(text)).map(({ id }) => id);
}

/** Opens a search by exchanges: of each of the first five the ids of the rows that its card quotes. */
export function openCards(workspace: string): (text: string) => Promise<string[][]> {
  const find = openRows(workspace, { k: 5, mode: "auto", unit: "exchange", fold: true });
  return async (text) =>
    (await find(text)).map(({ id, quotes = [] }) => [id, ...quotes.map((quote) => quote.id)]);
}

function openRows(
  workspace: string,
  asked: Pick<SearchRequest, "k" | "mode" | "unit" | "fold">,
): (text: string) => Promise<SearchRow[]> {
  const index = openIndex(openStore(workspace), { warn: () => {} });
  return async (query) => {
    const request = { ...asked, query, offset: 0, scope: "all" as const, unasked: true };
    return (await searchIndex(index, await planSearch(request))).rows;
  };
}
