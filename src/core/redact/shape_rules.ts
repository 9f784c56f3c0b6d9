// Secrets that are known by their shape: hashes of passwords, keys of wallets, words that restore
// them, keys in JSON and XML, signatures in URLs; and those in calls and cookies.

import {
  exactLine,
  finder,
  floating,
  hintsOf,
  isRandom,
  line,
  type RedactRule,
  token,
} from "./redact_rule.ts";
import {
  entropyOf,
  isHash,
  isLongHash,
  isMade,
  isPlaceholder,
  isWords,
  turnsOf,
} from "./secret_words.ts";
import type { Range } from "./redact_assigned.ts";
import { isLikePassword } from "./secret_values.ts";

const base58 = "[1-9A-HJ-NP-Za-km-z]";

export const shapeRules: readonly RedactRule[] = [
  // `/etc/shadow`, `htpasswd`, columns of tables.
  exactLine(
    "password-hash",
    hintsOf(
      "$1$|$2a$|$2b$|$2x$|$2y$|$5$|$6$|$7$|$y$|$gy$|$apr1$|$sha1$|$argon2|$scrypt$|" +
        "$pbkdf2|$bcrypt|$9$|$8$",
    ),
    `\\$(?:[156789]|2[abxy]|y|gy|apr1|sha1|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\\d{1,3})?|bcrypt-sha256)\\$(?:[A-Za-z0-9./+=,_-]{1,60}\\$){0,3}[A-Za-z0-9./+=_-]{20,300}`,
    (secret) => entropyOf(secret) >= 3.2 && /\d/.test(secret) && turnsOf(secret) >= 8,
  ),
  line(
    "password-hash",
    hintsOf(
      "pbkdf2_sha|pbkdf2:sha|scrypt:|scram-sha-256$|{ssha|{sha}|{sha512}|{crypt}|" +
        "{smd5}|aad3b435b51404ee",
    ),
    `(?:pbkdf2_sha\\d{1,3}\\$|pbkdf2:sha\\d{1,3}[:\\d]{0,9}\\$|scrypt:\\d{1,9}:\\d{1,3}:\\d{1,3}\\$|SCRAM-SHA-256\\$|\\{(?:S?SHA\\d{0,3}|CRYPT|SMD5)\\}|aad3b435b51404eeaad3b435b51404ee:)([A-Za-z0-9./+=,$:_-]{16,300})`,
    (secret) => entropyOf(secret) >= 3,
  ),
  line(
    "private-key",
    ["private-lines:"],
    `Private-Lines:\\s{0,3}\\d{1,4}((?:[\\s+]|\\\\{1,8}[nr]){1,9}(?:(?!Private-MAC)[A-Za-z0-9+/=\\s\\\\]){20,8000})`,
    () => true,
  ),
  line("private-key", ["private-mac:"], `Private-MAC:\\s{0,3}([0-9a-f]{40,64})`, () => true),
  line(
    "private-key",
    ["openvpn static key", "begin ssh2 encrypted"],
    `(?:OpenVPN Static key V1-----|BEGIN SSH2 ENCRYPTED PRIVATE KEY ----)([A-Za-z0-9+/=\\s\\\\:",]{40,20000})`,
    () => true,
  ),
  line(
    "private-key",
    ["<d>", "<p>", "<q>", "<dp>", "<dq>", "<inverseq>"],
    `<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=\\s]{40,1000})<`,
    isRandom,
  ),
  // A key in JSON: the private parts of it.
  line(
    "jwk-key",
    ['"d"', '"d\\', '"p"', '"p\\', '"q"', '"q\\', '"dp', '"dq', '"qi', '"k"', '"k\\'],
    `"(?:d|p|q|dp|dq|qi|k)\\\\{0,8}"\\s{0,3}:\\s{0,3}\\\\{0,8}"([A-Za-z0-9_-]{22,1400})`,
    (secret) =>
      (secret.length >= 40 || isMade(secret)) && /\d/.test(secret) && !isHash(secret) &&
      isRandom(secret),
  ),
  token(
    "wallet-key",
    "xprv yprv zprv tprv uprv vprv nsec1 suiprivkey1 ed25519_sk1 ed25519e_sk1 root_xsk1 edsk ed25519-priv- secp256k1-priv-",
    `[xyztuv]prv[A-Za-z0-9]{100,112}|nsec1[a-z0-9]{58}|suiprivkey1[02-9ac-hj-np-z]{40,80}|(?:ed25519e?_sk|root_xsk|acct_xsk|addr_xsk)1[02-9ac-hj-np-z]{50,160}|edsk${base58}{50,95}|(?:ed25519|secp256k1)-priv-0x[0-9a-f]{64}`,
  ),
  exactLine("wallet-key", ["ed25519:"], `ed25519:(${base58}{80,90})(?!\\w)`, isRandom),
  line(
    "wallet-key",
    hintsOf("keypair|secretkey|secret_key|secret key|privatekey|private_key|private key"),
    `(?:keypair|secret[_ ]?key|private[_ ]?key)[^[\\n]{0,40}\\[((?:\\s{0,9}\\d{1,3},){31,63}\\s{0,9}\\d{1,3})\\s{0,9}\\]`,
    () => true,
  ),
  exactLine(
    "seed-phrase",
    hintsOf(
      "mnemonic|seed phrase|seed_phrase|seedphrase|seed-phrase|recovery phrase|" +
        "recovery_phrase|recovery words|seed words|secret phrase|backup phrase|" +
        'wallet phrase|wallet seed|passphrase|wiederherstellungs|seed=|seed:|"seed"|' +
        "phrase=",
    ),
    `[A-Za-z][\\w -]{2,40}?[\\w"'\\x60\\\\)]{0,9}(?:\\s{0,3}(?::=?|=>?|->|→)|\\s(?:is|are|was|ist|lautet|est|es|of|words?)(?::|\\s))\\s{0,3}[\\\\"'\\x60(]{0,9}((?:(?:\\d{1,2}[.):]\\s?)?[a-z]{3,8}(?:[\\s,]|\\\\{1,8}n){1,3}){11,23}(?:\\d{1,2}[.):]\\s?)?[a-z]{3,8})(?![a-z])`,
    (secret) =>
      !/(?:^|\s)(?:the|and|for|are|was|were|not|have|has|had|from|your|but|been|its|our)(?:\s|$)/
        .test(secret),
  ),
  line(
    "recovery-codes",
    ["recovery code", "backup code", "scratch code"],
    `(?:recovery|backup|scratch) codes?[^\\n:=]{0,30}[:=]\\s{0,3}((?:[A-Za-z0-9]{4,8}-?[A-Za-z0-9]{2,8}(?:[\\s,]|\\\\{1,8}n){1,3}){1,20}[A-Za-z0-9]{4,8}-?[A-Za-z0-9]{2,8})(?!\\w)`,
    (secret) => (secret.match(/\d/g)?.length ?? 0) >= secret.length / 8 && !isWords(secret),
  ),
  // What makes a URL work for everybody who has it.
  line(
    "url-signature",
    ["signature=", "sign=", "hmac=", "sig="],
    `(?<=[?&;"'][\\w.%-]{0,40}|&amp;[\\w.-]{0,40}|u0026[\\w.-]{0,40}|~)(?:signature|sign|hmac|sig)=([A-Za-z0-9%~_+/=.-]{16,1400})`,
    (secret) => !isPlaceholder(secret) && !isWords(secret) && entropyOf(secret) >= 2.8,
  ),
  line(
    "url-key",
    hintsOf(
      "key=|code=|auth=|ticket=|otp=|access=|jwt=|sid=|session=|magic=|invite=|appid=|" +
        "app_id=",
    ),
    `(?<=[?&][\\w.-]{0,30}|&amp;[\\w.-]{0,30}|u0026[\\w.-]{0,30})(?:key|code|auth|ticket|otp|access|jwt|sid|session|magic|invite|app_?id)=([A-Za-z0-9%~_+/=.-]{16,800})`,
    (secret, match) =>
      isMade(secret.replace(/%[0-9A-F]{2}/g, "")) ||
      (!/^(?:code|session|invite)/i.test(match) && isLongHash(secret)),
  ),
  line(
    "webhook-url",
    ["hooks.", "webhook"],
    `(?<=https?:\\/\\/[\\w./-]{0,80})(?:hooks\\.|webhook)[\\w.-]{0,60}(?:\\/[\\w.@%-]{1,80}){0,6}?\\/([A-Za-z0-9_-]{16,120})(?![\\w-])`,
    (secret) => isMade(secret) || isLongHash(secret),
  ),
  finder(
    "call-credential",
    hintsOf(
      "auth(|auth=(|auth = (|auth: (|login(|credential(|credentials(|connect(|" +
        "connection(|pdo(|mysqli(|authentication(|hmac(|hmac.new(|jwt.sign(|jwt.verify(|" +
        "jwt.encode(|jwt.decode(|cipheriv(|cipher(|wifi.begin(|fernet(|cookieparser(|" +
        "twilio(|init(|client(|sign_in(|signin(|authenticate(|authorize(|sign(|verify(|" +
        "register(|secretkeyspec(|adduser(|create_user(|createuser(|session(|ssh(|smtp(|" +
        "ftp(|configure(|basic(|openai(|stripe(|resend(|pusher(|api(|sdk(|bot(|pw_set(|" +
        "credentials::new(|newstaticv4(|bot.run(|client::builder(|oauthhandler(|" +
        "_account(|getprofile(|gateway(|environment(|verifier(",
    ),
    findInCall,
  ),
  finder("call-credential", ["values (", "values("], findInValues),
  finder(
    "session-cookie",
    hintsOf("cookie:|cookie\"|cookie'|cookie\\| -b \"| -b '| -b \\|--cookie |cookie =|cookie="),
    findCookies,
  ),
  floating("atlas-key", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,80}"),
];

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
function findCookies(text: string, at: number): Range[] {
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

// Secrets that are arguments: `auth=("bob", "…")`, `getConnection(url, "app", "…")`,
// `createHmac("sha256", "…")`, `INSERT … VALUES ('bob', '…')`. Pure; every look has a bound.

const maxCallChars = 400;
const maxTexts = 8;
const argument = /\\{0,8}(["'`])((?:(?!\1)[^\\\n]){0,200})\\{0,8}\1|[()]/g;

/** The quoted arguments of the call that begins at a hint or after it. */
function readTexts(text: string, at: number): (Range & { value: string })[] {
  const open = text.indexOf("(", at);
  if (open < 0 || open - at > 20) return [];
  const call = text.slice(open + 1, open + 1 + maxCallChars);
  if (!/["'`]/.test(call)) return [];
  const texts: (Range & { value: string })[] = [];
  let depth = 1;
  for (const match of call.matchAll(argument)) {
    const [whole, quote, value] = match;
    if (whole === "(") depth++;
    if (whole === ")" && --depth === 0) break;
    if (quote === undefined || texts.length >= maxTexts) continue;
    const start = open + 1 + match.index + whole.indexOf(quote) + 1;
    texts.push({ start, end: start + value.length, value });
  }
  return texts;
}

/** Secrets among the arguments of a call that takes credentials. */
function findInCall(text: string, at: number): Range[] {
  const texts = readTexts(text, at).filter(({ value }) => value !== "");
  // `mysqli(host, user, password, database)`
  const isHostFirst = /^(?:mysqli|connect)\b/i.test(text.slice(at, at + 16));
  const isSigning = text.slice(at, at + 4).toLowerCase() === "jwt.";
  return texts.filter(({ value }, i) => {
    if (/\s/.test(value)) return false;
    if (isMade(value)) return i > 0 || value.length >= 16;
    const isLast = i > 0 && (i === texts.length - 1 || (isHostFirst && i === 2));
    if (isHash(value)) {
      return (isLast && /^[0-9a-f]{24,64}$/i.test(value)) ||
        (isSigning && /^[0-9a-f]{32,128}$/i.test(value));
    }
    return isLast && isChosen(value);
  });
}

/** Whether the last argument is a password as people choose one. */
function isChosen(value: string): boolean {
  if (isLikePassword(value)) return true;
  if (/^[\w!@#%^*+=?.-]{10,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)) {
    if ((value.match(/[!@#^+=?]/g)?.length ?? 0) >= 2 && !isPlaceholder(value)) return true;
  }
  return value.length >= 6 && !isPlaceholder(value) && /\d/.test(value) && /[A-Za-z]/.test(value) &&
    !/[/:.,@=\s]|^[a-z]+[_-]|v\d$|^[a-z]{1,6}\d{1,3}$|^(?:sha|md|aes|utf|base|hs|rs|es|ps|tls|http|oauth)\w{0,3}\d/i
      .test(value) &&
    (!isWords(value) || /\d{2,}$/.test(value));
}

/** Secrets in rows that are inserted into columns with such names. */
function findInValues(text: string, at: number): Range[] {
  const before = text.slice(Math.max(0, at - 300), at);
  const into = before.toLowerCase().lastIndexOf("insert");
  if (into < 0 || !/pass|secret|token|api_?key|pwd/i.test(before.slice(into))) return [];
  return readTexts(text, at).filter(({ value }) =>
    !/\s/.test(value) &&
    (isMade(value) || isLongHash(value))
  );
}
