// Files with some operations replaced. Everything else is passed on, also what a view of one session
// has beyond the interface.

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
