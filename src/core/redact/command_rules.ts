// Secrets that are given to commands: by flags of a letter, by `user:…`, by a pipe, by their place.

import {
  exactLine,
  hintsOf,
  isNoPlaceholder,
  line,
  quotes,
  type RedactRule,
} from "./redact_rule.ts";
import { isJumbled, isSpoken } from "./secret_values.ts";
import { isMade, isPlaceholder, isWords } from "./secret_words.ts";

/** A value up to a space or a quote; a variable or an option is none. */
const value = `([^\\s"'$\\\\<>|&;-][^\\s"'$\\\\<>|&;]{3,300})`;
const gap = "[\\s=]{1,3}";

export const commandRules: readonly RedactRule[] = [
  line(
    "command-password",
    ["login "],
    `login\\s[^\\n|;]{0,200}?(?<=\\s)(?:-p|-w|--pass)[\\s=]{0,2}${quotes}${value}`,
    isChosen,
  ),
  // Clients that take a password by a letter: a port or a path is none.
  exactLine(
    "command-password",
    ("mongosh mongo mongodump mongorestore mongoexport mongoimport cqlsh mosquitto_ twine vsce ovsx " +
      "ipmitool beeline influx evil-winrm crackmapexec netexec rdesktop sqlcmd bcp isql unzip zip 7z " +
      "7za rar unrar nuget mysqlsh mariadb snowsql kinit sqlmap clickhouse- impala- hdbsql db2 " +
      "ssh-keygen dotnet gpg rclone wget aria2c htpasswd bq psexec winexe vncviewer").split(" ")
      .map((name) => /[-_]$/.test(name) ? name : `${name} `),
    `[\\w-]{2,20}\\s[^\\n|;]{0,200}?(?<=\\s)-(?:p|P|w|W|k|N|pw|hp)[\\s=]{0,2}${quotes}${value}`,
    isChosen,
  ),
  line(
    "command-password",
    ["htpasswd "],
    `htpasswd\\s{1,3}-[a-z]{0,6}b[a-z]{0,6}\\s{1,3}(?:[^\\s]{1,200}\\s{1,3})?[^\\s]{1,60}\\s{1,3}${quotes}${value}`,
    isChosen,
  ),
  line(
    "command-password",
    ["add_user ", "change_password ", "wpa_passphrase ", "net user ", "authenticate_user "],
    `(?:add_user|change_password|wpa_passphrase|net user|authenticate_user)\\s{1,3}${quotes}[^\\s"'\\\\]{1,60}${quotes}\\s{1,3}${quotes}${value}`,
    isChosen,
  ),
  // `-u name:…`, `--creds name:…`, `-U name%…`, `-u name,…`.
  line(
    "command-password",
    hintsOf(
      " -u | -u=| -a | --user| --auth| --basic| --src-creds| --dest-creds|" +
        " --proxy-user| --cred| --login",
    ),
    `\\s(?:-[ua]|--(?:user(?:pass)?|auth|creds?|credentials|basic(?:-auth)?|src-creds|dest-creds|proxy-user|login))${gap}${quotes}[\\w.@+\\\\/-]{1,60}[:%,]([^\\s"'$:/\\\\<>|]{4,200})`,
    (secret) => isChosen(secret) && !isWords(secret),
  ),
  // `-pass pass:…`
  line("command-password", [" pass:"], ` pass:([^\\s"'$\\\\]{4,200})`, isChosen),
  line(
    "command-password",
    [" /p:", " /pass:", " /password:", " /pw:"],
    ` /p(?:ass|w|assword)?:${quotes}([^\\s"'$\\\\=]{4,200})(?![=\\w])`,
    isChosen,
  ),
  line(
    "command-password",
    hintsOf(
      "secret set |secret put |secrets set |secret create |secrets add |put-secret|" +
        "create-secret|put-parameter|variable set |secret add ",
    ),
    `(?:(?:put-|create-)?secrets?|variable|put-parameter)[\\w-]{0,20}\\s[^\\n|;]{0,160}?(?<=\\s)(?:-b|-v|--body|--value|--data|--secret-string|--secret|--literal)${gap}${quotes}${value}`,
    isChosen,
  ),
  exactLine(
    "command-password",
    ["snmpwalk ", "snmpget ", "snmpset ", "snmpbulk", "snmptable ", "snmptrap ", "snmpstatus "],
    `snmp[a-z]{3,9}\\s[^\\n|;]{0,200}?(?<=\\s)-(?:c|A|X)\\s{0,3}${quotes}${value}`,
    isChosen,
  ),
  exactLine(
    "command-password",
    hintsOf("security import |unlock-keychain |create-keychain |openssl enc |openssl passwd "),
    `(?:security import\\s[^\\n|;]{0,200}?(?<=\\s)-P|(?:(?:unlock|create)-keychain|openssl enc)\\s[^\\n|;]{0,200}?(?<=\\s)-[pk])\\s{1,3}${quotes}${value}|openssl passwd (?:-\\w{1,7} ){0,3}${quotes}${value}`,
    (secret) => isChosen(secret) && !secret.includes("keychain"),
  ),
  line(
    "command-password",
    hintsOf(
      " /rp | /user:|alias set |authtok =| -auth |stats auth |expdp |impdp |" +
        "http-basic.|bundle config ",
    ),
    `(?: /rp | \/user:\\S{1,60} |alias set \\S{1,60} \\S{1,100} \\S{1,60} |authtok = |(?: -|stats )auth [\\w.-]{1,40}:|(?:exp|imp)dp\\s{1,3}${quotes}[\\w.]{1,40}\\/|http-basic\\.\\S{1,80} \\S{1,40} |bundle config (?:set )?(?:--\\w{1,9} )?[\\w.-]{1,80} [\\w.-]{1,40}:)${quotes}${value}`,
    (secret) => isChosen(secret) || isJumbled(secret) || /^[0-9a-f]{32,40}$/.test(secret),
  ),
  // What a code of a wireless network, a shared key and a router say.
  line(
    "config-password",
    ["wifi:t:", "wifi:s:", ' psk "', ' psk \\"', "isakmp key ", "server host ", "rootpw "],
    `(?:wifi:[^\\n]{0,80}?;p:|(?<=:\\s{0,3}) psk [\\\\"']{1,9}|isakmp key |server host \\S{1,60} key |rootpw )([^\\s"';\\\\]{6,100})`,
    (secret) => isChosen(secret) && !secret.startsWith("["),
  ),
  // `password …` as the whole line of a configuration file.
  line(
    "config-password",
    ["password "],
    `(?<=(?:^|\\n|\\\\n)[ \\t]{0,8})password[ \\t]{1,8}([^\\s"'\\\\<>]{8,100})(?=\\r?\\n|\\\\{1,8}[nr]|$)`,
    (secret) =>
      isSpoken(secret) ||
      (!isPlaceholder(secret) && !isWords(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) &&
        !/[.:]$/.test(secret)) ||
      isJumbled(secret),
  ),
  // "… Passwort auf … geändert", "le mot de passe root par …", "la contraseña de postgres a …".
  line(
    "spoken-password",
    hintsOf(
      "passwort |kennwort |mot de passe |contrase|senha |wachtwoord |parola d|mdp:|" +
        "mdp :|clé api |clé secrète ",
    ),
    `(?:passwort|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|parola d'ordine|mdp|clé (?:api|secrète))(?: [^\\s:=]{1,20}){0,3}?(?: (?:auf|par|por|para|a|naar|in)| ?:| «)\\s{1,2}[«"'\\x60\\\\]{0,3}\\s?([^\\s"'\\x60\\\\»,;]{6,100})`,
    (secret) => isSpoken(secret.replace(/[.:!?]$/, "")) || isMade(secret),
  ),
  // "use … as the root password"
  {
    ...line(
      "spoken-password",
      ["as the password", "as the root pass", "as the admin pass", "as password", "as root pass"],
      `([^\\s"'\\x60\\\\]{6,100})["'\\x60\\\\]{0,4} as (?:the )?(?:root |admin )?pass(?:word|phrase)`,
      isSpoken,
    ),
    floats: 200,
  },
  // "credentials: admin / …"
  line(
    "spoken-password",
    hintsOf(
      "credential|creds|login|log in|sign in|logging in|logged in|signin|zugang|" +
        "identifiants",
    ),
    `(?:credentials?|creds|log(?:ging|ged)? ?in|sign ?in|zugang\\w{0,9}|identifiants)[^\\n:/]{0,30}?[:\\s]\\s?${quotes}[\\w.@+-]{1,40}${quotes}\\s?[/:|,]\\s?${quotes}([^\\s"'\\x60\\\\,;]{6,100})`,
    isSpoken,
  ),
  // `cargo login …`, `snyk auth …`, `vault login …`, `alias set name url id …`.
  line(
    "command-token",
    hintsOf(
      " login | auth | authenticate | add-authtoken | setapikey | activate |" +
        " alias set | plain ",
    ),
    ` (?:login|auth|plain|authenticate|add-authtoken|setapikey|activate|alias set \\S{1,60} \\S{1,200} \\S{1,60}) ${quotes}([A-Za-z0-9_.~+/=-]{16,300})(?![\\w.~+/=-])`,
    (secret) =>
      isMade(secret) || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^[0-9a-f]{40}$/.test(secret),
  ),
  // `echo … | docker login --password-stdin`
  line(
    "piped-secret",
    ["echo ", "printf "],
    `(?:echo|printf)\\s{1,3}(?:-[neE]{1,3}\\s{1,3})?(?:${quotes}%s(?:\\\\{1,8}n)?${quotes}\\s{1,3})?${quotes}([^\\s"'|$\\x60\\\\]{6,300})(?:\\\\{1,8}n)?${quotes}\\s{0,3}\\|\\s{0,3}[^\\n|]{0,160}?(?:stdin|with-token|secrets? (?:put|set|create|add|versions)|sudo -S|chpasswd|passwd|login|gpg|openssl|base64|kubeseal|vault|ssh-add|keyctl|cryptsetup|secret-tool|pass insert|kinit|ConvertTo-SecureString)`,
    isPiped,
  ),
  line(
    "piped-secret",
    hintsOf(
      "password-stdin|with-token|secret put |secret set |env add |sudo -s|chpasswd|" +
        "--stdin",
    ),
    `(?:password-stdin|with-token|secret (?:put|set)|env add|sudo -S|chpasswd|--stdin)[^\\n<|]{0,120}<<<\\s?${quotes}([^\\s"'$\\x60\\\\]{6,300})`,
    isPiped,
  ),
  line(
    "powershell-password",
    ["convertto-securestring", "pscredential", "networkcredential"],
    `(?:convertto-securestring|pscredential|networkcredential)[^\\n]{0,60}?[\\\\"']{1,9}([^\\s"'$\\\\][^\\s"'\\\\]{5,200})[\\\\"']{1,9}`,
    isMade,
  ),
  line(
    "config-password",
    ["community ", "community=", "community:"],
    `community(?: |\\s{0,3}[=:]\\s{0,3})${quotes}([^\\s"'\\\\]{6,60})(?! ?\\w{12})`,
    isSpoken,
  ),
  // Routers: `password 7 …`, `secret 0 …`.
  line(
    "config-password",
    hintsOf(
      "password 0 |password 7 |password 5 |secret 0 |secret 5 |secret 8 |secret 9 |" +
        "key 7 |key 0 |key 6 ",
    ),
    `(?:password|secret|key) \\d ([^\\s"'\\\\]{6,200})`,
    (secret) => isNoPlaceholder(secret) && /\d/.test(secret),
  ),
  // `user:…@tcp(host)`
  {
    ...line(
      "config-password",
      ["@tcp(", "@unix("],
      `(?<=[\\w.-]):([^\\s:@/"'\\x60\\]]{4,100})@(?:tcp|unix)\\(`,
      isNoPlaceholder,
    ),
    floats: 200,
  },
];

/** Whether a value may be a password: letters with a number or a sign, no path, port or variable. */
function isChosen(secret: string): boolean {
  return !isPlaceholder(secret) && /[A-Za-z]/.test(secret) &&
    (/[\d!@#%^*?]/.test(secret) || (/[a-z][A-Z]/.test(secret) && !isWords(secret))) &&
    secret.length >= 6 && !/^[./~]|:\/\/|^[\w.-]+:\d+$|\.[a-z]{2,4}$|\//.test(secret) &&
    !/^v?\d+(?:\.\d+)+|^\d+[a-z]{1,3}$|^[a-z]+-?\d$/i.test(secret);
}

function isPiped(secret: string, match: string): boolean {
  if (isPlaceholder(secret)) return false;
  return /stdin|with-token|secret|sudo|passwd|cryptsetup|kinit|<<</.test(
      match.slice(match.indexOf(secret) + secret.length),
    )
    ? !isWords(secret) || isChosen(secret)
    : isMade(secret);
}
