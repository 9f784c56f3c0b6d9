// Makes spellings comparable: compatibility forms, case, diacritics. Pure.

const nonAscii = /[\u0080-\uffff]/;
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]/g;
const letters: Record<string, string> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "đ": "d",
  "ð": "d",
  "ł": "l",
  "þ": "th",
  "ı": "i",
  "’": "'",
};
const unfoldable = /[ßæœøđðłþı’]/g;

/** Compatibility forms (full width, ligatures) made plain; case is kept for splitting identifiers. */
export function normalize(text: string): string {
  return nonAscii.test(text) ? text.normalize("NFKC") : text;
}

/** Lower case without diacritics. Expects normalized text. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!nonAscii.test(lower)) return lower;
  return lower.normalize("NFD").replace(marks, "").normalize("NFC")
    .replace(unfoldable, (letter) => letters[letter]);
}

// Typographic marks, symbols, lines and emoji stand between words as a space does. Most text beyond
// ASCII has no others: with spaces for them it can go the fast way.
const latin =
  "\\u00a0-\\u00a7\\u00a9\\u00ab-\\u00ae\\u00b0\\u00b1\\u00b6\\u00b7\\u00bb\\u00bf\\u00d7\\u00f7";
/** Without U+2019, which is an apostrophe. */
const punctuation = "\\u2010-\\u2018\\u201a-\\u2027\\u2030-\\u205e";
/** Arrows, operators, technical signs; lines and shapes; symbols without the numbers in circles. */
const symbols = "\\u2190-\\u2426\\u2500-\\u2775\\u2794-\\u27bf\\u2900-\\u2bff";
const emoji = "\\ud83c[\\udf00-\\udfff]|\\ud83d[\\udc00-\\udfff]|\\ud83e[\\udd00-\\udfff]";
const separators = new RegExp(`[${latin}${punctuation}${symbols}]|${emoji}`, "g");

/** The text with a space for whatever only separates words, and plain apostrophes. */
export function toPlain(text: string): string {
  return text.replace(separators, " ").replaceAll("\u2019", "'");
}
