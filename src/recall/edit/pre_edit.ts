// What an agent's pre-edit hook is answered: a few lines about the file it is going to edit, or
// nothing. Reads what the store says of it; never walks the workspace or waits for more than a lock.

import { escapeMarkup, fenceHints } from "../../core/rows/fence.ts";
import { countTokens, roomWithin } from "../../core/tokens.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import type { Store } from "../../store/store.ts";
import { isBookkeeping } from "../../code/git/bookkeeping_file.ts";
import { sayOnce } from "./describe_item.ts";
import { findHookSubject, findLines, isLook } from "./hook_edit.ts";
import type { Ranked, RankedItem } from "./rank_suggestions.ts";
import { suggest, type SuggestRequest } from "./run_suggest.ts";
import { readMemory } from "./suggestion_memory.ts";
import { findInWorkspace } from "./graph/workspace_path.ts";

/** What the hook needs beside the store. */
export interface PreEditOptions {
  store: Store;
  now: () => number;
  random: () => string;
  cwd: string;
  settings: Pick<SuggestRequest, "cooldownMs" | "recentChangeDays" | "rank">;
  /** The answer has at most this many tokens. */
  maxTokens: number;
  /** Finds what the very lines at hand were written for; asked when there are several. */
  cite?: (edited: EditedLines) => Promise<Citation | undefined>;
  /** Nothing counts as said: only to see what would be. */
  isPreview?: boolean;
}

/** The most that it says where nobody says otherwise. */
export const defaultHookTokens = 400;

/** The lines that an edit replaces, or that were read before it. */
export interface EditedLines {
  path: string;
  lines: readonly string[];
  /** The agent's id of its conversation. */
  conversation: string;
}

/** What lines were written for, in one line; `note` is called when it is said. */
export interface Citation {
  id: string;
  text: string;
  note: (tokens: number) => Promise<void>;
}

/** A single line tells too little to be sure whose it is. */
const leastCited = 2;

/** The answer: text for the agent, empty when there is nothing to say. */
export interface PreEditAnswer {
  text: string;
  suggestion_id: string | null;
  items: RankedItem[];
  /** Its lines: the entry, file or commit that each is of. */
  lines: SaidHint[];
  /** How much was found and is not among the items, and how long this file still rests. */
  withheld: Ranked["withheld"];
  cooling_ms: number;
}

export interface SaidHint {
  id: string;
  kind: string;
  text: string;
}

const nothingSaid: PreEditAnswer = {
  text: "",
  suggestion_id: null,
  items: [],
  lines: [],
  withheld: { below_score: 0, repeated: 0, over_limit: 0 },
  cooling_ms: 0,
};

/** Answers a hook; anything it cannot make sense of is answered with nothing. */
export async function answerPreEdit(
  payload: unknown,
  options: PreEditOptions,
): Promise<PreEditAnswer> {
  const subject = findHookSubject(payload);
  const { store, now, random, settings, isPreview } = options;
  const { workspace } = store.layout;
  const place = subject &&
    findInWorkspace(subject.file, { workspace, cwd: subject.cwd ?? options.cwd });
  if (subject === undefined || place === undefined) return nothingSaid;
  const { path, root } = place;
  const readText = readOnce(`${root}/${path}`);
  if (isBookkeeping(path, readText())) return nothingSaid;
  const { id, items, withheld, cooling_ms } = await suggest({
    path,
    recent: [],
    session: subject.session,
    client: subject.agent,
    reports: [],
    code: false,
    readText,
    isUnasked: true,
    onlyTold: !isPreview,
    ...settings,
  }, { store, now, random, isPreview });
  const lines = findLines(payload, readText() ?? "");
  const { session: conversation } = subject;
  // Of a whole file, what was decided about it says as much: who reads it need not wait for more.
  const isEnough = isLook(payload) && items.some(({ type }) => type === "decision");
  const cited = lines.length < leastCited || conversation === undefined || isEnough
    ? undefined
    : await options.cite?.({ path, lines, conversation });
  // A decision that is told anyway, or was when the file was read, is told once.
  const isNew = cited !== undefined && !items.some(({ entity_id }) => entity_id === cited.id) &&
    readMemory(store.files, store.layout, conversation).shown[conversation ?? ""]?.[cited.id] ===
      undefined;
  const citation = isNew ? cited : undefined;
  const rendering = { id, path, maxTokens: options.maxTokens, citation };
  const said = renderWithin(items, rendering);
  if (!isPreview && citation !== undefined && said.lines[0]?.kind === citedKind) {
    await citation.note(countTokens(said.lines[0].text));
  }
  return { ...said, suggestion_id: id, items, withheld, cooling_ms };
}

/** Reads a file when it is first asked for. */
function readOnce(path: string): () => string | undefined {
  let read: { text?: string } | undefined;
  return () => (read ??= { text: findSmallText(path) }).text;
}

const citedKind = "cited decision";

/** As many items as fit; recalled text is data, and says so. */
function renderWithin(
  items: RankedItem[],
  { id, path, maxTokens, citation }: {
    id: string | null;
    path: string;
    maxTokens: number;
    citation?: Citation;
  },
): { text: string; lines: SaidHint[] } {
  const lines: SaidHint[] = [];
  const room = roomWithin(maxTokens);
  const fence = (more: string[] = []): string =>
    fenceHints([...lines.map(({ text }) => text), ...more], path);
  const first = citation && escapeMarkup(citation.text);
  if (first !== undefined && countTokens(fence([first])) <= room) {
    lines.push({ id: citation?.id ?? "", kind: citedKind, text: first });
  }
  const bare = lines.length;
  for (const [i, item] of items.entries()) {
    const { head: said, rest } = sayOnce(item);
    const summary = item.type === "related_code" || rest === "" ? "" : `: ${rest}`;
    const line = escapeMarkup(
      `${i + 1}. ${said} (${item.relevance_score.toFixed(2)}; ${item.reason})${summary}`,
    );
    if (countTokens(fence([line, feedbackLine(id)])) > room) break;
    lines.push({ id: item.entity_id, kind: item.type, text: line });
  }
  if (lines.length === 0) return { text: "", lines };
  return { text: fence(lines.length === bare ? [] : [feedbackLine(id)]), lines };
}

function feedbackLine(id: string | null): string {
  return `Feedback: ctx suggest feedback ${id} used|dismissed --item N`;
}
