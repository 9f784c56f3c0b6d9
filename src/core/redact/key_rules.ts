// Keys and passwords that are known by the tool they belong to: keys in base64, keys that unseal or
// unlock, wallets, second factors, and what a command has printed on the line after it.

import {
  exactLine,
  floating,
  hintsOf,
  isNoPlaceholder,
  isRandom,
  line,
  quotes,
  type RedactRule,
  token,
} from "./redact_rule.ts";
import { isSpoken } from "./secret_values.ts";
import { entropyOf, isHash, isLongHash, isMade, isPlaceholder, isWords } from "./secret_words.ts";

/** An end of a line, escaped ones too. */
const newline = "(?:\\r?\\n|\\\\{1,8}n)";
const base64 = "[A-Za-z0-9+/]";

/** One rule a tool, or one for several of a kind. */
export const keyRules: readonly RedactRule[] = [
  // `-----BEGIN … PRIVATE KEY` in base64 looks different at each of three places.
  token(
    "private-key",
    "ls0tls1crudjti",
    `LS0tLS1CRUdJTi${base64}{0,24}?(?:UFJJVkFURSBLRV|BQUklWQVRFIEtFW|IFBSSVZBVEUgS0VZ)${base64}{20,20000}={0,2}`,
  ),
  // `{"auths":…` in base64.
  token(
    "docker-auth",
    "eyjhdxrocyi6 ewojimf1dghzi ewogicjhdxrocyi6 ewogicagimf1dghzi",
    `(?:eyJhdXRocyI6|ewoJImF1dGhzI|ewogICJhdXRocyI6|ewogICAgImF1dGhzI)${base64}{20,20000}={0,2}`,
  ),
  {
    ...token("tunnel-token", "eyjhijoi", `eyJhIjoi${base64}{100,400}={0,2}(?![\\w.-])`),
    accept: (secret) => {
      const json = atob(secret.slice(0, secret.length - secret.length % 4));
      return json.includes('"t":"') && json.includes('"s":"');
    },
  },
  line(
    "unseal-key",
    ["unseal"],
    `unseal(?:[ _-]?keys?)?(?:_b64|_hex)?(?: \\d{1,2}| is| ist| est| es)?[\\s\\\\"'\\x60:=[-]{1,16}(${base64}{43,44}={0,2}|[0-9a-f]{64,66})(?![\\w+/])`,
    isKey,
  ),
  line(
    "session-key",
    ["bw_session", "--session"],
    `(?:bw_session|--session)[\\s\\\\"'\\x60:=,]{1,12}(${base64}{60,120}={0,2})(?![\\w+/=])`,
    isRandom,
  ),
  line(
    "wallet-key",
    ["wallet(", "accounts:", 'accounts"', "accounts =", "toaccount(", "privkey "],
    `(?:wallet\\(|accounts["']?\\s{0,3}[:=]\\s{0,3}\\[|toaccount\\(|privkey\\s)\\s{0,9}${quotes}((?:0x)?[0-9a-f]{64})(?![0-9a-f])`,
    isNoPlaceholder,
  ),
  exactLine(
    "wallet-key",
    ["wif:", "wif=", "wif is", 'wif"', "privkey ", "p2pkh:", "p2wpkh:", "p2wpkh-p2sh:"],
    `(?:[Ww][Ii][Ff]["']?(?:[:=]| is)\\s{0,3}|privkey\\s(?:\\w{26,90}\\s{0,3}${newline})?|p2w?pkh(?:-p2sh)?:)${quotes}([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})(?!\\w)`,
    (secret) => entropyOf(secret) >= 4,
  ),
  exactLine(
    "totp-secret",
    ["totp(", "--totp", "key manually", "setup key", "otp.new("],
    `(?:[Tt][Oo][Tt][Pp]\\(|[Oo][Tt][Pp]\\.new\\(|--totp[^\\n|;]{0,30}?\\s-b\\s|--totp\\s|key manually:\\s|[Ss]etup key(?::| is)\\s)\\s{0,3}${quotes}([A-Z2-7]{16,64}={0,6})(?!\\w)`,
    (secret) => /\d/.test(secret) && entropyOf(secret) >= 3,
  ),
  // Passwords that Google makes for applications: four groups of four letters.
  exactLine(
    "app-password",
    hintsOf(
      "password:|password=|password =|password is|password'|password\"|password\\|" +
        "passwort:|passwort |pass: |pass=|login(\"|login('",
    ),
    `(?:(?:[Pp]ass(?:word|wort)?|PASS(?:WORD)?)(?:\\s(?:for|für|pour|para)\\s\\w{1,20})?[\\\\"'\\])]{0,9}(?:\\s{0,3}[:=]|\\s(?:is|ist|lautet|est|es):?)|login\\(\\s{0,9}["'][^"'\\n]{1,80}["']\\s?,)\\s{0,9}${quotes}([a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})(?![a-z]| [a-z])`,
    (secret) => secret.split(" ").some((group) => !/[aeiouy]/.test(group)),
  ),
  line(
    "recovery-codes",
    ["recovery code", "backup code", "backup_code", "recovery_code", "backup-code"],
    `(?:recovery|backup)[ _-]codes?(?:["']|\\s[\\wü ]{1,30})?:\\s{0,3}[\\["'\\s-]{0,9}([0-9a-z]{4,6}-[0-9a-z]{4,6})(?![\\w-])`,
    (secret) => (secret.match(/\d/g)?.length ?? 0) >= 3 && /[a-z]/i.test(secret),
  ),
  line(
    "pin",
    ["--pin", "-pin ", "-pin=", " pin ", " pin:", "pin is "],
    `(?:--?pin[ =]|\\s?pin(?: (?:for|of)(?: [^\\s:]{1,20}){1,4})?(?: is|:)) {0,2}${quotes}(\\d{6,8})(?!\\w|\\.\\d)`,
    isNoPlaceholder,
  ),
  floating("recovery-codes", "bitlocker", "(?<![\\d-])(?:\\d{6}-){7}\\d{6}(?![\\d-])"),
  { ...token("app-key", "base64:", `base64:(${base64}{43}=)(?![\\w+/=])`), accept: isRandom },
  // 64 bytes under any key; 32 are a hash or a public key, too, unless the name says more.
  {
    ...line(
      "base64-key",
      ['key"', "key'", "key =", "key=", "key:", "key\\"],
      `(?<!public[_-]?)key[\\\\"']{0,9}\\s{0,3}[:=]\\s{0,3}${quotes}(${base64}{86}==)(?![\\w+/=])`,
      isRandom,
    ),
    probe: isBeforeKey,
  },
  line(
    "base64-key",
    ["devicekey", "device_key", "encryption:", "encryption_key", "encryptionkey"],
    `(?:device_?key|encryption_?key|encryption:\\s{0,12}\\{?\\s?key)[\\\\"']{0,9}\\s{0,3}[:=]\\s{0,3}${quotes}(${base64}{43}=)(?![\\w+/=])`,
    isRandom,
  ),
  line(
    "machine-key",
    ["validationkey", "decryptionkey"],
    `(?:validation|decryption)key(?: -value)?[\\s\\\\"':=]{1,9}([0-9a-f]{40,256})(?![0-9a-f])`,
    isNoPlaceholder,
  ),
  // `{"username":"…","key":"…"}`
  line(
    "api-key-pair",
    ['username"', "username\\", "username =", "username="],
    `username[\\\\"']{0,9}\\s{0,3}[:=]\\s{0,3}[\\\\"']{0,9}[\\w.@-]{1,60}[\\\\"']{0,9}(?:\\s{0,3},\\s{0,9}|\\s{1,3})[\\\\"']{0,9}key[\\\\"']{0,9}\\s{0,3}[:=]\\s{0,3}[\\\\"']{0,9}([0-9a-f]{32})(?![0-9a-f])`,
    isNoPlaceholder,
  ),
  // `curl -u KEY:` without a password.
  line(
    "command-token",
    [" -u "],
    ` -u\\s{1,2}${quotes}([A-Za-z0-9_-]{24,100}):(?=[\\s"'\\\\]|$)`,
    (secret) => isHash(secret) || isMade(secret),
  ),
  line(
    "webhook-url",
    ["/hooks/", "incomingwebhook/", "/private-"],
    `(?:(?<=https?:\\/\\/[\\w.-]{1,80})\\/hooks\\/([a-z0-9]{26})(?!\\w)|IncomingWebhook\\/([0-9a-f]{32}\\/[0-9a-f-]{36})|\\/private-([0-9a-z]{32,48})\\/basic)`,
    (secret) => /\d/.test(secret) && entropyOf(secret) >= 3,
  ),
  token("session-key", "00d", "00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,120}"),
  exactLine(
    "acl-token",
    ["secretid"],
    `SecretID["']?\\s{0,3}[:=]\\s{0,12}${quotes}([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\\w-])`,
    isNoPlaceholder,
  ),
  line(
    "wallet-key",
    ["solana", "wallet"],
    `(?:solana|wallet)[^[\\n]{0,40}\\n?\\[((?:\\s{0,3}\\d{1,3},){63}\\s{0,3}\\d{1,3})\\]`,
    () => true,
  ),
  // What was asked for stands alone on the next line.
  line(
    "printed-secret",
    hintsOf(
      "master.key|initialadminpassword|rails secret|output -raw |vault_pass|" +
        "key:generate --show|rand -base64|rand -hex|wg genkey|random_secret_key()|echo $|" +
        "data.password}|password to proceed",
    ),
    `(?:master\\.key|initialAdminPassword|rails secret|output -raw \\w{0,30}(?:pass|secret|token|key)\\w{0,20}|vault_pass\\w{0,6}|key:generate --show|rand -(?:base64|hex) \\d{1,3}[^\\n\\\\]{0,60}|wg genkey[^\\n\\\\]{0,80}|random_secret_key\\(\\)|echo \\$\\{?\\w{0,40}(?:pass|secret|token|_key)\\w{0,20}\\}?|data\\.password\\}["']?(?: \\| base64 (?:-d|--decode))?|password to proceed to installation:)[ \\t]{0,3}${newline}{1,2}["']?([^\\s"'\\x60\\\\]{12,200})["']?(?=\\s|\\\\{1,8}[nr]|["']|$)`,
    isPrinted,
  ),
  line(
    "printed-secret",
    ["new value: ", "new password: ", "generated password: "],
    `(?:new value|(?:new|generated) password): ([^\\s"'\\x60\\\\]{12,100})(?=\\s|\\\\|["']|$)`,
    isMade,
  ),
  // `By.id("password")).sendKeys("…")`, `get("input[type=password]").type("…")`.
  line(
    "typed-password",
    ["sendkeys(", "send_keys(", ".type(", ".fill(", "setvalue(", "typetext("],
    `(?<=passw(?:ord|d)[\\w\\]\\\\"'\\x60=)-]{0,16}\\.?)\\.?(?:send_?keys|type|fill|setvalue|typetext)\\(\\s{0,3}[\\\\"'\\x60]{1,9}([^\\s"'\\x60\\\\]{6,100})`,
    isSpoken,
  ),
];

/** Whether 86 characters and `==` may come after the signs after `key`. */
function isBeforeKey(text: string, at: number): boolean {
  let from = at + 3;
  while (from < at + 20 && !/[A-Za-z0-9+/]/.test(text.charAt(from))) from++;
  return text.startsWith("==", from + 86);
}

function isKey(secret: string): boolean {
  return !isPlaceholder(secret) && (isHash(secret) || isMade(secret) || entropyOf(secret) >= 4.2) &&
    !isWords(secret);
}

/** Whether what was printed is no message and no name. */
function isPrinted(secret: string): boolean {
  if (isPlaceholder(secret) || /^[-/$#>~]|:\/\/|\.[a-z]{2,4}$/.test(secret)) return false;
  return isLongHash(secret) || isMade(secret) ||
    (!isWords(secret) && /\d/.test(secret) && entropyOf(secret) >= 3.2);
}
