// Opens the space that a store belongs to: its identity, its keys, a session on the server, and who is
// believed there.

import { realWorkspace } from "../../config/trusted.ts";
import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import type { Store } from "../../store/store.ts";
import { layoutOf } from "../../disk/layout.ts";
import { readRemote, type RemoteFile } from "../../store/team/remote_file.ts";
import { readMembers, writeMembers } from "../../store/team/team_log.ts";
import { isFilesUrl } from "../carrier/open_carrier.ts";
import type { RemoteSpace } from "../remote/remote_space.ts";
import type { RemoteState } from "../remote/remote_state.ts";
import { toBase64Url } from "../trust/base64url.ts";
import { parseInvitation } from "../trust/invitation.ts";
import { findSignKey, type SignKey } from "../trust/keys.ts";
import { type SpaceKey, unwrapSpaceKey } from "../trust/space_keys.ts";
import { type Believed, findBelieved, toMembers } from "./believed_writers.ts";
import { readSecrets, type RemoteSecrets, writeSecrets } from "./secrets_file.ts";
import type { SyncSession } from "./sync_session.ts";

/** What is needed of a command's context. */
export interface SyncWorld {
  store: Store;
  /** For what lies beside the store. */
  files: Files;
  env: (name: string) => string | undefined;
  warn: (message: string) => void;
  now: () => number;
  signal: AbortSignal;
}

/** Who this store is, with its keys. */
export interface Identity {
  me: RemoteFile;
  secrets: RemoteSecrets;
}

/** The identity of a store; throws NOT_FOUND, which says what was to be done, when it is in no space. */
export function getMembership(
  store: Pick<Store, "files" | "layout">,
  action = "sync",
): RemoteFile {
  const me = readRemote(store);
  if (me !== undefined) return me;
  throw new CtxError("NOT_FOUND", `Cannot ${action}: this project is not shared with a team yet`, {
    hint:
      "to join a team, run ctx team add --invite FILE; to start one, run ctx team init URL --space NAME",
  });
}

/** The identity with its keys; throws when they are of another machine or another copy of the store. */
export async function getIdentity(world: SyncWorld, action?: string): Promise<Identity> {
  const { store } = world;
  const me = getMembership(store, action);
  const secrets = readSecrets(world).get(me.writer);
  if (secrets === undefined) {
    throw new CtxError(
      "REMOTE_FORKED",
      `Cannot sync with "${me.space}": this store's keys are not on this machine`,
      { hint: "join again with your invitation: ctx team add --again --invite FILE" },
    );
  }
  const workspace = realWorkspace(store.layout.workspace);
  if (secrets.workspace !== workspace) {
    const layout = layoutOf(secrets.workspace);
    if (readRemote({ files: store.files, layout })?.writer === me.writer) {
      throw new CtxError(
        "REMOTE_FORKED",
        `Cannot sync with "${me.space}": this store is a copy of the one in "${secrets.workspace}"`,
        { hint: "give it its own identity: ctx team add --again" },
      );
    }
    // Moved, not copied.
    await writeSecrets(world, me.writer, { ...secrets, workspace });
  }
  return { me, secrets };
}

/** A session in the space of a URL: on a server, or in its files. */
export async function connectSpace(
  world: SyncWorld,
  secrets: Pick<RemoteSecrets, "url" | "space"> & Partial<RemoteSecrets>,
): Promise<RemoteSpace> {
  const { env, warn } = world;
  const { url, space } = secrets;
  if (isFilesUrl(url)) {
    const { openFiles } = await import("./open_files.ts");
    return await openFiles(world, secrets);
  }
  const { readSettings } = await import("../remote/connection_settings.ts");
  const { PostgresSpace } = await import("../remote/postgres_space.ts");
  const settings = await readSettings(url, env);
  for (const warning of settings.warnings) warn(warning);
  return await PostgresSpace.connect(settings, space);
}

/** The key pair of a writer. */
export function getSignKey(secrets: RemoteSecrets): SignKey {
  const key = findSignKey(secrets.sign);
  if (key !== undefined) return key;
  throw new CtxError("CONFIG_INVALID", "Cannot sign: the key in remotes.json is damaged", {
    hint: "join again with your invitation: ctx team add --again --invite FILE",
  });
}

/** The root key of the space as it was when this member joined; the server has no say in it. */
export function pinnedRoot({ root, invite }: Pick<RemoteSecrets, "root" | "invite">): Uint8Array {
  const own = root === undefined ? undefined : findSignKey(root)?.publicKey;
  if (own !== undefined) return own;
  if (invite !== undefined) return parseInvitation(invite).rootKey;
  throw new CtxError(
    "CONFIG_INVALID",
    "Cannot check the space: its key is missing from remotes.json",
    {
      hint: "join again with your invitation: ctx team add --again --invite FILE",
    },
  );
}

/**
 * Throws REMOTE_UNTRUSTED when the server shows another root key than the one that was pinned, or calls
 * a space plain that was joined as an encrypted one: rows would leave as they read.
 */
export function refuseOtherSpace(
  state: RemoteState,
  { rootKey, encrypted }: { rootKey: Uint8Array; encrypted: boolean },
): void {
  const fault = toBase64Url(state.rootKey) !== toBase64Url(rootKey)
    ? "its root key has changed since you joined"
    : encrypted && !state.encrypted
    ? "it was encrypted, and now claims that it is not"
    : undefined;
  if (fault === undefined) return;
  throw new CtxError("REMOTE_UNTRUSTED", `Cannot trust "${state.space}": ${fault}`, {
    hint: "ask the owner if the space was recreated; nothing was sent",
  });
}

/** A sync's session; close its `remote` when it is done. */
export async function openSpace(
  world: SyncWorld,
  { me, secrets }: Identity,
  opened?: RemoteSpace,
): Promise<SyncSession> {
  const { store, warn, now, signal } = world;
  const key = getSignKey(secrets);
  const rootKey = pinnedRoot(secrets);
  const remote = opened ?? await connectSpace(world, secrets);
  try {
    const state = await remote.state(me.writer);
    refuseOtherSpace(state, { rootKey, encrypted: me.encrypted });
    refuseLeft(state, me);
    const { writers: believed, faults } = await keepMembers(store, state, rootKey);
    for (const fault of [...state.notices ?? [], ...faults]) warn(fault);
    const epochs = state.encrypted
      ? await unwrapAll(state, { holder: me.writer, identity: secrets.age })
      : [];
    if (state.encrypted) await keepNewest(world, { me, secrets }, epochs.at(-1)?.epoch ?? 0);
    return { store, remote, state, me, key, believed, epochs, warn, now, signal };
  } catch (error) {
    await remote.close();
    throw error;
  }
}

/** Keeps who is in the space, as the server tells it; returns who of them is believed. */
export async function keepMembers(
  store: Store,
  state: RemoteState,
  rootKey: Uint8Array,
): Promise<Believed> {
  const before = readMembers(store.files, store.layout);
  const found = findBelieved(state, { rootKey, before });
  const members = toMembers(state, { believed: found.writers, before });
  if (JSON.stringify(members) !== JSON.stringify(before)) {
    await store.write("sync", (into) => writeMembers(into, members));
  }
  return found;
}

/** The keys of a space that are wrapped for a holder, oldest first. */
export async function unwrapAll(
  { keys, space, rootKey }: RemoteState,
  { holder, identity }: { holder: string; identity: string },
): Promise<SpaceKey[]> {
  const found: SpaceKey[] = [];
  for (const { holder: of, wrapped } of keys) {
    if (of !== holder) continue;
    const key = await unwrapSpaceKey(wrapped, { identity, space, rootKey });
    if (key !== undefined) found.push(key);
  }
  return found.sort((a, b) => a.epoch - b.epoch);
}

function refuseLeft({ writers, space }: RemoteState, { writer }: RemoteFile): void {
  const own = writers.find((item) => item.writer === writer);
  if (own !== undefined && own.leftAt === null) return;
  throw new CtxError("REMOTE_DENIED", `Cannot sync with "${space}": this store has left it`, {
    hint: "ctx team leave here too, or join again: ctx team add --again",
  });
}

/** Rows are sealed with the newest key: with an older one, whoever was revoked since could read them. */
export async function keepNewest(
  world: SyncWorld,
  { me: { space, writer }, secrets }: Identity,
  epoch: number,
): Promise<void> {
  const { epoch: before = 0 } = secrets;
  if (epoch === 0) throw noKeys(space, "no key");
  if (epoch < before) throw noKeys(space, "only outdated keys");
  if (epoch === before) return;
  secrets.epoch = epoch;
  await writeSecrets(world, writer, secrets);
}

function noKeys(space: string, what: string): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot read "${space}": the space has ${what} for this store`,
    { hint: "ask the owner for a new invitation, then: ctx team add --again --invite FILE" },
  );
}
