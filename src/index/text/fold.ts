// Makes spellings comparable: compatibility forms, case, diacritics. Pure.

/** The version of text analysis; it is part of the index fingerprint. Raise it on any change. */
export const analysisVersion = 1;

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
