// Where an SFTP server is, whom to sign in as and with which keys, and by which keys the host is known:
// as `ssh` does it, from the user's own files and agent. A host that is not known is never asked in.

import { homeOf } from "../../core/platform_path.ts";
import { createHmac } from "node:crypto";
import { findSmallText } from "../../disk/outside_files.ts";
import { CtxError } from "../../core/errors.ts";

/** How to sign in to a server. */
export interface SshLogin {
  host: string;
  port: number;
  user: string;
  /** The directory; one without a slash before it is below the login's home. */
  directory: string;
  /** The socket of the user's agent. */
  agent?: string;
  /** Private keys, as their files have them. */
  keys: { path: string; text: string }[];
  /** The keys that the host may show: type and base64. */
  hostKeys: { type: string; key: string }[];
}

/** Reads an address `ssh://USER@HOST:PORT/DIR`; `/~/DIR` is below the home of USER. */
export function readSshLogin(
  url: string,
  env: (name: string) => string | undefined,
): SshLogin {
  const parsed = URL.parse(url.replace(/^sftp:/, "ssh:"));
  if (parsed === null || parsed.hostname === "") throw invalid("it names no host");
  if (parsed.password !== "") throw invalid("passwords are not supported; use an SSH key or agent");
  for (const name of parsed.searchParams.keys()) {
    if (name !== "key") throw invalid(`it has an unknown setting "${name}"`);
  }
  const home = homeOf(env) ?? "";
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const port = Number(parsed.port || 22);
  const user = decode(parsed.username) || env("USER") || env("LOGNAME") || "";
  if (user === "") throw invalid("it names no user");
  const path = decode(parsed.pathname).replace(/\/+$/, "");
  if (path === "") throw invalid("it names no folder");
  const key = parsed.searchParams.get("key");
  const paths = key === null
    ? ["id_ed25519", "id_ecdsa", "id_rsa"].map((name) => `${home}/.ssh/${name}`)
    : [key.replace(/^~/, home)];
  const agent = env("SSH_AUTH_SOCK");
  const known = [`${home}/.ssh/known_hosts`, "/etc/ssh/ssh_known_hosts"]
    .map((file) => findSmallText(file) ?? "").join("\n");
  return {
    ...{ host, port, user },
    directory: path.replace(/^\/~\/?/, "") || ".",
    ...(agent ? { agent } : {}),
    keys: paths.flatMap((file) => {
      const text = findSmallText(file);
      return text === undefined ? [] : [{ path: file, text }];
    }),
    hostKeys: findHostKeys(known, { host, port }),
  };
}

/** The keys of a host in the text of a `known_hosts` file. */
export function findHostKeys(
  text: string,
  { host, port }: { host: string; port: number },
): { type: string; key: string }[] {
  const name = port === 22 ? host : `[${host}]:${port}`;
  const revoked = new Set<string>();
  const found = text.split("\n").flatMap((line) => {
    const [, mark, rest] = /^\s*(?:(@\S+)\s+)?(.*)$/.exec(line) ?? ["", "", ""];
    const [patterns, type, key] = rest.trim().split(/\s+/);
    if (key === undefined || patterns.startsWith("#") || !names(patterns, name)) return [];
    if (mark === "@revoked") revoked.add(key);
    // Another mark is that of an authority.
    return mark === undefined ? [{ type, key }] : [];
  });
  return found.filter(({ key }) => !revoked.has(key));
}

function names(patterns: string, name: string): boolean {
  const hashed = /^\|1\|([^|]+)\|([^|]+)$/.exec(patterns);
  if (hashed !== null) {
    const salt = findBytes(hashed[1]);
    return salt !== undefined &&
      createHmac("sha1", salt).update(name).digest("base64") === hashed[2];
  }
  const list = patterns.split(",");
  return list.some((pattern) => matches(pattern, name)) &&
    !list.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), name));
}

function findBytes(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("write a % as %25");
  }
}

function matches(pattern: string, name: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i").test(name);
}

function invalid(fault: string): CtxError {
  return new CtxError("CONFIG_INVALID", `Cannot use the SSH address: ${fault}`, {
    hint: "ssh://USER@HOST/DIR, or ssh://USER@HOST/~/DIR for a folder in their home",
  });
}
