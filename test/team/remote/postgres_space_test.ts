// A space on a real server, as its members use it.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { PostgresSpace } from "../../../src/team/remote/postgres_space.ts";
import type { WireRow } from "../../../src/team/trust/wire_row.ts";
import { hasNoPostgres } from "../../support/servers/postgres.ts";
import { admitMember, madeRow, madeSpace } from "../../support/servers/made_space.ts";

const ignore = hasNoPostgres();

/** A test that needs a server. */
function serverTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore, fn });
}

async function pullAll(space: PostgresSpace, cursors: [string, number][]): Promise<WireRow[]> {
  return (await Array.fromAsync(space.pull(new Map(cursors)))).flat();
}

serverTest("rows that one member pushes another pulls, byte for byte and in order", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const [ada, bob] = made.members;
  const rows = [1, 2, 3].map((seq) => madeRow(ada.writer, seq, `H-${seq} ü'\\`));
  rows[1].ts = "1969-12-31T23:59:59.999Z";
  rows[2].ts = "9999-12-31T23:59:59.999Z";
  assert.deepEqual(await ada.space.push(rows), { inserted: 3, taken: [] });

  const state = await bob.space.state(bob.writer);
  assert.equal(state.me, "bob");
  assert.equal(state.owner, "owner");
  const theirs = state.writers.find(({ writer }) => writer === ada.writer);
  assert.deepEqual([theirs?.seq, theirs?.name, theirs?.leftAt], [3, "ada", null]);
  assert.deepEqual(await pullAll(bob.space, [[ada.writer, 1]]), rows.slice(1));
  assert.deepEqual(await pullAll(bob.space, [[ada.writer, 3]]), []);
  assert.deepEqual(await pullAll(bob.space, []), []);
});

serverTest("rows of many writers come writer by writer, each from its own place", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const { owner, members: [ada, bob] } = made;
  const logs = new Map<string, WireRow[]>();
  for (const { writer, space } of [ada, bob, owner]) {
    const rows = Array.from(
      { length: 3000 },
      (_, n) => madeRow(writer, n + 1, `H-${writer}-${n}`, "x".repeat(n % 900)),
    );
    for (let at = 0; at < rows.length; at += 1000) await space.push(rows.slice(at, at + 1000));
    logs.set(writer, rows);
  }
  const cursors: [string, number][] = [[owner.writer, 2990], [ada.writer, 0], [bob.writer, 1500]];
  const expected = cursors.flatMap(([writer, seq]) => logs.get(writer)!.slice(seq));
  assert.deepEqual(await pullAll(ada.space, cursors), expected);
  // A session goes on after a pull of any size, such as one that fills the buffers to the brim.
  for (const rows of [1, 20, 100, 120, 140, 160, 200, 1000, 3000]) {
    assert.equal((await pullAll(ada.space, [[bob.writer, 3000 - rows]])).length, rows);
    assert.equal((await ada.space.state(ada.writer)).me, "ada");
  }
});

serverTest("sync with nothing to do is one round trip, a push is few", async () => {
  await using made = await madeSpace(["ada"]);
  const [{ space, writer }] = made.members;
  let before = space.roundTrips;
  await space.state(writer);
  assert.equal(space.roundTrips - before, 1);
  before = space.roundTrips;
  await space.push([madeRow(writer, 1, "H-1")]);
  assert.ok(space.roundTrips - before <= 4);
});

serverTest("a batch whose answer was lost can be pushed again", async () => {
  await using made = await madeSpace(["ada"]);
  const [{ space, writer }] = made.members;
  const rows = [1, 2].map((seq) => madeRow(writer, seq, `H-${seq}`));
  await space.push(rows);
  assert.deepEqual(await space.push(rows), { inserted: 0, taken: [] });
  const more = [...rows, madeRow(writer, 3, "H-3")];
  assert.deepEqual(await space.push(more), { inserted: 1, taken: [] });
});

serverTest("an id that the space has under another place stops the batch whole", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const [ada, bob] = made.members;
  await ada.space.push([madeRow(ada.writer, 1, "H-same")]);
  const rows = [madeRow(bob.writer, 1, "H-own"), madeRow(bob.writer, 2, "H-same")];
  const { inserted, taken } = await bob.space.push(rows);
  assert.deepEqual([inserted, taken], [0, [{ id: "H-same", writer: ada.writer, seq: 1 }]]);
  assert.deepEqual(await pullAll(ada.space, [[bob.writer, 0]]), []);
  // A place of one's own that is filled with something else, as the caller does.
  const filled = [rows[0], { ...madeRow(bob.writer, 2, "V-2"), kind: "void" }];
  assert.deepEqual(await bob.space.push(filled), { inserted: 2, taken: [] });
});

serverTest(
  "two stores with one identity: the second is told, and nothing of it goes in",
  async () => {
    await using made = await madeSpace(["ada"]);
    const { cluster, database, members: [ada] } = made;
    await ada.space.push([madeRow(ada.writer, 1, "H-1"), madeRow(ada.writer, 2, "H-2")]);
    const settings = await cluster.settings(database, ada.role, ada.password);
    await using copy = await PostgresSpace.connect(settings, "team");
    for (const id of ["H-other", "H-2"]) {
      const other = { ...madeRow(ada.writer, 2, id), sig: new Uint8Array(32).fill(9) };
      await assert.rejects(
        copy.push([other, madeRow(ada.writer, 3, `${id}-3`)]),
        (error: unknown) => error instanceof CtxError && error.code === "REMOTE_FORKED",
      );
    }
    assert.equal((await pullAll(copy, [[ada.writer, 0]])).length, 2);
    // Both at once, as two processes would.
    const rivals = [ada.space, copy].map((space, n) =>
      space.push([madeRow(ada.writer, 3, `H-3-${n}`)]).then(() => "in", () => "out")
    );
    assert.deepEqual((await Promise.all(rivals)).sort(), ["in", "out"]);
  },
);

serverTest(
  "erasing takes the body, leaves the rest, and waits for everybody's receipt",
  async () => {
    await using made = await madeSpace(["ada", "bob"]);
    const { owner, cluster, database, members: [ada, bob] } = made;
    await ada.space.push([madeRow(ada.writer, 1, "H-1"), madeRow(ada.writer, 2, "H-2")]);
    const erase = { ...madeRow(ada.writer, 3, "E-3"), kind: "erase" };
    await ada.space.push([erase], [{ seq: 3, id: "H-1" }]);
    const pulled = await pullAll(bob.space, [[ada.writer, 0]]);
    assert.deepEqual(pulled.map(({ id, body }) => [id, body !== null]), [
      ["H-1", false],
      ["H-2", true],
      ["E-3", true],
    ]);
    assert.deepEqual(pulled[0].sig, madeRow(ada.writer, 1, "H-1").sig);

    const pending = { eraser: ada.writer, seq: 3 };
    assert.deepEqual((await bob.space.state(bob.writer)).erasures, [pending]);
    await bob.space.confirmErased(bob.writer, [pending]);
    await bob.space.confirmErased(bob.writer, [pending]);
    assert.deepEqual((await bob.space.state(bob.writer)).erasures, []);
    const [status] = await owner.space.erasures();
    assert.deepEqual([status.ids, status.confirmed], [["H-1"], [bob.writer]]);
    assert.deepEqual(status.waiting, [ada.writer, owner.writer].sort());
    // Whoever comes later never had the bytes.
    const late = await admitMember(owner.space, cluster, database, "team", "late");
    assert.deepEqual((await late.space.state(late.writer)).erasures, []);
    assert.equal((await owner.space.erasures())[0].waiting.includes(late.writer), false);
    await late.space.close();

    // The owner may erase what is another's; who is neither owner nor author may not.
    const byOwner = { ...madeRow(owner.writer, 1, "E-o"), kind: "erase" };
    await owner.space.push([byOwner], [{ seq: 1, id: "H-2" }]);
    const byBob = { ...madeRow(bob.writer, 1, "E-b"), kind: "erase" };
    await assert.rejects(bob.space.push([byBob], [{ seq: 1, id: "E-3" }]), /author or the owner/);
    assert.deepEqual(await pullAll(ada.space, [[bob.writer, 0]]), [], "the refused batch is gone");
    assert.equal((await pullAll(bob.space, [[ada.writer, 1]]))[0].body, null);
  },
);

serverTest("keys are kept for each holder; a member sees those for them", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const { owner, members: [ada, bob] } = made;
  const key = (holder: string, epoch: number, byte: number) => ({
    holder,
    epoch,
    wrapped: new Uint8Array(4).fill(byte),
  });
  await owner.space.putKeys([key("invite:ada", 1, 1), key(bob.writer, 1, 2)]);
  await ada.space.putKeys([key(ada.writer, 1, 3)]);
  const { keys } = await ada.space.state(ada.writer);
  assert.deepEqual(keys.map(({ holder }) => holder).sort(), [ada.writer, "invite:ada"].sort());
  assert.deepEqual((await ada.space.state()).keys, [key("invite:ada", 1, 1)]);
  await owner.space.putKeys([key("invite:ada", 1, 5)]);
  assert.deepEqual((await ada.space.state()).keys, [key("invite:ada", 1, 5)]);
  await owner.space.revoke("bob");
  const { cluster, database } = made;
  const rest = await cluster.run(
    database,
    "select holder from ctx.keys where wrapped = '\\x02020202'",
  );
  assert.deepEqual(rest, []);
});

serverTest("a name is invited anew after it was revoked, and its former rows stay", async () => {
  await using made = await madeSpace(["ada"]);
  const { owner, cluster, database, members: [ada] } = made;
  await ada.space.push([madeRow(ada.writer, 1, "H-1")]);
  await assert.rejects(
    admitMember(owner.space, cluster, database, "team", "ada"),
    (error: unknown) => error instanceof CtxError && error.code === "USAGE",
  );
  await owner.space.revoke("ada");
  const again = await admitMember(owner.space, cluster, database, "team", "ada", 8);
  const state = await again.space.state(again.writer);
  const writers = state.writers.filter(({ name }) => name === "ada");
  assert.deepEqual(writers.map(({ leftAt }) => leftAt === null).sort(), [false, true]);
  // Each writer keeps the invitation by which it joined.
  const keyOf = (of: string) => writers.find(({ writer }) => writer === of)?.inviteKey;
  assert.deepEqual(keyOf(ada.writer), new Uint8Array(32).fill(4));
  assert.deepEqual(keyOf(again.writer), new Uint8Array(32).fill(8));
  assert.equal((await pullAll(again.space, [[ada.writer, 0]])).length, 1);
  await again.space.close();
  await assert.rejects(owner.space.revoke("nobody"), /no such member/);
  await assert.rejects(owner.space.revoke("owner"), /no such member/);
});

serverTest(
  "joining again is the same store or none; one that has left writes nothing more",
  async () => {
    await using made = await madeSpace(["ada"]);
    const [{ space, writer }] = made.members;
    const same = { writer, signKey: new Uint8Array(32).fill(6), cert: new Uint8Array(32).fill(7) };
    await space.join(same);
    const isTaken = (error: unknown): boolean =>
      error instanceof CtxError && error.code === "USAGE";
    await assert.rejects(space.join({ ...same, signKey: new Uint8Array(32) }), isTaken);
    await space.push([madeRow(writer, 1, "H-1")]);
    await space.leave(writer);
    await assert.rejects(space.join(same), isTaken);
    await assert.rejects(
      space.push([madeRow(writer, 2, "H-2")]),
      (error: unknown) => error instanceof CtxError && error.code === "REMOTE_DENIED",
    );
    assert.equal((await pullAll(space, [[writer, 0]])).length, 1);
  },
);

serverTest("who listens hears of a push by others, and of a revocation", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const { owner, members: [ada, bob] } = made;
  const heard: string[] = [];
  let wake = (): void => {};
  const next = (): Promise<void> => new Promise((resolve) => wake = resolve);
  const { channel } = await ada.space.state();
  await ada.space.listen(channel, (writer) => {
    heard.push(writer);
    wake();
  });
  const pushed = next();
  await bob.space.push([madeRow(bob.writer, 1, "H-1"), madeRow(bob.writer, 2, "H-2")]);
  await pushed;
  assert.deepEqual(heard, [bob.writer]);
  const revoked = next();
  await owner.space.revoke("bob");
  await revoked;
  assert.notEqual((await ada.space.state()).channel, channel);
});

serverTest("a pull that is left early leaves the session as it was", async () => {
  await using made = await madeSpace(["ada"]);
  const [{ space, writer }] = made.members;
  const rows = Array.from(
    { length: 4000 },
    (_, n) => madeRow(writer, n + 1, `H-${n}`, "x".repeat(999)),
  );
  await space.push(rows);
  for await (const batch of space.pull(new Map([[writer, 0]]))) {
    assert.ok(batch.length > 0);
    break;
  }
  assert.equal((await space.state(writer)).me, "ada");
  await space.push([madeRow(writer, rows.length + 1, "H-more")]);
  assert.equal((await pullAll(space, [[writer, rows.length]])).length, 1);
});

serverTest("rows come once each and in order, whatever their sizes are to a page", async () => {
  await using made = await madeSpace(["ada", "bob"]);
  const [ada, bob] = made.members;
  const sizes = [1, 5_000_000, 1, 3_000_000, 3_000_000, 10, 4_200_000];
  const rows = sizes.map((size, n) => madeRow(ada.writer, n + 1, `H-${n}`, "x".repeat(size)));
  await ada.space.push(rows);
  const pages = await Array.fromAsync(bob.space.pull(new Map([[ada.writer, 0]])));
  assert.deepEqual(pages.map((page) => page.map(({ seq }) => seq)), [[1, 2], [3, 4, 5], [6, 7]]);
  assert.deepEqual(pages.flat(), rows);
  const seqs = [2, 4, 5, 7];
  assert.deepEqual(await bob.space.pullAt(ada.writer, seqs), seqs.map((seq) => rows[seq - 1]));
});

serverTest(
  "what is pushed does not get into the server's log, also where a push fails",
  async () => {
    await using made = await madeSpace(["ada", "bob"]);
    const [ada, bob] = made.members;
    await ada.space.push([madeRow(ada.writer, 1, "H-1", "words that nobody logs")]);
    const again = madeRow(bob.writer, 1, "H-1", "words that nobody logs");
    assert.equal((await bob.space.push([again])).taken.length, 1);
    await assert.rejects(bob.space.push([{ ...again, writer: ada.writer, seq: 2, id: "H-2" }]));
    const log = made.cluster.log();
    assert.match(log, /violates row-level security policy/);
    const body = new TextEncoder().encode("words that nobody logs");
    for (const form of ["nobody logs", body.toBase64().slice(0, 20), body.toHex()]) {
      assert.ok(!log.includes(form), form);
    }
  },
);

serverTest("a login's password is nowhere on the server, nor in what it logs", async () => {
  await using made = await madeSpace(["ada"]);
  const { cluster, database, members: [ada] } = made;
  await cluster.run(database, `alter database ${database} set log_statement = 'all'`);
  await using owner = await PostgresSpace.connect(await cluster.settings(database), "team");
  const { role, password } = await owner.createLogin();
  const [{ rolpassword }] = await cluster.run(
    database,
    `select rolpassword from pg_authid where rolname = '${role}'`,
  );
  assert.match(String(rolpassword), /^SCRAM-SHA-256\$4096:/);
  assert.ok(!String(rolpassword).includes(password));
  await using session = await PostgresSpace.connect(
    await cluster.settings(database, role, password),
    "team",
  );
  assert.ok(session);
  const log = cluster.log();
  assert.match(log, new RegExp(role));
  assert.ok(!log.includes(password) && !log.includes(ada.password));
});

serverTest("names that no space or member may have are refused", async () => {
  await using made = await madeSpace([]);
  const { cluster, database, owner } = made;
  for (const name of ["", "Team", "a b", "../x", "x".repeat(70), "é"]) {
    await using other = await PostgresSpace.connect(await cluster.settings(database), name);
    await assert.rejects(
      other.createSpace({ owner: "owner", rootKey: new Uint8Array(32), encrypted: false }),
      (error: unknown) => error instanceof CtxError && error.code === "USAGE",
      name,
    );
  }
  const { role } = await owner.space.createLogin();
  const [inviteKey, inviteCert] = [new Uint8Array(32), new Uint8Array(64)];
  for (const name of ["", "a b", "a/b", "-x", "a\nb"]) {
    await assert.rejects(
      owner.space.admit({ name, role, inviteKey, inviteCert }),
      (error: unknown) => error instanceof CtxError && error.code === "USAGE",
      name,
    );
  }
  await assert.rejects(
    owner.space.admit({ name: "x", role: "no_such_role", inviteKey, inviteCert }),
    (error: unknown) => error instanceof CtxError && error.code === "NOT_FOUND",
  );
  await using same = await PostgresSpace.connect(await cluster.settings(database), "team");
  await assert.rejects(
    same.createSpace({ owner: "o", rootKey: inviteKey, encrypted: false }),
    (error: unknown) => error instanceof CtxError && error.code === "USAGE",
  );
});
