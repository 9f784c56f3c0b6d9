// Chats as sessions, and questions whose evidence stands in known sessions: the same for every tool.

import { stopWords } from "../../src/index/text/tokenize.ts";
import { loadQualitySets } from "../quality/public_sets.ts";

/** A session as every tool gets it. */
export interface ChatSession {
  name: string;
  /** `Speaker: text`, in order. */
  turns: { ts: string; role: string; text: string }[];
}

/** A question, and the sessions that have its evidence. */
export interface ChatQuestion {
  text: string;
  /** Its words without stop words. */
  words: string[];
  sessions: ReadonlySet<string>;
}

/** Every how many questions one is asked: some answers are long. */
const step = 4;

/** Loads the chats of LoCoMo-dev from a directory of sets. */
export function loadChats(
  directory: string,
): { sessions: ChatSession[]; questions: ChatQuestion[] } {
  const groups = loadQualitySets(directory).find(({ name }) => name === "locomo-dev")?.groups ?? [];
  const sessions = new Map<string, ChatSession>();
  const questions = groups.flatMap(({ rows, queries }) => {
    const sessionOf = new Map<string, string>();
    for (const row of rows) {
      const name = String(row.session_id);
      sessionOf.set(String(row.id), name);
      const session = sessions.get(name) ?? { name, turns: [] };
      sessions.set(name, session);
      session.turns.push({ ts: String(row.ts), role: String(row.role), text: String(row.text) });
    }
    return queries.map(({ text, relevant }) => ({
      text,
      words: wordsOf(text),
      sessions: new Set([...relevant].flatMap((id) => sessionOf.get(id) ?? [])),
    }));
  });
  return {
    sessions: [...sessions.values()],
    questions: questions.filter((item) => item.sessions.size > 0).filter((_, i) => i % step === 0),
  };
}

/** A session as one text, for tools that keep texts. */
export function textOf({ turns }: ChatSession): string {
  const day = turns[0].ts.slice(0, 10);
  return [`Chat of ${day}`, ...turns.map(({ text }) => text)].join("\n");
}

function wordsOf(text: string): string[] {
  const words = text.replaceAll(/['’]s\b/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  const kept = words.filter((word) => !stopWords.has(word.toLowerCase()));
  return [...new Set(kept.length > 0 ? kept : words)];
}
