// What PostgreSQL keeps of a password (SCRAM-SHA-256). We send this instead of the password, so that it
// never reaches the logs and statistics of the server.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 4096;

/** The verifier of a password, as CREATE ROLE takes it. */
export function toScramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const sign = (text: string): Uint8Array => createHmac("sha256", salted).update(text).digest();
  const stored: Uint8Array = createHash("sha256").update(sign("Client Key")).digest();
  const server = sign("Server Key");
  return `SCRAM-SHA-256$${iterations}:${
    new Uint8Array(salt).toBase64()
  }$${stored.toBase64()}:${server.toBase64()}`;
}
