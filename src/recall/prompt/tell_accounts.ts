// Answers and outcomes sent with a prompt. Each is sent as a passage of the answer, or of the one that it
// was derived from: whole sentences of what the agent said itself. Loaded only if there are any.

import type { Entry } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";
import { isCandidate } from "../../core/rows/record.ts";
import { FirstSaid } from "../../read/first_said.ts";
import { ownWords } from "../../core/voice/spans_of.ts";
import { readEntries } from "../../read/find_entries.ts";
import { getMessages } from "../../read/session_messages.ts";
import type { Store } from "../../store/store.ts";
import { passageOf } from "./passage_of.ts";
import type { PromptLine, PromptQuestion } from "./prompt_lines.ts";

/** The lines, outcomes in the words of their answers; adds these to the entries. */
export async function tellAccounts(
  store: Store,
  lines: PromptLine[],
  { entries, isWanted }: {
    entries: Map<string, Entry>;
    isWanted: PromptQuestion["isWanted"];
  },
): Promise<PromptLine[]> {
  const found = lines.flatMap(({ id }) => entries.get(id) ?? []);
  const accounts = await findAccounts(store, found, isWanted);
  const told = lines.flatMap((line) => accountFor(line, { entries, accounts }));
  for (const answer of accounts.values()) entries.set(answer.id, answer);
  return await withoutRepeated(store, told, entries);
}

/** Without answers that say what the agent had read: somebody else's words. */
async function withoutRepeated(
  store: Store,
  lines: readonly PromptLine[],
  entries: ReadonlyMap<string, Entry>,
): Promise<PromptLine[]> {
  const said = new Map<string, FirstSaid>();
  const kept: PromptLine[] = [];
  for (const line of lines) {
    const { role, session_id: id } = entries.get(line.id) ?? {};
    if (role === "assistant" && id !== undefined) {
      const messages = said.has(id) ? [] : await getMessages(store, id);
      const first = said.get(id) ?? new FirstSaid(messages.map(({ entry }) => entry));
      said.set(id, first);
      if (first.findOutside(line.text) !== undefined) continue;
    }
    kept.push(line);
  }
  return kept;
}

/**
 * The answers that close exchanges in which files were edited, by the ids of their outcomes: what an agent
 * said that it did, and did. An outcome's own text is only a candidate.
 */
async function findAccounts(
  store: Store,
  entries: Entry[],
  isWanted: PromptQuestion["isWanted"],
): Promise<Map<string, Entry>> {
  const edited = entries.filter(({ type, files = [] }) => type === "outcome" && files.length > 0);
  const answers = await readEntries(store, edited.flatMap(({ refs = [] }) => refs.slice(0, 1)));
  return new Map(edited.flatMap(({ id, refs = [] }) => {
    const answer = answers.get(refs[0]);
    return answer === undefined || !isWanted(answer) ? [] : [[id, answer]];
  }));
}

/** An outcome as the passage of its answer that the prompt is about; anything else as it is. */
function accountFor(
  line: PromptLine,
  { entries, accounts }: {
    entries: ReadonlyMap<string, Entry>;
    accounts: ReadonlyMap<string, Entry>;
  },
): PromptLine[] {
  const entry = entries.get(line.id);
  if (entry?.type === "turn" && entry.role === "assistant") return toPassage(line, entry);
  if (entry === undefined || !isCandidate(entry) || entry.type !== "outcome") return [line];
  const account = accounts.get(line.id);
  return account === undefined ? [] : toPassage(line, account);
}

/** The passage of an answer that the prompt is about; nothing of what the answer only quotes. */
function toPassage(line: PromptLine, answer: Entry): PromptLine[] {
  const text = passageOf(ownWords(answer), line.shared, passageChars);
  if (text === "" || isInstructionLike(text)) return [];
  return [{ ...line, id: answer.id, label: answer.role, text }];
}

const passageChars = 260;
