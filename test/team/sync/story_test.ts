// The story of docs/TEAM.md with the built file, in three homes: making a space, inviting, what leaves,
// who said what, deletion with receipts, encryption, leaving. No password shows in any of it.

import assert from "node:assert/strict";
import {
  findPostgres,
  hasNoPostgres,
  serverUser,
  sharedCluster,
} from "../../support/servers/postgres.ts";
import type { RunResult } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { assertMode } from "../../support/not_on_windows.ts";

const ignore = hasNoPostgres();

/** Runs ctx as somebody, and keeps all that was said. */
class Narrator {
  readonly said: string[] = [];

  async tell(t: TempStore, words: string[], stdin?: string): Promise<RunResult> {
    const result = await t.ctx(words, stdin === undefined ? {} : { stdin });
    this.said.push(result.stdout, result.stderr);
    return result;
  }

  async json<T = Record<string, unknown>>(t: TempStore, words: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.tell(t, [...words, "--json"]);
    assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
    return JSON.parse(stdout);
  }
}

Deno.test({
  name: "a team of three, from the first command to the last",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    await using ada = await tempStore();
    await using bob = await tempStore();
    await using cyd = await tempStore();
    const n = new Narrator();
    const url = cluster.url(database);
    const made = await n.tell(ada, ["remote", "init", "-", "--space", "web", "--name", "ada"], url);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /This workspace owns web as ada/);
    const invitations: string[] = [];
    for (const name of ["bob", "cyd"]) {
      const { path } = await n.json<{ path: string }>(ada, ["remote", "invite", name]);
      assertMode(path, 0o600);
      invitations.push(Deno.readTextFileSync(path));
    }
    const path = `${ada.home}/.config/ctx/invites/web/bob.txt`;
    assert.match((await n.tell(bob, ["remote", "add", "--invite", path])).stdout, /Joined web/);
    assert.equal((await n.tell(cyd, ["remote", "add", "-"], invitations[1])).code, 0);

    const text = "We rotate tokens every hour.";
    const { id } = await n.json<{ id: string }>(ada, ["save", text, "--type", "decision"]);
    await n.json(ada, ["save", "cargo test output", "--type", "tool_output"]);
    const unconfirmed = await n.tell(ada, ["sync"]);
    assert.equal(unconfirmed.code, 10);
    assert.match(unconfirmed.stderr, /We rotate tokens[\s\S]*ctx sync --yes/);
    assert.ok(!unconfirmed.stderr.includes("cargo test"));
    const dry = await n.json<{ rows: { id: string; bytes: number }[] }>(ada, ["sync", "--dry-run"]);
    assert.deepEqual(dry.rows.map((row) => row.id), [id]);
    assert.match((await n.tell(ada, ["sync", "--yes"])).stdout, /Pushed 1 entry/);
    assert.match((await n.tell(ada, ["sync"])).stdout, /web is up to date/);

    assert.match((await n.tell(bob, ["sync"])).stdout, /Pulled 1 row: ada 1\./);
    const { id: late } = await n.json<{ id: string }>(bob, [
      "save",
      "Bob decides.",
      "--type",
      "decision",
    ]);
    const asked = await n.tell(bob, ["sync"]);
    assert.equal(asked.code, 10, "a first list with nothing on it is no yes to what comes later");
    assert.match(asked.stderr, /Bob decides\.[\s\S]*what share\.policy decisions lets through/);
    assert.match((await n.tell(bob, ["unshare", late])).stdout, /stays here/);
    await n.tell(cyd, ["sync"]);
    await n.json(cyd, ["save", "Nobody asked Cyd so far.", "--type", "decision"]);
    assert.equal((await n.tell(cyd, ["sync"])).code, 10, "there was nothing to show before");
    type Rows = { results: { id: string; author?: string }[] };
    const found = await n.json<Rows>(bob, ["search", "token rotation", "--author", "ada"]);
    assert.deepEqual(found.results.map((row) => [row.id, row.author]), [[id, "ada"]]);
    const mine = await n.json<Rows>(bob, ["search", "token rotation", "--mine"]);
    assert.deepEqual(mine.results, []);

    assert.equal((await n.tell(bob, ["forget", id])).code, 7, "it is Ada's to forget");
    await n.json(ada, ["forget", id, "--now", "--yes"]);
    await n.tell(ada, ["sync"]);
    const waiting = await n.tell(ada, ["remote", "status"]);
    assert.match(
      waiting.stdout,
      /erased by ada.*: 1 entry; confirmed by ada; waiting for bob, cyd/,
    );
    assert.match((await n.tell(bob, ["sync"])).stdout, /Erased 1 row here/);
    await n.tell(cyd, ["sync", "--yes"]);
    const confirmed = await n.tell(ada, ["remote", "status"]);
    assert.match(confirmed.stdout, /confirmed by ada, bob, cyd\n/);
    for (const t of [ada, bob, cyd]) assert.ok(!readTree(t.root).includes("every hour"));
    const [{ count }] = await cluster.run(
      database,
      "select count(*)::int as count from ctx.log where position('every hour' in encode(body, 'escape')) > 0",
    );
    assert.equal(count, 0);

    assert.equal((await n.tell(ada, ["remote", "revoke", "bob", "--yes"])).code, 0);
    assert.equal((await n.tell(bob, ["sync"])).code, 11);
    assert.match((await n.tell(cyd, ["remote", "leave", "--yes"])).stdout, /Left web/);
    assert.match((await n.tell(cyd, ["remote", "status"])).stdout, /not shared with a team/);
    assert.equal((await n.tell(ada, ["remote", "statsu", url])).code, 2);

    const secrets = [url, ...invitations].flatMap((line) => {
      const password = /:([^:@/]+)@/.exec(line)?.[1] ?? "";
      return [password, decodeURIComponent(password)];
    });
    assert.ok(secrets.every((secret) => secret.length > 5));
    const all = n.said.join("\n") + [ada, bob, cyd].map((t) => readTree(t.root)).join("\n");
    assert.deepEqual(secrets.filter((secret) => all.includes(secret)), []);
  },
});

Deno.test({
  name: "a dump of an encrypted space has none of 200 phrases, which its members all find",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    await using ada = await tempStore();
    await using bob = await tempStore();
    const n = new Narrator();
    const url = cluster.url(database);
    await n.tell(ada, ["remote", "init", "-", "--space", "web", "--name", "ada", "--encrypt"], url);
    await n.tell(ada, ["remote", "invite", "bob"]);
    const path = `${ada.home}/.config/ctx/invites/web/bob.txt`;
    assert.match((await n.tell(bob, ["remote", "add", "--invite", path])).stdout, /\(encrypted\)/);
    const phrases = Array.from({ length: 200 }, (_, i) => `planted phrase ${i} zebra${i * 7919}`);
    const rows = phrases.map((text, i) => ({
      id: `H-plant${String(i).padStart(3, "0")}`,
      ts: `2020-05-06T07:08:${String(i % 60).padStart(2, "0")}.000Z`,
      role: "note",
      type: "decision",
      text,
      title: `title of zebra${i * 7919}`,
    }));
    ada.append("history.ndjson", rows.map((row) => JSON.stringify(row) + "\n").join(""));
    const { pushed } = await n.json<{ pushed: { entries: number } }>(ada, ["sync", "--yes"]);
    assert.equal(pushed.entries, 200);
    await n.tell(bob, ["sync", "--yes"]);
    const texts = new Set([...bob.open().entries()].map(({ entry }) => entry.text));
    assert.deepEqual(phrases.filter((phrase) => !texts.has(phrase)), []);
    const found = await n.json<{ results: { id: string }[] }>(bob, ["search", "zebra7919"]);
    assert.equal(found.results[0].id, "H-plant001");
    const dump = await dumpOf(url);
    assert.ok(dump.includes("H-plant001"), "the dump has the rows");
    const bytes = [dump, ...hexRuns(dump)].join("\n");
    assert.deepEqual(
      rows.filter(({ text, title }) =>
        [text, title, text.split(" ")[3]].some((word) => bytes.includes(word))
      ).map(({ id }) => id),
      [],
    );
    assert.ok(!dump.includes("2020-05-06") && !dump.includes("decision"), "no times, no kinds");
  },
});

async function dumpOf(url: string): Promise<string> {
  const { password, pathname, searchParams } = new URL(url.replace("@/", "@x/"));
  const output = await new Deno.Command(`${findPostgres()}/pg_dump`, {
    args: ["-h", searchParams.get("host") ?? "", "-U", "postgres", pathname.slice(1)],
    clearEnv: true,
    env: { PGPASSWORD: decodeURIComponent(password), PATH: "/usr/bin:/bin" },
    cwd: "/",
    ...serverUser(),
  }).output();
  assert.ok(output.success, new TextDecoder().decode(output.stderr));
  return new TextDecoder("latin1").decode(output.stdout);
}

/** What a dump writes as `\\x…`, as it reads. */
function hexRuns(dump: string): string[] {
  return (dump.match(/\\x([0-9a-f]{2})+/g) ?? []).map((run) =>
    new TextDecoder("latin1").decode(Uint8Array.fromHex(run.slice(2)))
  );
}

function readTree(directory: string): string {
  return [...Deno.readDirSync(directory)].map(({ name, isDirectory }) =>
    isDirectory
      ? readTree(`${directory}/${name}`)
      : new TextDecoder("latin1").decode(Deno.readFileSync(`${directory}/${name}`))
  ).join("\n");
}
