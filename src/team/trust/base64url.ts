// Bytes as base64url, without padding: how keys, links and digests stand in JSON. Pure.

/** The text of some bytes. */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The bytes of a text; undefined when it is none. */
export function findBase64Url(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}
