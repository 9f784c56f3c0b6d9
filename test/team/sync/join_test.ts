// How stores come into a space and out of it, what of that is secret, and what a copy of one is told.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { hasNoPostgres, sharedCluster } from "../../support/servers/postgres.ts";
import { madeTeam, type Synced, Teammate, teammate } from "../../support/servers/teammates.ts";
import { TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { assertMode } from "../../support/not_on_windows.ts";

const ignore = hasNoPostgres();

Deno.test({
  name: "a space is made, joined by invitation, shown, revoked and left",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await bob.save("Bob was here.");
    await bob.sync();
    await ada.sync();
    const status = await ada.run("remote status");
    assert.deepEqual(status.members, [
      { name: "ada", owner: true, stores: 1, revoked: false },
      { name: "bob", owner: false, stores: 1, revoked: false },
    ]);
    assert.deepEqual(status.waiting, { rows: 0, bytes: 0 });
    assert.equal(status.online, true);
    await ada.run("remote revoke", { name: "bob" });
    assert.equal((await bob.fail("sync")).code, "REMOTE_DENIED");
    assert.equal(bob.texts().size, 1, "what is here stays");
    await bob.run("remote leave");
    assert.ok(!bob.t.exists("remote.json") && bob.t.list().includes("history.ndjson"));
    assert.equal((await bob.run("remote status")).space, null);
    assert.equal(ada.texts().size, 1, "rows of who was revoked stay");
  },
});

Deno.test({
  name: "without the server the status tells what is known, and everything else works",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await ada.save("Known before.");
    await ada.sync();
    await bob.sync();
    const path = `${bob.home}/.config/ctx/remotes.json`;
    Deno.writeTextFileSync(
      path,
      Deno.readTextFileSync(path)
        .replaceAll(encodeURIComponent(team.cluster.directory), "/tmp/no-such-server"),
    );
    await bob.save("Said offline.");
    const status = await bob.run("remote status");
    assert.equal(status.online, false);
    assert.match(String(status.problem), /no such socket/);
    assert.deepEqual(status.waiting, {
      rows: 1,
      bytes: (status.waiting as { bytes: number }).bytes,
    });
    assert.equal((status.members as unknown[]).length, 2);
    assert.equal((await bob.fail("sync")).code, "REMOTE_UNREACHABLE");
    assert.equal(bob.texts().size, 2);
  },
});

Deno.test({
  name: "a URL without an invitation is tried: what is wrong with it is said first",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada] = team.mates;
    await using cyd = await teammate("cyd");
    const [url] = Deno.readTextFileSync(ada.invitation("bob")).split("#");
    const add = (target: string, space = "web") => cyd.fail("remote add", { target, space });
    const gone = url.replaceAll(encodeURIComponent(team.cluster.directory), "/tmp/no-such-server");
    assert.equal((await add(gone)).code, "REMOTE_UNREACHABLE");
    assert.equal((await add(url.replace(/:[^:@/]+@/, ":wrong@"))).code, "REMOTE_DENIED");
    assert.equal((await add(url, "nowhere")).code, "NOT_FOUND");
    const good = await add(url);
    assert.equal(good.code, "USAGE");
    assert.match(good.message, /you have no invitation here/);
    assert.ok(!cyd.t.exists("remote.json"), "nothing was joined");
  },
});

Deno.test({
  name: "a wrong password, an unknown space and one of others are refused; the last two alike",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const { cluster, database } = team;
    const [ada, bob] = team.mates;
    const invitation = Deno.readTextFileSync(ada.invitation("bob"));
    await using cyd = await teammate("cyd");
    const wrong = invitation.replace(/:[^:@/]+@/, ":wrong@");
    const denied = await cyd.fail("remote add", { target: wrong });
    assert.equal(denied.code, "REMOTE_DENIED");
    assert.ok(!JSON.stringify(denied).includes("wrong"));
    const owner = cluster.url(database);
    await cyd.run("remote init", { url: owner, space: "other", name: "cyd" });
    const path = `${bob.home}/.config/ctx/remotes.json`;
    const text = Deno.readTextFileSync(path);
    const ask = async (space: string): Promise<string> => {
      Deno.writeTextFileSync(path, text.replaceAll('"web"', `"${space}"`));
      bob.t.write(
        "remote.json",
        bob.t.read("remote.json").replace(/"space": ".*?"/, `"space": "${space}"`),
      );
      const { code, message } = await bob.fail("sync");
      return `${code} ${message.replaceAll(space, "SPACE")}`;
    };
    assert.equal(await ask("other"), await ask("nowhere"));
    assert.match(await ask("other"), /^NOT_FOUND /);
  },
});

Deno.test({
  name: "a copied store is told apart, and --again gives it an identity of its own",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const id = await bob.save("Said before the copy.");
    await bob.sync();
    await using copy = copyOf(bob, { withKeys: true });
    // On another machine with the same keys: both are as good, until they differ.
    const theirs = await bob.save("Said by the original.");
    await bob.sync();
    const own = await copy.save("Said by the copy.");
    const failed = await copy.fail("sync");
    assert.equal(failed.code, "REMOTE_FORKED");
    assert.match(String(failed.hint), /ctx team add --again/);
    await copy.run("remote add", { again: true });
    const { pushed, pulled } = await copy.sync();
    assert.deepEqual([pushed.entries, pushed.taken], [1, 0], "nothing is pushed twice");
    assert.deepEqual(pulled, { bob: 2 });
    await ada.sync();
    assert.deepEqual([...ada.texts().keys()].sort(), [id, theirs, own].sort());
    assert.deepEqual([...copy.texts().keys()].sort(), [id, theirs, own].sort());
  },
});

Deno.test({
  name: "a store restored from a backup is told so, loses nothing and goes on after --again",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await bob.save("Before the backup.");
    await bob.sync();
    await using backup = copyOf(bob, { withKeys: false });
    const lost = await bob.save("After the backup.");
    await bob.sync();
    Deno.removeSync(bob.t.root, { recursive: true });
    copyTree(backup.t.root, bob.t.root);
    assert.equal((await bob.fail("sync")).code, "REMOTE_FORKED");
    await bob.run("remote add", { again: true });
    await bob.sync();
    assert.ok(bob.texts().has(lost), "what was lost comes back from the space");
    await ada.sync();
    assert.equal(ada.texts().size, 2);
  },
});

Deno.test({
  name: "a server restored from a backup is told; what it lost is pushed again after --again",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await bob.save("In the backup.");
    await bob.sync();
    const id = await bob.save("After it.");
    await bob.sync();
    await team.cluster.run(team.database, "delete from ctx.log where seq = 2");
    assert.equal((await bob.fail("sync")).code, "REMOTE_FORKED");
    await bob.run("remote add", { again: true });
    assert.equal((await bob.sync()).pushed.entries, 1);
    await ada.sync();
    assert.ok(ada.texts().has(id));
  },
});

Deno.test({
  name: "what was pushed is known again from the server when pushed.ndjson is lost",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const id = await bob.save("Once.");
    await bob.sync();
    Deno.removeSync(bob.t.path("team/pushed.ndjson"));
    await bob.save("Twice.");
    assert.deepEqual((await bob.sync()).pushed.entries, 1);
    await bob.run("forget", { ids: [id], now: true });
    assert.equal((await bob.sync()).pushed.erased, 1);
    await ada.sync();
    assert.equal(ada.texts().size, 1);
  },
});

Deno.test({
  name: "a second workspace of a member joins by name, and its rows are the member's",
  ignore,
  async fn() {
    for (const encrypt of [false, true]) {
      await using team = await madeTeam(["ada", "bob"], { encrypt });
      for (const [mate, other] of [team.mates, team.mates.toReversed()]) {
        await using t = await tempStore();
        const second = new Teammate(mate.name, t, mate.home);
        await second.run("remote add", { space: "web" });
        const id = await second.save(`Of the second workspace of ${mate.name}.`);
        await second.sync();
        await other.sync();
        assert.ok(other.texts().has(id));
        await mate.sync();
        await second.run("forget", { ids: [id], now: true });
        await second.sync();
        await mate.sync();
        assert.ok(!mate.texts().has(id));
        // A kill may have left the word in history, and the row of the other store beside it.
        const refs = [await second.save("Said last.")];
        await second.sync();
        await mate.sync();
        const ts = "2026-01-01T00:00:00.000Z";
        const tombstone = { id: `H-${mate.name}`, ts, role: "note", type: "tombstone", text: "" };
        mate.t.append(
          "history.ndjson",
          JSON.stringify({ ...tombstone, refs, erased: true }) + "\n",
        );
        assert.equal((await mate.sync()).pushed.erased, 1);
        await second.run("remote leave");
      }
    }
  },
});

Deno.test({
  name: "whoever left and joined again still erases, forgets and takes back what was pushed before",
  ignore,
  async fn() {
    for (const encrypt of [false, true]) {
      await using team = await madeTeam(["ada", "bob"], { encrypt });
      const [ada, bob] = team.mates;
      const ids = [await bob.save("One."), await bob.save("Two."), await bob.save("Three.")];
      await bob.sync();
      await ada.sync();
      await bob.run("remote leave");
      await bob.run("remote add", { invite: ada.invitation("bob") });
      assert.deepEqual((await bob.run<Synced>("sync", { dry_run: true })).rows, []);
      assert.equal((await bob.sync()).pushed.taken, 0);
      await bob.run("forget", { ids: [ids[0]], now: true });
      await bob.run("forget", { ids: [ids[1]] });
      await bob.run("unshare", { targets: [ids[2]] });
      const { pushed } = await bob.sync();
      assert.deepEqual([pushed.erased, pushed.tombstones], [2, 1]);
      await ada.sync();
      assert.equal(ada.texts().size, 0);
    }
  },
});

Deno.test({
  name: "two stores of a member with the same rows push them once, and either erases them",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const ids = [await bob.save("In both."), await bob.save("In both as well.")];
    await using t = await tempStore();
    Deno.copyFileSync(bob.t.path("history.ndjson"), t.path("history.ndjson"));
    const second = new Teammate("bob", t, bob.home);
    await second.run("remote add", { space: "web" });
    await bob.sync();
    const { pushed } = await second.sync();
    assert.deepEqual([pushed.entries, pushed.taken, pushed.bytes], [0, 0, 0]);
    await second.run("forget", { ids: [ids[0]], now: true });
    await second.run("unshare", { targets: [ids[1]] });
    assert.equal((await second.sync()).pushed.erased, 2);
    await ada.sync();
    assert.equal(ada.texts().size, 0);
  },
});

Deno.test({
  name: "a name that is taken or cannot be one leaves no keys behind, and nobody else is revoked",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    await using cyd = await teammate("cyd");
    const url = team.cluster.url(team.database);
    for (
      const [space, name, why] of [
        ["web", "cyd", /taken/],
        ["No good", "cyd", /lowercase letters/],
        [
          "good",
          "no/good",
          /letters, digits/,
        ],
      ] as const
    ) {
      const { code, message } = await cyd.fail("remote init", { url, space, name });
      assert.equal(code, "USAGE");
      assert.match(message, why);
    }
    assert.deepEqual(readKeys(cyd), {});
    await ada.run("remote invite", { name: "cyd" });
    await cyd.run("remote add", { invite: ada.invitation("cyd") });
    for (const dry_run of [true, false]) {
      const unknown = await ada.fail("remote revoke", { name: "dan", dry_run });
      assert.deepEqual([unknown.code, unknown.message], [
        "NOT_FOUND",
        'Cannot revoke "dan": web has no such member',
      ]);
      const owner = await ada.fail("remote revoke", { name: "ada", dry_run });
      assert.equal(owner.message, 'Cannot revoke "ada": ada owns web');
    }
    await ada.run("remote revoke", { name: "bob", dry_run: true });
    await bob.sync();
  },
});

Deno.test({
  name: "joining again after a kill goes on with the same keys",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    await using ada = await teammate("ada");
    const init = { url: cluster.url(database), space: "web", name: "ada", encrypt: true };
    await ada.run("remote init", init);
    const keys = "select encode(wrapped, 'hex') as wrapped from ctx.keys";
    const before = await cluster.run(database, keys);
    // As if it had died before the store knew.
    Deno.removeSync(ada.t.path("remote.json"));
    await ada.run("remote init", init);
    assert.deepEqual(await cluster.run(database, keys), before, "rows may be sealed with it");
    const rows = await cluster.run(database, "select count(*)::int as count from ctx.writers");
    assert.equal(rows[0].count, 1);
    await ada.save("Still mine.");
    assert.equal((await ada.sync()).pushed.entries, 1);
  },
});

Deno.test({
  name: "no password and no key is in the workspace, in what commands say or in what they note",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"], { encrypt: true });
    const said: unknown[] = [];
    for (const mate of team.mates) {
      await mate.save("Nothing secret.");
      for (const name of ["sync", "remote status", "remote members", "doctor", "status"]) {
        said.push(await mate.run(name));
      }
      said.push(await mate.fail("remote add", { invite: "/no/such/file" }));
      said.push(await mate.fail("remote init", { url: "mysql://x:secretword@h/d", space: "b" }));
    }
    said.push(await team.mates[0].run("remote invite", { name: "cyd" }));
    const secrets = team.mates.flatMap(({ home }) => {
      const stored = JSON.parse(Deno.readTextFileSync(`${home}/.config/ctx/remotes.json`));
      const all = Object.values(stored) as Record<string, string>[];
      assertMode(`${home}/.config/ctx/remotes.json`, 0o600);
      return all.flatMap(({ url, sign, age, root, invite }) => [
        ...[sign, age, root, invite].filter((secret) => secret !== undefined),
        decodeURIComponent(/:([^:@/]+)@/.exec(url)?.[1] ?? ""),
      ]);
    });
    const invited = Deno.readTextFileSync(team.mates[0].invitation("cyd"));
    secrets.push(/:([^:@/]+)@/.exec(invited)?.[1] ?? "", "secretword");
    assert.ok(secrets.length >= 9 && secrets.every((secret) => secret.length > 5), "known secrets");
    const text = JSON.stringify(said) + team.mates.map(({ t }) => readTree(t.root)).join() +
      team.mates.map(({ t }) => t.warnings.join()).join();
    assert.deepEqual(secrets.filter((secret) => text.includes(secret)), []);
  },
});

function readKeys({ home }: Teammate): Record<string, unknown> {
  return JSON.parse(Deno.readTextFileSync(`${home}/.config/ctx/remotes.json`));
}

/** The same store elsewhere: on another machine with the same keys, or only its files. */
function copyOf(mate: Teammate, { withKeys }: { withKeys: boolean }): Teammate {
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-copy-" }));
  copyTree(mate.t.root, `${directory}/.contextfs`);
  const home = Deno.makeTempDirSync({ prefix: "ctx-mate-" });
  if (withKeys) {
    copyTree(mate.home, home);
    const path = `${home}/.config/ctx/remotes.json`;
    const text = Deno.readTextFileSync(path).replaceAll(mate.t.workspace, directory);
    Deno.writeTextFileSync(path, text);
  }
  return new Teammate(mate.name, new TempStore(directory), home);
}

function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyTree(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

function readTree(directory: string): string {
  return [...Deno.readDirSync(directory)].map(({ name, isDirectory }) =>
    isDirectory ? readTree(`${directory}/${name}`) : Deno.readTextFileSync(`${directory}/${name}`)
  ).join("\n");
}

Deno.test({
  name: "rows of others that came with a clone go when it joins: nobody has checked them",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada"]);
    const [ada] = team.mates;
    await ada.save("Ada's word.");
    await ada.sync();
    await ada.run("remote invite", { name: "bob" });
    await using bob = await teammate("bob");
    const { writer } = JSON.parse(ada.t.read("remote.json"));
    const forged = {
      ...{ id: "H-forged", ts: "2026-01-01T00:00:00.000Z", role: "note", type: "decision" },
      ...{ text: "Ada never said this.", author: "ada", seq: 1 },
    };
    const line = JSON.stringify(forged) + "\n";
    Deno.mkdirSync(`${bob.t.root}/team`);
    bob.t.append(`team/${writer}.ndjson`, line);
    const cursor = { seq: 1, link: "A".repeat(43), bytes: line.length };
    bob.t.append("team/cursors.json", JSON.stringify({ [writer]: cursor }));
    await bob.run("remote add", { invite: ada.invitation("bob") });
    assert.deepEqual([...bob.texts().values()], []);
    await bob.sync();
    assert.deepEqual([...bob.texts().values()], ["Ada's word."]);
    assert.deepEqual(await bob.t.ailments(), []);
  },
});

Deno.test({
  name: "every command says what it cannot do in a workspace of no space, and how to get into one",
  async fn() {
    await using ada = await teammate("ada");
    const tries: [string, object, RegExp][] = [
      ["sync", {}, /^Cannot sync:/],
      ["remote invite", { name: "bob" }, /^Cannot invite "bob":/],
      ["remote revoke", { name: "bob" }, /^Cannot revoke "bob":/],
      ["remote leave", {}, /^Cannot leave:/],
      ["remote token", { name: "bob" }, /^Cannot create a token:/],
    ];
    for (const [name, input, says] of tries) {
      const { message, hint } = await ada.fail(name, input);
      assert.match(message, says);
      assert.match(hint ?? "", /ctx team add --invite FILE/);
    }
    const file = await ada.fail("remote add", { target: "my invitation.txt" });
    assert.match(file.hint ?? "", /ctx team add --invite 'my invitation\.txt'/);
  },
});

Deno.test({
  name: "an invitation to one space and to another lie apart, and joining names the right one",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const url = team.cluster.url(team.database);
    await using vault = await tempStore();
    const other = new Teammate("ada", vault, ada.home);
    await other.run("remote init", { url, space: "vault", name: "ada", encrypt: true });
    await ada.run("remote invite", { name: "cyd" });
    await other.run("remote invite", { name: "cyd" });
    for (const space of ["web", "vault"]) {
      await using cyd = await teammate("cyd");
      const invite = ada.invitation("cyd", space);
      const wrong = await cyd.fail("remote add", { invite, space: "wbe" });
      assert.match(
        wrong.message,
        new RegExp(`Cannot join "wbe": the invitation is for "${space}"`),
      );
      assert.equal((await cyd.run("remote add", { invite })).space, space);
    }
    await other.run("remote revoke", { name: "cyd" });
    assert.ok(
      existsSync(`${ada.home}/.config/ctx/invites/web/cyd.txt`),
      "it is of the other space",
    );
    const twice = await bob.fail("remote add", { invite: ada.invitation("bob") });
    assert.match(twice.hint ?? "", /ctx team add --again --invite FILE/);
  },
});

Deno.test({
  name: "only a member who is not the owner is revoked, and the list of members knows at once",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const dry = { dry_run: true };
    const typo = await ada.fail("remote revoke", { name: "bbo", ...dry });
    assert.equal(typo.code, "NOT_FOUND");
    const denied = await bob.fail("remote revoke", { name: "ada", ...dry });
    assert.equal(denied.code, "DENIED", "before anybody is asked whether to");
    await ada.run("remote revoke", { name: "bob", ...dry });
    await bob.sync();
    type Known = { members: { name: string; status: string }[] };
    const statuses = async (): Promise<string[][]> =>
      (await ada.run<Known>("remote members")).members.map(({ name, status }) => [name, status]);
    await ada.run("remote invite", { name: "cyd" });
    assert.deepEqual(await statuses(), [["ada", "owner"], ["bob", "member"], ["cyd", "invited"]]);
    await bob.run("remote leave");
    await ada.sync();
    assert.deepEqual((await statuses())[1], ["bob", "left"]);
    await ada.run("remote revoke", { name: "bob" });
    assert.deepEqual((await statuses())[1], ["bob", "revoked"]);
  },
});

Deno.test({
  name: "status says in which space a workspace is, as whom, and when it was synced",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada"]);
    const [ada] = team.mates;
    type Known = { team?: { space: string; name: string; last_sync: string | null } };
    assert.deepEqual((await ada.run<Known>("status")).team, {
      space: "web",
      name: "ada",
      last_sync: null,
    });
    await ada.sync();
    const { last_sync } = (await ada.run<Known>("status")).team ?? {};
    assert.match(last_sync ?? "", /^\d{4}-/);
  },
});

Deno.test({
  name: "who was invited again joins further workspaces with what counts now",
  ignore,
  async fn() {
    await using team = await madeTeam(["ada", "bob"]);
    const [ada, bob] = team.mates;
    const old = Deno.readTextFileSync(ada.invitation("bob")).trim();
    await ada.run("remote revoke", { name: "bob" });
    await ada.run("remote invite", { name: "bob" });
    await bob.run("remote add", { invite: ada.invitation("bob"), again: true });
    await using third = await tempStore();
    const tried = new Teammate("bob", third, bob.home);
    assert.equal((await tried.fail("remote add", { target: old })).code, "REMOTE_DENIED");
    await using further = await tempStore();
    const second = new Teammate("bob", further, bob.home);
    assert.equal((await second.run("remote add", { space: "web" })).name, "bob");
  },
});
