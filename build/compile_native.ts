// The compiled form: `deno compile` over the bundle, with its permissions baked in.

import { entryName, listFiles } from "./bundle.ts";
import { netFlags, unstableFlags, v8Flags } from "./permissions.ts";
import { runDeno } from "./run_deno.ts";
import type { Target } from "./target.ts";

/** What to compile. */
export interface NativeOptions {
  target: Target;
  /** The stamped bundle. */
  bundle: string;
  output: string;
}

/** Compiles the bundle into one executable; chunks, workers and assets are embedded by name. */
export async function compileNative(options: NativeOptions): Promise<void> {
  const included = listFiles(options.bundle).filter((name) => name !== entryName);
  await runDeno(
    [
      "compile",
      "--quiet",
      "--no-check",
      "--no-prompt",
      "--no-config",
      "--no-lock",
      v8Flags,
      ...netFlags,
      ...unstableFlags,
      "--target",
      options.target.triple,
      ...included.flatMap((name) => ["--include", name]),
      "--output",
      options.output,
      entryName,
    ],
    { cwd: options.bundle },
  );
}
