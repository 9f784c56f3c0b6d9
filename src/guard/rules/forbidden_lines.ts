// Words for what lines of code should not have. Pure.

import type { GuardCheck } from "../guard_kinds.ts";

export const inCode =
  "ts tsx js jsx mjs cjs mts py go rs java kt rb php cs swift c cc cpp h vue svelte"
    .split(" ").map((ending) => `*.${ending}`);

/** What a rule calls something, what lines have of it, in which files, and whether comments count. */
export type LineWord = [form: RegExp, adds: string[], endings?: string[], isText?: boolean];

/** What rules often forbid in code. */
export const lineWords: LineWord[] = [
  [/^(?:the )?any(?: types?)?$/i, [
    ": any",
    "as any",
    "any>",
    "any[]",
  ], ["*.ts", "*.tsx", "*.mts"]],
  [/^console[.]logs?(?:\(\))?(?: statements?| calls?)?$/i, ["console" + ".log"], [
    "*.ts",
    "*.tsx",
    "*.js",
    "*.jsx",
    "*.mjs",
  ]],
  [/^(?:print|print\(\)|prints?(?:\(\))? (?:statements?|calls?))$/i, ["print("], ["*.py"]],
  [/^default exports?$/i, ["export default"]],
  [/^(?:todos?|fixmes?)(?: comments?)?$/i, ["TODO", "FIXME"], inCode, true],
  [/^@?ts-ignores?$/i, ["@ts-ignore"], inCode, true],
  [/^eslint-disables?(?: comments?)?$/i, ["eslint-disable"], inCode, true],
  [/^(?:wildcard|star) imports?$/i, ["import [*]", "import *.[*]"], ["*.py", "*.java"]],
  [/^var(?: declarations?)?$/i, ["var "], ["*.ts", "*.tsx", "*.js", "*.jsx"]],
  [/^debugger(?: statements?)?$/i, ["debugger"], ["*.ts", "*.tsx", "*.js", "*.jsx"]],
];

export function ofLine([, adds, endings = inCode, isText = false]: LineWord): GuardCheck {
  return { on: "edit", adds, in: endings, ...(isText ? {} : { outside: "text" as const }) };
}
