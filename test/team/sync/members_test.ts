// Who is in a space and who no longer is: what whoever was revoked can still read, what a store that
// has left may do, and which of two directories with one identity is the store.

import assert from "node:assert/strict";
import { hasNoPostgres, startCluster } from "../../support/servers/postgres.ts";
import { madeTeam, type Team, Teammate, teammate } from "../../support/servers/teammates.ts";
import { TempStore, tempStore } from "../../support/stores/temp_store.ts";

const ignore = hasNoPostgres();

/** The holders of a space key, by their member's name or as invitation, with the epoch. */
async function holdersOf({ cluster, database }: Team): Promise<string[]> {
  const rows = await cluster.run(
    database,
    `select k.epoch || ' ' || coalesce(w.name, k.holder) as held from ctx.keys k
     left join ctx.writers w on w.writer::text = k.holder order by 1`,
  );
  return rows.map(({ held }) => String(held));
}

Deno.test({
  name: "whoever was revoked has no key of what comes later; those who stay and who is invited do",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob", "cyd"], { encrypt: true });
    const { cluster, database } = team;
    const [ada, bob, cyd] = team.mates;
    await using dan = await teammate("dan");
    const before = await ada.save("Said to all.");
    await ada.sync();
    await bob.sync();
    await ada.run("remote invite", { name: "dan" });
    await using t = await tempStore();
    const left = new Teammate("cyd", t, cyd.home);
    await left.run("remote add", { space: "web" });
    await left.run("remote leave");
    // A store that the server made up, of a member who stays: its certificate does not hold.
    await cluster.run(
      database,
      `insert into ctx.writers (space, writer, name, role, sign_key, age_recipient, cert)
       select space, gen_random_uuid(), name, role, sign_key, (
         select age_recipient from ctx.writers where name = 'bob'
       ), cert from ctx.writers where name = 'cyd'`,
    );
    assert.equal((await ada.run("remote revoke", { name: "bob" })).epoch, 2);
    assert.deepEqual(await holdersOf(team), [
      ...["1 ada", "1 cyd", "1 invite:cyd", "1 invite:dan"],
      ...["2 ada", "2 cyd", "2 invite:cyd", "2 invite:dan"],
    ]);
    assert.throws(() => Deno.statSync(ada.invitation("bob")), Deno.errors.NotFound);
    const after = await ada.save("Said to those who stay.");
    await ada.sync();
    const [{ epoch }] = await cluster.run(
      database,
      `select get_byte(body, 2) as epoch from ctx.log where id = '${after}'`,
    );
    assert.equal(epoch, 2, "it is sealed with the new key");
    await cyd.sync();
    await dan.run("remote add", { invite: ada.invitation("dan") });
    await dan.sync();
    for (const mate of [cyd, dan]) {
      assert.deepEqual([...mate.texts().keys()].sort(), [before, after].sort(), mate.name);
    }
    // A try that was killed halfway is finished by the next.
    assert.equal((await ada.run("remote revoke", { name: "bob" })).epoch, 3);
    assert.ok(!(await holdersOf(team)).some((held) => held.endsWith("bob")));
    // What comes under a key that is not here waits, and is not lost.
    await ada.save("Said later.");
    await ada.sync();
    const keys = "select wrapped from ctx.keys where epoch = 3 and holder = ";
    const writer = `(select writer::text from ctx.writers where name = 'dan')`;
    const [{ wrapped }] = await cluster.run(
      database,
      `select encode(wrapped, 'hex') as wrapped from (${keys}${writer}) k`,
    );
    await cluster.run(database, `delete from ctx.keys where epoch = 3 and holder = ${writer}`);
    assert.deepEqual((await dan.sync()).refused.map(({ reason }) => reason), ["no_key"]);
    assert.deepEqual((await dan.sync()).refused, []);
    await cluster.run(
      database,
      `insert into ctx.keys select space, writer::text, 3, decode('${wrapped}', 'hex')
       from ctx.writers where name = 'dan'`,
    );
    assert.deepEqual((await dan.sync()).pulled, { ada: 1 });
    assert.equal(dan.texts().size, 3);
  },
});

Deno.test({
  name: "a store that was moved goes on; a copy beside it is refused, the original is not",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [, bob] = team.mates;
    const place = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-moved-" }));
    try {
      Deno.renameSync(bob.t.root, `${place}/.contextfs`);
      const moved = new Teammate("bob", new TempStore(place), bob.home);
      await moved.save("Said after the move.");
      assert.equal((await moved.sync()).pushed.entries, 1);
      copyTree(moved.t.root, bob.t.root);
      const { code, message } = await bob.fail("sync");
      assert.equal(code, "REMOTE_FORKED");
      assert.ok(message.includes(place), message);
      await moved.sync();
    } finally {
      Deno.removeSync(place, { recursive: true });
    }
  },
});

Deno.test({
  name: "a store on a machine that is gone is ended from another; it pushes nothing any more",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await using t = await tempStore();
    const second = new Teammate("bob", t, bob.home);
    await second.run("remote add", { space: "web" });
    const { writer } = JSON.parse(second.t.read("remote.json"));
    const left = await bob.run("remote leave", { writer });
    assert.deepEqual([left.writer, left.rows], [writer, 0]);
    assert.ok(bob.t.exists("remote.json"), "bob's own stays");
    assert.match((await second.fail("sync")).message, /this store has left it/);
    await bob.save("Said in time.");
    await bob.sync();
    assert.deepEqual((await ada.sync()).pulled, { bob: 1 });
  },
});

Deno.test({
  name: "leaving takes others' rows and the keys off this machine; the owner keeps the root key",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await ada.save("A word of Ada's.");
    await ada.sync();
    await bob.save("A word of Bob's.");
    await bob.sync();
    await bob.run("search", { query: "word" });
    await ada.save("Another word of Ada's.");
    await ada.sync();
    await team.cluster.run(
      team.database,
      "update ctx.log set body = overlay(body placing 'another' from 40) where seq = 2",
    );
    assert.equal((await bob.sync()).refused.length, 1);
    const planned = await bob.run("remote leave", { dry_run: true });
    assert.equal(planned.rows, 1);
    assert.equal(bob.texts().size, 2);
    await bob.run("remote leave");
    assert.deepEqual(findHolding(bob.t.root, "Ada's"), []);
    assert.equal(bob.texts().size, 1);
    assert.deepEqual(await bob.t.ailments(), []);
    assert.equal(Deno.readTextFileSync(`${bob.home}/.config/ctx/remotes.json`).trim(), "{}");
    const { members } = await ada.run("remote status");
    assert.deepEqual((members as { stores: number }[]).map(({ stores }) => stores), [1, 0]);
    await ada.run("remote leave");
    await ada.run("remote add", { space: "web" });
    await ada.save("Still the owner.");
    assert.equal((await ada.sync()).pushed.entries, 1);
    assert.equal((await ada.run("remote status")).owner, true);
  },
});

Deno.test({
  name: "the owner of an encrypted space who left comes back to all its keys",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob", "cyd"], { encrypt: true });
    const [ada, bob] = team.mates;
    await using t = await tempStore();
    const second = new Teammate("ada", t, ada.home);
    await bob.save("Said to all.");
    await bob.sync();
    await second.run("remote add", { space: "web" });
    await ada.run("remote leave");
    await second.run("remote revoke", { name: "cyd" });
    await bob.save("Said to those who stay.");
    await bob.sync();
    for (const other of [second, ada]) {
      await ada.run("remote add", { space: "web" });
      assert.deepEqual((await ada.sync()).pulled, { bob: 2 });
      await other.run("remote leave");
      if (other === second) await ada.run("remote leave");
    }
  },
});

Deno.test({
  name: "a name that cannot be a file's or is taken leaves no login behind",
  ignore,
  async fn() {
    // Logins belong to a whole cluster: only in one of its own can they be counted.
    await using cluster = await startCluster();
    await using team = await madeTeam(["ada", "bob"], { cluster });
    const [ada, bob] = team.mates;
    const countLogins = async (): Promise<unknown> => {
      const logins = "select count(*)::int as count from pg_roles where rolname like 'ctx\\_%'";
      return (await team.cluster.run(team.database, logins))[0].count;
    };
    const before = await countLogins();
    for (const name of ["../x", "a/b", " "]) {
      assert.equal((await ada.fail("remote invite", { name })).code, "USAGE", name);
    }
    assert.equal((await bob.fail("remote invite", { name: "cyd" })).code, "DENIED");
    // Her own name would be for another machine of hers.
    assert.match((await ada.fail("remote invite", { name: "bob" })).message, /taken/);
    assert.equal(await countLogins(), before);
    // What the owner's address says of TLS is said to the invited, too.
    const path = `${ada.home}/.config/ctx/remotes.json`;
    const text = Deno.readTextFileSync(path).replace(/("url": "[^"]*)"/, '$1&sslmode=prefer"');
    Deno.writeTextFileSync(path, text);
    await ada.run("remote invite", { name: "cyd" });
    const lost = Deno.readTextFileSync(ada.invitation("cyd"));
    assert.match(lost, /sslmode=prefer/);
    // Invited anew, the first invitation is worth nothing.
    await ada.run("remote invite", { name: "cyd" });
    assert.equal(await countLogins(), Number(before) + 1);
    await using cyd = await teammate("cyd");
    assert.equal((await cyd.fail("remote add", { target: lost })).code, "REMOTE_DENIED");
    await cyd.run("remote add", { invite: ada.invitation("cyd") });
  },
});

Deno.test({
  name: "a file of keys that is damaged is told, and stays as it is",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada"]);
    const [ada] = team.mates;
    const path = `${ada.home}/.config/ctx/remotes.json`;
    const text = Deno.readTextFileSync(path);
    const [writer] = Object.keys(JSON.parse(text));
    await using t = await tempStore();
    for (const broken of [text.slice(0, -9), "[]", JSON.stringify({ [writer]: { url: 1 } })]) {
      Deno.writeTextFileSync(path, broken);
      assert.equal((await ada.fail("sync")).code, "CONFIG_INVALID");
      const second = new Teammate("ada", t, ada.home);
      const init = { url: team.cluster.url(team.database), space: "other", name: "ada" };
      const { code, message } = await second.fail("remote init", init);
      assert.equal(code, "CONFIG_INVALID");
      assert.ok(message.includes(path));
      assert.equal(Deno.readTextFileSync(path), broken, "the root key may be in it");
    }
  },
});

Deno.test({
  name: "a workspace is in one space; an owner whose first try was killed takes a new identity",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const url = team.cluster.url(team.database);
    const other = { url, space: "other", name: "bob" };
    assert.match((await bob.fail("remote init", other)).message, /already in "web"/);
    const invite = ada.invitation("bob");
    assert.match((await bob.fail("remote add", { invite })).message, /already in "web"/);
    Deno.removeSync(ada.t.path("remote.json"));
    await ada.run("remote add", { space: "web", again: true });
    assert.equal((await ada.run("remote status")).owner, true);
  },
});

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

/** The files that have a word in them. */
function findHolding(directory: string, word: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return findHolding(path, word);
    const text = new TextDecoder("latin1").decode(Deno.readFileSync(path));
    return text.includes(word) ? [path] : [];
  });
}
