// `-c a b`: several collections after one flag, as ctxpkg writes them. A command that takes no question,
// or was given it elsewhere, takes all words up to the next flag; else those that are collections, and
// the first that is none begins the question. One word that may be either is refused. Loaded only then.

import { openContext } from "../../app/app.ts";
import { CtxError } from "../../core/errors.ts";
import { openCollectionStores, placeCollections } from "../../intake/documents/collection_scope.ts";
import type { AnyCommand } from "../../command/command.ts";
import type { ParsedArgv } from "./argv.ts";

/** What the words belong to. */
export interface SpreadOptions {
  command: AnyCommand;
  /** Parses words that have one collection after each flag. */
  parse(words: readonly string[]): ParsedArgv;
}

/** The same words with a flag before each collection. */
export async function spreadCollections(
  words: readonly string[],
  options: SpreadOptions,
): Promise<readonly string[]> {
  if (!Object.hasOwn(options.command.input, "collections")) return words;
  const said = [...words];
  const end = said.indexOf("--");
  for (let at = end < 0 ? said.length : end; --at >= 0;) {
    if (said[at] !== "-c" && said[at] !== "--collections") continue;
    const next = said.findIndex((word, i) => i > at && /^-./.test(word));
    const run = said.slice(at + 1, next < 0 ? undefined : next);
    if (run.length < 2) continue;
    const others = said.toSpliced(at, run.length + 1);
    const names = await countNames(run, others, options);
    const flags = run.slice(0, names).flatMap((name) => [said[at], name]);
    said.splice(at, run.length + 1, ...flags, ...run.slice(names));
  }
  return said;
}

/** How many words of a run are collections. */
async function countNames(
  ...[run, others, { command, parse }]: [string[], string[], SpreadOptions]
): Promise<number> {
  const question = command.positional?.[0];
  if (question === undefined) return run.length;
  const { input, flags } = parse(others);
  if (input[question] !== undefined) return run.length;
  const known = await readNames(flags.workspace);
  const stranger = run.findIndex((word, i) => i > 0 && !known.includes(word));
  if (stranger < 0) return run.length;
  const rest = run.slice(stranger);
  // Words in quotes, or several of them, are a question; of one word nobody can tell.
  const sentence = rest.findIndex((word) => /\s|\?$/.test(word));
  if (sentence === 0 || (sentence < 0 && rest.length > 1)) return stranger;
  throw new CtxError(
    "USAGE",
    `Cannot run ${command.name}: "${rest[0]}" is not a collection; it may be the question`,
    {
      hint: `put the question first, or after --; collections here: ${known.join(", ") || "none"}`,
    },
  );
}

async function readNames(workspace: string | undefined): Promise<string[]> {
  using context = openContext({ surface: "cli", workspace });
  try {
    return [...placeCollections(await openCollectionStores(context, { global: true })).keys()];
  } catch (error) {
    if (error instanceof CtxError && error.code === "STORE_MISSING") return [];
    throw error;
  }
}
