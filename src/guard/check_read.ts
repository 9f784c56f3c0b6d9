// Whether a read breaks a guard, by the paths of the files. Pure.

import type { Breach, Guard } from "./guard_kinds.ts";
import { matchPath } from "./match_glob.ts";

/** The guards that a read of some files breaks, each once. */
export function checkRead(guards: readonly Guard[], paths: readonly string[]): Breach[] {
  return guards.flatMap((guard): Breach[] => {
    const { check, except = [] } = guard;
    if (check.on !== "read") return [];
    const found = paths.find((path) =>
      check.reads.some((pattern) => matchPath(pattern, path)) &&
      !except.some((pattern) => matchPath(pattern, path))
    );
    return found === undefined ? [] : [{ guard, what: found }];
  });
}
