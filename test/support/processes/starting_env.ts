// Where ctx may start a process of its own for what nobody waits for.

import type { TempStore } from "../stores/temp_store.ts";
import { ctxCommand } from "./run_ctx.ts";

/**
 * The environment in which hooks start a process of its own; one that has variables of the dynamic
 * linker does nothing. The built file names itself, from source this program stands for it.
 */
export function startingEnv(t: TempStore): Record<string, string> {
  const path = `${t.home}/ctx`;
  const words = ctxCommand().map((word) => `'${word}'`).join(" ");
  const lines = ["#!/bin/sh", '[ -z "$LD_LIBRARY_PATH" ] || exit 1', `exec ${words} "$@"`, ""];
  Deno.writeTextFileSync(path, lines.join("\n"), { mode: 0o755 });
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return {
    CTX_HOOK_WAIT: "",
    CTX_EXECUTABLE: path,
    LD_LIBRARY_PATH: "/nowhere",
    ...(ctxCommand().length > 1 ? { XDG_CACHE_HOME: cache.replace(/\/deno$/, "") } : {}),
  };
}
