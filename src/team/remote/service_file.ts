// pg_service.conf: settings of connections by name.

import { CtxError } from "../../core/errors.ts";
import { findSmallText } from "../../disk/outside_files.ts";

/** Reads a variable of the environment. */
export type Environment = (name: string) => string | undefined;

/** The settings of a service, by libpq's names. */
export function readService(service: string, env: Environment): Record<string, string> {
  for (const path of placesOf(env)) {
    const found = sectionOf(findSmallText(path) ?? "", service);
    if (found !== undefined) return found;
  }
  throw new CtxError("CONFIG_INVALID", `Cannot find the PostgreSQL service "${service}"`, {
    hint: "services are defined in PGSERVICEFILE or ~/.pg_service.conf",
  });
}

function placesOf(env: Environment): string[] {
  const own = env("PGSERVICEFILE") ??
    (env("HOME") === undefined ? undefined : `${env("HOME")}/.pg_service.conf`);
  const system = env("PGSYSCONFDIR") ?? "/etc/postgresql-common";
  return [...(own === undefined ? [] : [own]), `${system}/pg_service.conf`];
}

function sectionOf(text: string, service: string): Record<string, string> | undefined {
  let found: Record<string, string> | undefined;
  let isInside = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("[")) {
      if (found !== undefined) return found;
      isInside = line === `[${service}]`;
      if (isInside) found = {};
      continue;
    }
    const at = line.indexOf("=");
    if (isInside && found !== undefined && at > 0) {
      found[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
  }
  return found;
}
