// Finds the passage of an answer that a prompt is about: the neighbouring sentences or list items that
// contain most of its words, as one line that can be read on its own. Pure.

import { packLine } from "../pack/pack_line.ts";
import { termsOf } from "../../search/rank/terms_of.ts";

/** Sentences, items of a list and lines of a text. */
const breaks = /\n+|(?<=[.!?:]["'`)*]*)\s+(?=[\p{Lu}`*"(])/u;
/** Says how it went, not what was done. */
const empty =
  /^(?:all (?:done|good|green|clean|passing)|done|perfect|great|good|everything|here'?s|the (?:implementation|fix|change|work) is (?:complete|done|in place))\b[^.:]{0,60}[.:!]?$|^all [\d,/]* ?tests pass[^.]*\.?$/i;

/** The passage with most of some words, counted by their rarity, within so many characters. */
export function passageOf(
  text: string,
  rarity: ReadonlyMap<string, number>,
  maxChars: number,
): string {
  const parts = text.split(breaks).map((part) => toPlain(part))
    .filter((part) => part.length > 2 && !empty.test(part));
  const terms = parts.map((part) => new Set(termsOf(part).map(({ term }) => term)));
  let best = { from: 0, to: 1, worth: -1 };
  for (let from = 0; from < parts.length; from++) {
    const found = new Set<string>();
    let worth = 0;
    let chars = 0;
    for (let to = from; to < parts.length; to++) {
      chars += parts[to].length + 1;
      if (chars > maxChars && to > from) break;
      for (const term of terms[to]) {
        if (found.has(term)) continue;
        found.add(term);
        worth += rarity.get(term) ?? 0;
      }
      // Of two with the same words the later one begins nearer to them.
      if (worth > best.worth || (worth === best.worth && to < best.to)) {
        best = { from, to: to + 1, worth };
      }
    }
  }
  return packLine(parts.slice(best.from, best.to).join(" "), maxChars).text;
}

/** A part without the marks of a list, a heading or a table. */
function toPlain(part: string): string {
  return part.replace(/^\s*(?:[-*•>]|\d+[.)]|#{1,6}|\|)\s+/, "").replaceAll("**", "").trim();
}
