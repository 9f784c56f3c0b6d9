// Rules about how things are named. Pure.

import { kind, kindOf } from "./code_kind.ts";
import { type CompiledRule, quoted, unquote } from "./compiled_rule.ts";

const caseWords: [RegExp, string][] = [
  [/snake[ _-]?case/i, "snake_case"],
  [/pascal[ _-]?case|upper ?camel ?case/i, "PascalCase"],
  [/\bCamelCase/, "PascalCase"],
  [/camel[ _-]?case/i, "camelCase"],
  [/(?:all )?upper[ _-]?case|screaming/i, "UPPERCASE"],
  [/kebab[ _-]?case/i, "kebab-case"],
];

const nameForms: [RegExp, (word: string) => string][] = [
  [
    new RegExp(
      `^(?:always )?(?:start|begin|prefix) (?:all |your )?${kind} names? with (?:the (?:prefix|string) )?(\\S+)$`,
      "i",
    ),
    (word) => `${word}*`,
  ],
  [
    new RegExp(
      `^(?:always )?(?:end|suffix) (?:all |your )?${kind} names? with (?:the (?:suffix|string) )?(\\S+)$`,
      "i",
    ),
    (word) => `*${word}`,
  ],
  [
    new RegExp(
      `^(?:all )?${kind} names? (?:must |should |always )*(?:start|begin)s? with (\\S+)$`,
      "i",
    ),
    (word) => `${word}*`,
  ],
  [
    new RegExp(`^(?:all )?${kind} names? (?:must |should |always )*ends? (?:with|in) (\\S+)$`, "i"),
    (word) => `*${word}`,
  ],
];

/** "start function names with x_", "use snake_case for variables". */
export function nameRule(text: string): CompiledRule | undefined {
  for (const [form, toPattern] of nameForms) {
    const [, of, word] = form.exec(text) ?? [];
    const names = of === undefined ? undefined : kindOf(of);
    if (names === undefined) continue;
    const like = toPattern(unquote(word));
    return { check: { on: "edit", names, like }, instead: `use a name that matches ${like}` };
  }
  const [, part, inNames] =
    new RegExp(`^(?:always )?include (.{1,60}?) in (?:all |your )?${kind} names?$`, "i").exec(
      text,
    ) ??
      [];
  const names = inNames === undefined ? undefined : kindOf(inNames);
  if (names !== undefined) {
    const word = new RegExp(quoted).exec(part)?.[1];
    const like = word !== undefined ? `*${word}*` : /\bdigit\b/i.test(part) ? "*[0-9]*" : undefined;
    if (like !== undefined) {
      return { check: { on: "edit", names, like }, instead: `use a name that matches ${like}` };
    }
  }
  return ofCase(text);
}

/** "use snake_case for function names", "class names are in PascalCase". */
function ofCase(text: string): CompiledRule | undefined {
  const [, how, of] =
    new RegExp(`^(?:always )?use (.{1,30}?) for (?:all |your )?${kind}(?: names?)?$`, "i").exec(
      text,
    ) ??
      [];
  const [, ofFirst, howLast] = new RegExp(
    `^(?:all )?${kind}(?: names?)? (?:are|is|must be|should be|in|always) (?:in |written in )?(.{1,30})$`,
    "i",
  ).exec(text) ?? [];
  const names = kindOf(of ?? ofFirst ?? "");
  const like = caseWords.find(([form]) => form.test(how ?? howLast ?? ""))?.[1];
  if (names === undefined || like === undefined) return undefined;
  return { check: { on: "edit", names, like }, instead: `write its name in ${like}` };
}
