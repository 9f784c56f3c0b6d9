// Where a text stands in the messages of a session, with what calls were given and edits changed. Pure.

import * as s from "../../command/shape.ts";
import { toFindPattern } from "../../core/rows/find_pattern.ts";
import { alignToCharacter } from "../../core/text.ts";
import { toFullText } from "../full_text.ts";
import type { SessionMessage } from "../session_messages.ts";

/** A message that holds the text: how often, and the line where it stands first, cut around it. */
export const foundMessage = s.object({
  ...s.each(s.number(), "message_index", "count"),
  ...s.each(s.text(), "id", "role", "type", "line"),
});

/** The messages that hold a text, in order. */
export function findInMessages(
  messages: readonly SessionMessage[],
  text: string,
  chars: number,
): s.ValueOf<typeof foundMessage>[] {
  const pattern = toFindPattern(text);
  if (pattern === undefined) return [];
  return messages.flatMap(({ number, entry }) => {
    const { id, role, type } = entry;
    const whole = toFullText(entry);
    let count = 0;
    let first = 0;
    for (const { index } of whole.matchAll(pattern)) {
      if (count === 0) first = index;
      count++;
    }
    if (count === 0) return [];
    return { message_index: number, id, role, type, count, line: lineAt(whole, first, chars) };
  });
}

/** The line of a place; of a long one what is around the place. */
function lineAt(text: string, at: number, chars: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - Math.floor(chars / 2));
  const end = text.indexOf("\n", at);
  const from = alignToCharacter(text, start);
  const to = alignToCharacter(text, Math.min(end < 0 ? text.length : end, from + chars));
  return text.slice(from, to).trim();
}
