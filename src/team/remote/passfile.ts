// ~/.pgpass or PGPASSFILE: lines of host:port:database:user:password, the first that fits counts.

import { hasModes } from "../../core/platform_path.ts";
import { findInfo, findSmallText } from "../../disk/outside_files.ts";

/** Reads a variable of the environment. */
export type Environment = (name: string) => string | undefined;

/** Whom the password is looked for. */
interface Login {
  host: string;
  port: number;
  database: string;
  user: string;
}

/** The password of a login; a file that others may read is passed over, with a warning, as libpq does. */
export function findPassword(
  login: Login,
  path: string | undefined,
  env: Environment,
  warnings: string[],
): string | undefined {
  const file = path ?? homeFile(env);
  if (file === undefined) return undefined;
  const info = findInfo(file);
  if (!info?.isFile) return undefined;
  if (hasModes() && ((info.mode ?? 0) & 0o077) !== 0) {
    warnings.push(
      `the password file ${file} was ignored: others can read it (run chmod 600 on it)`,
    );
    return undefined;
  }
  for (const line of (findSmallText(file) ?? "").split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const [host, port, database, user, password] = fieldsOf(line);
    if (password === undefined) continue;
    const isHost = host === "*" || host === login.host ||
      (host === "localhost" && isDefaultSocket(login.host));
    const rest = [[port, String(login.port)], [database, login.database], [user, login.user]];
    if (isHost && rest.every(([pattern, value]) => pattern === "*" || pattern === value)) {
      return password;
    }
  }
  return undefined;
}

/** A backslash takes the meaning from a colon or another backslash. */
function fieldsOf(line: string): string[] {
  const fields = [""];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\" && at + 1 < line.length) fields[fields.length - 1] += line[++at];
    else if (line[at] === ":" && fields.length < 5) fields.push("");
    else fields[fields.length - 1] += line[at];
  }
  return fields;
}

function isDefaultSocket(host: string): boolean {
  return host === "/var/run/postgresql" || host === "/tmp";
}

function homeFile(env: Environment): string | undefined {
  const home = env("HOME");
  if (home !== undefined) return `${home}/.pgpass`;
  const data = env("APPDATA");
  return data === undefined ? undefined : `${data}/postgresql/pgpass.conf`;
}
