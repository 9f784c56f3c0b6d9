// Rules about files that are not changed. Pure.

import { asksFirst, type CompiledRule, no, withoutAsking } from "./compiled_rule.ts";

/** "never edit files in `dist/`", "don't touch migrations". */
export function touchRule(text: string): CompiledRule | undefined {
  const asks = asksFirst.test(text);
  const plain = asks ? withoutAsking(text) : text;
  const [, verb, denied] = new RegExp(
    `^${no} (touch|edit|modify|change|write to|alter|update|overwrite|hand-edit|manually edit)(?:ing)? (.{1,160})$`,
    "i",
  ).exec(plain) ?? [];
  const said = denied ??
    /^(.{1,120}?) (?:is|are) (?:auto-?)?(?:generated|read-only|vendored|frozen|off limits)(?:[,;:. ]+(?:by|from|do not|don't|never|so)\b.*)?$/i
      .exec(plain)?.[1];
  if (said === undefined) return undefined;
  const touches = toPaths(said);
  if (touches.length === 0) return undefined;
  const isOld = /^overwrit/i.test(verb ?? "") ||
    /\b(?:existing|applied|old|past|previous)\b/i.test(said);
  return {
    check: { on: "edit", touches, ...(isOld ? { existing: true as const } : {}) },
    ...(asks ? { mode: "ask" as const } : {}),
  };
}

const path =
  /[`'"]([^`'"\s]{1,120})[`'"]|(?:^|\s)((?:[\w.@*~-]+)?(?:\/[\w.@*-]+)*\/?|\.?[\w*-]+\.[a-zA-Z]\w{0,7})(?=[\s,;]|$)/g;

/** What stands around paths and says no more about them. */
const pathFiller =
  /\b(?:any(?:thing)?|files?|code|the|all|in|inside|under|within|of|or|and|contents?|directory|directories|folders?|existing|applied|old|past|previous|directly|manually|by hand|yourself|ever|please|a|our|config)\b|[,;]/gi;

/** The paths that some words name; none where the words say more about them than that. */
export function toPaths(said: string): string[] {
  const isFolder = /\b(?:director|folder)/i.test(said);
  const named: string[] = [];
  const rest = said.replace(path, (all, quote: string | undefined, bare: string | undefined) => {
    const one = quote ?? bare ?? "";
    const isPath = /[/*]|\.[a-zA-Z]/.test(one) || (quote !== undefined && isFolder);
    if (isPath) named.push(one);
    return isPath ? " " : all;
  }).replace(pathFiller, " ").trim();
  if (named.length > 0) return rest === "" ? named : [];
  return pathWords.find(([form]) => form.test(rest))?.[1] ?? [];
}

const pathWords: [RegExp, string[]][] = [
  [/^(?:db |database |sql )?migrations?$/i, ["migrations/", "migrate/"]],
  [/^lock(?:files?)?$/i, [
    "*.lock",
    "package-lock.json",
    "pnpm-lock.yaml",
    "*-lock.json",
    "bun.lockb",
  ]],
  [/^(?:auto-?)?generated$/i, [
    "*.gen.*",
    "*.generated.*",
    "*_generated.*",
    "generated/",
    "*.pb.go",
    "*_pb2.py",
  ]],
  [/^vendor(?:ed)?$/i, ["vendor/", "third_party/"]],
  [/^(?:dot)?env$/i, [".env", ".env.*"]],
  [/^(?:test )?snapshots?$/i, ["__snapshots__/", "*.snap"]],
];
