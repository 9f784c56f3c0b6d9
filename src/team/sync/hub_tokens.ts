// `hub.json` beside the user's own configuration: who may ask the hub of a store, by the SHA-256 of
// their token. The token itself is in a file of its own, to be handed on, and nowhere else.

import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import { takeLock } from "../../disk/lock.ts";
import { readText } from "../../disk/text_files.ts";
import { ownDirectory } from "./secrets_file.ts";

/** What the file is reached with. */
export interface HubWorld {
  files: Files;
  env: (name: string) => string | undefined;
}

/** Whose token it is: a name in the hub of a store, which is known by its writer. */
export interface HubName {
  writer: string;
  name: string;
}

/** Where the hashes of all tokens of this user are. */
export function hubPath({ env }: Pick<HubWorld, "env">): string {
  return `${ownDirectory({ env })}/hub.json`;
}

/** The hashes of the tokens that count now, by name; none where the file is missing or damaged. */
export function readTokens(files: Files, path: string, writer: string): Map<string, string> {
  const stored = findJson(readText(files, path));
  const own = isObject(stored) ? stored[writer] : undefined;
  if (!isObject(own)) return new Map();
  return new Map(
    Object.entries(own).flatMap(([name, hash]) =>
      typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) ? [[name, hash]] : []
    ),
  );
}

/** Gives a name a token, which the one before gives way to; returns the file that has it. */
export async function giveToken(world: HubWorld, whose: HubName, token: string): Promise<string> {
  const path = tokenPath(world, whose);
  world.files.makeDirectory(path.slice(0, path.lastIndexOf("/")));
  await changeTokens(world, whose, await hashToken(token));
  world.files.replace(path, new TextEncoder().encode(`${token}\n`), { sync: true, mode: 0o600 });
  return path;
}

/** Takes a token back; false when there was none. */
export async function revokeToken(world: HubWorld, whose: HubName): Promise<boolean> {
  const isKnown = readTokens(world.files, hubPath(world), whose.writer).has(whose.name);
  await changeTokens(world, whose, undefined);
  world.files.remove(tokenPath(world, whose));
  return isKnown;
}

/** What is kept of a token, in hexadecimal. */
export async function hashToken(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return new Uint8Array(bytes).toHex();
}

async function changeTokens(
  world: HubWorld,
  { writer, name }: HubName,
  hash: string | undefined,
): Promise<void> {
  const path = hubPath(world);
  world.files.makeDirectory(path.slice(0, path.lastIndexOf("/")));
  const holder = { pid: Deno.pid, command: "remote token", since: new Date().toISOString() };
  // Tokens of two stores may be made at the same moment.
  using _lock = await takeLock(`${path}.lock`, { holder, timeoutMs: 10_000 });
  const before = findJson(readText(world.files, path));
  const own = readTokens(world.files, path, writer);
  if (hash === undefined) own.delete(name);
  else own.set(name, hash);
  const all = { ...(isObject(before) ? before : {}), [writer]: Object.fromEntries(own) };
  const text = JSON.stringify(all, null, 2) + "\n";
  world.files.replace(path, new TextEncoder().encode(text), { sync: true, mode: 0o600 });
}

/** A name of a store's hub: two stores may have tokens for one name. */
function tokenPath(world: HubWorld, { writer, name }: HubName): string {
  return hubPath(world).replace(/[^/]*$/, `tokens/${writer}/${name}.txt`);
}
