/**
 * ctx as a library, and the `ctx` command when this is the main module.
 *
 * ```ts
 * import { findCommand, execute, openContext } from "./mod.ts";
 * using context = openContext({ workspace: "/path/to/project" });
 * const stats = await execute((await findCommand("stats"))!, {}, context);
 * ```
 * @module
 */
export { type ContextOptions, openContext } from "./src/app.ts";
export type { AnyCommand, Command } from "./src/table/command.ts";
export type { Context } from "./src/table/command.ts";
export { aliases, commandNames, findCommand, loadCommands } from "./src/commands/mod.ts";
export type { Draft, Entry, Pool, Role } from "./src/core/entry.ts";
export { CtxError, type ErrorBody, type ErrorCode } from "./src/core/errors.ts";
export { Store } from "./src/store/store.ts";

import type { AnyCommand, Context } from "./src/table/command.ts";
import { findEnvironment } from "./src/core/environment.ts";

/** Validates the input of a command and runs it. */
export async function execute(
  command: AnyCommand,
  input: unknown,
  context: Context,
): Promise<object> {
  const table = await import("./src/table/execute.ts");
  return await table.execute(command, input, context);
}

if (import.meta.main) {
  const { runCli } = await import("./src/cli/main.ts");
  const code = await runCli(Deno.args);
  // Deno keeps compiled code for the next start when its event loop turns, which a short command
  // may never let it do. Anything that waits for the system will do. The built file, which has a
  // cache of its own, knows whether that is needed, and whether the cache is to be put in order.
  const unsettled = findEnvironment("CTX_UNSETTLED");
  if (unsettled !== "") await Deno.realPath(".").catch(() => {});
  if (unsettled) {
    await import("./src/cli/settle_caches.ts").then((chunk) => chunk.settleCaches()).catch(() => {
      // The command has been answered; its files may be gone since.
    });
  }
  Deno.exit(code);
}
