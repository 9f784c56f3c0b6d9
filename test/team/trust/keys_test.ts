import assert from "node:assert/strict";
import {
  exportSignKey,
  findSignKey,
  isSignedBy,
  makeSignKey,
  signBytes,
} from "../../../src/team/trust/keys.ts";
import { rfcKey } from "../../support/rfc_key.ts";

Deno.test("a key signs as RFC 8032 says (its first test)", () => {
  const signature = signBytes(rfcKey, new Uint8Array());
  assert.deepEqual([rfcKey.publicKey.toHex(), signature.toHex()], [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ]);
});

Deno.test("a key comes back from its text; other text is none", () => {
  const key = makeSignKey();
  const again = findSignKey(exportSignKey(key));
  assert.deepEqual(again?.publicKey, key.publicKey);
  const bytes = Uint8Array.of(1, 2, 3);
  assert.ok(isSignedBy(key.publicKey, { bytes, signature: signBytes(again!, bytes) }));
  for (const text of ["", "AAAA", "no base64!", exportSignKey(key).slice(0, -8)]) {
    assert.equal(findSignKey(text), undefined, text);
  }
});

Deno.test("a signature holds for its key and its bytes only, and wrong sizes are just wrong", () => {
  const key = makeSignKey();
  const bytes = Uint8Array.of(1, 2, 3);
  const signature = signBytes(key, bytes);
  const { publicKey } = key;
  assert.equal(isSignedBy(publicKey, { bytes, signature }), true);
  assert.equal(isSignedBy(makeSignKey().publicKey, { bytes, signature }), false);
  assert.equal(isSignedBy(publicKey, { bytes: Uint8Array.of(1, 2, 4), signature }), false);
  assert.equal(isSignedBy(publicKey, { bytes, signature: signature.subarray(1) }), false);
  assert.equal(isSignedBy(publicKey.subarray(1), { bytes, signature }), false);
  assert.equal(isSignedBy(new Uint8Array(), { bytes, signature: new Uint8Array() }), false);
});
