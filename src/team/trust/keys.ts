// Ed25519 key pairs. node:crypto, because it works without waiting: half the time of WebCrypto.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { toBase64Url } from "./base64url.ts";

/** A key pair to sign with; the public half as its 32 raw bytes. */
export interface SignKey {
  privateKey: KeyObject;
  publicKey: Uint8Array;
}

export const signatureBytes = 64;

/** The bytes of a raw public key. */
export const publicKeyBytes = 32;

/** A new key pair. */
export function makeSignKey(): SignKey {
  return toSignKey(generateKeyPairSync("ed25519").privateKey);
}

/** The whole pair as text for a file that only its owner reads: PKCS #8, base64. */
export function exportSignKey(key: SignKey): string {
  const der: Uint8Array = key.privateKey.export({ type: "pkcs8", format: "der" });
  return der.toBase64();
}

/** The pair of a text that `exportSignKey` wrote; undefined when it is none. */
export function findSignKey(text: string): SignKey | undefined {
  try {
    const der = Uint8Array.fromBase64(text);
    // deno-lint-ignore no-explicit-any -- the types want a Buffer; any bytes will do
    const key = createPrivateKey({ key: der as any, type: "pkcs8", format: "der" });
    return key.asymmetricKeyType === "ed25519" ? toSignKey(key) : undefined;
  } catch {
    return undefined;
  }
}

export function signBytes(key: SignKey, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, bytes, key.privateKey));
}

/** Whether a signature of these bytes is by the holder of that public key; never throws. */
export function isSignedBy(
  publicKey: Uint8Array,
  { bytes, signature }: { bytes: Uint8Array; signature: Uint8Array },
): boolean {
  if (signature.length !== signatureBytes || publicKey.length !== publicKeyBytes) return false;
  try {
    const x = toBase64Url(publicKey);
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

function toSignKey(privateKey: KeyObject): SignKey {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return { privateKey, publicKey: Uint8Array.fromBase64(x!, { alphabet: "base64url" }) };
}
