// Random strings that no rule knows: a token of a service nobody has written down yet. One goes when
// it begins as tokens do (`acme_live_…`), when the name before it is a weak one (`FOO_KEY=`, `auth:`,
// `-t`), or when its line speaks of a secret and of no hash, id or address. Pure.

import { isOfName, type Range } from "./redact_assigned.ts";
import { entropyOf, isHash, isMade, isPlaceholder, isWords, turnsOf } from "./secret_words.ts";

/** Runs of letters, digits, `_` and `-` that are shorter are not looked at. */
export const minRunChars = 16;
const maxRunChars = 300;
/** Of longer ones, so much is looked at first. */
const maxFirstLook = 48;

/** A run that may be one. */
interface Run {
  text: string;
  from: number;
  to: number;
  /** Where the last word of a secret's name stood before it. */
  lastWord: number;
}

/** How far before a value is looked for what is said of it, and for a name or a flag. */
export const maxLead = 80;
export const maxNameLead = 32;

/** Where else a random string is looked for: weak names that are given a value, and flags. */
export const aloneHints: readonly string[] = [
  ..."auth sid seed pepper hmac jwt pat dsn otp code ticket assertion login sas verifier access refresh"
    .split(" ")
    .flatMap((name) => ["=", ":", '"', "'"].map((sign) => name + sign)),
  ..."p k t w a b s u n x".split(" ").map((letter) => ` -${letter} `),
  ..."auth body value creds data authkey bearer jwt sas".split(" ").map((name) => `--${name}`),
];

/** The secret that a run of letters, digits, `_` and `-` is, or is a part of; or data, to its end. */
export function findAlone(
  { text, from, to, lastWord }: Run,
): (Range & { isData?: true }) | undefined {
  if (to - from > maxRunChars) return { start: from, end: endOfData(text, to), isData: true };
  const kind = kindOfRun(text, from, to);
  if (kind === "words") return undefined;
  if (publicBeginnings.has(beginningOf(text, from))) return undefined;
  const { start, end } = widen(text, from, to);
  if (end - start > maxRunChars) return { start, end: endOfData(text, end), isData: true };
  const isBegun = kind === "mixed" && isBegunWith(text, start);
  const isNear = start - lastWord <= maxLead;
  const name = nameBefore(text, start);
  if (!isBegun && !isNear && name === undefined && end === to && start === from) {
    return undefined;
  }
  const value = text.slice(start, end);
  if (!isBegunFresh(text, start) || isPublic(value, text, end)) return undefined;
  const isSecret = (isBegun && begunAsToken(value)) || isDotted(value) || azureKey.test(value) ||
    (name !== undefined && isNamed(name, value)) ||
    (isNear && isSpokenOf(text, start, value));
  return isSecret && !isPlaceholder(value) ? { start, end } : undefined;
}

/** A cheap first look: whether digits and letters take turns, and whether they are hexadecimal. */
function kindOfRun(text: string, from: number, to: number): "words" | "hash" | "mixed" {
  let digits = 0;
  let turns = 0;
  let others = 0;
  let last = false;
  const end = Math.min(to, from + maxFirstLook);
  for (let i = from; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit) digits++;
    else if ((unit | 32) > 102) others++;
    if (isDigit !== last) turns++;
    last = isDigit;
  }
  if (digits < 2 || digits > end - from - 2 || turns < 3) return "words";
  return others === 0 ? "hash" : "mixed";
}

function isLetter(unit: number): boolean {
  return (unit | 32) >= 97 && (unit | 32) <= 122;
}

/** Whether nothing goes on before a value that makes it a part of something else. */
function isBegunFresh(text: string, start: number): boolean {
  if (start === 0) return true;
  const unit = text.charCodeAt(start - 1);
  if (unit === 47 || unit === 64 || unit === 35 || unit > 127) return false;
  return !isLetter(unit) ? unit !== 92 : isEscape(text, start - 1);
}

/** Whether a letter is one of an escape: `\\n`. */
function isEscape(text: string, at: number): boolean {
  return text[at - 1] === "\\" && "nrt".includes(text[at]);
}

/** The letters before the first `_` or `-`. */
function beginningOf(text: string, from: number): string {
  let end = from;
  while (end - from < 12 && isLetter(text.charCodeAt(end))) end++;
  return text[end] === "_" || text[end] === "-" ? text.slice(from, end).toLowerCase() : "";
}

/** Whether a value has a beginning of its own: letters and digits up to a `_` or `-`. */
function isBegunWith(text: string, start: number): boolean {
  if (!isLetter(text.charCodeAt(start))) return false;
  for (let i = start + 1; i < start + 14; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 95 || unit === 45) return true;
    if (!isLetter(unit) && !(unit >= 48 && unit <= 57)) return false;
  }
  return false;
}

/** The weak name or the flag that a value is given to, by the signs between them. */
function nameBefore(text: string, start: number): string | undefined {
  const floor = Math.max(0, start - 16);
  let at = start - 1;
  while (at >= floor && " \"'`\\\t(".includes(text[at])) at--;
  if (at < floor) return undefined;
  const isApart = at < start - 1;
  if (isApart ? isLetter(text.charCodeAt(at)) : ":%,".includes(text[at])) {
    const lead = text.slice(Math.max(0, start - 60), start);
    if (flag.test(lead)) return "-";
  }
  // `Authorization: Scheme …`
  let scheme = at;
  while (scheme >= floor && isLetter(text.charCodeAt(scheme))) scheme--;
  if (scheme < at && text[scheme] === " " && isApart) at = scheme - 1;
  if (!"=:,>".includes(text[at])) return undefined;
  at--;
  while (at >= floor && " =\"'`\\]".includes(text[at])) at--;
  let begin = at;
  while (begin >= 0 && at - begin < 48 && isOfName(text.charCodeAt(begin))) begin--;
  const name = text.slice(begin + 1, at + 1);
  return isWeakName(name) ? name : undefined;
}

/** Where data ends that is too long to be a secret. */
function endOfData(text: string, from: number): number {
  let end = from;
  while (end < text.length && isOfToken(text.charCodeAt(end))) end++;
  return end;
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
  return { start: isEscape(text, start) ? start + 1 : start, end };
}

/** Letters, digits and `+ - . / = _ ~`. */
function isOfToken(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 45 && unit <= 57) ||
    unit === 95 || unit === 43 || unit === 61 || unit === 126;
}

/** Hashes, parts of paths and addresses, and ids that everybody may see. */
function isPublic(value: string, text: string, end: number): boolean {
  if (/^(?:sha\d*|md5|h1|blake\w*|git|commit|urn|arn|[a-z])[-:=~]/i.test(value)) return true;
  if (/^[(@]|^\.?\/|^:\/\/|^\.[a-z]/.test(text.slice(end, end + 3))) return true;
  // A name and its sign.
  if (value.endsWith("=") && /[[{$<%]/.test(text[end] ?? "")) return true;
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
    "gh pr issue comment artifact upload part object blob tree stage cd z zn zsn rust llvm crate lib")
    .split(" "),
);

/** Parts of a beginning that only tokens have. */
const tokenParts =
  /^(?:s?k|sk\d|api|key|apikey|pat|tok|token|secret|sec|auth|oauth|access|refresh|live|prod|production|sandbox|svc|sa|bot|pw|pass|cred|priv|private|admin|personal|webhook|whsec|bearer|at|rt|st|service|client|mgmt|ingest|license|deploykey|[a-z]{1,5}(?:pat|key|tok|sk|api|sec))$/;

/** `acme_live_4eC39Hq…`: short parts of small letters, then a long random one. */
function begunAsToken(value: string): boolean {
  const match =
    /^((?:[a-z][a-z0-9]{0,11}|[A-Z][A-Z0-9]{0,11})(?:[_-][a-z][a-z0-9]{0,9}){0,3})[_-]([A-Za-z0-9+/=_-]{16,})$/
      .exec(value);
  if (match === null) return false;
  const [, beginning, tail] = match;
  const parts = beginning.toLowerCase().split(/[_-]/);
  const isToken = parts.some((part) => tokenParts.test(part));
  const body = tail.replace(/[_-]/g, "");
  const digits = body.match(/\d/g)?.length ?? 0;
  if (digits < 2 || isWords(tail) || body.length < (isToken ? 16 : 28)) return false;
  const isBoth = /[a-z]/.test(body) && /[A-Z]/.test(body);
  if (!isBoth && (body.length < (isToken ? 24 : 32) || !value.includes("_"))) return false;
  // Names with many parts, UUIDs behind a word: only what is called a token.
  if (!isToken && (isHash(tail) && tail.includes("-") || (tail.match(/[_-]/g)?.length ?? 0) > 2)) {
    return false;
  }
  return turnsOf(body) >= body.length * 0.25 && entropyOf(body) >= 3;
}

/** Two or three long random parts with dots between them, as signed tokens have. */
function isDotted(value: string): boolean {
  const parts = value.split(".");
  return parts.length >= 2 && parts.length <= 3 && parts.every((part) => part.length >= 6) &&
    parts.filter((part) => part.length >= 20 && !isHash(part) && isMade(part)).length >= 2;
}

/** Keys of Azure have a mark near their end. */
const azureKey =
  /^[A-Za-z0-9+/]{40,76}(?:\+ACR|AzSe|AzFu|APIM|\+ASt|\+AMS|\+ARm|ACDb)[A-Za-z0-9+/]{3,12}={0,2}$/;

/** Names that say little: what they are given must be random. */
const weakEnds = new Set(
  ("key auth authorization sid cookie salt seed pepper hmac jwt bearer pat dsn otp totp code ticket " +
    "assertion login sas verifier access refresh apikey credential credentials").split(" "),
);

/** Whether the last word of a name is one of those, in any way of writing names. */
function isWeakName(name: string): boolean {
  let end = name.length;
  while (end > 0 && name.charCodeAt(end - 1) >= 48 && name.charCodeAt(end - 1) <= 57) end--;
  let begin = end;
  while (begin > 0 && isSmall(name.charCodeAt(begin - 1))) begin--;
  const isCapital = (at: number): boolean =>
    isLetter(name.charCodeAt(at)) && !isSmall(name.charCodeAt(at));
  if (begin < end) begin -= begin > 0 && isCapital(begin - 1) ? 1 : 0;
  else while (begin > 0 && isCapital(begin - 1)) begin--;
  const word = name.slice(begin, end).toLowerCase();
  return weakEnds.has(word) ||
    (word.length < 16 && (word.endsWith("key") || word.endsWith("auth")));
}

function isSmall(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

const publicKeys =
  /(?:public|pub|publishable|primary|foreign|cache|sort|partition|idempotency|hash|object|row|group|map|lookup|i18n|translation|sitekey|site|query|react|dedupe|content|unique|composite|natural|surrogate|range|shard|routing|message|event|s3|bucket|data|item|node|path|file|request|response|trace|span|error|status|country|language|zip|postal|exit|char|area|promo|coupon|discount|source|byte|op|machine|verification_uri|device|min|max)[_.\s-]?(?:key|code)\d{0,3}$/i;

/** Before a value: a flag of one letter or a few that commands give secrets to. */
const flag =
  /(?:^|[\s"'])-{1,2}(?:[pPkKtTwWaAbsSuUNX]|auth|body|value|creds|data|authkey|apikey|bearer|jwt|sas)[\s=]{1,3}\\{0,8}["']?(?:[\w.@-]{1,40}[:%,])?$/;

function isNamed(name: string, value: string): boolean {
  if (publicKeys.test(name)) return false;
  if (isMade(value)) return true;
  // Hexadecimal digits are a hash unless the name is one of an environment or a header.
  const isFirm =
    /^[A-Z][A-Z0-9_]*_(?:KEY|AUTH|SALT|SEED|PEPPER|PAT|SID|JWT)\d?$|^[A-Za-z-]+-[Kk]ey$/.test(name);
  return isFirm && isHash(value) && entropyOf(value) >= 2.8;
}

/** Words that say what is on a line, whole ones. */
const secretSpoken =
  /(?<![\w-])(?:pass(?:word|wd|phrase|wort|code)|kennwort|contrase(?:ñ|n)a|mot de passe|senha|wachtwoord|pwd|pw|secret|token|api[ _-]?keys?|(?:access|private|signing|encryption|license|auth|service|account|client|app|master|admin|shared|subscription)[ _-]?keys?|cred(?:ential)?s?|bearer|authenticate[ds]?|authorization)(?![\w-])/i;
const otherSpoken =
  /(?:^|[^A-Za-z])(?:commit|sha\d*|hash(?:es|ed)?|digest|checksum|integrity|etag|uuid|guid|fingerprint|public|pub|ids?|rev(?:ision)?|build|version|trace|span|request|cursor|index|address|contract|tx|txid|block|ref|branch|tag|nonce|cache|file|path|image|layer|chunk|token ?count|page|snapshot|fixture|expect(?:ed)?|assert\w*|toBe|toEqual)(?![A-Za-z])/i;

/** A field of data: its own name says what it is, whatever else its line speaks of. */
const fieldName = /\w["'`\]]\s{0,3}[:=]\s{0,3}\\{0,8}["'`]?$|\w[=:]\\{0,8}["'`]?$|\w\s=\s["'`]?$/;

function isSpokenOf(text: string, start: number, value: string): boolean {
  const lead = text.slice(Math.max(0, start - maxLead), start);
  if (fieldName.test(lead)) return false;
  // Its own line; also the one before, when that ends in a colon.
  const lines = lead.split(/\n|\\n/);
  const own = lines.at(-1) ?? "";
  const last = lines.at(-2) ?? "";
  const line = own.trim() === "" && /:\s{0,3}$/.test(last) ? last + own : own;
  const said = secretSpoken.exec(line);
  if (said === null || otherSpoken.test(line)) return false;
  if (isHash(value)) {
    const between = line.length - said.index - said[0].length;
    return between <= 40 && value.length >= 32 && !value.startsWith("0x");
  }
  return isMade(value);
}
