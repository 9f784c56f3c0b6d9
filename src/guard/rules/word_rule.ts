// Rules about what added lines do not have. Pure.

import { knownModules, tools } from "./known_tools.ts";
import { lineWords, ofLine } from "./forbidden_lines.ts";
import { type CompiledRule, negative, quoted, unquote } from "./compiled_rule.ts";
import { scopeOf, toUnwanted } from "./unwanted.ts";

/** "no default exports", "never use `any`". */
export function wordRule(text: string): CompiledRule | undefined {
  const said = negative.test(text)
    ? text.replace(negative, "").replace(
      /^ (?:use|using|add|adding|write|writing|leave|leaving|import|importing|have|include|put) /i,
      " ",
    ).trim()
    : /^no (.{1,80})$/i.exec(text)?.[1];
  if (said === undefined) return undefined;
  const [what, except] = scopeOf(said);
  if (what === undefined) return undefined;
  const scope = except === undefined ? {} : { except };
  const known = lineWords.find(([form]) => form.test(what.replace(/[`'"]/g, "")));
  if (known !== undefined) return { check: ofLine(known), ...scope };
  const isNamed = new RegExp(`^(?:the )?${quoted}(?: (?:package|library|module|type|keyword))?$`)
    .test(what);
  const one = what.replace(/^the /, "").replace(/ (?:library|package|module|type|keyword)$/, "");
  const isPlain = /^[\w@][\w./@-]{1,40}$/.test(one) && one !== what;
  const items = one.split(/,? (?:or|and) |, ?/).map((item) => unquote(item).toLowerCase());
  const isTool = /\b(?:use|using|run|running|install|import)/i.test(text) &&
    items.every((item) => tools.has(item) || knownModules.has(item));
  const unwanted = isNamed || isPlain || isTool ? toUnwanted(one, text) : undefined;
  return unwanted && { ...unwanted, ...scope };
}
