// `remotes.json` beside the user's own configuration: where each writer of this machine connects to,
// and its keys. The only place where they are kept; the workspace has names alone (`remote.json`).

import { configFiles } from "../../config/load_config.ts";
import { CtxError } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import { takeLock } from "../../disk/lock.ts";

/** What one writer needs to take part in its space. */
export interface RemoteSecrets {
  /** Where the space is, with its password where it has one. */
  url: string;
  space: string;
  /** The real path of the workspace that is this writer. */
  workspace: string;
  /** The writer's signing key, PKCS #8 in base64. */
  sign: string;
  /** The writer's age identity. */
  age: string;
  /** The space's root key; its owner alone has it. */
  root?: string;
  /** Whether the owner made the space encrypted; members have that from their invitation. */
  encrypted?: boolean;
  /** The newest key of an encrypted space that was seen: a server may hold a newer one back. */
  epoch?: number;
  /** The invitation that this member joined with: it certifies further writers of the same member. */
  invite?: string;
}

/** What the file is reached with. */
export interface SecretsWorld {
  files: Files;
  env: (name: string) => string | undefined;
}

/** The directory of the user's own configuration. */
export function ownDirectory({ env }: Pick<SecretsWorld, "env">): string {
  const [own] = configFiles(undefined, env);
  if (own !== undefined) return own.path.replace(/\/[^/]*$/, "");
  throw new CtxError("DENIED", "Cannot find your configuration: your home is not set");
}

/** The secrets of all writers, by writer. */
export function readSecrets(world: SecretsWorld): Map<string, RemoteSecrets> {
  const path = secretsPath(world);
  const bytes = world.files.findBytes(path);
  if (bytes === undefined) return new Map();
  const stored = findJson(new TextDecoder().decode(bytes));
  if (!isObject(stored)) throw brokenFile(path);
  return new Map(
    Object.entries(stored).map(([writer, value]) => {
      if (!isSecrets(value)) throw brokenFile(path);
      return [writer, value];
    }),
  );
}

/** Keeps the secrets of a writer, or with undefined forgets them; the others stay as they are. */
export async function writeSecrets(
  world: SecretsWorld,
  writer: string,
  secrets: RemoteSecrets | undefined,
): Promise<void> {
  // Two workspaces may join at the same moment, and each keeps the other's line.
  await changeOwnFile(world, "remotes", () => {
    const all = readSecrets(world);
    if (secrets === undefined) all.delete(writer);
    else all.set(writer, secrets);
    return Object.fromEntries(all);
  });
}

/** Rewrites a file of JSON beside the user's own configuration, which nobody else may read. */
export async function changeOwnFile(
  world: SecretsWorld,
  name: "remotes" | "hub",
  change: () => object,
): Promise<void> {
  const directory = ownDirectory(world);
  world.files.makeDirectory(directory);
  const holder = { pid: Deno.pid, command: name, since: new Date().toISOString() };
  using _lock = await takeLock(`${directory}/.${name}.lock`, { holder, timeoutMs: 10_000 });
  const bytes = new TextEncoder().encode(JSON.stringify(change(), null, 2) + "\n");
  world.files.replace(`${directory}/${name}.json`, bytes, { sync: true, mode: 0o600 });
}

function secretsPath(world: Pick<SecretsWorld, "env">): string {
  return `${ownDirectory(world)}/remotes.json`;
}

function isSecrets(value: unknown): value is RemoteSecrets {
  if (!isObject(value)) return false;
  const texts = [value.url, value.space, value.workspace, value.sign, value.age];
  const others = [value.root, value.invite];
  return texts.every((text) => typeof text === "string") &&
    others.every((text) => text === undefined || typeof text === "string") &&
    (value.epoch === undefined || Number.isSafeInteger(value.epoch));
}

/** Names the file and nothing of what is in it. */
function brokenFile(path: string): CtxError {
  return new CtxError(
    "CONFIG_INVALID",
    `Cannot read "${path}": it is not in the format that ctx writes`,
    {
      hint: "restore it from a backup, or move it away and join again: ctx team add --invite FILE",
    },
  );
}
