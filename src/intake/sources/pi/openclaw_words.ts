// What a person typed, out of the messages that OpenClaw passes on in their name. It puts an envelope
// around each (channel, sender and time), blocks of context before and after, and sends messages of its
// own: heartbeats, the start after a reset, a sub-agent's task. Pure.

import { withoutBlocks } from "../without_blocks.ts";

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
const closing =
  /\n[ \t]*(?:\[(?:message_id: |from: )[^\]\n]*\]$|(?:Untrusted context \(metadata, [^\n]*\):|Context: ⟦openclaw:ctx⟧)[ \t]*\n)/;
const own =
  /^(?:A new session was started via \/new or \/reset|Read HEARTBEAT\.md if it exists|Pre-compaction memory flush|Continue where you left off\. The previous model)/;

/** The words in a message of the user's side; empty when OpenClaw wrote it by itself. */
export function typedInOpenclaw(text: string): string {
  const said = withoutOpening(withoutBlocks(text, ["relevant-memories", "active_memory_plugin"]));
  if (own.test(said)) return "";
  let rest = said.trimEnd();
  for (let end = closing.exec(rest); end !== null; end = closing.exec(rest)) {
    rest = rest.slice(0, end.index).trimEnd();
  }
  return rest;
}

/** The text behind what stands before it; of envelopes it has one. */
function withoutOpening(text: string): string {
  let isOpen = false;
  let at = 0;
  while (true) {
    while (/\s/.test(text.charAt(at))) at++;
    const found = [...Object.values(opening), ...(isOpen ? [] : [envelope])].find((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(text);
    });
    if (found === undefined) return text.slice(at);
    if (found === envelope) isOpen = true;
    at = found.lastIndex;
  }
}
