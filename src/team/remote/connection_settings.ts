// Where and as whom to connect. What the URL leaves open comes from PG* variables, then from the
// password file, as with libpq. TLS is stricter: only sockets and this machine may go without it.

import { isDirectory } from "../../disk/outside_files.ts";
import { CtxError } from "../../core/errors.ts";
import { type Environment, findPassword } from "./passfile.ts";

export interface ConnectionSettings {
  /** The URL as it was given. */
  url: string;
  /** A host's name or address, or the directory of a socket. */
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  /** Missing: plain. Certificates are always verified, with the host's name. */
  tls?: { host: string; authorities?: string };
  /** How long signing in may take. */
  timeoutSeconds: number;
  /** A server that says nothing for so long is taken as gone. */
  silenceSeconds: number;
  /** What the user should be told each time. */
  warnings: string[];
}

/** What can be said in a URL's query and the environment; all else is refused. */
const variables: Record<string, string | undefined> = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  password: "PGPASSWORD",
  dbname: "PGDATABASE",
  passfile: "PGPASSFILE",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  connect_timeout: "PGCONNECT_TIMEOUT",
  application_name: undefined,
};

const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Completes a URL, which may be as short as `postgres:`. */
export async function readSettings(url: string, env: Environment): Promise<ConnectionSettings> {
  const given = parseUrl(url);
  const find = (name: string): string | undefined => {
    const variable = variables[name];
    return given[name] ?? (variable && env(variable) || undefined);
  };
  const host = find("host") ?? defaultSocket();
  const port = toPort(find("port") ?? "5432");
  const user = find("user") ?? env("USER") ?? env("LOGNAME") ?? env("USERNAME");
  if (user === undefined) {
    throw invalid("the URL has no user", "postgres://USER@HOST/DATABASE");
  }
  if (host.includes(",")) throw invalid("more than one host is not supported", "name one host");
  const database = find("dbname") ?? user;
  const warnings: string[] = [];
  if (env("PGSERVICE")) {
    warnings.push("PGSERVICE is ignored: put the host, user and database in the URL");
  }
  const password = find("password") ??
    findPassword({ host, port, database, user }, find("passfile"), env, warnings);
  return {
    url,
    host,
    port,
    user,
    database,
    ...(password === undefined ? {} : { password }),
    ...await tlsOf(host, find("sslmode"), given.sslmode, find("sslrootcert"), warnings),
    timeoutSeconds: toTimeout(find("connect_timeout")),
    silenceSeconds: 120,
    warnings,
  };
}

/** How a server is named in messages; without a password. */
export function placeOf({ host, port, database, user }: ConnectionSettings): string {
  return `${host}:${port}/${database} (as ${user})`;
}

/** The address for another login: as this one is reached, whatever of it came from the environment. */
export function toLoginUrl(
  { url, host, port, database }: ConnectionSettings,
  { role, password }: { role: string; password?: string },
): string {
  const login = encodeURIComponent(role) +
    (password === undefined ? "" : `:${encodeURIComponent(password)}`);
  const query = new URLSearchParams(url.replace(/^[^?#]*\??/, "").replace(/#.*$/, ""));
  const kept = new URLSearchParams();
  const mode = query.get("sslmode");
  if (mode !== null) kept.set("sslmode", mode);
  if (host.startsWith("/")) kept.set("host", host);
  const place = host.startsWith("/") ? "" : host.includes(":") ? `[${host}]` : host;
  if (host.startsWith("/")) kept.set("port", String(port));
  const at = place === "" ? "" : `${place}:${port}`;
  const rest = kept.size > 0 ? `?${kept}` : "";
  return `postgres://${login}@${at}/${encodeURIComponent(database)}${rest}`;
}

/** Whether a host is this machine: a socket or a loopback address. */
export function isLocal(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" ||
    /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Every other host is verified in full: a weaker mode is raised, and only the URL can say "disable". */
async function tlsOf(
  host: string,
  mode: string | undefined,
  modeOfUrl: string | undefined,
  rootFile: string | undefined,
  warnings: string[],
): Promise<Pick<ConnectionSettings, "tls">> {
  if (mode !== undefined && !sslModes.includes(mode)) {
    throw invalid(`unknown sslmode "${mode}"`, `use one of ${sslModes.join(", ")}`);
  }
  if (host.startsWith("/")) return {};
  const isPlain = isLocal(host)
    ? mode === undefined || ["disable", "allow", "prefer"].includes(mode)
    : modeOfUrl === "disable";
  if (isPlain) {
    if (!isLocal(host)) {
      warnings.push(`the connection to ${host} is not encrypted: the URL says sslmode=disable`);
    }
    return {};
  }
  if (rootFile === undefined || rootFile === "system") return { tls: { host } };
  try {
    return { tls: { host, authorities: await Deno.readTextFile(rootFile) } };
  } catch (cause) {
    throw new CtxError("CONFIG_INVALID", `Cannot read sslrootcert "${rootFile}"`, {
      hint: "name a PEM file with certificates",
      cause,
    });
  }
}

/** The parts of a URL by the names of libpq. A socket's directory is `?host=/DIR` or `%2FDIR`. */
function parseUrl(url: string): Record<string, string> {
  const found =
    /^postgres(?:ql)?:(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/
      .exec(url);
  if (found === null) {
    throw invalid("not a PostgreSQL URL", "postgres://USER@HOST/DATABASE");
  }
  const [, login = "", place = "", database = "", query = ""] = found;
  const [user, ...password] = login.split(":");
  const bracketed = /^\[([^\]]*)\](?::(\d*))?$/.exec(place);
  const [host, port = ""] = bracketed === null ? place.split(":") : [bracketed[1], bracketed[2]];
  const parts: Record<string, string> = {
    user: decode(user),
    password: decode(password.join(":")),
    host: decode(host),
    port: decode(port),
    dbname: decode(database),
  };
  for (const [name, value] of new URLSearchParams(query)) {
    // A setting that is not known could be one that keeps people safe: it is not passed over.
    if (!(name in variables)) {
      throw invalid(`the URL has an unknown setting "${name}"`, "remove it");
    }
    parts[name] = value;
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ""));
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw invalid(`invalid port "${text}"`, "use a number from 1 to 65535");
}

function toTimeout(text: string | undefined): number {
  const seconds = Number(text ?? "");
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 15;
}

function defaultSocket(): string {
  return isDirectory("/var/run/postgresql") ? "/var/run/postgresql" : "/tmp";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("part of the URL is not correctly encoded", "write a % as %25");
  }
}

/** The URL itself is never told: it can hold a password. */
function invalid(fault: string, hint: string): CtxError {
  return new CtxError("CONFIG_INVALID", `Cannot use the server's URL: ${fault}`, { hint });
}
