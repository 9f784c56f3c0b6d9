// Whether the rules of redaction have anything to look at. Those who write one short line, such as the
// trace of a search, ask here first: the rules are 18 files, and most queries are plain words. Says
// "plain" only of what no rule would change (test/core/redact/plain_text_test.ts compares them).

/** Short words without digits, capitals within or signs around them; numbers of up to four digits. */
const word = /^(?:(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,6})(?:[-_./'’][a-z]{1,14}){0,6}|\d{1,4})[.,;:?!]?$/;
/** What stands between the commands of a shell, and flags that take no secret. */
const sign =
  /^(?:&&|\|\|?|;|-(?:[rf]{1,2}|[bcdgilmnxyADCV]|la|am)|--(?:force|hard|all|amend|tags|delete|recursive|global|dev|save-dev|no-verify|dry-run|watch|fix|help|version))$/;
const maxWords = 200;

/** An id of ours, a UUID, a time, or the name of a hook: random digits or plain words, and no secret. */
const own =
  /^(?:[A-Z]-[0-9a-z]{8,17}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{8,15}Z|[A-Za-z][a-z]{2,9}(?:[A-Z][a-z]{2,9}){1,3})$/;

/** How keys begin that have nothing but letters behind it. */
const keyStart = /\b(?:[sr]k|xox[a-z]|gl[a-z]{2,4})[-_]/i;
/** What a phrase of plain words may be told by, and the fields that hold secrets of any form. */
const phraseNames = /seed|mnemonic|phrase|recovery|wiederherstellung|contrase/i;
const secretNames =
  /pass|pwd|pw$|secret|token|key|cred|kennwort|passe|contrase|senha|wacht|psk|salt|clave/i;
const namedValue = new RegExp(`(?:${secretNames.source})\\w*:`, "i");

/** Whether all texts inside a JSON value, and the names of its fields, are plain words. */
export function isPlain(value: unknown, name = ""): boolean {
  if (typeof value === "string") {
    return !secretNames.test(name) && (isPlainText(value) || own.test(value));
  }
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((part) => isPlain(part, name));
  return Object.entries(value).every(([field, part]) => isPlainText(field) && isPlain(part, field));
}

function isPlainText(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length <= maxWords &&
    words.every((one) => one === "" || word.test(one) || sign.test(one)) &&
    !phraseNames.test(text) && !keyStart.test(text) && !namedValue.test(text);
}

/**
 * Letters and digits in one word, letters that change their case often, or a password's name. After
 * "pass" alone a sign must follow: "All tests pass. The …" tells none.
 */
const mixed = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{8,}/;
const jumbled = /(?:[A-Z]+[a-z]{1,2}){3}|(?:[a-z]{1,2}[A-Z]+){3}/;
const named =
  /(?:(?:pass(?:word|wd|phrase|code)|pwd|psk|secret|credentials?)\W{0,12}[:=>('"\s]|pass\W{0,12}[:=>('"])\W{0,6}\w/i;

/**
 * Whether text that was redacted when it was stored may hold a secret after all: a log that somebody
 * edited by hand, or rows that were stored before a rule was known.
 */
export function looksSecret(text: string): boolean {
  const looksSo = (one: string): boolean => mixed.test(one) || jumbled.test(one) || named.test(one);
  return looksSo(text) && (isField.test(text) || looksSo(text.replace(ids, "")));
}

/** Ids of ours, and commits where it is plain that they are. */
const ids = /\b[A-Z]-[0-9a-z]{17}\b|(?<=\bcommit )(?:[0-9a-f]{7,12}|[0-9a-f]{40})\b/g;
/** What is named as a secret is none of these. */
const isField = /(?:token|key|auth|cred|secret)\w*["'`]?\s*[:=]/i;
