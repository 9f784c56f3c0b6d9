// Tells a secret from what only stands where one could: placeholders, words, names of things. Pure.

/** Longer values are no words; of those, so much is looked at. */
const maxJudgedChars = 256;

/** Whether a value stands for a secret in documentation, code and templates. */
export function isPlaceholder(given: string): boolean {
  const value = given.slice(0, maxJudgedChars);
  if (
    value.startsWith("[REDACTED:") || /^[<[{(]|^\*+$|^%\w+%$|^\$(?:\w+$|[({])|^@\w+@$/.test(value)
  ) {
    return true;
  }
  if (/\$\{|\{\{|\}\}|\$\(|process\.env|os\.environ|getenv|Deno\.env|\.\.\.|…/.test(value)) {
    return true;
  }
  if (new Set(value).size < 4) return true;
  const words = value.split(
    /[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/,
  )
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => placeholder.test(word));
}

/** Words that placeholders are made of, counting up, and one letter again and again. */
const placeholder =
  /^(?:your?|my|the|a|an|some|any|example|sample|test(?:ing)?|dummy|fake|mock|foo|bar|baz|change|me|changeme|changeit|replace|this|with|placeholder|redacted|here|insert|enter|put|secret|password|passwd|pass|pwd|token|key|apikey|api|access|auth|value|string|user|username|admin|client|openai|anthropic|aws|github|google|none|null|undefined|true|false|todo|id|sk|ant|proj|live|pk|dev|local|default|123|1234|12345|123456|1234567|12345678|123456789|1234567890|0{2,}|(.)\1{2,}|\d)$/i;

/**
 * Whether a value is words: a path, an address, a name in code or in the cloud. Its parts are whole
 * words or abbreviations, with a few digits at their ends.
 */
export function isWords(value: string): boolean {
  if (value.length > maxJudgedChars) return false;
  if (/^(?:arn:|urn:|sha(?:1|256|384|512)[-:]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value)) {
    return true;
  }
  if (/^0x[0-9a-f]{40}$/i.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return true;
  let letters = 0;
  let parts = 0;
  for (const piece of value.split(/[^A-Za-z0-9]+/)) {
    if (piece === "") continue;
    if (!/^(?:[A-Za-z]*\d{0,5})$/.test(piece)) return false;
    for (const part of piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []) {
      if (part.length > 4 && /[bcdfghjklmnpqrstvwxz]{6,}/i.test(part)) return false;
      letters += part.length;
      parts++;
    }
  }
  // Short parts are what random letters in both cases fall into.
  return parts > 0 && letters / parts >= 2.5;
}

/** Shannon's entropy in bits per character. */
export function entropyOf(given: string): number {
  const text = given.slice(0, maxJudgedChars);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
