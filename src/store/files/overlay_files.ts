// Files with some operations in place of their own. A view of one session keeps what it has beside
// the interface, so the rest is passed on as it is.

import type { Files } from "./files.ts";

/** The same files, where some operations are others. */
export function overlayFiles(files: Files, others: Partial<Files>): Files {
  return new Proxy(files, {
    get(target, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
