// An answer that is not as ctx's functions give it is refused whole, before anything of it is used.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { toErasureStatus, toRemoteState } from "../../../src/team/remote/remote_state.ts";

const writer = "1111111a-2222-3333-4444-555555555555";

/** A right answer, with some values put in place of others, by their path. */
function answer(changes: Record<string, unknown> = {}): unknown {
  const right = {
    version: 1,
    space: "web",
    encrypted: false,
    root_key: "AAAA",
    channel: "ctx_0123",
    me: "ada",
    owner: "ada",
    members: [{ name: "ada", owner: true, invited_at: "2026-01-01T00:00:00.000Z" }],
    writers: [{
      writer,
      name: "ada",
      sign_key: "AAAA",
      age_recipient: null,
      cert: "AAAA",
      joined_at: "2026-01-01T00:00:00.000Z",
      left_at: null,
      seq: 3,
    }],
    keys: [{ holder: writer, epoch: 1, wrapped: "AAAA" }],
    erasures: [{ eraser: writer, seq: 1 }],
  };
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split(".");
    const last = names.pop()!;
    // deno-lint-ignore no-explicit-any -- a path into JSON
    const at = names.reduce((into: any, name) => into[name], right);
    at[last] = value;
  }
  return right;
}

Deno.test("a right answer is read", () => {
  const state = toRemoteState(answer());
  assert.equal(state.writers[0].seq, 3);
  assert.equal(state.members[0].inviteKey, null);
});

const wrong: [path: string, ...values: unknown[]][] = [
  ["version", "1", null, 1.5, -1],
  ["encrypted", null, 0, "false"],
  ["root_key", null, 7, "no base64 !"],
  ["channel", 'x"; drop', "a b", ""],
  ["me", "", "a\nb", "\u001b[2Jada", "a\u202eb", 7],
  ["owner", null],
  ["members", null, {}, [null]],
  ["members.0.name", "ada\r", "eve"],
  ["members.0.owner", "yes"],
  ["writers", "none"],
  ["writers.0.writer", "../../x", "__proto__", writer.toUpperCase(), `${writer}\n`],
  ["writers.0.name", "eve", "__proto__"],
  ["writers.0.seq", -1, 2 ** 60, "3", null],
  ["writers.0.sign_key", null],
  ["writers.0.left_at", 7],
  ["keys.0.epoch", "1"],
  ["erasures.0.eraser", "x"],
  ["erasures.0.seq", null],
];

Deno.test("whatever else stands in it is refused", () => {
  for (const [path, ...values] of wrong) {
    // The message names the field, or one inside of it; a name that is no member's is told at the writer.
    const names = ({ message }: CtxError): boolean =>
      message.includes(`"${path}`) || message.includes('"writers.0.name"');
    for (const value of values) {
      assert.throws(
        () => toRemoteState(answer({ [path]: value })),
        (error) => error instanceof CtxError && error.code === "REMOTE_UNTRUSTED" && names(error),
        `${path}: ${JSON.stringify(value)}`,
      );
    }
  }
  for (const value of [undefined, null, [], "text", 1]) {
    assert.throws(() => toRemoteState(value), { code: "REMOTE_UNTRUSTED" });
  }
  assert.throws(
    () => toErasureStatus([{ eraser: writer, seq: 1, ids: [null], ts: "" }]),
    { code: "REMOTE_UNTRUSTED" },
  );
});
