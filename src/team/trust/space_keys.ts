// The keys of an encrypted space, one per epoch, wrapped with age for each writer. The root signs
// every key: anybody can wrap something for a public key, and rows must not be sealed with a key
// that the server made up.

import { concat } from "../../core/utf8.ts";
import { isSignedBy, signatureBytes, signBytes, type SignKey } from "./keys.ts";
import type { EpochKey } from "./row_body.ts";
import { packFields } from "./signed_fields.ts";

/** A space's key with the root's word for it. */
export interface SpaceKey extends EpochKey {
  proof: Uint8Array;
}

const keyBytes = 32;
const maxEpoch = 0xffff;

/** A new key of a space; only who has the root key can make one. */
export function makeSpaceKey(
  { space, epoch, root }: { space: string; epoch: number; root: SignKey },
): SpaceKey {
  if (!(epoch >= 1 && epoch <= maxEpoch)) throw new Error(`There is no epoch ${epoch}`);
  const key = crypto.getRandomValues(new Uint8Array(keyBytes));
  return { epoch, key, proof: signBytes(root, keyClaim({ space, epoch, key })) };
}

/** A new identity of age (`AGE-SECRET-KEY-1…`) and whom to wrap for (`age1…`). */
export async function makeAgeIdentity(): Promise<{ identity: string; recipient: string }> {
  const age = await import("age-encryption");
  const identity = await age.generateX25519Identity();
  return { identity, recipient: await age.identityToRecipient(identity) };
}

/** Whom to wrap for, by the identity that reads it. */
export async function ageRecipientOf(identity: string): Promise<string> {
  const { identityToRecipient } = await import("age-encryption");
  return await identityToRecipient(identity);
}

/** Whether this can be wrapped for: an X25519 recipient of age. */
export function isAgeRecipient(text: string): boolean {
  return /^age1[02-9ac-hj-np-z]{58}$/.test(text);
}

/** The key as only the holder of the recipient's identity reads it. */
export async function wrapSpaceKey(
  { epoch, key, proof }: SpaceKey,
  recipient: string,
): Promise<Uint8Array> {
  if (!isAgeRecipient(recipient)) throw new Error("That is no X25519 recipient of age");
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return await encrypter.encrypt(concat([Uint8Array.of(epoch >> 8, epoch & 0xff), key, proof]));
}

/** The key again; undefined when it is not for this identity, or not what the space's root signed. */
export async function unwrapSpaceKey(
  wrapped: Uint8Array,
  { identity, space, rootKey }: { identity: string; space: string; rootKey: Uint8Array },
): Promise<SpaceKey | undefined> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const text = await decrypter.decrypt(wrapped).catch(() => undefined);
  if (text?.length !== 2 + keyBytes + signatureBytes) return undefined;
  const epoch = text[0] << 8 | text[1];
  const key = text.slice(2, 2 + keyBytes);
  const proof = text.slice(2 + keyBytes);
  const signed = { bytes: keyClaim({ space, epoch, key }), signature: proof };
  return isSignedBy(rootKey, signed) ? { epoch, key, proof } : undefined;
}

function keyClaim({ space, epoch, key }: EpochKey & { space: string }): Uint8Array {
  return packFields("ctx-key-1", [space, String(epoch), key]);
}
