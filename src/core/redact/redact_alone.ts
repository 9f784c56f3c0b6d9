// Random strings that no rule knows: a token of a service nobody has written down yet. One goes when
// it begins as tokens do (`acme_live_…`), when the name before it is a weak one (`FOO_KEY=`, `auth:`,
// `-t`), or when its line speaks of a secret and of no hash, id or address. Pure.

import type { Range } from "./redact_assigned.ts";
import { entropyOf, isHash, isMade, isPlaceholder, isWords, turnsOf } from "./secret_words.ts";

/** Runs of letters, digits, `_` and `-` that are shorter are not looked at. */
export const minRunChars = 16;
const maxRunChars = 300;

/** The secret that a run of letters, digits, `_` and `-` is, or is a part of. */
export function findAlone(text: string, from: number, to: number): Range | undefined {
  if (to - from > maxRunChars || !isMixedRun(text, from, to)) return undefined;
  const { start, end } = widen(text, from, to);
  if (end - start > maxRunChars) return undefined;
  const value = text.slice(start, end);
  const before = text[start - 1] ?? "\n";
  if (/[/@#\\\p{L}\d]/u.test(before) && !/(?:^|[^\\])\\{1,8}[nrt]$/.test(text.slice(Math.max(0, start - 9), start))) {
    return undefined;
  }
  if (isPublic(value, text, end)) return undefined;
  if (begunAsToken(value)) return { start, end };
  const lead = text.slice(Math.max(0, start - 120), start);
  return isNamed(lead, value) || isSpokenOf(lead, value) ? { start, end } : undefined;
}

/** A cheap first look: digits and letters that take turns. */
function isMixedRun(text: string, from: number, to: number): boolean {
  let digits = 0;
  let turns = 0;
  let last = false;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit) digits++;
    if (isDigit !== last) turns++;
    last = isDigit;
  }
  return digits >= 2 && digits < to - from - 2 && turns >= 3;
}

/** The run with the signs of base64 around it. */
function widen(text: string, from: number, to: number): Range {
  let start = from;
  let end = to;
  const floor = from - maxRunChars;
  const ceiling = to + maxRunChars;
  while (start > 0 && start > floor && isOfToken(text.charCodeAt(start - 1))) start--;
  while (end < text.length && end < ceiling && isOfToken(text.charCodeAt(end))) end++;
  // A name and its sign: `key=value`; a sentence's stop.
  const sign = text.slice(start, from).lastIndexOf("=");
  if (sign >= 0) start += sign + 1;
  while (end > to && ".~/".includes(text[end - 1])) end--;
  while (start < from && "+./~=".includes(text[start])) start++;
  return { start, end };
}

/** Letters, digits and `+ - . / = _ ~`. */
function isOfToken(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 45 && unit <= 57) ||
    unit === 95 || unit === 43 || unit === 61 || unit === 126;
}

/** Hashes, parts of paths and addresses, and ids that everybody may see. */
function isPublic(value: string, text: string, end: number): boolean {
  if (/^(?:sha\d*|md5|h1|blake\w*|git|commit|urn|arn)[-:=~]/i.test(value) || isPlaceholder(value)) {
    return true;
  }
  if (/^[(@]|^\.?\/|^:\/\/|^\.[a-z]/.test(text.slice(end, end + 3))) return true;
  if (/[=]./.test(value.replace(/={1,2}$/, ""))) return true;
  // Files, versions and members have dots and slashes between words.
  const pieces = value.split(/[/.]/);
  if (pieces.length > 1) {
    if (/^[a-z]{1,5}\d?$/.test(pieces[pieces.length - 1]) && value.includes(".")) return true;
    if (pieces.some((piece) => piece.length > 3 && isWords(piece))) return true;
  }
  return /^[\d.:TZ+-]+$/.test(value);
}

/** Beginnings of ids, builds and public keys; what follows is random, and no secret. */
const publicBeginnings = new Set(
  ("id ids uid uuid guid user usr org team acct account cus evt event msg message req request res resp " +
    "response run thread asst step file vs ws rs fc ig item call toolu srvtoolu tool chatcmpl cmpl " +
    "gen batch conv ctc ctco mcp mcpl mcpr ci cntr session sess span trace job task build image img " +
    "layer chunk cache node linux macos windows win darwin amd arm v sha md commit branch tag ref rev " +
    "pod deploy deployment dpl prj project pk pub public phc wa pi pm ch in sub prod price txn tx " +
    "block hash checksum digest etag w version release index main app page layout vendor polyfills " +
    "runtime css js ts tmp temp test fixture snapshot snap hist entry row doc docs col page cursor " +
    "eip arn bucket vpc subnet sg i ami vol eni igw rtb nat acl lt asg ftr anon plugin module pkg npm " +
    "gh pr issue comment artifact upload part object blob tree stage cd z zn zsn rust llvm crate lib").split(" "),
);

/** Parts of a beginning that only tokens have. */
const tokenParts =
  /^(?:s?k|sk\d|api|key|apikey|pat|tok|token|secret|sec|auth|oauth|access|refresh|live|prod|production|sandbox|svc|sa|bot|pw|pass|cred|priv|private|admin|personal|webhook|whsec|bearer|at|rt|st|service|client|mgmt|ingest|license|deploykey|[a-z]{1,5}(?:pat|key|tok|sk|api|sec))$/;

/** `acme_live_4eC39Hq…`: short parts of small letters, then a long random one. */
function begunAsToken(value: string): boolean {
  const match = /^([A-Za-z][A-Za-z0-9]{0,11}(?:[_-][a-z][a-z0-9]{0,9}){0,3})[_-]([A-Za-z0-9+/=_-]{16,})$/
    .exec(value);
  if (match === null) return false;
  const [, beginning, tail] = match;
  const parts = beginning.toLowerCase().split(/[_-]/);
  if (publicBeginnings.has(parts[0])) return false;
  const isToken = parts.some((part) => tokenParts.test(part));
  const body = tail.replace(/[_-]/g, "");
  const digits = body.match(/\d/g)?.length ?? 0;
  if (digits < 2 || isWords(tail) || body.length < (isToken ? 16 : 28)) return false;
  const isBoth = /[a-z]/.test(body) && /[A-Z]/.test(body);
  if (!isBoth && (body.length < (isToken ? 24 : 32) || !value.includes("_"))) return false;
  // Names with many parts, UUIDs behind a word: only what is called a token.
  if (!isToken && (isHash(tail) && tail.includes("-") || (tail.match(/[_-]/g)?.length ?? 0) > 2)) return false;
  return turnsOf(body) >= body.length * 0.25 && entropyOf(body) >= 3;
}

/** Names that say little: what they are given must be random. */
const weakName =
  /([A-Za-z][\w.-]{0,40}?)\\{0,8}["'`\]]{0,2}\s{0,3}(?:=>?|:=?|,(?=\s?\\{0,8}["']))\s{0,3}(?:[@bru]?\\{0,8}["'`])?(?:basic\s|token\s|[A-Za-z]{3,12}\s)?$/i;
const weakEnds =
  /(?:^|[_.-]|(?<=[a-z]))(?:key|auth|authorization|sid|cookie|sig|sign|signature|salt|seed|pepper|hmac|jwt|bearer|pat|dsn|otp|totp|code|ticket|assertion|login|session|sas|mac|nonce|verifier|challenge|apikey|credentials?)\d{0,2}$/i;
const publicKeys =
  /(?:public|pub|publishable|primary|foreign|cache|sort|partition|idempotency|hash|object|row|group|map|lookup|i18n|translation|sitekey|site|query|react|dedupe|content|unique|composite|natural|surrogate|range|shard|routing|message|event|s3|bucket|data|item|node|path|file|request|response|trace|span|error|status|country|language|zip|postal|exit|char|area|promo|coupon|discount|source|byte|op|machine|verification_uri|device|min|max)[_.\s-]?(?:key|code|signature|mac|session|cookie)\d{0,2}$/i;

/** Before a value: a flag of one letter or a few that commands give secrets to. */
const flag = /(?:^|[\s"'])-{1,2}(?:[pPkKtTwWaAbsSuUNX]|auth|body|value|creds|data|authkey|apikey|bearer|jwt|sas)[\s=]{1,3}\\{0,8}["']?(?:[\w.@-]{1,40}[:%,])?$/;

function isNamed(lead: string, value: string): boolean {
  const name = weakName.exec(lead.slice(-80))?.[1];
  if (name !== undefined && weakEnds.test(name) && !publicKeys.test(name)) {
    if (isMade(value)) return true;
    // Hexadecimal digits are a hash unless the name is one of an environment or a header.
    const isFirm = /^[A-Z][A-Z0-9_]*_(?:KEY|AUTH|SALT|SEED|PEPPER|PAT|SID|JWT)\d?$|^[A-Za-z-]+-[Kk]ey$/.test(name);
    return isFirm && isHash(value) && entropyOf(value) >= 2.8;
  }
  return flag.test(lead.slice(-60)) && isMade(value);
}

/** Words that say what is on a line, whole ones. */
const secretSpoken =
  /(?<![A-Za-z])(?:pass(?:word|wd|phrase|wort|code)|kennwort|contrase(?:ñ|n)a|mot de passe|senha|wachtwoord|pwd|pw|secrets?|tokens?|api[ _-]?keys?|(?:access|private|signing|encryption|license|auth|service|account|client|app|master|admin|shared|subscription)[ _-]?keys?|cred(?:ential)?s?|bearer|authenticate[ds]?|authorization)(?![A-Za-z])/i;
const otherSpoken =
  /(?:^|[^A-Za-z])(?:commit|sha\d*|hash(?:es|ed)?|digest|checksum|integrity|etag|uuid|guid|fingerprint|public|pub|ids?|rev(?:ision)?|build|version|trace|span|request|cursor|index|address|contract|tx|txid|block|ref|branch|tag|nonce|cache|file|path|image|layer|chunk|token ?count|page|snapshot|fixture|expect(?:ed)?|assert\w*|toBe|toEqual)(?![A-Za-z])/i;

function isSpokenOf(lead: string, value: string): boolean {
  const line = lead.slice(lead.search(/[^\n]*(?:\n\s*)?$/));
  const isSaid = secretSpoken.exec(line);
  if (isSaid === null) return false;
  const between = line.slice(isSaid.index + isSaid[0].length);
  if (otherSpoken.test(line)) return false;
  if (isHash(value)) return between.length <= 40 && value.length >= 32 && !/^0x/.test(value);
  return isMade(value);
}
