/**
 * ctx as a library, and the `ctx` command when this is the main module.
 *
 * ```ts
 * import { open } from "./mod.ts";
 * using memory = open("/path/to/project");
 * const { results } = await memory.search({ query: "token rotation" });
 * ```
 * @module
 */
export { type Library, open, type OpenOptions } from "./src/app/library.ts";
export type { OpenAgentOptions } from "./src/app/open_agent.ts";
export type { AgentCall, AgentOptions, MemoryAgent } from "./src/ask/memory_agent.ts";
export type { Answer, AnswerSource } from "./src/ask/answer.ts";
export type { OramaDatabase } from "./src/search/open_orama.ts";
export { CtxError, type ErrorCode, type ErrorKind, errorKinds } from "./src/core/errors.ts";

import type { OpenAgentOptions } from "./src/app/open_agent.ts";
import type { MemoryAgent } from "./src/ask/memory_agent.ts";
import type { OramaDatabase } from "./src/search/open_orama.ts";
import { findEnvironment } from "./src/core/environment.ts";

/**
 * Opens an agent that answers from the memory of a workspace: `ask` takes a question that stands
 * alone, `chat` goes on from the turns before, `clearHistory` forgets them. With a model configured
 * (`llm.model`) it searches and reads inside; without one it answers in the words of the memory.
 */
export async function openAgent(
  workspace: string,
  options?: OpenAgentOptions,
): Promise<MemoryAgent> {
  const { openAgent } = await import("./src/app/open_agent.ts");
  return openAgent(workspace, options);
}

/**
 * Opens the store of a workspace as an Orama database: `search`, `getByID` and `count` of
 * `@orama/orama` work on it (docs/SEARCH.md).
 */
export async function openOrama(workspace: string): Promise<OramaDatabase> {
  const [{ openOrama }, { openContext }] = await Promise.all([
    import("./src/search/open_orama.ts"),
    import("./src/app/app.ts"),
  ]);
  const mayEmbed = async (): Promise<boolean> => {
    const { readConfig } = openContext({ workspace });
    return (await readConfig()).get("embedder.kind") !== "none";
  };
  return openOrama(workspace, { mayEmbed });
}

/** A zod schema for each format of a store's files, by its name. */
export type RowSchemas = (typeof import("./src/formats/row_schemas.ts"))["rowSchemas"];

/**
 * The formats of a store's files as zod schemas, by the names of docs/FORMAT.md. Loaded when they are
 * asked for, because no command needs them:
 *
 * ```ts
 * const { historyRow } = await rowSchemas();
 * const entry = historyRow.parse(JSON.parse(line));
 * ```
 */
export async function rowSchemas(): Promise<RowSchemas> {
  return (await import("./src/formats/row_schemas.ts")).rowSchemas;
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
