// `ctx sync --watch`: what others push comes in, what is saved here goes out, and a server that was gone
// is found again.

import assert from "node:assert/strict";
import type { ContextOptions } from "../../../src/app/app.ts";
import { PostgresSpace } from "../../../src/team/remote/postgres_space.ts";
import { hasNoPostgres, startCluster } from "../../support/servers/postgres.ts";
import { madeTeam, type Synced, type Teammate } from "../../support/servers/teammates.ts";

Deno.test({
  name: "a watching store follows the others and its own history, over a crash of the server",
  ignore: hasNoPostgres(),
  async fn() {
    await using cluster = await startCluster();
    await using team = await madeTeam(["ada", "bob"], { cluster });
    const [ada, bob] = team.mates;
    const { watching, see, stop } = watch(bob);
    await see(/watching web/);
    const first = await ada.save("Heard at once.");
    await ada.sync();
    await see(/1 row of ada/);
    const second = await bob.save("Leaves by itself.");
    await see(/1 entry pushed/);
    await cluster.crash();
    await see(/trying again in 1 s/);
    await cluster.start();
    const third = await ada.save("After the crash.");
    await ada.sync();
    await see(/1 row of ada[\s\S]*1 row of ada/);
    stop.abort();
    const sum = await watching;
    assert.deepEqual([sum.pulled, sum.pushed.entries], [{ ada: 2 }, 1]);
    assert.deepEqual([...bob.texts().keys()].sort(), [first, second, third].sort());
    assert.deepEqual([...ada.texts().keys()].sort(), [first, second, third].sort());
  },
});

Deno.test({
  name: "a watching store that had nothing to show sends nothing before somebody has agreed",
  ignore: hasNoPostgres(),
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const { watching, see, stop } = watch(bob, { consent: () => false });
    await see(/watching web/);
    const other = await bob.fail("sync");
    assert.equal(other.code, "STORE_LOCKED");
    assert.match(other.message, /process \d+ \(ctx sync --watch\) has been syncing this store/);
    await bob.save("Nobody was asked about this.");
    await ada.save("Heard.");
    await ada.sync();
    await see(/1 row of ada/);
    stop.abort();
    assert.equal((await watching).pushed.entries, 0);
    assert.match(
      bob.t.warnings.join(),
      /are not sent until you agree: run ctx sync/,
    );
    assert.equal((await bob.fail("sync", {}, { consent: () => false })).code, "UNCONFIRMED");
    assert.equal((await bob.sync()).pushed.entries, 1);
  },
});

Deno.test({
  name: "a watching store hears of pushes after a revocation, and sends what is shared and pinned",
  ignore: hasNoPostgres(),
  async fn() {
    await using team = await madeTeam(["ada", "bob", "cyd"]);
    const [ada, bob] = team.mates;
    const [shared, pinned] = [
      await bob.save("Shared by name.", { type: "question" }),
      await bob.save("Pinned.", { type: "question" }),
    ];
    const { listen } = PostgresSpace.prototype;
    try {
      // Ada pushes just before Bob listens.
      PostgresSpace.prototype.listen = async function (...words) {
        PostgresSpace.prototype.listen = listen;
        await ada.save("Unheard.");
        await ada.sync();
        await listen.apply(this, words);
      };
      const { watching, see, stop } = watch(bob);
      await see(/1 row of ada/);
      await ada.run("remote revoke", { name: "cyd" });
      for (const text of ["First.", "Second."]) {
        await ada.save(text);
        await ada.sync();
        await see(text === "First." ? /(1 row of ada[^]*){2}/ : /(1 row of ada[^]*){3}/);
      }
      await bob.run("share", { targets: [shared] });
      await see(/1 entry pushed/);
      await bob.run("pin", { target: pinned });
      await see(/(1 entry pushed[^]*){2}/);
      stop.abort();
      assert.equal((await watching).pushed.entries, 2);
    } finally {
      PostgresSpace.prototype.listen = listen;
    }
  },
});

/** Begins `ctx sync --watch`; `see` waits until something was told. */
function watch(
  mate: Teammate,
  options: ContextOptions = {},
): { watching: Promise<Synced>; see: (what: RegExp) => Promise<void>; stop: AbortController } {
  const stop = new AbortController();
  const told: string[] = [];
  const watching = mate.run<Synced>("sync", { watch: true }, {
    signal: stop.signal,
    tell: (line) => told.push(line),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 100))),
    ...options,
  });
  const see = async (what: RegExp): Promise<void> => {
    const end = Date.now() + 60_000;
    while (!what.test(told.join("\n"))) {
      assert.ok(Date.now() < end, `${what} was never told: ${told.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { watching, see, stop };
}
