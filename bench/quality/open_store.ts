// A store of the bench, and searching it in this process through the product's own code.

import { openIndex } from "../../src/index/search_index.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import type { SearchMode, SearchRequest } from "../../src/search/request.ts";
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

/** Opens a search of a workspace. */
export function openSearch(workspace: string, mode: SearchMode): Find {
  const index = openIndex(openStore(workspace), { warn: () => {} });
  return async (text) => {
    const request: SearchRequest = {
      query: text,
      k: 10,
      offset: 0,
      scope: "all",
      mode,
      unasked: true,
    };
    const answer = await searchIndex(index, await planSearch(request));
    return answer.rows.map(({ id }) => id);
  };
}
