// From what people type to whole ids, for every command on every surface: the beginning of an id with
// or without its letter, in either case; `@3`, the third row of the last list in this terminal;
// `@last`, the entry that was saved last; `-`, ids on standard input; an agent's own id of a session.

import { noSessionError } from "../../read/session_messages.ts";
import { CtxError } from "../../core/errors.ts";
import { findIdTime } from "../../core/id.ts";
import { toLine, toShellWord } from "../../core/text.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Context } from "../../command/command.ts";
import { findStore } from "../../command/find_store.ts";
import type { Named } from "../../command/shape.ts";
import { type Candidate, isAbout, preferWhole, severalError } from "./candidate.ts";
import { findEntryCandidates, findLastSaved } from "./find_entries_from.ts";
import { findSessionCandidates, listSessions } from "./find_sessions_from.ts";

/** The whole ids of words; see `Context.wholeIds`. */
export async function wholeIds(
  names: Named,
  words: readonly string[],
  context: Context,
): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    const said = word === "-" && names !== "H or text" ? await readIds(context) : [word];
    for (const one of said) ids.push(await wholeId(names, one, context));
  }
  return ids;
}

/** One id a line; of a row with tabs its first column, so that lists can be piped. */
async function readIds(context: Context): Promise<string[]> {
  const lines = decodeLossy(await context.readInput()).split("\n");
  const ids = lines.map((line) => line.split("\t")[0].trim()).filter((id) => id !== "");
  if (ids.length > 0) return ids;
  throw new CtxError("NOT_FOUND", "Cannot read ids from standard input: it is empty", {
    hint: "pass one id per line, for example: ctx search QUERY | ctx get -",
  });
}

async function wholeId(names: Named, said: string, context: Context): Promise<string> {
  const isAnywhere = names === "S of any project";
  const word = await settleSign(said, context, isAnywhere);
  if (names === "H or text" && !/^h-\S+$/i.test(word)) return word;
  if (names === "S" && word.includes(",")) {
    return (await wholeIds(names, word.split(","), context)).join(",");
  }
  if (names[0] === "S") return await wholeSession(names, word, context);
  if (names === "H or S" && /^s-/i.test(word)) {
    return await wholeSession("S", word, context).catch((error) => {
      // One that is not there is told beside the others.
      if (error instanceof CtxError && error.code === "NOT_FOUND") return word;
      throw error;
    });
  }
  const found = await findCandidates(names, word, context);
  const [only] = found;
  if (found.length === 1) return only.id;
  if (found.length > 1) throw severalError(word, found, { names, context });
  if (names === "H" || names === "H or S") refuseOthers(word, "an entry");
  return word;
}

async function wholeSession(names: Named, word: string, context: Context): Promise<string> {
  if (/^(all|current|own)$/.test(word)) return word;
  const isAnywhere = names === "S of any project";
  const store = isAnywhere ? await findStore(context) : await context.openStore();
  const sessions = store === undefined ? [] : listSessions(store);
  const isTitled = isAnywhere || names === "S or title";
  const meant = findSessionCandidates(sessions, word, { isTitled });
  // One may be begun by giving it a name: only what can be nothing else is the beginning of another.
  const found = names === "S or new"
    ? meant.filter(({ id }) => word.length > 6 && findIdTime(id) !== undefined)
    : meant;
  if (found.length === 1) return found[0].id;
  if (found.length > 1) throw severalError(word, found, { names, context });
  if (names === "S or new") return word;
  if (isTitled && store !== undefined && /^h-/i.test(word)) {
    const [entry, other] = await findEntryCandidates(word, context);
    if (entry?.session_id !== undefined && other === undefined) return entry.session_id;
  }
  if (isAnywhere) return word;
  refuseOthers(word, "a session");
  throw noSessionError(word, sessions.map(({ id }) => id));
}

async function findCandidates(
  names: Named,
  word: string,
  context: Context,
): Promise<Candidate[]> {
  if (names[0] === "H") return await findEntryCandidates(word, context);
  const { findLogged } = await import("./find_logged.ts");
  const all = findLogged(names, await context.openStore());
  return preferWhole(all.filter(isAbout(word, names[0])), word);
}

/** `@3` and `@last` as the ids that they stand for. */
async function settleSign(
  word: string,
  context: Context,
  isAnywhere: boolean,
): Promise<string> {
  const sign = /^@(\d+|last)$/.exec(word)?.[1];
  if (sign === undefined) return word;
  const store = await context.openStore();
  if (sign === "last") {
    const id = findLastSaved(store);
    if (id !== undefined) return id;
    throw new CtxError("NOT_FOUND", 'Cannot use "@last": nothing has been saved yet', {
      hint: "ctx save TEXT; ctx search QUERY finds other ids",
    });
  }
  const { readShownRows } = await import("./shown_rows.ts");
  const rows = context.surface === "cli" ? readShownRows(store, context.env) : [];
  const [, id, place] = /^(\S+) ?(.*)$/s.exec(rows[Number(sign) - 1] ?? "") ?? [];
  if (place && !isAnywhere) {
    throw new CtxError("NOT_FOUND", `Cannot use "${word}" here: it is an entry of "${place}"`, {
      hint: `ctx get ${id} --workspace ${toShellWord(place)}`,
    });
  }
  if (id !== undefined) return id;
  const had = rows.length === 0 ? "no list was shown" : `the last list had ${rows.length} rows`;
  throw new CtxError("NOT_FOUND", `Cannot use "${word}": ${had} in this terminal`, {
    hint: "ctx search QUERY, ctx ls or ctx sessions shows one",
  });
}

/** An id of another kind says which, and what to do with it. */
function refuseOthers(word: string, wanted: string): void {
  const other = others[word[0]?.toUpperCase()];
  if (other === undefined || !/^[a-z]-[0-9a-z]{3,}$/i.test(word) || other.kind === wanted) return;
  const id = toLine(word, 80);
  throw new CtxError(
    "NOT_FOUND",
    `Cannot use "${id}" as ${wanted}: it is the id of ${other.kind}`,
    {
      hint: `ctx ${other.command} ${id}`,
    },
  );
}

const others: Record<string, { kind: string; command: string }> = {
  H: { kind: "an entry", command: "get" },
  S: { kind: "a session", command: "show" },
  T: { kind: "a trace", command: "traces" },
  G: { kind: "a suggestion", command: "suggest feedback" },
  B: { kind: "a subscription", command: "suggest poll" },
};
