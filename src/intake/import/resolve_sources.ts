// Which sources an import reads, and where: named, all of them, or recognised by what lies at a path.

import { CtxError } from "../../core/errors.ts";
import { guessAt } from "../../core/text.ts";
import type { Context } from "../../command/command.ts";
import { countOf } from "../../command/view.ts";
import { sourceNames } from "./source_table.ts";
import { realPath, resolvePath } from "../../core/platform_path.ts";

export interface SourceChoice {
  /** Names of sources; `auto` or none for all of them. */
  sources: readonly string[];
  /** A directory or file to read instead of the source's own place. */
  root?: string;
  /** A directory or file of which the source is to be recognised. */
  from?: string;
}

/** Sources of files that name no directory and have no place of their own. */
export const placeless: ReadonlySet<string> = new Set([
  "ndjson",
  "chatgpt",
  "claude-web",
  "server-memory",
  "mem0",
  "beads",
]);

/** The sources, with their places where these are not the usual ones. */
export async function resolveSources(
  choice: SourceChoice,
  context: Context,
): Promise<Map<string, string[] | undefined>> {
  if (choice.from !== undefined) return await recogniseFrom(choice.from, choice, context);
  const names = resolveNames(choice);
  const roots = choice.root === undefined ? undefined : [resolveRoot(context, choice.root)];
  return new Map(names.map((name) => [name, roots]));
}

function resolveNames({ sources, root }: SourceChoice): readonly string[] {
  const words = sources.flatMap((word) => word.split(","));
  for (const word of words) {
    if (word === "auto" || sourceNames.includes(word)) continue;
    const guess = guessAt(word, sourceNames);
    throw new CtxError("USAGE", `Cannot import from "${word}": unknown source${guess}`, {
      hint: `the sources are ${sourceNames.join(", ")}`,
    });
  }
  const named = words.filter((word) => word !== "auto");
  if (root !== undefined && named.length !== 1) {
    throw new CtxError("USAGE", "Cannot import with --root: no source named", {
      hint: "ctx import claude-code --root DIR",
    });
  }
  const rootless = root === undefined &&
    sources.find((word) => placeless.has(word) || ["contextfs", "claude-mem"].includes(word));
  if (rootless) {
    throw new CtxError("USAGE", `Cannot import ${rootless}: it has no default location`, {
      hint: `ctx import ${rootless} --root PATH`,
    });
  }
  return named.length > 0 && named.length === words.length ? named : sourceNames;
}

async function recogniseFrom(
  from: string,
  { root, sources }: SourceChoice,
  context: Context,
): Promise<Map<string, string[]>> {
  if (root !== undefined || sources.some((word) => word !== "auto")) {
    throw new CtxError(
      "USAGE",
      `Cannot import from "${from}": --from detects the source itself`,
      { hint: `ctx import --from ${from}` },
    );
  }
  const { recognise } = await import("./recognise.ts");
  const { found, looked, isCut } = recognise(resolveRoot(context, from));
  if (found.length === 0) {
    throw new CtxError(
      "NOT_FOUND",
      `Cannot import from "${from}": no known history in ${countOf(looked, "file")} there`,
      { hint: `for your own NDJSON rows: ctx import ndjson --root ${from}; see docs/IMPORT.md` },
    );
  }
  if (isCut) context.warn(`${from}: only the first ${looked} files were checked`);
  return new Map(found.map(({ source, roots }) => [source, roots]));
}

function resolveRoot(context: Context, root: string): string {
  try {
    return realPath(resolvePath(root, context.cwd));
  } catch (error) {
    throw new CtxError("NOT_FOUND", `Cannot import from "${root}": no such file or directory`, {
      hint: "check --root",
      cause: error,
    });
  }
}
