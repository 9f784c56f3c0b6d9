// Turns a rule in the user's words into a check, by templates and never by a model: what is not one of
// them says so and stays a rule that is told. Pure.

import { commandRule } from "./command_rule.ts";
import { contentRule } from "./content_rule.ts";
import { endRule } from "./end_rule.ts";
import { nameRule } from "./name_rule.ts";
import { pairRule } from "./pair_rule.ts";
import { placeRule } from "./place_rule.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import { readRule } from "./read_rule.ts";
import { touchRule } from "./touch_rule.ts";
import { wordRule } from "./word_rule.ts";

/** The check of a rule; undefined where no template fits. */
export function compileRule(rule: string): CompiledRule | undefined {
  const text = normalize(rule);
  if (text.length > maxChars) return undefined;
  for (const template of templates) {
    const found = template(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

const maxChars = 400;
/** One line, straight quotes, no politeness, no full stop. */
function normalize(rule: string): string {
  return rule.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, " ").trim()
    .replace(/^(?:[-*•]|\d+[.)])\s+/, "").replace(/\*\*/g, "")
    .replace(
      /^(?:(?:please|also|and|but|ok|okay|so|note|important|rule|remember|reminder|from now on|in this (?:repo|project|repository|codebase))[,:]?\s+(?:that\s+|to\s+)?)+/i,
      "",
    )
    .replace(/^(?:you|we|agents?)\s+(?:must|should|need to|have to|are to)\s+/i, "always ")
    .replace(/\balways never\b/i, "never").replace(/\balways not\b/i, "never")
    .replace(/\b(?:make sure|be sure|ensure)\s+(?:to|that you|you)\s+/i, "")
    .replace(/(\S)[.!]+$/, "$1");
}

/** The first that fits, counts. */
const templates: readonly ((text: string) => CompiledRule | undefined)[] = [
  nameRule,
  contentRule,
  pairRule,
  commandRule,
  touchRule,
  readRule,
  placeRule,
  endRule,
  wordRule,
];
