// What a space's owner does about members: inviting and revoking them, and in an encrypted space the
// keys that go with it.

import { CtxError } from "../../core/errors.ts";
import { certifyInvite } from "../trust/certificate.ts";
import { formatInvitation, parseInvitation } from "../trust/invitation.ts";
import { findSignKey, makeSignKey, type SignKey } from "../trust/keys.ts";
import {
  ageRecipientOf,
  makeAgeIdentity,
  makeSpaceKey,
  type SpaceKey,
} from "../trust/space_keys.ts";
import { wrapFor } from "./join_space.ts";
import {
  type Identity,
  keepMembers,
  keepNewest,
  openSpace,
  type SyncWorld,
  unwrapAll,
} from "./open_space.ts";
import { ownDirectory, type RemoteSecrets } from "./secrets_file.ts";
import { checkMemberName, checkSpaceName } from "./space_names.ts";
import type { SyncSession } from "./sync_session.ts";

/**
 * Lets somebody in; returns the file that has the invitation, which is for them alone. Under the
 * owner's own name it is for another machine of the owner, and has the root key.
 */
export async function inviteMember(
  world: SyncWorld,
  identity: Identity,
  { name, role }: { name: string; role?: string },
): Promise<{ path: string; role: string; yours: boolean }> {
  const { secrets, me: { space } } = identity;
  const root = getRoot(identity);
  // A name that cannot be is refused before a login is made for it.
  const path = invitationPath(world, { space, name });
  const session = await openSpace(world, identity);
  await using remote = session.remote;
  const invite = makeSignKey();
  const cert = certifyInvite({ space, name, inviteKey: invite.publicKey }, root);
  const as = { name, inviteKey: invite.publicKey, inviteCert: cert };
  const yours = name === identity.me.name;
  const access = yours ? { url: secrets.url, role: "" } : await remote.invite(as, role);
  const age = session.state.encrypted ? await makeAgeIdentity() : undefined;
  if (age !== undefined) {
    const keys = await unwrapOwn(session, secrets);
    await remote.putKeys(await wrapFor(`invite:${name}`, age.recipient, keys));
  }
  const text = formatInvitation({
    url: access.url,
    space,
    name,
    invite,
    rootKey: root.publicKey,
    cert,
    ...(yours ? { root } : {}),
    ...(age === undefined ? {} : { age: age.identity }),
  });
  await keepMembers(world.store, await remote.state(identity.me.writer), root.publicKey);
  world.files.makeDirectory(path.replace(/\/[^/]*$/, ""));
  const bytes = new TextEncoder().encode(text + "\n");
  world.files.replace(path, bytes, { sync: true, mode: 0o600 });
  return { path, role: access.role, yours };
}

/** Ends a membership; in an encrypted space those who stay get a new key. A dry run only looks. */
export async function revokeMember(
  world: SyncWorld,
  identity: Identity,
  { name, dry_run }: { name: string; dry_run: boolean },
): Promise<{ role_removed: boolean; epoch?: number }> {
  const { space, writer } = identity.me;
  const root = getRoot(identity);
  const session = await openSpace(world, identity);
  await using remote = session.remote;
  const { revokedAt } = getMember(session, name);
  if (dry_run) return { role_removed: false };
  // A killed try may have got as far as this.
  const role_removed = revokedAt === null && await remote.revoke(name);
  world.files.remove(invitationPath(world, { space, name }));
  await keepMembers(world.store, await remote.state(writer), root.publicKey);
  if (!session.state.encrypted) return { role_removed };
  const epoch = await renewKey(world, session, { root, gone: name });
  await keepNewest(world, identity, epoch);
  return { role_removed, epoch };
}

/** Somebody who can be revoked. */
function getMember({ state: { members }, me: { space } }: SyncSession, name: string) {
  const member = members.find((item) => item.name === name);
  if (member !== undefined && !member.owner) return member;
  const why = member === undefined ? `${space} has no such member` : `${name} owns ${space}`;
  const code = member === undefined ? "NOT_FOUND" : "USAGE";
  throw new CtxError(code, `Cannot revoke "${name}": ${why}`, {
    hint: "ctx team members lists the members",
  });
}

/** A key that whoever was revoked never gets, for all stores and open invitations of the others. */
async function renewKey(
  world: SyncWorld,
  session: SyncSession,
  { root, gone }: { root: SignKey; gone: string },
): Promise<number> {
  const { state, remote, epochs, believed, me: { space } } = session;
  const epoch = (epochs.at(-1)?.epoch ?? 0) + 1;
  const key = makeSpaceKey({ space, epoch, root });
  const holders = state.writers.filter(({ writer, name, leftAt, ageRecipient }) =>
    leftAt === null && name !== gone && ageRecipient !== null && believed.has(writer)
  ).map(({ writer, ageRecipient }) => ({ holder: writer, recipient: ageRecipient ?? "" }));
  for (const { name, owner, revokedAt } of state.members) {
    if (owner || name === gone || revokedAt !== null) continue;
    const recipient = await findInvited(world, { space, name });
    if (recipient !== undefined) holders.push({ holder: `invite:${name}`, recipient });
  }
  const wraps = holders.map(({ holder, recipient }) => wrapFor(holder, recipient, [key]));
  await remote.putKeys((await Promise.all(wraps)).flat());
  return epoch;
}

/** Whom the keys of an open invitation are wrapped for, by its file here. */
async function findInvited(world: SyncWorld, whose: Invited): Promise<string | undefined> {
  const bytes = world.files.findBytes(invitationPath(world, whose));
  if (bytes === undefined) return undefined;
  const { age } = parseInvitation(new TextDecoder().decode(bytes));
  return age === undefined ? undefined : await ageRecipientOf(age);
}

async function unwrapOwn({ state, me }: SyncSession, { age }: RemoteSecrets): Promise<SpaceKey[]> {
  return await unwrapAll(state, { holder: me.writer, identity: age });
}

function getRoot({ me, secrets }: Identity): SignKey {
  const root = secrets.root === undefined ? undefined : findSignKey(secrets.root);
  if (root !== undefined) return root;
  throw new CtxError(
    "DENIED",
    `Cannot change the members of "${me.space}": you are not its owner`,
    {
      hint: "ctx team members shows who the owner is",
    },
  );
}

interface Invited {
  space: string;
  name: string;
}

/** By the space too: the Bob of one space may not be invited to the other, or may be somebody else. */
function invitationPath(world: SyncWorld, { space, name }: Invited): string {
  checkSpaceName(space);
  checkMemberName(name);
  return `${ownDirectory(world)}/invites/${space}/${name}.txt`;
}
