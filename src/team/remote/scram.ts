// What PostgreSQL keeps of a password (SCRAM-SHA-256). We send this instead of the password, which so
// comes into no log and no statistics of the server.

const iterations = 4096;

/** The verifier of a password, as CREATE ROLE takes it. */
export async function toScramVerifier(
  password: string,
  salt: Uint8Array = crypto.getRandomValues(new Uint8Array(16)),
): Promise<string> {
  const base = await crypto.subtle.importKey("raw", bytesOf(password), "PBKDF2", false, [
    "deriveBits",
  ]);
  const salted = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(salt), iterations },
    base,
    256,
  );
  const clientKey = await hmac(salted, "Client Key");
  const storedKey = await crypto.subtle.digest("SHA-256", clientKey);
  const serverKey = await hmac(salted, "Server Key");
  const [saltText, stored, server] = [salt, new Uint8Array(storedKey), new Uint8Array(serverKey)]
    .map((bytes) => bytes.toBase64());
  return `SCRAM-SHA-256$${iterations}:${saltText}$${stored}:${server}`;
}

async function hmac(key: ArrayBuffer, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey(
    "raw",
    key,
    { name: "HMAC", hash: "SHA-256" },
    false,
    [
      "sign",
    ],
  );
  return await crypto.subtle.sign("HMAC", imported, bytesOf(text));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
