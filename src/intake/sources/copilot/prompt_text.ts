// The text of a tool's result as VS Code keeps it: a string, a list of parts, or a tree of prompt
// elements (prompt-tsx) of any depth, so it is walked without recursion. Pure.

import { toObject } from "../loose_json.ts";

const textNode = 2;
const imageKind = 3;
/** Stands between two parts of a list: a line ends where text follows. */
const lineEnd = Symbol("line end");

/** The text in a result, in its order. */
export function promptText(value: unknown): string {
  const pending: unknown[] = [value];
  let text = "";
  let isLineDue = false;
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === lineEnd) isLineDue = true;
    else if (typeof next === "string") {
      if (next === "") continue;
      text += isLineDue && text !== "" ? `\n${next}` : next;
      isLineDue = false;
    } else if (Array.isArray(next)) {
      for (let i = next.length - 1; i >= 0; i--) {
        pending.push(next[i]);
        if (i > 0) pending.push(lineEnd);
      }
    } else {
      const node = toObject(next);
      if (node === undefined) continue;
      if (node.type === textNode && node.lineBreakBefore) isLineDue = true;
      if (node.ctor === imageKind) pending.push("[image]");
      else if (Array.isArray(node.children)) {
        // Pieces of one text: they tell themselves where a line ends.
        for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
      } else pending.push(node.value ?? node.text ?? node.content ?? node.node);
    }
  }
  return text;
}
