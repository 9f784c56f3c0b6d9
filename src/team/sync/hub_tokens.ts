// `hub.json` beside the user's own configuration: who may ask the hub of a store, by the SHA-256 of
// their token. The token itself is in a file of its own, to be handed on, and nowhere else.

import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import { readText } from "../../disk/text_files.ts";
import { changeOwnFile, ownDirectory, type SecretsWorld } from "./secrets_file.ts";

/** Whose token it is: a name in the hub of a store, which is known by its writer. */
export interface HubName {
  writer: string;
  name: string;
}

/** Where the hashes of all tokens of this user are. */
export function hubPath({ env }: Pick<SecretsWorld, "env">): string {
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
export async function giveToken(
  world: SecretsWorld,
  whose: HubName,
  token: string,
): Promise<string> {
  const path = tokenPath(world, whose);
  world.files.makeDirectory(path.slice(0, path.lastIndexOf("/")));
  await changeTokens(world, whose, await hashToken(token));
  world.files.replace(path, new TextEncoder().encode(`${token}\n`), { sync: true, mode: 0o600 });
  return path;
}

/** Takes a token back; false when there was none. */
export async function revokeToken(world: SecretsWorld, whose: HubName): Promise<boolean> {
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
  world: SecretsWorld,
  { writer, name }: HubName,
  hash: string | undefined,
): Promise<void> {
  // Tokens of two stores may be made at the same moment.
  await changeOwnFile(world, "hub", () => {
    const path = hubPath(world);
    const before = findJson(readText(world.files, path));
    const own = readTokens(world.files, path, writer);
    if (hash === undefined) own.delete(name);
    else own.set(name, hash);
    return { ...(isObject(before) ? before : {}), [writer]: Object.fromEntries(own) };
  });
}

/** A name of a store's hub: two stores may have tokens for one name. */
function tokenPath(world: SecretsWorld, { writer, name }: HubName): string {
  return hubPath(world).replace(/[^/]*$/, `tokens/${writer}/${name}.txt`);
}
