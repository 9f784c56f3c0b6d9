import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { certifyInvite } from "../../../src/team/trust/certificate.ts";
import {
  formatInvitation,
  type Invitation,
  parseInvitation,
} from "../../../src/team/trust/invitation.ts";
import { exportSignKey, makeSignKey } from "../../../src/team/trust/keys.ts";

const root = makeSignKey();
const invite = makeSignKey();
const password = "p4ss-w0rd-of-ada";
const invitation: Invitation = {
  url: `postgres://ctx_ada:${password}@db.example:5433/memory?sslrootcert=/etc/ca.pem`,
  space: "team é",
  name: "ada",
  invite,
  rootKey: root.publicKey,
  cert: certifyInvite({ space: "team é", name: "ada", inviteKey: invite.publicKey }, root),
  age: "AGE-SECRET-KEY-1QQQ",
};

Deno.test("an invitation is one line, and comes back whole", () => {
  const text = formatInvitation(invitation);
  assert.match(text, /^postgres:\/\/\S+#ctx=[\w-]+$/);
  const { invite: read, ...rest } = parseInvitation(`  ${text}\n`);
  const { invite: given, ...others } = invitation;
  assert.deepEqual(rest, others);
  assert.equal(exportSignKey(read), exportSignKey(given));
  const { age: _, ...plain } = invitation;
  assert.equal("age" in parseInvitation(formatInvitation(plain)), false);
});

Deno.test("what is no invitation says why, with the next step, and shows nothing of it", () => {
  const text = formatInvitation(invitation);
  const [url, fragment] = text.split("#ctx=");
  const other = (changes: object): string => {
    const rest = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(fragment, { alphabet: "base64url" })),
    );
    const json = JSON.stringify({ ...rest, ...changes });
    return `${url}#ctx=${new TextEncoder().encode(json).toBase64({ alphabet: "base64url" })}`;
  };
  const cases: [string, RegExp][] = [
    ["", /no "#ctx=" part/],
    [url, /no "#ctx=" part/],
    [text.replace("postgres:", "mysql:"), /does not begin with the address of a space/],
    [text.slice(0, -30), /cut off or was changed/],
    [`${url}#ctx=!!!`, /cut off or was changed/],
    [`${url}#ctx=`, /cut off or was changed/],
    [`${url}#ctx=bnVsbA`, /cut off or was changed/],
    [other({ space: undefined }), /the space or the name is missing/],
    [other({ name: 7 }), /the space or the name is missing/],
    [other({ age: "age1x" }), /a key in it is damaged/],
    [other({ invite: "AAAA" }), /a key in it is damaged/],
    [other({ root: "AAAA" }), /a key in it is damaged/],
    [other({ cert: 1 }), /a key in it is damaged/],
    [other({ name: "bob" }), /not signed by the owner/],
    [other({ space: "others" }), /not signed by the owner/],
    [
      other({ root: makeSignKey().publicKey.toBase64({ alphabet: "base64url" }) }),
      /not signed by the owner/,
    ],
    [other({ invite: exportSignKey(makeSignKey()) }), /not signed by the owner/],
  ];
  for (const [given, message] of cases) {
    assert.throws(() => parseInvitation(given), (error) => {
      assert.ok(error instanceof CtxError);
      assert.equal(error.code, "USAGE");
      assert.match(error.message, message);
      assert.match(error.hint ?? "", /ctx team add --invite FILE/);
      const told = `${error.message} ${error.hint} ${error.cause ?? ""}`;
      for (const secret of [password, "ctx_ada", fragment.slice(0, 12)]) {
        assert.equal(told.includes(secret), false);
      }
      return true;
    });
  }
});
