// The search of an archive: every message a row of an Orama database, made in the browser while the
// list is already there. A long output counts by its beginning.

import type { Entry } from "../../core/entry.ts";
import { firstLine } from "../../core/text.ts";
import { toLocalDay } from "../../core/time/local_day.ts";
import { factsOf } from "../../read/share/archived_session.ts";
import { withoutUnseen } from "../../read/share/escape_html.ts";
import type { SharedSession } from "../../read/share/shared_session.ts";
import {
  type FoundTexts,
  type TextAsk,
  TextDatabase,
  type TextRow,
} from "../data/text_database.ts";
import { kindWord } from "../parts/kind_word.ts";

/** What results can be narrowed by. */
export const facetNames = ["agent", "role", "type", "day"] as const;

/** How much of a text is searched: what people and agents say whole, what programs print less. */
const [saidChars, printedChars] = [8000, 600];

/** Where a row is, and what is shown of it. */
export interface FoundMessage {
  session: number;
  anchor: string;
  kind: string;
  ts: string;
  text: string;
}

/** The messages of an archive. */
export class ArchiveIndex {
  readonly #database = new TextDatabase(facetNames);
  readonly #messages: FoundMessage[] = [];

  /** Adds a session with those that it started. */
  async add(session: SharedSession, number: number): Promise<void> {
    const rows: TextRow[] = [];
    this.#collect(session, number, rows);
    await this.#database.add(rows);
  }

  async find(ask: TextAsk): Promise<FoundTexts & { messages: FoundMessage[] }> {
    const found = await this.#database.find(ask);
    return { ...found, messages: found.rows.map((row) => this.#messages[row]) };
  }

  #collect(session: SharedSession, number: number, rows: TextRow[], prefix = `s${number}m`): void {
    const { agent } = factsOf(session);
    let agents = 0;
    const below = (one: SharedSession): void =>
      this.#collect(one, number, rows, `${prefix}a${++agents}m`);
    for (const message of session.messages) {
      for (const entry of [message.entry, ...message.outputs]) {
        const { role, type, ts } = entry;
        const text = withoutUnseen(searchedText(entry));
        const values = { agent, role: kindWord("turn", role), type: kindWord(type, "") };
        rows.push({ text, ...values, day: toLocalDay(Date.parse(ts)) });
        this.#messages.push({
          session: number,
          anchor: `${prefix}${message.number}`,
          kind: kindWord(type, role),
          ts,
          text,
        });
      }
      message.agents.forEach(below);
    }
    session.agents.forEach(below);
  }
}

function searchedText({ text, type, role, files = [] }: Entry): string {
  const isSaid = role === "user" || role === "assistant" && type !== "tool_call" || role === "note";
  const cut = text.slice(0, isSaid ? saidChars : printedChars);
  return files.length === 0 || isSaid ? cut : `${cut}\n${files.join("\n")}`;
}

/** The line of a text where one of some words is first, or its first line. */
export function lineWith(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  if (at.length === 0) return firstLine(text, 200);
  const from = Math.max(0, Math.min(...at) - 60);
  return `${from > 0 ? "…" : ""}${firstLine(text.slice(from), 200)}`;
}
