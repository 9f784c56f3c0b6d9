// The store of a workspace as an Orama database, for programs: Orama's own `search`, `getByID` and
// `count` work on it. It is read only and follows the log.

import type { AnySorterStore, ISorter } from "@orama/orama";
import { sorter as sorters } from "@orama/orama/components";
import { CtxError } from "../core/errors.ts";
import { buildTail } from "../index/build_tail.ts";
import { giveTailBuilder, type SearchIndex } from "../index/search_index.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { diskFiles } from "../disk/files.ts";
import { realDirectory } from "../disk/layout.ts";
import { openStore, type Store } from "../store/store.ts";
import { CorpusView, fromKey } from "./corpus_view.ts";
import type { FoundRows } from "./found_rows.ts";
import { makeOrama, type MayEmbed, readOnly } from "./orama.ts";
import { readProperty } from "./row_document.ts";
import { closeIndex, useIndex, useLogs } from "./use_index.ts";

/**
 * An Orama database that is to be closed; named by way of its maker, because what is exported must
 * have documentation, and Orama's own types have none.
 */
export type OramaDatabase = ReturnType<(typeof import("./orama.ts"))["makeOrama"]> & Disposable;

/**
 * Opens the store of a workspace for Orama; throws NOT_FOUND when there is no such directory,
 * STORE_MISSING when it has no store.
 */
export function openOrama(
  workspace: string,
  { warn = () => {}, mayEmbed }: { warn?: (message: string) => void; mayEmbed?: MayEmbed } = {},
): OramaDatabase {
  const store = openStore({
    workspace: realDirectory(workspace),
    files: diskFiles,
    now: Date.now,
    // Part of the ids of what is saved, which nothing is here.
    random: () => "",
    warn,
  });
  // Orama's `getByID` and `count` answer at once.
  giveTailBuilder(buildTail);
  let isOpen = true;
  const open = (text: string): CorpusView => {
    if (!isOpen) {
      throw new CtxError("USAGE", "Cannot search: the memory is closed", {
        hint: "openOrama(workspace) opens it again",
      });
    }
    return againOnDamage(() =>
      orIncomplete(store, () => new GuardedView(store, useIndex(store, warn), text))
    );
  };
  const database = makeOrama(open, { mayEmbed, makeSorter });
  const { get } = database.documentsStore;
  database.documentsStore.get = (docs, id) =>
    typeof id === "string" ? againOnDamage(() => get(docs, id)) : get(docs, id);
  return Object.assign(database, {
    [Symbol.dispose]() {
      isOpen = false;
      closeIndex(store);
    },
  });
}

/** Orama's own sorter, given the values of the rows that are to be ordered. */
function makeSorter(rows: FoundRows): ISorter<AnySorterStore> {
  const sorter = sorters.createSorter();
  let makeStore: () => ReturnType<typeof sorter.create>;
  return {
    ...sorter,
    ...readOnly,
    create(...given) {
      makeStore = () => sorter.create(...given);
      return makeStore();
    },
    sortBy(_store, found, by) {
      const store = makeStore();
      const type = sorter.getSortablePropertiesWithTypes(store)[by.property];
      for (const [id] of type === undefined ? [] : found) {
        const value = fromKey(readProperty(rows.view, rows.at(id), by.property));
        if (isSortable(value)) sorter.insert(store, by.property, id, value, type, undefined);
      }
      return sorter.sortBy(store, found, by);
    },
  };
}

function isSortable(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** A view whose reads fail with INCOMPLETE: Orama cannot be told to start a search again. */
class GuardedView extends CorpusView {
  readonly #store: Store;

  constructor(store: Store, index: SearchIndex, text: string) {
    super(index, { text });
    this.#store = store;
  }

  override read<T>(run: () => T): T {
    return orIncomplete(this.#store, run);
  }
}

/** Runs a read; after damage the logs are read in place of the index, by whoever tries again. */
function orIncomplete<T>(store: Store, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    useLogs(store);
    throw new CtxError("INCOMPLETE", `Cannot use the index: ${error.message}`, {
      hint: "search again to read the logs instead; ctx reindex --full rebuilds the index",
      cause: error,
    });
  }
}

/** Runs what can be run once more after damage. */
function againOnDamage<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CtxError && error.code === "INCOMPLETE") return run();
    throw error;
  }
}
