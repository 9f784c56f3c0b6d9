import assert from "node:assert/strict";
import {
  certifyInvite,
  certifyWriter,
  isCertifiedInvite,
  isCertifiedWriter,
  type WriterClaim,
} from "../../../src/team/trust/certificate.ts";
import { makeSignKey } from "../../../src/team/trust/keys.ts";

const root = makeSignKey();
const rootKey = root.publicKey;
const invite = makeSignKey();
const inviteClaim = { space: "team", name: "ada", inviteKey: invite.publicKey };
const inviteCert = certifyInvite(inviteClaim, root);
const believed = { inviteKey: invite.publicKey, cert: inviteCert };
const claim: WriterClaim = {
  space: "team",
  name: "ada",
  writer: "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001",
  signKey: makeSignKey().publicKey,
  ageRecipient: "age1x",
};
const cert = certifyWriter(claim, invite);

Deno.test("a writer is believed by root, invitation and its own keys", () => {
  assert.equal(isCertifiedInvite(inviteClaim, { cert: inviteCert, rootKey }), true);
  assert.equal(isCertifiedWriter(claim, { cert, invite: believed, rootKey }), true);
});

Deno.test("no field of either certificate can be exchanged", () => {
  const changes: Partial<WriterClaim>[] = [
    { space: "other" },
    { name: "bob" },
    { writer: "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0002" },
    { signKey: makeSignKey().publicKey },
    { ageRecipient: "age1y" },
    { name: "ad", writer: `a${claim.writer}` },
  ];
  for (const change of changes) {
    const changed = { ...claim, ...change };
    assert.equal(isCertifiedWriter(changed, { cert, invite: believed, rootKey }), false);
    // Even when the invitation's holder signs it: space and name are the root's to give.
    const own = certifyWriter(changed, invite);
    const isTheirs = changed.space === "team" && changed.name === "ada";
    assert.equal(isCertifiedWriter(changed, { cert: own, invite: believed, rootKey }), isTheirs);
  }
});

Deno.test("a server that makes up a root, an invitation or a writer is not believed", () => {
  const server = makeSignKey();
  const made = makeSignKey();
  const madeCert = certifyInvite({ ...inviteClaim, inviteKey: made.publicKey }, server);
  const check = (
    cert: Uint8Array,
    invite?: { inviteKey: Uint8Array; cert: Uint8Array },
  ): boolean => isCertifiedWriter(claim, { cert, invite, rootKey });
  const byMade = certifyWriter(claim, made);
  assert.equal(check(byMade, { inviteKey: made.publicKey, cert: madeCert }), false);
  assert.equal(check(byMade, { inviteKey: made.publicKey, cert: inviteCert }), false);
  assert.equal(check(byMade, believed), false);
  assert.equal(check(certifyWriter(claim, server)), false);
  assert.equal(check(cert), false, "an invitation's word is not the root's");
  assert.equal(check(inviteCert, believed), false);
  assert.equal(check(new Uint8Array(), { inviteKey: new Uint8Array(), cert: inviteCert }), false);
});

Deno.test("the owner's own writers are signed by the root", () => {
  const own = certifyWriter(claim, root);
  assert.equal(isCertifiedWriter(claim, { cert: own, rootKey }), true);
  assert.equal(isCertifiedWriter({ ...claim, name: "bob" }, { cert: own, rootKey }), false);
  // Not by an invitation as well: one writer, one way.
  assert.equal(isCertifiedWriter(claim, { cert: own, invite: believed, rootKey }), false);
});
