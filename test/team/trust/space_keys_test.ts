import assert from "node:assert/strict";
import { generateHybridIdentity, identityToRecipient } from "age-encryption";
import { makeSignKey } from "../../../src/team/trust/keys.ts";
import {
  isAgeRecipient,
  makeAgeIdentity,
  makeSpaceKey,
  unwrapSpaceKey,
  wrapSpaceKey,
} from "../../../src/team/trust/space_keys.ts";

const root = makeSignKey();
const rootKey = root.publicKey;

Deno.test("a space's key is read by whom it was wrapped for, and by nobody else", async () => {
  const [ada, bob] = [await makeAgeIdentity(), await makeAgeIdentity()];
  const key = makeSpaceKey({ space: "team", epoch: 300, root });
  const wrapped = await wrapSpaceKey(key, ada.recipient);
  const open = { space: "team", rootKey };
  assert.deepEqual(await unwrapSpaceKey(wrapped, { identity: ada.identity, ...open }), key);
  assert.equal(await unwrapSpaceKey(wrapped, { identity: bob.identity, ...open }), undefined);
  // Who joined by an invitation wraps for its own key what the invitation's could read.
  const again = await wrapSpaceKey(key, bob.recipient);
  assert.deepEqual(await unwrapSpaceKey(again, { identity: bob.identity, ...open }), key);
  assert.equal(new TextDecoder("latin1").decode(wrapped).includes("age-encryption.org/v1"), true);
});

Deno.test("a key that the root did not sign is refused: the server could have wrapped its own", async () => {
  const { identity, recipient } = await makeAgeIdentity();
  const key = makeSpaceKey({ space: "team", epoch: 1, root });
  const known = new Uint8Array(32);
  const others = [
    makeSpaceKey({ space: "team", epoch: 1, root: makeSignKey() }),
    makeSpaceKey({ space: "other", epoch: 1, root }),
    { ...key, key: known },
    { ...key, epoch: 2 },
    { ...key, proof: key.proof.with(0, key.proof[0] ^ 1) },
    { ...key, proof: key.proof.subarray(1) },
  ];
  for (const other of others) {
    const wrapped = await wrapSpaceKey(other, recipient);
    assert.equal(await unwrapSpaceKey(wrapped, { identity, space: "team", rootKey }), undefined);
  }
});

Deno.test("damaged wrappings are none", async () => {
  const { identity, recipient } = await makeAgeIdentity();
  const wrapped = await wrapSpaceKey(makeSpaceKey({ space: "team", epoch: 1, root }), recipient);
  const options = { identity, space: "team", rootKey };
  for (const bytes of [new Uint8Array(), wrapped.subarray(0, -1), wrapped.with(-1, 0)]) {
    assert.equal(await unwrapSpaceKey(bytes, options), undefined);
  }
});

Deno.test("only X25519 recipients are wrapped for, and epochs fit two bytes", async () => {
  const { recipient } = await makeAgeIdentity();
  assert.equal(isAgeRecipient(recipient), true);
  const key = makeSpaceKey({ space: "team", epoch: 1, root });
  const hybrid = await identityToRecipient(await generateHybridIdentity());
  for (const other of ["", "age1", hybrid, recipient.toUpperCase(), `${recipient}q`]) {
    assert.equal(isAgeRecipient(other), false, other);
    await assert.rejects(wrapSpaceKey(key, other));
  }
  for (const epoch of [0, 65536, NaN]) {
    assert.throws(() => makeSpaceKey({ space: "team", epoch, root }));
  }
});
