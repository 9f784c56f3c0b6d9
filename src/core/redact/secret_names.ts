// Which names promise a secret: `DB_PASSWORD`, `apiKey`, `Ocp-Apim-Subscription-Key`. Pure.

/** The words in names that something is secret by; `key` and `pass` need company. */
export const secretWords: readonly string[] =
  ("secret|password|passwd|passwort|passphrase|passcode|pwd|pass|token|key|credential|kennwort|" +
    "mot de passe|motdepasse|contrase|senha|wachtwoord|creds|psk|salt|clave|clé api|clé d'api|" +
    "chiave api|chave de api|api-schlüssel").split("|");

/** `pw` is too short to look for: with what stands before it. */
export const shortWords: readonly string[] = [..." _-.\n\"'`(+"].map((sign) => `${sign}pw`);

/** What a name says its value is. */
export type Promised = "password" | "secret";

export function promiseOf(word: string): Promised {
  return isForPasswords.test(word) ? "password" : "secret";
}

const isForPasswords = /^(?:pass|pwd|pw|kenn|mot|contrase|senha|wacht|psk|clave$)/;

/** Words that make a key one of those that are secret. */
const keyKinds =
  /(?:api|app(?:lication)?|access|account|private|priv|secret|encrypt(?:ion)?|decrypt(?:ion)?|sign(?:ing|ature)?|master|auth|service|role|admin|licen[cs]e|storage|shared|shared_?access|pre_?shared|hmac|crypto|ssh|deploy|jwt|webhook|session|write|client|aes|kms|wg|wep|wpa|cipher|subscription|server|integration|ingest(?:ion)?|functions?|bot|merchant|security|recovery|unlock|wallet|tunnel|agent|join|enroll?(?:ment)?|activation|product|registration|consumer|developer|personal|root|sdk|otp|mfa|totp)[\s_.-]?$/i;

/** Last words of names that are about a secret and are none. */
const aboutOne =
  /(?:^|[_.\s-])(?:arn|name|id|ids|url|uri|path|file|filename|dir|type|kind|count|limit|length|len|size|ttl|life|lifetime|age|expir\w*|expires\w*|address|addr|hash|hasher|hashers|hashed|hashing|encryption|encrypter|encryptor|encoder|encoding|backend|mode|driver|scheme|method|strategy|algo|algorithms|mechanism|engine|adapter|protocol|plugin|rounds|iterations|cost|charset|version|format|policy|field|label|hint|regex|pattern|prefix|suffix|header|usage|used|budget|endpoint|providers?|scopes?|class|store|manager|counter|ref|refs|selector|placeholder|input|reset|timeout|env|var|algorithm|issuer|audience|index|position|pos|offset|start|end|ring|alias|title|description|message|error|service|factory|generator|strength|validator|schema|model|at|in|for|of|and|or|is|was|required|enabled|rotation|manager|estimate|estimated|max|min|total|stdin|settings?|status|state|digest|checksum|fingerprint|sha\d*|md5)$/i;

/** Names in which `pass` is a part of its own: `dbPass`, `storepass`, `requirepass`. */
const passKinds =
  /(?:^|[^A-Za-z])$|(?:db|user|store|key|my|root|admin|smtp|mail|ftp|ssh|sudo|cert|wifi|http|proxy|require|login|remote|imap|sql|pg|redis|mongo|ks|keystore|mqtt|vnc|wlan|archive|zip|bind|ansible_\w{1,9})$/i;

/** Whether `key` and `pass` have the company they need before them. */
export function isAccompanied(before: string, word: string): boolean {
  const lower = word.toLowerCase();
  if (lower === "key") return before !== "" && keyKinds.test(before);
  if (lower !== "pass") return true;
  return word.startsWith("P") && /[a-z]$/.test(before)
    ? !/(?:by|com|sur|tres|under|over|low|high|band|all|single|multi|render)$/i.test(before)
    : passKinds.test(before);
}

/** Whether a name promises a secret, of which a word stands between `before` and `tail`. */
export function isSecretName(before: string, word: string, tail: string): boolean {
  if (!isAccompanied(before, word)) return false;
  const lower = word.toLowerCase();
  if (lower === "pass" && /^[A-Za-z0-9]/.test(tail)) return false;
  // `publicKeyToken`; what `NEXT_PUBLIC_` names is public only by mistake.
  if (
    (lower === "key" || lower === "token") && /(?<!_)public[\s_-]?(?:key[\s_-]?)?$/i.test(before)
  ) {
    return false;
  }
  if (lower === "clave" && /[a-z]$/i.test(before)) return false;
  if (lower === "pwd" && /old$/i.test(before)) return false;
  if (
    (lower === "psk" || lower === "pw") && /[a-z]$/i.test(before) &&
    !/(?:wpa|wifi|db|user|admin)$/i.test(before)
  ) {
    return false;
  }
  if (lower === "pw" && /^[A-Za-z0-9]/.test(tail)) return false;
  if (tail === "") return true;
  // `tokenizer`, `secretary`, `passwordless`: another word.
  if (/^(?:i[sz]|less|ary|ize|ish|ing|ed\b|ly\b)/.test(tail)) return false;
  const rest = tail.replace(lower === "contrase" ? /^(?:ñ|n)as?/ : /^(?:s|wort)(?![a-z])/, "");
  return rest === "" || !aboutOne.test(rest.replace(/([a-z])([A-Z])/g, "$1_$2"));
}
