// Whose rows are taken, by what the server shows and what was seen before.

import assert from "node:assert/strict";
import type { RemoteState, RemoteWriter } from "../../../src/team/remote/remote_state.ts";
import type { TeamMembers } from "../../../src/store/team/team_log.ts";
import { findBelieved, toMembers } from "../../../src/team/sync/believed_writers.ts";
import { toBase64Url } from "../../../src/team/trust/base64url.ts";
import { certifyInvite, certifyWriter } from "../../../src/team/trust/certificate.ts";
import { makeSignKey, type SignKey } from "../../../src/team/trust/keys.ts";

const root = makeSignKey();
const invite = makeSignKey();
const space = "web";
const ada = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
const bob = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0002";

/** A store as the server shows it, with the certificate that its signer gives. */
function shown(writer: string, name: string, signer: SignKey): RemoteWriter {
  const signKey = makeSignKey().publicKey;
  const isOwner = signer === root;
  const inviteKey = invite.publicKey;
  return {
    writer,
    name,
    signKey,
    ageRecipient: "age1x",
    inviteKey: isOwner ? null : inviteKey,
    inviteCert: isOwner ? null : certifyInvite({ space, name, inviteKey }, root),
    cert: certifyWriter({ space, name, writer, signKey, ageRecipient: "age1x" }, signer),
    joinedAt: "2026-01-01T00:00:00.000Z",
    leftAt: null,
    seq: 0,
  };
}

function stateOf(...writers: RemoteWriter[]): RemoteState {
  const erasures: RemoteState["erasures"] = [];
  const rest = { channel: "c", me: "bob", owner: "ada", members: [], keys: [], erasures };
  return { version: 1, space, encrypted: false, rootKey: root.publicKey, writers, ...rest };
}

/** What is believed of stores, as names with `owner`, and what is said of the others. */
function believe(
  state: RemoteState,
  { before, rootKey = root.publicKey }: { before?: TeamMembers; rootKey?: Uint8Array } = {},
): { names: string[]; faults: string[]; members: TeamMembers } {
  const { writers, faults } = findBelieved(state, { rootKey, before });
  const names = [...writers.values()].map(({ name, owner }) => owner ? `${name} owner` : name);
  return { names, faults, members: toMembers(state, { believed: writers, before }) };
}

const owner = shown(ada, "ada", root);
const member = shown(bob, "bob", invite);

Deno.test("the root answers for the owner's stores, an invitation for its member's", () => {
  assert.deepEqual(believe(stateOf(owner, member)).names, ["ada owner", "bob"]);
});

Deno.test("without the root's word nobody is believed, with or without an invitation", () => {
  const own = shown(ada, "ada", invite);
  const faults = believe(stateOf(
    { ...own, inviteKey: null, inviteCert: null },
    { ...member, name: "ada" },
    { ...member, signKey: owner.signKey },
  )).faults;
  assert.deepEqual(faults, [
    "2 stores of ada are not trusted: their certificates are invalid",
    `a store of bob (${member.writer}) is not trusted: its certificate is invalid`,
  ]);
});

Deno.test("what was checked is not checked again while it is shown as it was, under the same root", () => {
  const { members } = believe(stateOf(owner, member));
  const broken = { ...member, cert: new Uint8Array(64) };
  const before = {
    ...members,
    writers: members.writers.map((item) =>
      item.writer === member.writer ? { ...item, cert: toBase64Url(broken.cert) } : item
    ),
  };
  assert.deepEqual(believe(stateOf(broken), { before }).names, ["bob"], "as it was seen");
  const renamed = { ...broken, name: "ada" };
  assert.deepEqual(believe(stateOf(renamed), { before }).names, []);
  const other = { before: { ...before, root_key: "AA" } };
  assert.deepEqual(believe(stateOf(broken), other).names, []);
});

Deno.test("a store whose key is another than before is not believed, however often it is shown", () => {
  const { members } = believe(stateOf(owner, member));
  // Certified by who holds the invitation, for the same store.
  const exchanged = shown(bob, "bob", invite);
  let before = members;
  for (let n = 0; n < 3; n++) {
    const again = believe(stateOf(owner, exchanged), { before });
    assert.deepEqual(again.names, ["ada owner"]);
    assert.match(again.faults.join(), /its key was replaced/);
    before = again.members;
  }
  assert.deepEqual(believe(stateOf(owner, member), { before }).names, ["ada owner", "bob"]);
});
