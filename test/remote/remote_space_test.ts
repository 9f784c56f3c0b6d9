// A space on a real server, as its members use it.

import assert from "node:assert/strict";
import { hasNoPostgres } from "../support/postgres.ts";
import { madeRow, madeSpace } from "../support/made_space.ts";

const ignore = hasNoPostgres();

Deno.test({
  name: "rows that one member pushes another pulls, byte for byte and in order",
  ignore,
  async fn() {
    await using made = await madeSpace(["ada", "bob"]);
    const [ada, bob] = made.members;
    const rows = [1, 2, 3].map((seq) => madeRow(ada.writer, seq, `H-${seq} ü'\\`));
    assert.deepEqual(await ada.space.push(rows), { inserted: 3, taken: [] });

    const state = await bob.space.state(bob.writer);
    assert.equal(state.me, "bob");
    assert.equal(state.owner, "owner");
    const theirs = state.writers.find(({ writer }) => writer === ada.writer);
    assert.equal(theirs?.seq, 3);
    assert.equal(theirs?.name, "ada");
    const pulled = await Array.fromAsync(bob.space.pull(new Map([[ada.writer, 1]])));
    assert.deepEqual(pulled.flat(), rows.slice(1));
  },
});
