// Why a writer is believed. The root key of a space signs an invitation's key for a name, and that
// key signs the writer's keys; the owner's own writers are signed by the root itself. A server that
// has neither private key can make up no member and exchange no key.

import { isSignedBy, signBytes, type SignKey } from "./keys.ts";
import { packFields } from "./signed_fields.ts";

/** What the root says of an invitation: who may join with this key. */
export interface InviteClaim {
  space: string;
  name: string;
  /** The public key of the invitation. */
  inviteKey: Uint8Array;
}

/** What an invitation, or the root, says of a writer: whose it is, and its keys. */
export interface WriterClaim {
  space: string;
  name: string;
  writer: string;
  /** The public key that its rows are signed with. */
  signKey: Uint8Array;
  /** Where space keys are wrapped to, `age1…`; empty in a space that is not encrypted. */
  ageRecipient: string;
}

/** An invitation's key as the space's root signed it. */
export interface InviteCertificate {
  inviteKey: Uint8Array;
  cert: Uint8Array;
}

/** The root signs an invitation. */
export function certifyInvite(claim: InviteClaim, root: SignKey): Uint8Array {
  return signBytes(root, inviteBytes(claim));
}

/** Whether the root signed exactly this invitation. */
export function isCertifiedInvite(
  claim: InviteClaim,
  { cert, rootKey }: { cert: Uint8Array; rootKey: Uint8Array },
): boolean {
  return isSignedBy(rootKey, { bytes: inviteBytes(claim), signature: cert });
}

/** An invitation's key signs the writer that joins with it; the root signs the owner's own. */
export function certifyWriter(claim: WriterClaim, signer: SignKey): Uint8Array {
  return signBytes(signer, writerBytes(claim));
}

/** Whether a writer is what it is said to be: by its invitation, or without one by the root. */
export function isCertifiedWriter(
  claim: WriterClaim,
  { cert, invite, rootKey }: { cert: Uint8Array; invite?: InviteCertificate; rootKey: Uint8Array },
): boolean {
  const { space, name } = claim;
  const signed = { bytes: writerBytes(claim), signature: cert };
  if (!invite) return isSignedBy(rootKey, signed);
  const { inviteKey } = invite;
  return isCertifiedInvite({ space, name, inviteKey }, { cert: invite.cert, rootKey }) &&
    isSignedBy(inviteKey, signed);
}

function inviteBytes({ space, name, inviteKey }: InviteClaim): Uint8Array {
  return packFields("ctx-invite-1", [space, name, inviteKey]);
}

function writerBytes({ space, name, writer, signKey, ageRecipient }: WriterClaim): Uint8Array {
  return packFields("ctx-writer-1", [space, name, writer, signKey, ageRecipient]);
}
