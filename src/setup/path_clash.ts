// Other programs named `ctx` on the PATH: the first one is what a shell or an agent will run.

import type { Check } from "../store/lifecycle/inspect.ts";
import type { Context } from "../command/command.ts";
import { findOtherCtx } from "./other_ctx.ts";

/** Looks along the PATH for programs of that name; reads names only, runs nothing. */
export function checkPathClash(context: Context): Check {
  const base = { name: "path", fixable: false };
  const other = findOtherCtx(context.env);
  if (other !== undefined) {
    const detail =
      `"ctx" on the PATH is another program: ${other}; put this one before it, or call it contextfs`;
    return { ...base, status: "warning", detail };
  }
  const found = findPrograms(context);
  if (found.length === 0) {
    return { ...base, status: "ok", detail: "no program named ctx is on the PATH" };
  }
  if (found.length === 1) return { ...base, status: "ok", detail: `ctx is ${found[0]}` };
  const detail = `${found.length} programs named ctx are on the PATH, the first one runs: ${
    found.join(", ")
  }`;
  return { ...base, status: "warning", detail };
}

function findPrograms({ env, files }: Context): string[] {
  const directories = new Set((env("PATH") ?? "").split(":").filter((path) => path !== ""));
  const found: string[] = [];
  for (const directory of directories) {
    const path = `${directory.replace(/(.)\/+$/, "$1")}/ctx`;
    try {
      if (files.findSize(path) !== undefined) found.push(path);
    } catch {
      continue;
    }
  }
  return found;
}
