// `space.json`: the name of a space in a folder, its owner and root key, signed by that key. Written
// once, by who makes the space.

import * as z from "zod/mini";
import { findJson } from "../../core/json.ts";
import { CtxError } from "../../core/errors.ts";
import { findUtf8 } from "../../core/utf8.ts";
import { findBase64Url, toBase64Url } from "../trust/base64url.ts";
import { isSignedBy, signBytes, type SignKey } from "../trust/keys.ts";
import { packFields } from "../trust/signed_fields.ts";
import { tooNewError } from "../remote/remote_errors.ts";
import { count, personName } from "../remote/server_answer.ts";

/** The version of the files that this ctx writes. */
export const filesVersion = 1;

/** What the root says of its space. */
export interface SpaceClaim {
  space: string;
  /** The owner's name. */
  owner: string;
  encrypted: boolean;
  rootKey: Uint8Array;
}

const stored = z.object({
  format: count,
  space: z.string(),
  owner: personName,
  encrypted: z.boolean(),
  root_key: z.string(),
  proof: z.string(),
});

/** The file of a new space. */
export function encodeSpace(claim: SpaceClaim, root: SignKey): Uint8Array {
  const { space, owner, encrypted, rootKey } = claim;
  const proof = toBase64Url(signBytes(root, claimBytes(claim)));
  const said = {
    format: filesVersion,
    space,
    owner,
    encrypted,
    root_key: toBase64Url(rootKey),
    proof,
  };
  return new TextEncoder().encode(`${JSON.stringify(said, null, 2)}\n`);
}

/** Reads it; the root key is the file's own, for who joined to compare with the one that is pinned. */
export function parseSpace(
  bytes: Uint8Array,
  { space, place }: { space: string; place: string },
): SpaceClaim {
  const value = findJson(findUtf8(bytes) ?? "");
  const { data } = z.safeParse(stored, value);
  const format = z.safeParse(z.object({ format: count }), value).data?.format;
  if (format !== undefined && format > filesVersion) throw tooNewError(format, filesVersion);
  const rootKey = findBase64Url(data?.root_key);
  const signature = findBase64Url(data?.proof);
  const claim = data && rootKey && { ...data, rootKey };
  const isGood = claim?.space === space && signature !== undefined &&
    isSignedBy(claim.rootKey, { bytes: claimBytes(claim), signature });
  if (claim !== undefined && isGood) return claim;
  throw new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot trust "${space}" in ${place}: its file space.json was changed`,
    { hint: "restore the file from a backup; nothing was sent" },
  );
}

function claimBytes({ space, owner, encrypted, rootKey }: SpaceClaim): Uint8Array {
  return packFields("ctx-space-1", [space, owner, encrypted ? "encrypted" : "plain", rootKey]);
}
