// The body of a row: format byte, key epoch (uint16, big end first), 16 random bytes, payload. The
// random bytes make its digest, which stays when the body is erased, tell nothing of it.

import { concat } from "../../core/utf8.ts";
import { openText, type RowPlace, sealText } from "./seal.ts";

/** A space's key of one epoch. */
export interface EpochKey {
  epoch: number;
  key: Uint8Array;
}

const plainFormat = 0;
const sealedFormat = 1;
const randomBytes = 16;
const headBytes = 3 + randomBytes;
const ivBytes = 12;

/** Makes a body; with a key it is sealed. The random bytes are given by tests only. */
export function encodeBody(
  payload: Uint8Array,
  place: RowPlace,
  { key, random = crypto.getRandomValues(new Uint8Array(randomBytes)) }: {
    key?: EpochKey;
    random?: Uint8Array;
  } = {},
): Uint8Array {
  const head = new Uint8Array(headBytes);
  head.set(random, 3);
  if (!key) return concat([head, payload]);
  head[0] = sealedFormat;
  new DataView(head.buffer).setUint16(1, key.epoch);
  return concat([head, sealText(payload, place, { key: key.key, iv: ivOf(head) })]);
}

/** A body's payload, or why it cannot be read: no body, no key of its epoch, or sealed otherwise. */
export type DecodedBody =
  | { payload: Uint8Array; fault?: undefined }
  | { payload?: undefined; fault: "not_a_body" | "no_key" | "not_sealed_here"; epoch?: number };

/** Reads a body; `findKey` gives the space's key of an epoch. */
export function decodeBody(
  body: Uint8Array,
  place: RowPlace,
  findKey: (epoch: number) => Uint8Array | undefined = () => undefined,
): DecodedBody {
  if (body.length < headBytes || body[0] > sealedFormat) return { fault: "not_a_body" };
  const rest = body.subarray(headBytes);
  if (body[0] === plainFormat) return { payload: rest };
  const epoch = body[1] << 8 | body[2];
  const key = findKey(epoch);
  if (!key) return { fault: "no_key", epoch };
  const payload = openText(rest, place, { key, iv: ivOf(body) });
  return payload ? { payload } : { fault: "not_sealed_here", epoch };
}

function ivOf(body: Uint8Array): Uint8Array {
  return body.subarray(3, 3 + ivBytes);
}
