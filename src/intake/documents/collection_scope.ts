// Which stores a command about documents looks into: the workspace's, and the user's own unless it
// is left out. A workspace's collection hides one of the same name in the user's store.

import { CtxError } from "../../core/errors.ts";
import { type Collection, readCollections } from "../../store/logs/collections.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";

/** A store that may hold collections. */
export interface CollectionStore {
  store: Store;
  /** Whether it is the user's own. */
  global: boolean;
}

/** A collection and where it is. */
export interface PlacedCollection extends CollectionStore {
  collection: Collection;
}

/** The stores to look into, the workspace's first; without a workspace the user's own will do. */
export async function openCollectionStores(
  context: Context,
  options: { global: boolean },
): Promise<CollectionStore[]> {
  const user = options.global ? await context.openUserStore() : undefined;
  const own = user === undefined
    ? await context.openStore()
    : await context.openStore().catch((error) => {
      if (error instanceof CtxError && error.code === "STORE_MISSING") return undefined;
      throw error;
    });
  return [
    ...(own === undefined ? [] : [{ store: own, global: false }]),
    ...(user === undefined ? [] : [{ store: user, global: true }]),
  ];
}

/** The collections in some stores by name; the first store that has a name wins. */
export function placeCollections(stores: CollectionStore[]): Map<string, PlacedCollection> {
  const placed = new Map<string, PlacedCollection>();
  for (const { store, global } of stores) {
    for (const [name, collection] of readCollections(store.files, store.layout)) {
      if (!placed.has(name)) placed.set(name, { store, global, collection });
    }
  }
  return placed;
}

/** The collections of some names, all when none is named; throws NOT_FOUND for an unknown one. */
export function getCollections(
  placed: Map<string, PlacedCollection>,
  names: readonly string[],
): PlacedCollection[] {
  if (names.length === 0) return [...placed.values()];
  return names.map((name) => {
    const found = placed.get(name);
    if (found) return found;
    const known = [...placed.keys()].join(", ") || "none";
    throw new CtxError(
      "NOT_FOUND",
      `Cannot find collection "${name}"; existing collections: ${known}`,
      {
        hint: "ctx docs list",
      },
    );
  });
}
