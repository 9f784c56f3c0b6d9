// Secrets in `Cookie:` and `Set-Cookie:`: whoever has a session's cookie is logged in. Pure.

import type { Range } from "./redact_assigned.ts";
import { isHash, isMade, isPlaceholder } from "./secret_words.ts";

const maxCookieChars = 4000;
const head =
  /(?:\s-b|--cookie)\s{1,3}\\{0,8}["']?|cookie(?:\\{0,8}["'\]]){0,2}\s{0,3}[:=,]\s{0,3}\\{0,8}["'`]?/iy;
const pair = /([\w.$%-]{1,80})=([^;\s"'\\]{0,2000})(?:;\s?|$)?/y;

/** Cookies that say who measures, how a page looks and how long a cookie lives. */
const isPublicName =
  /^(?:_ga|_gid|_gcl|_fbp|_hj|__utm|utm|ajs_|amp_|mp_|optimizely|theme|lang|locale|tz|path|domain|expires|max-age|samesite|priority|version|consent|cookie_?consent|currency|country)/i;
const isSecretName =
  /sess|sid|auth|token|jwt|csrf|xsrf|remember|login|logged|user|identity|secret|key|aspnet|clearance|bm_/i;

/** The values of cookies that are random. */
export function findCookies(text: string, at: number): Range[] {
  head.lastIndex = at;
  const found: Range[] = [];
  const begun = head.exec(text);
  if (begun === null) return found;
  const end = at + begun[0].length + maxCookieChars;
  pair.lastIndex = at + begun[0].length;
  while (pair.lastIndex < end) {
    const from = pair.lastIndex;
    const match = pair.exec(text);
    if (match === null) break;
    const [, name, value] = match;
    if (value.length < 12 || isPublicName.test(name) || isPlaceholder(value)) continue;
    const plain = value.replace(/%[0-9A-F]{2}/gi, "");
    const isSecret = isMade(plain) || isMadeOfParts(plain) ||
      (isSecretName.test(name) && plain.length >= 16 && isHash(plain));
    if (isSecret) {
      const start = from + name.length + 1;
      found.push({ start, end: start + value.length });
    }
  }
  return found;
}

/** Long values with dots, as signed cookies have them. */
function isMadeOfParts(value: string): boolean {
  return value.split(/[.|:]/).some((part) => part.length >= 16 && isMade(part));
}
