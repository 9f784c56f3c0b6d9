// Secrets that are known by where they stand: in URLs, headers, commands, configuration files.

import {
  exactLine,
  isNoPlaceholder,
  isRandom,
  line,
  quotes,
  type RedactRule,
} from "./redact_rule.ts";
import { isMade, isWords } from "./secret_words.ts";

export const placeRules: readonly RedactRule[] = [
  line(
    "url-password",
    ["://"],
    `:\\/\\/[^\\s:/@"'<>\\\\]{0,128}:([^\\s:/@"'<>\\\\]{3,256})@`,
    (secret, match) => isNoPlaceholder(secret) && !match.startsWith(`://${secret}:`),
  ),
  // What a client of Sentry reports to is public.
  line(
    "url-token",
    ["://"],
    `:\\/\\/([A-Za-z0-9_]{20,255})(?::(?:x-oauth-basic)?)?@(?![\\w.-]{0,60}sentry)`,
    isRandom,
  ),
  line(
    "authorization-header",
    ["authorization"],
    `authorization[\\\\"'\\]]{0,10}\\s{0,20}(?:[:=,]|,\\s{0,20}[\\\\"']{1,9}value[\\\\"']{1,9}\\s{0,5}:)\\s{0,20}${quotes}(?:[a-z][\\w-]{1,24}\\s{1,20})?(?:[a-z]{1,12}=)?${quotes}([A-Za-z0-9._~+/=:%-]{8,3000})`,
    (secret) => secret.length < 12 ? isMade(secret) : isRandom(secret),
  ),
  line(
    "bearer-token",
    ["bearer "],
    `(?<!\\w)bearer\\s{1,20}([A-Za-z0-9._~+/=%-]{16,3000})`,
    isRandom,
  ),
  line(
    "netrc-password",
    ["login "],
    `login\\s{1,9}[^\\s]{1,100}\\s{1,9}password\\s{1,9}([^\\s"'\\\\]{3,200})`,
  ),
  line(
    "command-password",
    ["curl "],
    `curl\\s[^\\n|;]{0,200}?(?<=\\s|\\\\[nt])(?:-[skLvifgo]{0,6}u[\\s=]{0,5}|--user[\\s=]{1,5})${quotes}[^\\s:"'$\\\\[]{1,100}:([^\\s"'$\\\\]{3,200})`,
  ),
  line(
    "command-password",
    ["sshpass ", "docker login", "mysql ", "mysqldump ", "mysqladmin "],
    `(?:sshpass\\s[^\\n|;]{0,100}?-p|docker login\\s[^\\n|;]{0,200}?\\s-p[\\s=]|mysql(?:dump|admin)?\\s[^\\n|;]{0,200}?\\s-p(?=\\S))\\s{0,5}${quotes}([^\\s"'$\\\\<]{4,200})`,
  ),
  // `-W` asks for a password.
  exactLine(
    "command-password",
    ["redis-cli ", "ldapsearch ", "ldapadd ", "ldapmodify ", "ldapdelete ", "ldapwhoami "],
    `(?:redis-cli\\s[^\\n|;]{0,200}?(?<=\\s)-a\\s{1,5}|ldap[a-z]{3,6}\\s[^\\n;]{0,200}?(?<=\\s)-w\\s{0,5})${quotes}([^\\s"'$\\\\<-][^\\s"'$\\\\<]{3,200})`,
  ),
  line(
    "oracle-password",
    ["sqlplus ", "jdbc:oracle:"],
    `(?:sqlplus\\s{1,5}(?:-\\w{1,9}\\s{1,5}){0,3}|jdbc:oracle:(?:thin|oci):)${quotes}[^\\s:/@"'\\\\]{1,64}\\/([^\\s/@"'$\\\\]{3,128})@`,
  ),
  line(
    "sql-password",
    ["create user", "alter user", "create role", "alter role", "identified "],
    `(?:(?:create|alter) (?:user|role)\\s[^;]{1,200}?\\spassword\\s{1,5}[\\\\"']{1,9}|identified\\s{1,5}(?:with\\s{1,5}[\\\\"'\\w]{1,60}\\s{1,5})?by\\s{1,5}(?:password\\s{1,5})?[\\\\"']{1,9}|(?:create|alter) user\\s{1,5}\\S{1,100}\\s{1,5}identified\\s{1,5}by\\s{1,5})([^\\s"'\\\\;]{4,200})`,
    (secret, match) =>
      isNoPlaceholder(secret) && (/["']$/.test(match.slice(0, -secret.length)) || !isWords(secret)),
  ),
  line(
    "powershell-password",
    ["convertto-securestring "],
    `convertto-securestring\\s{1,5}(?:-\\w{1,20}\\s{1,5}){0,3}[\\\\"']{1,9}([^\\s"'$\\\\][^\\s"'\\\\]{2,200})`,
  ),
  // `file_pat` is a pattern more often than a personal access token.
  line(
    "access-token",
    ["_pat", " pat:", " pat=", " pat is"],
    `[_ ]pat(?:[\\s:=,"'\\x60\\\\]{1,9}(?:value|is))?[\\s:=,"'\\x60\\\\]{1,9}([A-Za-z0-9_~+/=.-]{16,300})`,
    (secret) => isRandom(secret) && /\d/.test(secret),
  ),
  // `host:port:database:user:…`: where the file is named, at its usual port, or with a `*`.
  line(
    "pgpass-password",
    [".pgpass", ":5432:", ":*:"],
    `(?:\\.pgpass[^]{0,200}?:\\d{2,5}:[\\w*-]{1,64}|(?<=[\\w.*-]):5432:(?:\\*|[A-Za-z_][\\w-]{0,63})|(?<=[\\w.*-]):\\*(?::\\*|:[A-Za-z_][\\w-]{0,63})?):[\\w.@-]{1,64}:([^\\s:"'\\\\]{4,128})(?=[\\r\\n"'\\\\]|$)`,
    (secret, match) =>
      isNoPlaceholder(secret) && /\d/.test(secret) && (!match.startsWith(":*") || !isWords(secret)),
  ),
  line(
    "docker-auth",
    ['auth"', 'auth\\"', "auth\\\\"],
    `auth\\\\{0,9}"\\s{0,5}:\\s{0,5}\\\\{0,9}"([A-Za-z0-9+/]{16,500}={0,2})\\\\{0,9}"`,
    (secret) => !isWords(secret),
  ),
  line(
    "session-cookie",
    ["sessionid=", "sessid=", "connect.sid="],
    `(?:sessionid|sessid|connect\\.sid)=([A-Za-z0-9%._-]{16,300})`,
    isRandom,
  ),
];
