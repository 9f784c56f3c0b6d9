// The store here, for those who can also answer without one.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";

/** Opens the store, or is undefined where there is none; other errors are thrown. */
export async function findStore(context: Context): Promise<Store | undefined> {
  try {
    return await context.openStore();
  } catch (error) {
    if (error instanceof CtxError && error.code === "STORE_MISSING") return undefined;
    throw error;
  }
}
