// From the address of a space to what carries its files. What an address needs is loaded with it.

import { CtxError } from "../../core/errors.ts";
import { fromFileUrl, normalizePath, resolvePath, toFileUrl } from "../../core/platform_path.ts";
import type { Files } from "../../disk/files.ts";
import type { FileCarrier } from "./file_carrier.ts";

/** What a carrier is opened with. */
export interface CarrierWorld {
  files: Files;
  env: (name: string) => string | undefined;
}

/** How often a watch looks for new files: a request over a network costs more. */
const pollMs = { near: 2000, far: 30_000 };

/** Whether an address is one of files; a database is another matter. */
export function isFilesUrl(url: string): boolean {
  return /^(file|ssh|sftp|s3):/.test(url);
}

/** The address of a directory as a user typed it; anything with a scheme stays as it is. */
export function toSpaceUrl(typed: string, cwd: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(typed)) return typed;
  return toFileUrl(normalizePath(resolvePath(typed, cwd)));
}

/** The directory that a `file:` address names; undefined of any other. */
export function findDirectory(url: string): string | undefined {
  if (!url.startsWith("file:")) return undefined;
  try {
    return fromFileUrl(url).replace(/(?<=.)\/+$/, "");
  } catch {
    throw invalidUrl(url);
  }
}

/** Opens what carries the files of an address. */
export async function openCarrier(
  url: string,
  { files, env }: CarrierWorld,
): Promise<{ carrier: FileCarrier; pollMs: number }> {
  const directory = findDirectory(url);
  if (directory !== undefined) {
    const { openLocal } = await import("./local_carrier.ts");
    return { carrier: openLocal(directory, files), pollMs: pollMs.near };
  }
  if (/^(ssh|sftp):/.test(url)) {
    const { readSshLogin } = await import("./ssh_login.ts");
    const { openSftp } = await import("./sftp_carrier.ts");
    return { carrier: await openSftp(readSshLogin(url, env)), pollMs: pollMs.far };
  }
  if (url.startsWith("s3:")) {
    const { readS3Settings } = await import("./s3_settings.ts");
    const { openS3 } = await import("./s3_carrier.ts");
    return { carrier: await openS3(readS3Settings(url, env)), pollMs: pollMs.far };
  }
  throw invalidUrl(url);
}

function invalidUrl(url: string): CtxError {
  const scheme = /^[a-z0-9+.-]*:/i.exec(url)?.[0] ?? "";
  return new CtxError("CONFIG_INVALID", `Cannot use the address "${scheme}…" for a space`, {
    hint: "use a folder, ssh://USER@HOST/DIR, s3://BUCKET/DIR or postgres://USER@HOST/DATABASE",
  });
}
