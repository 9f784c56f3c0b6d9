// Whether a value that a name promises to be secret is one, by how it stands in the text. Pure.

import type { Promised } from "./secret_names.ts";
import { entropyOf, isHash, isMade, isMember, isPlaceholder, isWords } from "./secret_words.ts";

export interface Place {
  /**
   * `=` and `:` and the like; a flag's space; the `is` of prose; only beside its name, or inside a
   * call: then the name says little, and the value must say it.
   */
  how: "assigned" | "flag" | "said" | "beside";
  isQuoted: boolean;
  /** `NAME=value`, as in a shell or an environment file. */
  isShell: boolean;
}

/** Whether a value is secret, by its own looks and how it stands. */
export function isSecretValue(value: string, promised: Promised, place: Place): boolean {
  if (value.length < 6 || isPlaceholder(value)) return false;
  if (algorithm.test(value) || isClassName(value)) return false;
  const isForPassword = promised === "password";
  if (/^[+-]?\d+(?:[.,]\d+)*[a-z%]{0,2}$/i.test(value)) {
    return isForPassword && /^\d{6,}$/.test(value) && place.how !== "said" &&
      place.how !== "beside";
  }
  if (/^[v^~<>=]{0,2}\d+(?:\.\d+)+(?:[-+][\w.]+)?$/.test(value)) return false;
  // The key of a product: groups of capitals and digits.
  if (/^(?:[A-Z0-9]{4,6}-){3,7}[A-Z0-9]{4,6}$/.test(value) && /\d/.test(value)) return true;
  if (place.how === "beside") {
    return isMade(value) ||
      (isForPassword && isLikePassword(value) && /\d{3}$/.test(value) &&
        !isIdentifier(value, place)) ||
      (place.isQuoted && isForPassword && !isWords(value) && /^[\w!@#%^*+=.?-]+$/.test(value) &&
        /[A-Za-z]/.test(value) && looksMade(value) && isMixed(value)) ||
      (!isForPassword && value.length >= 32 && isHash(value) && !/[-x]/i.test(value));
  }
  if (isWords(value)) {
    return isForPassword &&
      (isChosen(value, place) || ((place.isQuoted || place.isShell) && isJumbled(value)));
  }
  if (isMember(value) && !place.isQuoted) return false;
  if (value.length < 8 && !isForPassword) return false;
  return (place.how === "assigned" || looksMade(value)) && isMixed(value);
}

/** Whether characters of several kinds are in no order that a word has. */
function isMixed(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && entropyOf(value) >= 2.3;
}

/** Whether words are a password as people choose one; in code they would be a name. */
function isChosen(value: string, place: Place): boolean {
  if (!/\d/.test(value) || /^[~./]|[/:]/.test(value)) return false;
  if (/[!@#%^*+=]/.test(value)) return true;
  if (isLikePassword(value) && !isIdentifier(value, place)) return true;
  if (place.how === "said") return /^[A-Za-z]{3,}\d{1,4}$/.test(value) && !technical.test(value);
  if (place.isShell || (place.isQuoted && /[A-Za-z]\d+\W*$/.test(value))) return true;
  return (/^[A-Z]?[a-z]{4,}\d{2,}$/.test(value) && !technical.test(value)) ||
    /^[A-Za-z]+(?:-[A-Za-z0-9]+)*-(?!v\d)[A-Za-z]*\d+$/.test(value);
}

/**
 * Whether words can hardly be anything but a password: two or more with a number after them, as in
 * `silverBoat_412`, or one with a long number; no year, no name of a thing that is counted.
 */
export function isLikePassword(value: string): boolean {
  if (value.length > 40) return false;
  const [, words = "", number = ""] = /^([A-Za-z][A-Za-z._-]*)(\d{2,6})$/.exec(value) ?? [];
  const each = words.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  if (each.some((word) => word.length < 3 || isTechnical(word))) {
    return false;
  }
  const isYear = /^(?:19|20)\d\d$/.test(number);
  return each.length > 1
    ? !isYear && each.length <= 4
    : number.length >= 4 && !isYear && words.length >= 5;
}

/** Whether a value is a password by its looks alone, made or chosen: little else is said of it. */
export function isSpoken(value: string): boolean {
  return isMade(value) || isLikePassword(value);
}

/** Whether a value may be a name in code: `has_psk_tls13`, `lemonTree12`. */
function isIdentifier(value: string, { isQuoted, isShell, how }: Place): boolean {
  return !isQuoted && !isShell && how !== "said" &&
    /^[a-z]+(?:_[a-z_]+\d+|[A-Z][A-Za-z]*\d\d?)$/.test(value);
}

/** Whether letters alone are in no order: half of the parts that capitals begin are no syllables. */
export function isJumbled(value: string): boolean {
  if (!/^[A-Za-z]{12,64}$/.test(value)) return false;
  const parts = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const odd = parts.filter((part) => part.length < 3 || !/[aeiouy]/i.test(part));
  return parts.length > 2 && odd.length * 2 >= parts.length;
}

/** Names of algorithms, which say how a secret is kept. */
const algorithm =
  /^(?:argon2(?:id|i|d)?|b?scrypt|bcrypt[_-]?sha\d*|pbkdf2(?:[_-]?(?:hmac[_-]?)?sha\d*)?|(?:scram|hmac|rsa|ecdsa)-?sha-?\d+(?:-plus)?|(?:django_)?sha\d?-?\d*(?:[_-]?crypt)?|aes-?\d*(?:-?(?:gcm|cbc|ctr|siv))?|x?chacha20(?:-?poly1305)?|[hrep]s\d{3}|ed25519|x25519|secp\d+[kr]1|caching_sha2_password|mysql_native_password)$/i;

/** A class that a bundler named: `Form_password__5xYz1`, `_token_1a2b3_12`. */
function isClassName(value: string): boolean {
  return /^[A-Z][A-Za-z]{2,30}_[A-Za-z][A-Za-z-]{1,30}__[\w+-]{5}$/.test(value) ||
    /^_[A-Za-z][A-Za-z-]{1,30}_[a-z0-9]{5}_\d{1,4}$/.test(value);
}

/** Whether a number after a word only counts, as in `issue` and `step`. */
function isTechnical(word: string): boolean {
  const lower = word.toLowerCase();
  return counted.has(lower) || technical.exec(lower)?.[0] === lower;
}

const counted = new Set(
  ("issue bug ticket pull cve build commit port err error code release host server node env file " +
    "doc docs api app key keys name value status task job story feature branch patch fix entry " +
    "column slot index offset reset hash min max len length size limit count new old prod dev " +
    "staging config arg param var tmp temp str string byte bytes bit bits").split(" "),
);

/** What words with a number mean where a password is spoken of. */
const technical =
  /^(?:sha|md|utf|base|argon|bcrypt|scrypt|pbkdf|oauth|oidc|step|phase|version|line|row|option|part|level|type|test|user|web|http|log|x509|ed|aes|rsa|rc|case|item|figure|table|rfc|page|section|chapter|password|token|secret|input|field|form|win|mac|python|java|node)/i;

/** Whether it is made: it has digits, several signs, or small and capital letters take turns. */
function looksMade(value: string): boolean {
  return /\d/.test(value) || (value.match(/[!@#$%^&*+=]/g)?.length ?? 0) >= 2 ||
    (value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0) >= 3;
}
