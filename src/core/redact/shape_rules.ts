// Secrets that are known by their shape: hashes of passwords, keys of wallets, words that restore
// them, keys in JSON and XML, signatures in URLs; and those in calls and cookies.

import { findInCall, findInValues } from "./redact_calls.ts";
import { findCookies } from "./redact_cookies.ts";
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
