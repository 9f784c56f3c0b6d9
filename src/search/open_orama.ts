// The store of a workspace as an Orama database, for programs: Orama's own `search`, `getByID` and
// `count` work on it. It is read only and follows the log.

import { diskFiles } from "../store/files/files.ts";
import { openStore } from "../store/store.ts";
import { CorpusView } from "./corpus_view.ts";
import { makeOrama } from "./orama.ts";
import { closeIndex, useIndex } from "./run_search.ts";

/**
 * An Orama database that is to be closed; named by way of its maker, because what is exported must
 * have documentation, and Orama's own types have none.
 */
export type OramaDatabase = ReturnType<(typeof import("./orama.ts"))["makeOrama"]> & Disposable;

/** Opens the store of a workspace for Orama; throws STORE_MISSING when there is none. */
export function openOrama(
  workspace: string,
  { warn = () => {} }: { warn?: (message: string) => void } = {},
): OramaDatabase {
  const store = openStore({ workspace, files: diskFiles, now: Date.now, random: String, warn });
  const database = makeOrama((text) => new CorpusView(useIndex(store, warn), { text }));
  return Object.assign(database, { [Symbol.dispose]: () => closeIndex(store) });
}
