// Two machines of one person, without a server of ours: through a folder, a real SFTP server and a real
// S3-compatible one. What one saves the other finds; what is erased goes from both and from between.

import assert from "node:assert/strict";
import { readBodies } from "../../support/servers/history_folders.ts";
import { startS3 } from "../../support/servers/s3_server.ts";
import { hasNoSshd, startSshd } from "../../support/servers/sshd.ts";
import { Teammate, teammate } from "../../support/servers/teammates.ts";

/** A place for files. */
interface Place extends AsyncDisposable {
  url: string;
  variables?: Record<string, string>;
  admit?(home: string): void;
  /** All that lies there, where it lies on this disk. */
  read?(): string;
}

const places: [name: string, ignore: boolean, open: () => Promise<Place>][] = [
  ["a folder", false, async () => {
    const directory = await Deno.makeTempDir();
    return {
      url: `${directory}/memory of ada`,
      read: () => readBodies(directory),
      [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
    };
  }],
  ["SFTP", hasNoSshd(), async () => {
    const server = await startSshd();
    return {
      url: server.url("memory"),
      admit: (home) => server.admit(home),
      read: () => readBodies(server.directory),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }],
  ["S3", false, async () => {
    const server = await startS3();
    const { variables } = server;
    return {
      url: server.url("memory"),
      variables,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }],
];

/** A machine from which a place can be reached. */
async function machine({ variables = {}, admit }: Place): Promise<Teammate> {
  const made = await teammate("ada");
  admit?.(made.home);
  const env = (name: string) => name === "HOME" ? made.home : variables[name];
  return Object.assign(made, { world: () => ({ env, now: Date.now }) });
}

for (const [name, ignore, open] of places) {
  for (const encrypt of [false, true]) {
    Deno.test({
      name: `${name}: two machines of one person${encrypt ? ", encrypted" : ""}`,
      ignore,
      async fn() {
        await using place = await open();
        await using desk = await machine(place);
        await using lap = await machine(place);
        await desk.run("remote init", { url: place.url, space: "mine", name: "ada", encrypt });
        const { path, yours } = await desk.run<{ path: string; yours: boolean }>(
          "remote invite",
          { name: "ada" },
        );
        assert.equal(yours, true);
        const joined = await lap.run("remote add", { invite: path });
        assert.deepEqual([joined.name, joined.owner, joined.members], ["ada", true, 1]);
        const id = await desk.save("We rotate tokens every hour.");
        const kept = await lap.save("The build runs on two cores.");
        assert.equal((await desk.sync()).pushed.entries, 1);
        assert.deepEqual((await lap.sync()).pulled, { ada: 1 });
        const { results } = await lap.run<{ results: { id: string; author: string }[] }>(
          "search",
          { query: "rotate tokens" },
        );
        assert.equal(results[0].id, id);
        assert.deepEqual((await desk.sync()).pulled, { ada: 1 });
        assert.deepEqual([...desk.texts()].sort(), [...lap.texts()].sort());
        if (place.read !== undefined) {
          assert.equal(place.read().includes("We rotate"), !encrypt);
        }
        // Either machine may take back what the other pushed.
        await lap.run("forget", { ids: [id], now: true });
        assert.equal((await lap.sync()).pushed.erased, 1);
        await desk.sync();
        await lap.sync();
        assert.deepEqual([...lap.texts().keys()], [kept]);
        const { erasures, online } = await lap.run<{
          online: boolean;
          erasures: { waiting: string[] }[];
        }>("remote status");
        assert.deepEqual([online, erasures.map(({ waiting }) => waiting)], [true, [[]]]);
        if (place.read !== undefined) assert.ok(!place.read().includes("We rotate"));
        // Nothing moves any more, and a third machine sees what is left.
        assert.deepEqual((await desk.sync()).pulled, {});
        await using third = await machine(place);
        await third.run("remote add", { invite: path, target: place.url });
        assert.deepEqual((await third.sync()).refused, []);
        assert.deepEqual([...third.texts().keys()], [kept]);
      },
    });
  }
}

Deno.test({
  name: "SFTP: an unknown host, another host's key and a login without a key are told apart",
  ignore: hasNoSshd(),
  async fn() {
    await using server = await startSshd();
    const init = async (admit: (home: string) => void, url = server.url("memory")) => {
      await using ada = await teammate("ada");
      admit(ada.home);
      return await ada.fail("remote init", { url, space: "mine", name: "ada" });
    };
    const unknown = await init((home) => {
      server.admit(home);
      Deno.removeSync(`${home}/.ssh/known_hosts`);
    });
    assert.equal(unknown.code, "REMOTE_UNTRUSTED");
    assert.match(unknown.message, /^Cannot trust 127.0.0.1: its key is not in/);
    assert.match(unknown.hint ?? "", /ssh -p \d+ \w+@127/);
    const other = await init((home) => server.admit(home, { known: "wrong" }));
    assert.match(other.message, /its key is not the one in/);
    const bare = await init((home) => {
      server.admit(home);
      Deno.removeSync(`${home}/.ssh/id_ed25519`);
    });
    assert.equal(bare.code, "REMOTE_DENIED");
    assert.match(bare.message, /there is no SSH key to use/);
    const stranger = await init((home) => {
      server.admit(home);
      const file = `${home}/.ssh/id_ed25519`;
      Deno.removeSync(file);
      const args = ["-q", "-t", "ed25519", "-N", "", "-f", file];
      new Deno.Command("ssh-keygen", { args }).outputSync();
    });
    assert.match(stranger.message, /it accepted none of your keys/);
    const typed = server.url("memory").replace("@", ":secret@");
    const secret = await init((home) => server.admit(home), typed);
    assert.equal(secret.code, "CONFIG_INVALID");
    assert.ok(!JSON.stringify(secret).includes("secret"));
  },
});
