// Rules about what functions, classes and files must have. Pure.

import { kind, kindOf } from "./code_kind.ts";
import { type CompiledRule, quoted } from "./compiled_rule.ts";

/** "always use docstrings in functions", "always import 'gzip'". */
export function contentRule(text: string): CompiledRule | undefined {
  const [, decorator, of] = new RegExp(
    `^(?:always )?(?:add|use|put) (?:the )?['"\`]?@([\\w.]+)['"\`]? decorator (?:from .{1,40} )?(?:to|on|for) (?:all |every |each )?${kind}$`,
    "i",
  )
    .exec(text) ?? [];
  const decorated = of === undefined ? undefined : kindOf(of);
  if (decorated !== undefined) {
    const has = `@${decorator.split(".").at(-1)}`;
    return { check: { on: "edit", each: decorated, has }, instead: `add ${has}` };
  }
  const [, what, on] = new RegExp(
    `^(?:always )?(?:use|add|include|write|have) (docstrings?|(?:type )?annotations?|type hints?|try(?:-except)? (?:statements?|blocks?)|assert(?:ion)?(?: statements?)?s?) (?:for|in|to|on) (?:all |every |each |your )?${kind}$`,
    "i",
  ).exec(text) ?? [];
  const each = on === undefined ? undefined : kindOf(on);
  if (each !== undefined) {
    const has = contentNames.find(([form]) => form.test(what))?.[1];
    if (has !== undefined) return { check: { on: "edit", each, has }, instead: `add ${has}` };
  }
  const [, module] = new RegExp(
    `^always import (?:the )?${quoted} (?:module|package|library)`,
    "i",
  ).exec(text) ?? [];
  if (module !== undefined) {
    const check = { on: "edit", each: "file", has: `import ${module}` } as const;
    return { check, instead: `import ${module}` };
  }
  if (/^always (?:add|include|write|use) comments (?:in|to) (?:your|the|all) code$/i.test(text)) {
    return { check: { on: "edit", each: "file", has: "comments" }, instead: "add comments" };
  }
  return undefined;
}

const contentNames: [RegExp, string][] = [
  [/^docstring/i, "docstring"],
  [/annotation|type hint/i, "annotations"],
  [/^try/i, "try"],
  [/^assert/i, "assert"],
];
