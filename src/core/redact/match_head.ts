// Reads what follows a secret word in a name and gives it a value: the rest of the name, then a sign, a
// field, a tag, a call or words. Pure; every repetition has a bound.

/** What follows a word: the rest of the name, what gives it a value, the field that does, if any. */
export function matchHead(text: string, start: number, end: number): RegExpExecArray | null {
  const match = matchAt(isTag(text, start) ? tagHead : head, text, end);
  return match?.[2].trim() === "" ? matchAt(proseHead, text, end) ?? match : match;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function isTag(text: string, start: number): boolean {
  return text[start - 1] === "<" ||
    (text[start - 1] === ":" && /<\w{1,12}:$/.test(text.slice(Math.max(0, start - 14), start)));
}

/** A space, a newline, or one of those escaped. */
const gap = "(?:[\\s+-]|\\\\{1,8}[nrt]){0,40}";

/** After the word: the rest of the name, and what closes its quotes. */
const restOfName = "([\\wñ.-]{0,30})(?:\\\\{0,8}[\"'`\\]]|\\[\\d{0,4}\\]){0,2}(";

/**
 * After the word: the rest of the name, what closes its quotes, and what gives it a value: signs,
 * after a type or before a block of YAML; a field of its own; a comma; a tag's end; a call; a
 * space.
 */
const head = new RegExp(
  [
    restOfName,
    [
      // `: &str = `, ` string = `, ` As String = `, where a text follows.
      "[ \\t]{0,3}(?::[ \\t]{0,3}|[ \\t])(?:as\\s|constant\\s|final\\s)?[&*]{0,2}(?:'\\w{1,9}\\s)?[a-z_[][\\w.:;<>[\\]&*?|' ]{0,40}?\\s{0,3}:?=\\s{0,3}(?=[*@bBrRuU]{0,2}\\\\{0,8}[\"'`])",
      // `process.env.DB_PASS || "…"`, `get("DB_PASS") or "…"`, `.unwrap_or("…")`, `default="…"`.
      "\\)?\\s{0,3}(?:\\|\\||\\?\\?|\\?:|or\\s)\\s{0,3}(?=\\\\{0,8}[\"'`])",
      "(?<=[\"'])(?:\\s?,\\s?default(?:_value)?\\s?[=:]\\s?|\\)\\s?\\.unwrap_or(?:_else)?\\((?:\\|_?\\|\\s?)?)(?=\\\\{0,8}[\"'`])",
      // `"db_password": {"sensitive": true, "value": `
      '(?<=["\'])\\s{0,3}:\\s{0,3}\\{[^{}]{0,160}?"value\\\\{0,8}"\\s{0,3}:\\s{0,3}',
      "\\s{0,20}(?::=|=>|->|→|<-|[!=]={0,2}|\\?{1,2}=|\\|\\|=|\\?:|:)(?!:)\\s{0,20}(?:[|>][+-]?\\d?[ \\t]{0,5}(?:\\n|\\\\{1,8}n)[\\s+]{0,40}|- |&\\w{1,30} )?",
      "(?<=[\"'])\\s{1,3}value\\s{0,2}=\\s{0,2}",
      // `variable "db_password" { default = `
      "(?<=[\"'])\\s{0,3}\\{[^{}]{0,200}?default\\s{0,9}=\\s{0,9}",
      `(${gap}(?:,${gap})?\\\\{0,8}["']?(?:parameter)?value\\\\{0,8}["']?\\s{0,5}[:=]\\s{0,20})`,
      "(?<=[\"'])\\s{0,3},\\s{0,3}",
      "<\\/key>(?:[\\s+]|\\\\{1,8}[nrt]){0,20}<string>",
      '(?:\\s?\\{ ?get; ?(?:set|init); ?\\}\\s?=\\s?|\\{\\s?)(?=\\\\{0,8}")',
      "><value>",
      ">",
      "\\(\\s{0,5}",
      "\\s{0,5}\\|\\s{0,40}",
      "[ \\t]{1,3}(?=\\S)",
    ].join("|"),
    ")",
  ].join(""),
  "iy",
);

/** What prose says instead: "password for the staging database is now: ". */
const proseHead = new RegExp(
  [
    restOfName,
    [
      "[ \\t]{1,3}(?:\\([^()\\n]{1,40}\\)\\s?)?(?:(?:for|to|of|on|in|at|from|für|von|zum|pour|de|du|del|para|da|do|voor|van|di|per)\\s(?:[^\\s:=]{1,40}\\s){1,5}?)?(?:is|was|are|ist|lautet|war|est|es|era|è|é|to|now|→|->|=|:)(?:\\s(?:now|still|currently|set to|changed to|jetzt|ahora|maintenant))?(?:\\s{0,2}:)?[ \\t]{1,3}",
      "[ \\t](?:for|of|on|für|pour|de|du|del|para|da|do|voor|van|di|per)(?:[ \\t][^\\s:=]{1,40}){1,5}?[ \\t]?[:=][ \\t]{1,3}",
    ].join("|"),
    ")",
  ].join(""),
  "iy",
);

/** The same of a tag: `<ns:Password Type="x">`. */
const tagHead = /([\w.-]{0,30})((?:\s[^<>\n]{1,100})?>(?:\s{0,9}<value>)?)/iy;
