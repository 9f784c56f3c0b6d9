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

/** What other tools call our commands. */
const meanings: Record<string, readonly string[]> = {
  add: ["save", "docs add"],
  append: ["save"],
  backup: ["export"],
  capture: ["save", "import"],
  cat: ["get", "show"],
  check: ["doctor"],
  clean: ["forget"],
  connect: ["setup"],
  conversations: ["sessions"],
  create: ["save", "init"],
  del: ["forget"],
  delete: ["forget"],
  diagnose: ["doctor"],
  drop: ["forget"],
  dump: ["export"],
  erase: ["forget"],
  explain: ["why", "traces"],
  fd: ["search"],
  fetch: ["get"],
  forgot: ["forget"],
  grep: ["search"],
  history: ["timeline", "ls"],
  info: ["status"],
  ingest: ["import"],
  install: ["setup"],
  load: ["import", "restore"],
  log: ["timeline", "ls"],
  logs: ["timeline", "ls"],
  lookup: ["search"],
  memories: ["records", "ls"],
  new: ["save", "session start"],
  note: ["save"],
  open: ["get", "show"],
  print: ["get", "show"],
  projects: ["stats"],
  prune: ["forget"],
  put: ["save"],
  query: ["search"],
  question: ["ask"],
  rebuild: ["reindex"],
  recall: ["search"],
  recent: ["ls"],
  remember: ["save"],
  remove: ["forget"],
  rg: ["search"],
  rm: ["forget"],
  server: ["serve", "mcp"],
  settings: ["config list"],
  store: ["save"],
  summary: ["records", "context"],
  tail: ["ls"],
  tool: ["mcp"],
  uninstall: ["setup"],
  update: ["upgrade"],
  verify: ["doctor"],
  view: ["get", "show"],
  write: ["save"],
};

/** The same of the second word: `docs rm`, `config show`, `session new`. */
const otherVerbs: Record<string, readonly string[]> = {
  all: ["list"],
  begin: ["start"],
  close: ["end"],
  create: ["start", "add"],
  delete: ["remove", "unset"],
  index: ["sync"],
  ls: ["list"],
  new: ["start", "add"],
  open: ["start", "section"],
  read: ["section", "get"],
  refresh: ["sync"],
  rm: ["remove", "unset"],
  show: ["list", "current", "outline"],
  stop: ["end"],
  toc: ["outline"],
  update: ["sync", "set"],
  where: ["path"],
};

/** The same words with our command's name; throws when nobody knows it. */
export function toOwnWords(words: readonly string[], names: readonly string[]): string[] {
  const [first, ...rest] = words;
  const line = findProgramLine(words);
  if (line !== undefined) return line;
  if (isProgramAlone(words)) {
    throw new CtxError("USAGE", `Say which command of ${first}: ctx ${first} COMMAND`, {
      hint: "ctx --help",
    });
  }
  const meant = findMeant(first);
  if (meant === undefined) throw unknownCommand(words, names);
  const flags = Object.entries(meant.input ?? {}).map(([field, value]) => `--${field}=${value}`);
  const told = findAnswer(first, undefined) ? [`${toldAs}${first}`] : [];
  return [...meant.name.split(" "), ...flags, ...told, ...rest];
}

/** The error for words that name none of the commands. */
function unknownCommand(words: readonly string[], names: readonly string[]): CtxError {
  const [first, second] = words;
  const verbs = [
    ...commandNames.flatMap((name) => name.startsWith(`${first} `) ? name.split(" ")[1] : []),
    ...formsOf(first).map(({ by }) => by),
  ];
  if (verbs.length > 0) return unknownVerb(first, second, verbs);
  const meant = (meaningOf(meanings, first) ?? []).filter((name) => names.includes(name));
  const near = findNearest(first, names);
  const guesses = meant.length > 0 ? meant : near === undefined ? [] : [near];
  return new CtxError("USAGE", `Unknown command "${first}"${didYouMean(guesses)}`, {
    hint: guesses.length > 0
      ? guesses.map((name) => `ctx ${name} --help`).join(", or ")
      : "ctx --help",
  });
}

function unknownVerb(first: string, second: string | undefined, known: string[]): CtxError {
  const said = second === undefined ? `"${first}" needs a word after it` : `"${second}"`;
  const meant = meaningOf(otherVerbs, second ?? "")?.find((verb) => known.includes(verb));
  const near = meant ?? (second === undefined ? undefined : findNearest(second, known));
  return new CtxError("USAGE", `Cannot run ${first}: ${said}; it knows ${known.join(", ")}`, {
    hint: `ctx ${first} ${near ?? known[0]} --help`,
  });
}

function meaningOf(
  table: Record<string, readonly string[]>,
  word: string,
): readonly string[] | undefined {
  return Object.hasOwn(table, word.toLowerCase()) ? table[word.toLowerCase()] : undefined;
}

function didYouMean(guesses: readonly string[]): string {
  if (guesses.length === 0) return "";
  return ` (did you mean ${guesses.map((name) => `"${name}"`).join(" or ")}?)`;
}
