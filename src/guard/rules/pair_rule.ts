// Rules that want one thing instead of another. Pure.

import type { GuardCheck } from "../guard_kinds.ts";
import { type CompiledRule, firstWords, no, quoted, unquote } from "./compiled_rule.ts";
import { toUnwanted } from "./unwanted.ts";

/** "use pnpm, not npm", "never use moment, use date-fns". */
export function pairRule(text: string): CompiledRule | undefined {
  const forms = [
    /^(?:always |only )?(?:use|prefer|run) (.{1,60}?),? (?:instead of|not|rather than|over|and not|and never|never) (.{1,60})$/i,
    new RegExp(
      `^${no} (?:use|using|run|running|import|importing) (.{1,60}?)[,;:.–—-]+ ?(?:always |but |please )?(?:use|prefer|run) (.{1,60}?)(?: instead)?$`,
      "i",
    ),
    new RegExp(
      `^${no} (?:use|using|run|running) (.{1,60}?),? (?:but|and) (?:always )?(?:use|prefer|run) (.{1,60}?)(?: instead)?$`,
      "i",
    ),
    /^replace (.{1,60}?) (?:with|by) (.{1,60})$/i,
  ];
  for (const [i, form] of forms.entries()) {
    const found = form.exec(text);
    if (found === null) continue;
    const [wanted, unwanted] = i === 0 ? [found[1], found[2]] : [found[2], found[1]];
    const compiled = toUnwanted(unwanted, text);
    if (compiled === undefined) continue;
    const better = new RegExp(quoted).exec(wanted)?.[1] ?? unquote(firstWords(wanted));
    return { ...compiled, ...meantFor(compiled.check, better), instead: `use ${better}` };
  }
  return undefined;
}

/** `uv run pytest` instead of `pytest` starts it, too. */
function meantFor(check: GuardCheck, better: string): { except?: string[] } {
  if (check.on !== "command") return {};
  const isStarter = /^(?:uv|poetry|pipenv) run$|^(?:npx|bunx|uvx|pnpm exec|python3? -m)$/.test(
    better,
  );
  const starts = check.runs.some((run) => better.split(" ").slice(1).includes(run));
  return isStarter || starts ? { except: [better] } : {};
}
