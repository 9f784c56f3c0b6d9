// A fresh home into which install.sh installs a small program that calls itself ctx.

import { repository } from "../repository.ts";
import { runProcess, type RunResult } from "./run_ctx.ts";

/** What stands in the place of the built file. */
export const program = '#!/bin/sh\necho "ctx 1.2.3"\n';

/** Calls back with a home, which has the program as `built`, and with a way to install into it. */
export async function inInstallHome(
  use: (home: string, install: (...args: string[]) => Promise<RunResult>) => Promise<void>,
): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "ctx-install-" });
  try {
    await Deno.writeTextFile(`${home}/built`, program);
    await use(home, (...args) =>
      runProcess(["/bin/sh", `${repository}/install.sh`, ...args], {
        cwd: home,
        env: {
          HOME: home,
          XDG_CACHE_HOME: `${home}/.cache`,
          PATH: `${home}/.local/bin:${Deno.env.get("PATH")}`,
        },
      }));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
