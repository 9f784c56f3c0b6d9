// A conversation cut to what a model can take: the oldest turns and the oldest tool results go
// first; the instructions, the last question and the newest results stay. Pure.

import { countTokens } from "../core/tokens.ts";
import type { Message } from "./llm/message.ts";

const leftOut = "[left out to save space]";

/** The messages that fit; nothing is changed when all do. */
export function fitMessages(messages: Message[], budgetTokens: number): Message[] {
  let total = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  if (total <= budgetTokens) return messages;
  const fitted = [...messages];
  const lastUser = fitted.findLastIndex((message) => message.role === "user");
  for (let i = 0; i < fitted.length - 1 && total > budgetTokens; i++) {
    const message = fitted[i];
    if (message.role !== "tool" || message.content === leftOut) continue;
    total -= sizeOf(message);
    fitted[i] = { ...message, content: leftOut };
    total += sizeOf(fitted[i]);
  }
  const kept = fitted.filter((message, i) => {
    const isOldTalk = i < lastUser && message.role !== "system";
    if (!isOldTalk || total <= budgetTokens) return true;
    total -= sizeOf(message);
    return false;
  });
  return kept.map((message) => {
    if (total <= budgetTokens || message.role === "system") return message;
    const size = sizeOf(message);
    const share = Math.max(0.1, 1 - (total - budgetTokens) / size);
    if (message.content.length < 2000) return message;
    const cut = { ...message, content: cutText(message.content, share) };
    total -= size - sizeOf(cut);
    return cut;
  });
}

function cutText(text: string, share: number): string {
  return `${text.slice(0, Math.floor(text.length * share))}\n${leftOut}`;
}

function sizeOf(message: Message): number {
  const calls = message.role === "assistant" ? JSON.stringify(message.tool_calls ?? "") : "";
  return countTokens(message.content) + countTokens(calls) + 4;
}
