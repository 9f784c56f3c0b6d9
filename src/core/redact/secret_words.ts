// Tells a secret from what only stands where one could: placeholders, words, names of things, hashes.
// Pure. Every look has a bound: of longer values only the beginning is judged.

/** Longer values are no words; of those, so much is looked at. */
const maxJudgedChars = 256;

/** Whether a value stands for a secret in documentation, code and templates. */
export function isPlaceholder(given: string): boolean {
  const value = given.slice(0, maxJudgedChars);
  // A mark in front of a value does not make it one.
  if (value.startsWith("[REDACTED:")) return /^\[REDACTED:[^\]]{1,64}\]\W*$/.test(value);
  if (
    /^[<[{(]|^\*+$|^%\w+%$|^\$(?:\w+$|[({]|env:)|^@\w+@$|^%[{(]|^#\{|^__\w+__$/.test(value) ||
    /^:[a-z_]+\d?$|^@[a-z_]+$/i.test(value)
  ) {
    return true;
  }
  if (/\$\{|\{\{|\}\}|\$\(|process\.env|os\.environ|getenv|Deno\.env|\.\.\.|…|#\{/.test(value)) {
    return true;
  }
  if (new Set(value).size < 4) return true;
  if (/^(?:0123456789|abcdefghij|1234567890)/i.test(value) && isCounting(value)) return true;
  const words = value.match(/\d+|[A-Z]+[a-z]*|[a-z]+/g) ?? [];
  return words.length > 0 && words.every((word) => placeholder.test(word));
}

/** Words that placeholders are made of, counting up, and one letter again and again. */
const placeholder =
  /^(?:your?|my|the|a|an|some|any|example|sample|test(?:ing)?|dummy|fake|mock|foo|bar|baz|change|me|changeme|changeit|replace|this|with|placeholder|redacted|here|insert|enter|put|secret|password|passwd|pass|pwd|token|key|apikey|api|access|auth|value|string|user|username|admin|client|openai|anthropic|aws|github|google|none|null|undefined|true|false|todo|id|sk|ant|proj|live|pk|dev|local|default|123|1234|12345|123456|1234567|12345678|123456789|1234567890|abc|abcd|abcdef|xyz|0{2,}|(.)\1{2,}|\d)$/i;

/** Whether most characters follow the one before them, as in `0123456789abcdef`. */
function isCounting(value: string): boolean {
  let steps = 0;
  for (let i = 1; i < value.length; i++) {
    if (value.charCodeAt(i) === value.charCodeAt(i - 1) + 1) steps++;
  }
  return steps > value.length / 2;
}

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
    if (isScrambled(piece)) return false;
    const isPlain = /^[A-Za-z]*\d{0,5}$/.test(piece);
    // `Uint8Array`, `sha256Hash`: a number before a word of its own.
    if (
      !isPlain &&
      !/^(?:[A-Za-z]{3,20}\d{1,3}(?=[A-Z][a-z]{2}|$)|[A-Z][a-z]{2,20}){2,4}$/.test(piece)
    ) {
      return false;
    }
    for (const part of piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []) {
      if (part.length > 4 && /[bcdfghjklmnpqrstvwxz]{6,}/i.test(part)) return false;
      letters += part.length;
      parts++;
    }
  }
  // Short parts are what random letters in both cases fall into.
  return parts > 0 && letters / parts >= 2.5;
}

/** Whether capitals stand where no word begins: half of its parts cannot be spoken. */
function isScrambled(piece: string): boolean {
  if (piece.length < 10 || turnsOf(piece) <= piece.length * 0.42) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  const odd = parts.filter((part) => part.length === 1 || !/[aeiouy]/i.test(part));
  return odd.length * 2 >= parts.length;
}

/** `env.AUTH0_CLIENT_SECRET`, `this.token2.value`: names with dots between them. */
export function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??(?:\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$/.test(value) &&
    value.split(/\W+/).every((name) =>
      name.split(/_|(?<=[a-z])(?=[A-Z])/).every((part) => /^[A-Za-z]*\d{0,4}$/.test(part))
    );
}

/** Whether a value is only hexadecimal digits or a UUID: most of those are hashes and ids. */
export function isHash(value: string): boolean {
  return /^(?:0x)?[0-9a-f]+$/i.test(value) ||
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** Whether a value is a hash of 16 bytes or more, and no UUID. */
export function isLongHash(value: string): boolean {
  return value.length >= 32 && isHash(value) && !value.includes("-");
}

/**
 * Whether a machine made a value, or a person chose it as a password: nothing else has its
 * characters in such an order. For places where a name alone does not say enough.
 */
export function isMade(value: string): boolean {
  if (value.length < 8 || value.length > 512 || isPlaceholder(value)) return false;
  if (!/[A-Za-z]/.test(value) || isHash(value) || isOther(value)) return false;
  if (!/\d/.test(value) && !isScrambled(value)) return false;
  if (/[!@#$%^&*?]/.test(value) && !/[/:()[\]{}<>,;|]/.test(value)) {
    return /[A-Za-z]{2}/.test(value) && entropyOf(value) >= 2.5 && !/^[$%]|[=&]\w/.test(value);
  }
  return !isWords(value) && isRandom(value);
}

/** Letters of both cases and digits that take turns, as no name has them. */
function isRandom(value: string): boolean {
  const isBoth = /[a-z]/.test(value) && /[A-Z]/.test(value);
  return turnsOf(value) >= (isBoth ? Math.max(3, value.length * 0.25) : value.length * 0.3) &&
    (isBoth || value.length >= 20) && entropyOf(value) >= 2.7;
}

/** How often small letters, capitals and digits take turns. */
export function turnsOf(value: string): number {
  let turns = 0;
  let last = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    const kind = unit >= 97 && unit <= 122
      ? 1
      : unit >= 65 && unit <= 90
      ? 2
      : unit >= 48 && unit <= 57
      ? 3
      : 0;
    if (kind === 0) continue;
    if (last !== 0 && kind !== last) turns++;
    last = kind;
  }
  return turns;
}

/** Addresses, packages with versions, dates, files, expressions: not words, and no secrets. */
function isOther(value: string): boolean {
  return /@[\w-]+\.[a-z]|^@?[\w./-]+@[\^~v]?\d|^[\w.-]+@[a-z][\w-]*$|:\/\/|^\d{4}-\d\d/i.test(
    value,
  ) ||
    /^[~.]{0,2}\/|\.[a-z]{1,4}\d?$|::|->|=>|\$\w+\[|^--?[A-Za-z]|^v?\d+\.\d+/.test(value) ||
    value.split("/").length > 3;
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
