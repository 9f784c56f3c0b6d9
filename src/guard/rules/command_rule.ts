// Rules about commands that are not run. Pure.

import type { GuardCheck } from "../guard_kinds.ts";
import { isCommand, tools } from "./known_tools.ts";
import { type CompiledRule, negative, quoted, withoutAsking } from "./compiled_rule.ts";

/** "never push to main", "never run `rm -rf`". */
export function commandRule(text: string): CompiledRule | undefined {
  const asks =
    /\b(?:without (?:asking|my|permission|approval|explicit)|unless (?:i|the user|explicitly|asked)|before asking)/i
      .test(text);
  const mode = asks ? { mode: "ask" as const } : {};
  const plain = asks ? withoutAsking(text) : text;
  if (!negative.test(plain)) return undefined;
  const said = plain.replace(negative, "").trim();
  const known = gitRules.find(([form]) => form.test(said));
  if (known !== undefined) {
    const [form, toCheck] = known;
    const found = form.exec(said);
    if (found !== null) return { check: toCheck(found), ...mode };
  }
  const [, command] = new RegExp(
    `^(?:run|running|execute|executing|call|calling|use|using|invoke) (?:the command )?${quoted}`,
    "i",
  ).exec(said) ?? [];
  const words = command ?? /^(?:run|running|execute|executing) (\S.{0,60})$/i.exec(said)?.[1];
  // "… in production" is about some of its runs.
  const isAll = command === undefined
    ? words !== undefined && isCommand(words)
    : /[`'"](?: (?:directly|ever|yourself|command|here))?$/i.test(said);
  if (words === undefined || !isAll) return undefined;
  const [program] = words.split(" ");
  const isProgram = tools.has(program) ||
    /^(?:git|gh|npm|npx|\.\/|bash|sh|rm|aws|gcloud)\b/.test(words);
  if (!isProgram) return undefined;
  const runs = words === "npm install" ? [words, "npm i"] : [words];
  return { check: { on: "command", runs }, ...mode };
}

const gitRules: [RegExp, (found: RegExpExecArray) => GuardCheck][] = [
  [
    /^(?:(?:git )?force[- ]push(?:ing)?|(?:git )?push(?:ing)? (?:with )?(?:--force|-f)|(?:use|using|do|doing) (?:a )?force[- ]push(?:es)?)(?: (?:to|on) (?:the )?['"`]?(main|master|develop|trunk)['"`]?(?: branch)?)?$/i,
    ([, to]) => ({
      on: "command",
      runs: ["git push --force", "git push -f", "git push --force-with-lease"],
      ...(to === undefined ? {} : { to: branchesOf(to) }),
    }),
  ],
  [
    /^(?:git )?push(?:ing)?(?: anything| code| changes)?(?: to (?:the |a )?(?:remote|origin|github|gitlab|server)(?: repo(?:sitory)?)?)?$/i,
    () => ({ on: "command", runs: ["git push"] }),
  ],
  [
    /^(?:git )?push(?:ing)?(?: anything| code| changes)?(?: directly| straight)? (?:to|on|into) (?:the )?['"`]?(main|master|develop|dev|trunk|production|prod|staging|release|stable|[\w.-]+(?=['"`]? branch))['"`]?(?: or ['"`]?(?:main|master)['"`]?)?(?: branch(?:es)?)?(?: directly)?$/i,
    ([, to]) => ({ on: "command", runs: ["git push"], to: branchesOf(to) }),
  ],
  [
    /^(?:git )?commit(?:ting)?(?: directly| straight)? (?:to|on) (?:the )?['"`]?(main|master|develop|trunk)['"`]?(?: or ['"`]?(?:main|master)['"`]?)?(?: branch)?(?: directly)?$/i,
    ([, to]) => ({
      on: "command",
      runs: ["git commit"],
      branches: branchesOf(to),
    }),
  ],
  [
    /^(?:git )?(?:commit|committing)\b(?: anything| code| changes)?$/i,
    () => ({ on: "command", runs: ["git commit"] }),
  ],
  [
    /^(?:(?:use|using|run|running|do|doing) )?['"`]?git (reset --hard|stash|rebase|add -A|add \.|checkout|clean|commit --amend)['"`]?$/i,
    ([, what]) => ({
      on: "command",
      runs: /^add -A$/i.test(what) ? ["git add -A", "git add --all"] : [`git ${what}`],
    }),
  ],
  [
    /^amend(?:ing)?(?: (?:any |git )?commits?)?$/i,
    () => ({ on: "command", runs: ["git commit --amend"] }),
  ],
  [
    /^(?:(?:use|using|pass|passing|add|adding) )?['"`]?--no-verify['"`]?$|^(?:skip|bypass)(?:ping|ing)? (?:the )?(?:git |pre-?commit )?(?:hooks|checks)$/i,
    () => ({
      on: "command",
      runs: ["git * --no-verify", "git commit -n"],
    }),
  ],
];

function branchesOf(name: string): string[] {
  return /^(?:main|master)$/i.test(name) ? ["main", "master"] : [name];
}
