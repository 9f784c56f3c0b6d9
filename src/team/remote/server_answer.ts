// What a server answers, held against the form that ctx's functions give it: an answer of another
// form is refused whole, before anything of it is used.

import * as z from "zod/mini";
import { CtxError } from "../../core/errors.ts";

/** An id of a writer. */
export const uuid = z.string().check(
  z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
);

/** A name stands in lines and on terminals: nothing that controls them, and no space. */
export const personName = z.string().check(z.regex(/^[^\p{C}\p{Z}]{1,63}$/u));

/** A whole number from 0 on. */
export const count = z.int().check(z.nonnegative());

/** Bytes, as JSON carries them. */
export const base64 = z.pipe(
  z.string(),
  z.transform((text, { issues }): Uint8Array => {
    try {
      return Uint8Array.fromBase64(text);
    } catch {
      issues.push({ code: "custom", input: text });
      return z.NEVER;
    }
  }),
);

/** Reads an answer; throws REMOTE_UNTRUSTED, which names the field that is invalid. */
export function readAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const { data, error } = z.safeParse(schema, answer);
  if (error === undefined) return data;
  const place = error.issues[0].path.join(".");
  throw new CtxError(
    "REMOTE_UNTRUSTED",
    place === ""
      ? "Cannot read the server's answer: unexpected format"
      : `Cannot read the server's answer: field "${place}" is invalid`,
    { hint: "ask the administrator of the server; nothing was accepted" },
  );
}
