// What of the store fits a prompt, line by line, best first: candidates with how well they fit. The
// gate decides which are said. By words alone: meaning would say more often that things are alike than
// that one answers the other, and costs a hook the time of half an empty program.

import { isOfTeam } from "../pack/pack_item.ts";
import { packLine, withTitle } from "../pack/pack_line.ts";
import { docType, type Entry, isImportedMemory } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";
import { isRecord } from "../../core/rows/record.ts";
import { rarestOf } from "../../search/most_fit.ts";
import { termsOf } from "../../search/rank/terms_of.ts";
import type { SearchRow } from "../../search/row_shape.ts";
import { type FoundEntry, search } from "../../search/run_search.ts";
import type { Store } from "../../store/store.ts";
import { isChangePrompt } from "./change_prompt.ts";
import { changeGates, type Fit, gate, passesGate, savedGate } from "./prompt_gate.ts";
import { minNames, namedTypes, namesIn, namesOnly, slack, toQuery } from "./prompt_query.ts";

export interface PromptLine {
  id: string;
  ts: string;
  label: string;
  text: string;
  fit: Fit;
  /** How well the whole entry fits, at a prompt that wants to change what was made. */
  about?: Fit;
  /** Whether the prompt names all that the entry's title names. */
  isNamed?: true;
  /** Whether it was saved here, not derived from a session. */
  isSaved?: true;
  /** The words that the prompt and the entry share, by rarity. */
  shared: ReadonlyMap<string, number>;
  /** Who of the team wrote it, where that is not the user. */
  author?: string;
  /** The agent that saved it, where that was not the user. */
  saved_by?: string;
}

/** What is asked, and what not to say. */
export interface PromptQuestion {
  prompt: string;
  /** Whether an entry may be said at all: not what this session said or was given. */
  isWanted: (row: Pick<Entry, "id" | "session_id" | "source">) => boolean;
  /** Factors on worth by id, from use. */
  standing?: ReadonlyMap<string, number>;
  /** Whether an entry may be about exactly what the prompt names: looked for by a second search. */
  mayBeNamed?: boolean;
  /** Told of what may not be said, and why. */
  leave?: (id: string, why: string) => void;
  /** Whether lines that cannot pass the gate are left out: of their rows nothing is made. */
  gated?: boolean;
}

const rows = 8;
const lineChars = 300;
/** How lines are looked for that nobody asked for. */
const unasked = {
  k: rows,
  offset: 0,
  scope: "history",
  mode: "lexical",
  exact: true,
  explain: true,
  unasked: true,
} as const;

/** What is looked at where a prompt wants to change what was made. */
const knowledge = { role: "note", type: ["note", "decision", "preference", "fix", "open"] };

/**
 * Never said: what tools print and agents think or said, which is about other work, what only asks, and
 * documents, which are files here.
 */
const unsaid: ReadonlySet<string> = new Set([
  "turn",
  "outcome",
  "tool_call",
  "tool_output",
  "patch",
  "thinking",
  "recall",
  "goal",
  docType,
]);

/**
 * Whether a line may be said: it fits by itself, is about exactly what the prompt names, or tells of what the
 * prompt wants to change.
 */
export function maySay({ fit, about, isNamed, isSaved }: PromptLine): boolean {
  return isNamed || passesGate(fit) || (isSaved === true && passesGate(fit, savedGate)) ||
    (about !== undefined && changeGates.some((least) => passesGate(about, least)));
}

/** Finds lines that share words with a prompt, the best fit first, and what was corrected of these. */
export async function findPromptLines(
  store: Store,
  { prompt, isWanted, standing, leave, gated, mayBeNamed = true }: PromptQuestion,
): Promise<{ lines: PromptLine[]; corrected: string[] }> {
  const isChange = isChangePrompt(prompt);
  const least = isChange ? changeGates[0].share : gate.share;
  const saved = new Set<string>();
  // What was corrected tells of others that they no longer hold.
  const keeps = (entry: Entry, { share, isSuperseded }: FoundEntry): boolean => {
    const { role, type, source } = entry;
    if (role === "note" && !isRecord(entry)) saved.add(entry.id);
    return !gated || isSuperseded ||
      (share + slack >= least && isSayable({ role, type, source }) && isWanted(entry));
  };
  const answer = await search(store, {
    query: toQuery(prompt),
    ...(isChange ? knowledge : {}),
    ...unasked,
  }, { keeps });
  const rarest = rarestOf(answer.coverage.entries);
  const named = mayBeNamed ? await findNamed(store, toQuery(prompt)) : [];
  const isTwice = new Set(named.map(({ id }) => id));
  const rows = [...named, ...answer.rows.filter(({ id }) => !isTwice.has(id))];
  const theirs = rows.filter(({ author }) => author !== undefined).map(({ id }) => id);
  const held = theirs.length === 0 ? undefined : store.find(theirs);
  const isHeld = ({ id, author }: SearchRow): boolean => {
    const entry = author === undefined ? undefined : held?.get(id)?.row?.entry;
    return entry !== undefined && !isOfTeam(entry);
  };
  const lines = rows.filter((row) => isSayable(row) && !isHeld(row) && isWanted(row))
    .map((row): PromptLine => {
      const isSaved = saved.has(row.id) && row.author === undefined;
      const use = standing?.get(row.id) ?? 1;
      // That a note was of no use to other work says nothing against it where it is asked for.
      const factor = isSaved ? Math.max(1, use) : use;
      return {
        ...toPromptLine(row, { rarest, factor, isChange }),
        ...(isTwice.has(row.id) ? { isNamed: true } : {}),
        ...(isSaved ? { isSaved: true } : {}),
      };
    })
    .filter(({ id, text }) => {
      if (isInstructionLike(text)) leave?.(id, "reads like an instruction");
      return !isInstructionLike(text);
    })
    .sort((a, b) => worthOf(b) - worthOf(a));
  const corrected = answer.rows.filter(({ superseded_by }) => superseded_by !== undefined);
  for (const { id, superseded_by } of corrected) leave?.(id, `corrected by ${superseded_by}`);
  return { lines, corrected: corrected.map(({ id }) => id) };
}

/** What was decided about several things by their names, all of which a text names too. */
async function findNamed(store: Store, text: string): Promise<SearchRow[]> {
  const names = namesIn(text);
  if (names.size < minNames) return [];
  const { rows: found } = await search(store, {
    query: [...names].slice(0, maxNames).join(" "),
    role: "note",
    type: namedTypes,
    ...unasked,
  });
  return found.filter(({ title }) => namesOnly(title, names));
}

const maxNames = 12;

function worthOf({ fit, about }: PromptLine): number {
  return about?.worth ?? fit.worth;
}

function isSayable(
  { role, type, source, superseded_by }:
    & Pick<SearchRow, "role" | "type" | "superseded_by">
    & { source?: { agent: string } },
): boolean {
  if (isImportedMemory({ role, source })) return false;
  if (role === "user" && type !== "preference" && type !== "decision") return false;
  // Programs' notices hand on summaries and what other agents wrote.
  return role !== "tool" && role !== "system" && !unsaid.has(type) && superseded_by === undefined;
}

/** The line of a row, and how well that line, not the row, fits. */
function toPromptLine(
  row: SearchRow,
  { rarest, factor, isChange }: { rarest: number; factor: number; isChange: boolean },
): PromptLine {
  const { id, ts, title, snippet, explain } = row;
  const { text } = packLine(withTitle(title, snippet), lineChars);
  const inLine = new Set(termsOf(text).map(({ term }) => term));
  const terms = explain?.terms ?? [];
  const sum = (some: typeof terms): number => some.reduce((total, { idf }) => total + idf, 0);
  const shared = sum(terms.filter(({ term }) => inLine.has(term)));
  const all = sum(terms);
  return {
    id,
    ts,
    label: row.type === "turn" ? row.role : row.type,
    text,
    ...(row.author === undefined ? {} : { author: row.author }),
    ...(row.saved_by === undefined ? {} : { saved_by: row.saved_by }),
    shared: new Map(terms.map(({ term, idf }) => [term, idf])),
    ...(isChange && rarest > 0
      ? { about: { worth: factor * all / rarest, share: explain?.matched_share ?? 0 } }
      : {}),
    fit: {
      worth: rarest <= 0 ? 0 : factor * shared / rarest,
      share: all === 0 ? 0 : (explain?.matched_share ?? 0) * shared / all,
    },
  };
}
