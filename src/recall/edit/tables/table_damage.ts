// Damage of derived data: met, named, removed and made anew. Nothing is lost by it.

import type { Files } from "../../../disk/files.ts";

/** A file of derived data that cannot be trusted. */
export class TableDamage extends Error {
  override readonly name = "TableDamage";
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`"${path}" is damaged`, options);
    this.path = path;
  }
}

/** More damage than this in one go is not chance. */
const maxMends = 5;

/**
 * Does work that reads derived data and makes it where it is missing. A damaged file is removed,
 * told of, and the work done again.
 */
export async function mending<T>(
  files: Files,
  warn: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let mends = 0;; mends++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TableDamage) || mends >= maxMends) throw error;
      files.remove(error.path);
      const name = error.path.slice(error.path.lastIndexOf("/") + 1);
      warn(`${name} was damaged and has been rebuilt (it is derived data)`);
    }
  }
}
