// What a person typed, out of the messages that OpenClaw passes on in their name. It puts an envelope
// around each (channel, sender and time), blocks of context before and after, and sends messages of its
// own: heartbeats, the start after a reset, a sub-agent's task. Pure.

import type { Range } from "./span.ts";

const opening = {
  /** A line that names a block of context; the block follows between fences, or up to an empty line. */
  context:
    /[^\n]{1,80}(?:\(untrusted(?: metadata|, for context)\):|⟦openclaw:ctx⟧)[ \t]*\n(?:```json\n[^]*?\n```|(?:[^\n]+(?:\n|$))+)/y,
  event: /System(?: \(untrusted\))?: \[[^\]\n]*\][^\n]*/y,
  chat: /\[Chat messages since your last reply - for context\][^]*?\n\[Current message[^\]\n]*\]/y,
  subAgent: /\[Subagent Context\][^]*?\[Subagent Task\]:?/y,
  hint: /\[(?:message_id: |media attached)[^\n]*\](?=\n|$)|To send an image back,[^\n]*/y,
};
const envelope =
  /\[(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) |(?:WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|Teams|MSTeams|Matrix|Mattermost|Feishu|Line|IRC|Nostr|Zalo|Zalo Personal|BlueBubbles) [^\]\n]*?)\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]*\] */y;
const context =
  /\n[ \t]*(?:Untrusted context \(metadata, [^\n]*\):|Context: ⟦openclaw:ctx⟧)[ \t]*\n/;
const lastHint = /^[ \t]*\[(?:message_id: |from: )[^\]\n]*\]$/;
const own =
  /^(?:A new session was started via \/new or \/reset|Read HEARTBEAT\.md if it exists|Pre-compaction memory flush|Continue where you left off\. The previous model)/;

/** Where the words are in a message that OpenClaw wrote or wrapped; undefined in other messages. */
export function findOpenclawWords(text: string): Range | undefined {
  const from = skipOpening(text);
  if (own.test(text.slice(from, from + 100))) return { from: text.length, to: text.length };
  const isWrapped = text.slice(0, from).trim() !== "";
  const to = skipClosing(text, from);
  const isClosed = text.slice(to).trim() !== "";
  return isWrapped || isClosed ? { from, to } : undefined;
}

/** Where what stands before the words ends; of envelopes there is one. */
function skipOpening(text: string): number {
  let isOpen = false;
  let at = 0;
  while (true) {
    while (/\s/.test(text.charAt(at))) at++;
    const found = [...Object.values(opening), ...(isOpen ? [] : [envelope])].find((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(text);
    });
    if (found === undefined) return at;
    if (found === envelope) isOpen = true;
    at = found.lastIndex;
  }
}

/** Where the words end: before a block of context, and before the hints of the last lines. */
function skipClosing(text: string, from: number): number {
  const cut = context.exec(from === 0 ? text : text.slice(from));
  let to = cut === null ? text.length : from + cut.index;
  while (true) {
    while (to > from && /\s/.test(text.charAt(to - 1))) to--;
    const line = text.lastIndexOf("\n", to - 1);
    if (line < from || !lastHint.test(text.slice(line + 1, Math.min(to, line + 500)))) break;
    to = line;
  }
  return to;
}
