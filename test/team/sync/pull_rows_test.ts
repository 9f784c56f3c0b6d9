// How much of a writer a pull holds when the server sends rows and no signature: a bound, after which
// nothing more is asked for.

import assert from "node:assert/strict";
import type { RemoteSpace } from "../../../src/team/remote/remote_space.ts";
import { pullRows } from "../../../src/team/sync/pull_rows.ts";
import type { SyncSession } from "../../../src/team/sync/sync_session.ts";
import { makeSignKey } from "../../../src/team/trust/keys.ts";
import type { WireRow } from "../../../src/team/trust/wire_row.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const ada = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
const bob = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0002";

/** A server that has rows of Ada without an end, none of them signed. */
function endlessRemote(body: Uint8Array, maxRows: number): { asked: number; remote: RemoteSpace } {
  const server = { asked: 0, remote: {} as RemoteSpace };
  server.remote.pull = async function* (_cursors, isOver = () => false) {
    const sig = new Uint8Array(32);
    while (!isOver(ada)) {
      assert.ok(server.asked < maxRows, "it asks for rows without an end");
      yield await Promise.resolve(Array.from({ length: 100 }, (): WireRow => {
        const seq = ++server.asked;
        const rest = { kind: "entry", visibility: "space", ts: "2026-01-01T00:00:00.000Z" };
        return { writer: ada, seq, id: `H-${seq}`, ...rest, body, sig };
      }));
    }
  };
  return server;
}

for (
  const [name, bytes, maxRows] of [["small", 1, 45_000], ["large", 1 << 18, 1000]] as const
) {
  Deno.test(`${name} rows that nobody signed are held up to a bound, then refused`, async () => {
    await using t = await tempStore();
    const server = endlessRemote(new Uint8Array(bytes), maxRows);
    const session = {
      store: t.open(),
      remote: server.remote,
      state: { writers: [{ writer: ada, seq: 1e9 }] },
      me: { space: "web", writer: bob, name: "bob" },
      believed: new Map([
        [ada, { writer: ada, name: "ada", publicKey: makeSignKey().publicKey }],
      ]),
      epochs: [],
      now: Date.now,
      signal: new AbortController().signal,
    } as unknown as SyncSession;
    const { refused, rows } = await pullRows(session);
    assert.deepEqual(refused.map(({ reason }) => reason), ["bad_signature"]);
    assert.equal([...rows.values()].reduce((sum, count) => sum + count, 0), 0);
    assert.ok(server.asked > 100);
  });
}
