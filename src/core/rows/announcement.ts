// Whether a text only says what comes next ("Let me check…"): it tells nothing and answers nothing. Pure.

import { toPlain } from "./blocks.ts";

/** Whether a text only says what comes next. */
export function isAnnouncement(text: string): boolean {
  const plain = toPlain(text);
  return plain.length <= 400 && announces.test(plain) && !/[`\d]{2,}.*\. /.test(plain);
}

const announces =
  /^(?:(?:ok(?:ay)?|now|next|first|then|great|perfect|good|excellent|alright|sure|so|and)\b[,!.:\s]*)*(?:let me|let's (?:look|check|see|start|run|build|set|find|fix|create)|i(?:'ll|’ll| will| need to| am going to|'m (?:going to|looking|checking|now))|now i|next,? i|checking|looking|reading|searching|running)\b/i;
