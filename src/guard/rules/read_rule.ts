// Rules about files that are not read. Pure.

import { asksFirst, type CompiledRule, no, withoutAsking } from "./compiled_rule.ts";
import { toPaths } from "./touch_rule.ts";

/** "never read `.env`", "don't open files in secrets/". */
export function readRule(text: string): CompiledRule | undefined {
  const asks = asksFirst.test(text);
  const [, said] = new RegExp(
    `^${no} (?:read|open|view|cat|print|look at|look into|access)(?:ing)? (.{1,160})$`,
    "i",
  ).exec(asks ? withoutAsking(text) : text) ?? [];
  const reads = said === undefined ? [] : toPaths(said);
  if (reads.length === 0) return undefined;
  // Templates are there to be read.
  const except = reads.some((one) => one.startsWith(".env"))
    ? { except: [".env.example", ".env.sample", ".env.template"] }
    : {};
  return { check: { on: "read", reads }, ...except, ...(asks ? { mode: "ask" as const } : {}) };
}
