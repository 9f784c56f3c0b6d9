// The secrets that must never be written: ours first, then gitleaks'. Each rule has literal hints;
// without one in the text it costs nothing, and its pattern is compiled when the first one is met.

import { gitleaksRules } from "./gitleaks_rules.ts";
import { commandRules } from "./command_rules.ts";
import { keyRules } from "./key_rules.ts";
import { placeRules } from "./place_rules.ts";
import type { RedactRule } from "./redact_rule.ts";
import { entropyOf, isPlaceholder, isWords } from "./secret_words.ts";
import { shapeRules } from "./shape_rules.ts";
import { tokenRules } from "./token_rules.ts";

export const ownRules: readonly RedactRule[] = [
  ...tokenRules,
  ...placeRules,
  ...commandRules,
  ...keyRules,
  ...shapeRules,
];

const theirs: RedactRule[] = gitleaksRules.map(
  ([name, hints, source, flags = "", entropy = 0, fine]) => ({
    name,
    hints: hints.split(" "),
    source,
    flags,
    floats: 1500,
    accept: (secret) =>
      entropyOf(secret) > entropy && !isPlaceholder(secret) &&
      !(source.includes("§") && isWords(secret)) &&
      (fine === undefined || !new RegExp(fine).test(secret)),
  }),
);

/** All rules, the most specific first: where two find the same, the first gives the name. */
export const redactRules: readonly RedactRule[] = [...ownRules, ...theirs];
