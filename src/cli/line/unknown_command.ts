// A command that there is not: ours, where it is one of the documents that ctx grew from; else what is
// said of it: the one that is meant, by what its name means elsewhere or by its spelling. Loaded only
// then.

import { commandNames } from "../../commands/mod.ts";
import { CtxError } from "../../core/errors.ts";
import { findAnswer } from "../../core/rows/other_answers.ts";
import { findNearest } from "../../core/text.ts";
import { findMeant } from "../../command/aliases.ts";
import { formsOf } from "./doors.ts";
import { findProgramLine, isProgramAlone, toldAs } from "./other_programs.ts";

/** What other tools call our commands, by what they mean. */
const meanings = invert({
  "ask": "question",
  "config list": "settings",
  "doctor": "check diagnose verify",
  "export": "backup dump",
  "forget": "clean del delete drop erase forgot prune remove rm",
  "get": "fetch",
  "get | show": "cat open print view",
  "import": "ingest",
  "handoff": "continue migrate transfer",
  "import | handoff": "load",
  "ls": "recent tail",
  "mcp": "tool",
  "records": "decisions",
  "records | context": "summary",
  "records | ls": "memories",
  "reindex": "rebuild",
  "save": "append note put remember store write",
  "save | docs add": "add",
  "save | import": "capture",
  "save | init": "create",
  "save | session start": "new",
  "search": "fd grep lookup query recall rg",
  "serve | mcp": "server",
  "sessions": "conversations",
  "setup": "connect install uninstall",
  "stats": "projects",
  "status": "info",
  "timeline | ls": "history log logs",
  "upgrade": "update",
  "why | traces": "explain",
});

/** The same of the second word: `docs rm`, `config show`, `session new`. */
const otherVerbs = invert({
  "end": "close stop",
  "list": "all ls",
  "list | current | outline": "show",
  "outline": "toc",
  "path": "where",
  "remove | unset": "delete rm",
  "section | get": "read",
  "start": "begin",
  "start | add": "create new",
  "start | section": "open",
  "sync": "index refresh",
  "sync | set": "update",
});

/** A list of what is meant by each word. */
function invert(words: Record<string, string>): Map<string, readonly string[]> {
  return new Map(
    Object.entries(words).flatMap(([meant, said]) =>
      said.split(" ").map((word) => [word, meant.split(" | ")] as const)
    ),
  );
}

/** The same words with our command's name; throws when nobody knows it. */
export function toOwnWords(words: readonly string[], names: readonly string[]): string[] {
  const [first, ...rest] = words;
  const line = findProgramLine(words);
  if (line !== undefined) return line;
  if (isProgramAlone(words)) {
    throw new CtxError(
      "USAGE",
      `Cannot run ${first}: no command given; use: ctx ${first} COMMAND`,
      {
        hint: "ctx --help",
      },
    );
  }
  const meant = findMeant(first);
  if (meant === undefined) throw unknownCommand(words, names);
  const flags = Object.entries(meant.input ?? {}).map(([field, value]) => `--${field}=${value}`);
  const told = findAnswer(first, undefined) ? [`${toldAs}${first}`] : [];
  return [...meant.name.split(" "), ...flags, ...told, ...rest];
}

function unknownCommand(words: readonly string[], names: readonly string[]): CtxError {
  const [first, second] = words;
  const verbs = [
    ...commandNames.flatMap((name) => name.startsWith(`${first} `) ? name.split(" ")[1] : []),
    ...formsOf(first).map(({ by }) => by),
  ];
  if (verbs.length > 0) return unknownVerb(first, second, verbs);
  const meant = (meanings.get(first.toLowerCase()) ?? []).filter((name) => names.includes(name));
  const near = findNearest(first, names);
  const guesses = meant.length > 0 ? meant : near === undefined ? [] : [near];
  return new CtxError("USAGE", `Unknown command "${first}"${didYouMean(guesses)}`, {
    hint: guesses.length > 0
      ? guesses.map((name) => `ctx ${name} --help`).join(", or ")
      : "ctx --help",
  });
}

function unknownVerb(first: string, second: string | undefined, known: string[]): CtxError {
  const said = second === undefined ? "no subcommand given" : `unknown subcommand "${second}"`;
  const meant = otherVerbs.get(second?.toLowerCase() ?? "")?.find((verb) => known.includes(verb));
  const near = meant ?? (second === undefined ? undefined : findNearest(second, known));
  return new CtxError("USAGE", `Cannot run ${first}: ${said}; use ${known.join(", ")}`, {
    hint: `ctx ${first} ${near ?? known[0]} --help`,
  });
}

function didYouMean(guesses: readonly string[]): string {
  if (guesses.length === 0) return "";
  return ` (did you mean ${guesses.map((name) => `"${name}"`).join(" or ")}?)`;
}
