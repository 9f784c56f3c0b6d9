// Flags that are not ours: what other tools call ours is taken, of the rest the near one is named, and
// several collections after one flag become one after each. Loaded only when there is one.

import { CtxError } from "../../core/errors.ts";
import { findAnswer, isInCamelCase, toAnswerOf } from "../../core/rows/other_answers.ts";
import { findNearest } from "../../core/text.ts";
import { findInput } from "../../command/aliases.ts";
import type { AnyCommand } from "../../command/command.ts";
import { flagNames, parseArgv, type ParsedArgv, UnknownFlag } from "./argv.ts";
import { globalFlags } from "./global_flags.ts";
import { toldAs } from "./other_programs.ts";

/** Parses a command line by other names too; throws for a flag that nobody knows. */
export async function readOtherNames(
  said: readonly string[],
  command: AnyCommand,
): Promise<ParsedArgv> {
  const end = said.indexOf("--");
  const isFlag = (_: string, i: number): boolean => end < 0 || i < end;
  const asked = (word: string): string => word.startsWith(toldAs) ? word.slice(toldAs.length) : "";
  const isTold = (word: string, i: number): boolean =>
    isFlag(word, i) && findAnswer(asked(word), undefined) !== undefined;
  const told = said.find(isTold)?.slice(toldAs.length);
  const words = said.filter((word, i) => !isTold(word, i))
    .flatMap((word, i) => isFlag(word, i) ? splitShort(word, command) : word);
  const parsed = await parseSpread(words, command);
  const flags = words.filter((word, i) => isFlag(word, i) && /^--\w/.test(word));
  const isCamel = isInCamelCase(flags.map((flag) => flag.split("=")[0]));
  const answer = told ?? (isCamel ? command.tool : undefined);
  return answer === undefined ? parsed : { ...parsed, toTold: (data) => toAnswerOf(answer, data) };
}

/** `-l2` and `-l=2` of another tool are `-l 2`. */
function splitShort(word: string, command: AnyCommand): string | string[] {
  const [, letter, value] = /^-([a-z])=?(.+)$/s.exec(word) ?? [];
  if (letter === undefined || Object.hasOwn(command.short ?? {}, letter)) return word;
  const isOther = findInput(command, letter) !== undefined &&
    findInput(command, word.slice(1)) === undefined;
  return isOther ? [`-${letter}`, value] : word;
}

async function parseSpread(words: readonly string[], command: AnyCommand): Promise<ParsedArgv> {
  if (!words.includes("-c") && !words.includes("--collections")) {
    return parseOtherNames(words, command);
  }
  const { spreadCollections } = await import("./spread_collections.ts");
  const parse = (said: readonly string[]): ParsedArgv => parseOtherNames(said, command);
  return parse(await spreadCollections(words, { command, parse }));
}

function parseOtherNames(words: readonly string[], command: AnyCommand): ParsedArgv {
  try {
    return parseArgv(words, command, (flag) => findInput(command, flag));
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error;
    const names = flagNames(command, Object.keys(command.input)).keys();
    const near = findNearest(error.flag.replace(/^-+/, ""), [
      ...names,
      ...Object.keys(globalFlags),
    ]);
    const guess = near ? ` (did you mean "--${near}"?)` : "";
    throw new CtxError("USAGE", `${error.message}${guess}`, {
      hint: `ctx ${command.name} --help; put -- before text that starts with a dash`,
    });
  }
}
