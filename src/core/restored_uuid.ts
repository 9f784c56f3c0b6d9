// UUIDs of messages that ctx writes into other agents' transcripts: made from the id of the entry,
// with a mark of our own, so that importing knows them for copies of what the store has, or has
// forgotten, even after the agent has rewritten the file. Version 5 (made from a name): Qwen Code takes
// versions 1 to 5 only. Earlier transcripts have version 8.

import { hash64, hashHex } from "./hash.ts";

/** What begins the random part of ids in other agents' own form (OpenCode's), where ctx wrote them. */
const handedMark = "ctx0";

/** "ctx" in ASCII, and a zero. */
const mark = "63747800";

/** The UUID for an id: always the same. */
export function makeRestoredUuid(id: string): string {
  const words = [...hash64(id), ...hash64(id, 1)].slice(0, 3);
  const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${mark}-${hex.slice(0, 4)}-5${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/** The random part of OpenCode's form of an id: always the same. */
export function makeHandedTail(id: string): string {
  return `${handedMark}${hashHex(id).slice(0, 14 - handedMark.length)}`;
}

/** Whether a conversation has the id that a session is handed to other agents with. */
export function isHandedAs(session: string, conversation: string): boolean {
  return conversation === makeRestoredUuid(session) ||
    (conversation.startsWith("ses_") && conversation.endsWith(makeHandedTail(session)));
}

/** Whether an id is one that ctx made: a UUID, or one of OpenCode's. */
export function isRestoredId(text: string): boolean {
  if (/^(?:msg|prt|ses)_[0-9a-f]{12}/.test(text)) return text.startsWith(handedMark, 16);
  return text.startsWith(mark) && /^.{8}-[0-9a-f]{4}-[58][0-9a-f]{3}-a[0-9a-f]{3}-/.test(text);
}
