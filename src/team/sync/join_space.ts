// Makes a space, or joins one: keys first, on this machine, then the server, then the store. Killed in
// between, the same command goes on with the same keys.

import { realWorkspace } from "../../config/trusted.ts";
import { CtxError } from "../../core/errors.ts";
import { dropTeam } from "../../store/lifecycle/forget_entries.ts";
import { readRemote, type RemoteFile, writeRemote } from "../../store/team/remote_file.ts";
import { layoutOf } from "../../disk/layout.ts";
import { pushedOf, replacePushed } from "../../store/team/pushed_log.ts";
import { readCursors, writeCursors, writeMembers } from "../../store/team/team_log.ts";
import type { RemoteSpace } from "../remote/remote_space.ts";
import type { RemoteState } from "../remote/remote_state.ts";
import { toBase64Url } from "../trust/base64url.ts";
import { certifyWriter } from "../trust/certificate.ts";
import { chainStart } from "../trust/chain.ts";
import { type Invitation, parseInvitation } from "../trust/invitation.ts";
import { exportSignKey, findSignKey, makeSignKey } from "../trust/keys.ts";
import {
  ageRecipientOf,
  makeAgeIdentity,
  makeSpaceKey,
  type SpaceKey,
  wrapSpaceKey,
} from "../trust/space_keys.ts";
import { toMembers } from "./believed_writers.ts";
import {
  connectSpace,
  getSignKey,
  pinnedRoot,
  refuseOtherSpace,
  type SyncWorld,
  unwrapAll,
} from "./open_space.ts";
import { readMemberRows } from "./own_chain.ts";
import { dropMark } from "./own_scan.ts";
import { readSecrets, type RemoteSecrets, writeSecrets } from "./secrets_file.ts";
import { checkMemberName, checkSpaceName } from "./space_names.ts";

/** A store's place in a space. */
export interface Joined {
  me: RemoteFile;
  members: number;
  /** The version of the schema, where it was made or brought up to date. */
  schema?: number;
}

/** Makes the schema where it is missing, and a space that this store owns. */
export async function initSpace(
  world: SyncWorld,
  wanted: { url: string; space: string; name: string; encrypt: boolean },
): Promise<Joined> {
  const { url, space, name } = wanted;
  checkSpaceName(space);
  checkMemberName(name);
  refuseJoined(world, `make "${space}"`);
  const { writer, secrets } = await prepare(world, { url, space }, async () => ({
    ...await makeKeys(world, { url, space }),
    root: exportSignKey(makeSignKey()),
    ...(wanted.encrypt ? { encrypted: true } : {}),
  }));
  const root = findSignKey(secrets.root ?? "");
  if (root === undefined) {
    throw new CtxError("CONFIG_INVALID", "Cannot use the root key: it is damaged");
  }
  await using remote = await connectSpace(world, secrets);
  const version = await remote.prepare();
  try {
    await createOnce(remote, { name, rootKey: root.publicKey, encrypted: wanted.encrypt });
  } catch (error) {
    // The name is somebody else's: a root key of ours would be taken for that space's.
    if (error instanceof CtxError && error.code === "USAGE") {
      await writeSecrets(world, writer, undefined);
    }
    throw error;
  }
  await joinAs(remote, { writer, name, secrets, signer: root });
  const state = await remote.state(writer);
  refuseOtherSpace(state, { rootKey: root.publicKey, encrypted: wanted.encrypt });
  if (state.encrypted && !state.keys.some(({ holder }) => holder === writer)) {
    const first = makeSpaceKey({ space, epoch: 1, root });
    await remote.putKeys(await wrapFor(writer, await ageRecipientOf(secrets.age), [first]));
  }
  return { ...await settle(world, { state, writer, name }), schema: version };
}

/** Joins with an invitation, or with what another workspace of this user joined with. */
export async function joinSpace(
  world: SyncWorld,
  wanted: { invitation?: string; url?: string; space?: string; again: boolean },
): Promise<Joined> {
  const before = readRemote(world.store);
  const given = wanted.invitation === undefined ? undefined : parseInvitation(wanted.invitation);
  const space = given?.space ?? wanted.space ?? (wanted.again ? before?.space : undefined);
  if (space === undefined) {
    throw new CtxError("USAGE", "Cannot join: no invitation or space given", {
      hint: "ctx team add --invite FILE, or ctx team add --space NAME",
    });
  }
  if (wanted.space !== undefined && wanted.space !== space) {
    throw new CtxError("USAGE", `Cannot join "${wanted.space}": the invitation is for "${space}"`, {
      hint: `ctx team add --invite FILE joins "${space}"; leave out --space`,
    });
  }
  if (wanted.again) await dropUnfinished(world, before?.writer);
  else refuseJoined(world, `join "${space}"`);
  const known = [...readSecrets(world)].filter(([, item]) =>
    item.space === space && (item.root ?? item.invite) !== undefined
  );
  const source = given === undefined ? findSource(world, known) : undefined;
  if (given === undefined && source === undefined) {
    if (wanted.url !== undefined) await tryUrl(world, { url: wanted.url, space });
    throw new CtxError("USAGE", `Cannot join "${space}": you have no invitation here`, {
      hint:
        `ask its owner for one (ctx team invite NAME), then: ctx team add --invite FILE; to create the space: ctx team init URL --space ${space}`,
    });
  }
  const url = wanted.url ?? given?.url ?? source?.url ?? "";
  const { writer, secrets } = await prepare(world, { url, space }, async () => ({
    ...await makeKeys(world, { url, space }),
    ...(given !== undefined
      ? {
        invite: wanted.invitation?.trim(),
        ...(given.root === undefined ? {} : { root: exportSignKey(given.root) }),
      }
      : {
        root: source?.root,
        invite: source?.invite,
        encrypted: source?.encrypted,
        epoch: Math.max(...known.map(([, item]) => item.epoch ?? 0)),
      }),
  }));
  await using remote = await connectSpace(world, secrets);
  const early = await remote.state();
  const invitation = secrets.invite === undefined ? undefined : parseInvitation(secrets.invite);
  const encrypted = secrets.encrypted === true || invitation?.age !== undefined;
  refuseOtherSpace(early, { rootKey: pinnedRoot(secrets), encrypted });
  const signer = secrets.root === undefined ? invitation?.invite : findSignKey(secrets.root);
  if (signer === undefined) {
    throw new CtxError("CONFIG_INVALID", "Cannot use the key: it is damaged");
  }
  const name = early.me;
  if (invitation !== undefined && invitation.name !== name) throw renamed(space);
  await joinAs(remote, { writer, name, secrets, signer });
  if (early.encrypted) {
    const keys = await findKeys(remote, { name, invitation, known });
    await remote.putKeys(await wrapFor(writer, await ageRecipientOf(secrets.age), keys));
  }
  const state = await remote.state(writer);
  // Rows of others that lie here before anybody joined came with a clone: nobody has checked them.
  if (!wanted.again) await world.store.write("remote add", dropTeam);
  await takeOver(world, remote, { state, writer, secrets });
  return await settle(world, { state, writer, name });
}

/** Says first what is wrong with the URL, the login or the space: an invitation would not help there. */
async function tryUrl(world: SyncWorld, at: { url: string; space: string }): Promise<void> {
  await using remote = await connectSpace(world, at);
  await remote.state();
}

/** The keys of a writer, kept on this machine before anybody hears of it; those of a killed try again. */
async function prepare(
  world: SyncWorld,
  { space }: { url: string; space: string },
  make: () => Promise<RemoteSecrets>,
): Promise<{ writer: string; secrets: RemoteSecrets }> {
  const workspace = realWorkspace(world.store.layout.workspace);
  const joined = readRemote(world.store)?.writer;
  const unfinished = [...readSecrets(world)].find(([writer, item]) =>
    item.workspace === workspace && item.space === space && writer !== joined
  );
  const made = await make();
  if (unfinished !== undefined) {
    const [writer, { sign, age, root }] = unfinished;
    const secrets = { ...made, sign, age, ...(made.root && root ? { root } : {}) };
    await writeSecrets(world, writer, secrets);
    return { writer, secrets };
  }
  const writer = crypto.randomUUID();
  await writeSecrets(world, writer, made);
  return { writer, secrets: made };
}

async function makeKeys(
  { store }: SyncWorld,
  { url, space }: { url: string; space: string },
): Promise<RemoteSecrets> {
  const { identity } = await makeAgeIdentity();
  const workspace = realWorkspace(store.layout.workspace);
  return { url, space, workspace, sign: exportSignKey(makeSignKey()), age: identity };
}

/** A new identity is new: nothing is left of an earlier try. */
async function dropUnfinished(world: SyncWorld, joined: string | undefined): Promise<void> {
  const workspace = realWorkspace(world.store.layout.workspace);
  for (const [writer, item] of readSecrets(world)) {
    const isOwn = item.workspace === workspace && writer !== joined;
    // The owner's root key must not be lost with a try.
    if (isOwn && item.root === undefined) await writeSecrets(world, writer, undefined);
  }
}

/** The space is made once; by a killed try of ours it is ours. */
async function createOnce(
  remote: RemoteSpace,
  { name, rootKey, encrypted }: { name: string; rootKey: Uint8Array; encrypted: boolean },
): Promise<void> {
  try {
    await remote.createSpace({ owner: name, rootKey, encrypted });
  } catch (error) {
    const state = await remote.state().catch(() => undefined);
    if (state === undefined || toBase64Url(state.rootKey) !== toBase64Url(rootKey)) throw error;
  }
}

async function joinAs(
  remote: RemoteSpace,
  { writer, name, secrets, signer }: {
    writer: string;
    name: string;
    secrets: RemoteSecrets;
    signer: Parameters<typeof certifyWriter>[1];
  },
): Promise<void> {
  const { publicKey: signKey } = getSignKey(secrets);
  const ageRecipient = await ageRecipientOf(secrets.age);
  const { space } = secrets;
  const cert = certifyWriter({ space, name, writer, signKey, ageRecipient }, signer);
  await remote.join({ writer, signKey, ageRecipient, cert });
}

/** The keys of the space by what this member holds: the invitation's identity, or other stores'. */
async function findKeys(
  remote: RemoteSpace,
  { name, invitation, known }: {
    name: string;
    invitation?: Invitation;
    known: readonly [writer: string, secrets: RemoteSecrets][];
  },
): Promise<SpaceKey[]> {
  const found: SpaceKey[] = [];
  for (const [holder, { age: identity }] of known) {
    found.push(...await unwrapAll(await remote.state(holder), { holder, identity }));
  }
  if (invitation?.age !== undefined) {
    const options = { holder: `invite:${name}`, identity: invitation.age };
    found.push(...await unwrapAll(await remote.state(), options));
  }
  return [...new Map(found.map((key) => [key.epoch, key])).values()];
}

/** Keys, wrapped for one holder. */
export async function wrapFor(
  holder: string,
  recipient: string,
  keys: readonly SpaceKey[],
): Promise<{ holder: string; epoch: number; wrapped: Uint8Array }[]> {
  return await Promise.all(keys.map(async (key) => ({
    holder,
    epoch: key.epoch,
    wrapped: await wrapSpaceKey(key, recipient),
  })));
}

/** What this member pushed before, under any identity, is not pushed again under the new one. */
async function takeOver(
  world: SyncWorld,
  remote: RemoteSpace,
  { state, writer, secrets }: { state: RemoteState; writer: string; secrets: RemoteSecrets },
): Promise<void> {
  const { store } = world;
  const rows = await readMemberRows(remote, { store, state, secrets, but: writer });
  await store.write("remote add", (into) => {
    replacePushed(into, rows.map(({ id, kind }) => ({ seq: 0, id, kind })));
    const bytes = into.files.findSize(pushedOf(into.layout)) ?? 0;
    const start = { seq: 0, link: toBase64Url(chainStart.link), bytes };
    const cursors = readCursors(into.files, into.layout);
    writeCursors(into, { ...cursors, [writer]: start });
    dropMark(into);
  });
}

/** The store's own word for it comes last: without it there is no membership. */
async function settle(
  { store }: SyncWorld,
  { state, writer, name }: { state: RemoteState; writer: string; name: string },
): Promise<Joined> {
  const { space, encrypted } = state;
  const me: RemoteFile = {
    version: 1,
    space,
    writer,
    name,
    owner: state.owner === name,
    encrypted,
  };
  await store.write("remote add", (into) => {
    writeMembers(into, toMembers(state, { believed: new Map() }));
    writeRemote(into, me);
  });
  const members = state.members.filter(({ revokedAt }) => revokedAt === null).length;
  return { me, members };
}

/** What this store signs of itself is not the server's to choose. */
function renamed(space: string): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot trust "${space}": the space and your invitation disagree on your name`,
    { hint: "ask the owner for a new invitation; nothing was sent" },
  );
}

/**
 * What this user joined the space with last. A store that is no longer what it was, or a try that came
 * to nothing, may have an invitation that counts no more: asked only where there is nothing else.
 */
function findSource(
  world: SyncWorld,
  known: readonly [writer: string, secrets: RemoteSecrets][],
): RemoteSecrets | undefined {
  const { files } = world.store;
  const joined = known.findLast(([writer, { workspace }]) =>
    workspace !== "" && readRemote({ files, layout: layoutOf(workspace) })?.writer === writer
  );
  return (joined ?? known.at(-1))?.[1];
}

function refuseJoined({ store }: SyncWorld, action: string): void {
  const before = readRemote(store);
  if (before === undefined) return;
  throw new CtxError(
    "USAGE",
    `Cannot ${action}: this workspace is already in "${before.space}"`,
    {
      hint:
        "ctx team leave first; with a new invitation to the same space: ctx team add --again --invite FILE",
    },
  );
}
