// Rewrites hints for agents: commands become tool names, flags become argument names, and what only a
// person can do is marked. Pure.

import type { AnyCommand } from "../../command/command.ts";

export interface HintOptions {
  command: AnyCommand;
  /** The commands that this server has as tools. */
  served: readonly AnyCommand[];
}

export function toToolHint(hint: string, options: HintOptions): string {
  if (hint === `ctx ${options.command.name} --help`) return describeInput(options.command);
  // Every other piece is a separator.
  const pieces = hint.split(/(; |, or (?=ctx |pass --))/);
  const told = pieces.map((piece, i) => i % 2 === 0 ? toClause(piece, options) : { text: piece });
  const clauses = told.filter((_, i) => i % 2 === 0);
  const isForTools = clauses.some(({ kind }) => kind === "tool");
  const isKept = ({ kind }: Clause): boolean =>
    kind !== "nothing" && !(isForTools && kind === "person");
  return clauses.filter(isKept).map(({ text }) => text).join("; ");
}

interface Clause {
  text: string;
  /** Whether it names a tool, something only a person can do, or nothing that applies here. */
  kind?: "tool" | "person" | "nothing";
}

function toClause(clause: string, { command, served }: HintOptions): Clause {
  const at = clause.search(/\bctx [a-z]/);
  if (at < 0) return toArguments(clause, command);
  const [before, words] = [clause.slice(0, at), clause.slice(at + "ctx ".length)];
  const forPerson: Clause = {
    text: `${before}\`ctx ${words}\` (the user, in a terminal)`,
    kind: "person",
  };
  const named = findNamed(words, served);
  if (named === undefined) return forPerson;
  const { command: other, rest } = named;
  const placed = other.positional?.[0];
  const withInput = placed ? rest.replace(/^ [A-Z]{2,}\b/, ` with ${placed}`) : rest;
  const { text, kind } = toArguments(withInput, other, " with ");
  // A flag that the tool does not have, such as `pin --remove`, means another command.
  if (kind === "nothing") return forPerson;
  const call = `${other.tool}${text}`;
  return { text: `${before}${text === "" && before === "" ? `call ${call}` : call}`, kind: "tool" };
}

/** The served command whose name the words start with; the longest match wins. */
function findNamed(
  words: string,
  served: readonly AnyCommand[],
): { command: AnyCommand; rest: string } | undefined {
  const names = served.flatMap((command) =>
    [command.name, ...command.aliases ?? []].map((name) => ({ command, name }))
  ).filter(({ name }) => words === name || words.startsWith(`${name} `));
  const [longest] = names.sort((a, b) => b.name.length - a.name.length);
  return longest && { command: longest.command, rest: words.slice(longest.name.length) };
}

/** Turns flags with placeholders into arguments; drops a clause with an unknown flag. */
function toArguments(clause: string, command: AnyCommand, joint = ""): Clause {
  let isKnown = true;
  const text = clause.replace(/ ?--([a-z][a-z-]*)(?: [A-Z]{2,}\b)?/g, (said, flag: string) => {
    const field = findField(flag, command);
    isKnown &&= field !== undefined;
    return `${joint === "" && said.startsWith(" ") ? " " : joint}${field}`;
  });
  return isKnown ? { text } : { text: "", kind: "nothing" };
}

function findField(flag: string, { input, flags = {} }: AnyCommand): string | undefined {
  const renamed = Object.entries(flags).find(([, name]) => name === flag)?.[0];
  return renamed ?? Object.keys(input).find((name) => name.replaceAll("_", "-") === flag);
}

/** The arguments of a tool, for a caller who passed something else. */
function describeInput({ tool, name, input }: AnyCommand): string {
  const names = Object.keys(input);
  const required = names.filter((field) => input[field].required);
  const must = required.length === 0 ? "" : `; required: ${required.join(", ")}`;
  return names.length === 0
    ? `${tool ?? name} takes no arguments`
    : `${tool ?? name} takes ${names.join(", ")}${must}`;
}
