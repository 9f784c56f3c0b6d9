// `ctx import` answers when what it brought can be found by words. Vectors and records follow in a process
// of its own that nobody waits for, and that loses nothing when it is killed.

import assert from "node:assert/strict";
import { takeLock } from "../../../src/disk/lock.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { startingEnv } from "../../support/processes/starting_env.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const noStarter = notOnWindows("a shell script stands in for ctx");

const messages = 900;
const sessions = 4;

/** Claude Code's transcripts of a few sessions, long enough to be indexed while they are read. */
async function writeHistory(t: TempStore, first = 0, count = sessions): Promise<void> {
  const folder = `${t.home}/.claude/projects/${t.workspace.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.mkdir(folder, { recursive: true });
  for (let session = first; session < first + count; session++) {
    const sessionId = `0f0e0d0c-1111-4222-8333-44445555666${session}`;
    const lines = Array.from({ length: messages }, (_, i) => {
      const role = i % 2 === 0 ? "user" : "assistant";
      const text = i === 0
        ? "let's use redis for the session store instead of postgres, it expires keys itself"
        : `step ${i} of session ${session}: the otter${session} cache is warm`;
      return JSON.stringify({
        type: role,
        uuid: `00000000-0000-4000-8${session}00-${String(i).padStart(12, "0")}`,
        sessionId,
        cwd: t.workspace,
        timestamp: new Date(Date.UTC(2026, 0, 1 + session, 0, 0, i)).toISOString(),
        message: { role, content: role === "user" ? text : [{ type: "text", text }] },
      });
    });
    await Deno.writeTextFile(`${folder}/${sessionId}.jsonl`, lines.join("\n") + "\n");
  }
}

async function importAll(t: TempStore, env: Record<string, string>, ...flags: string[]) {
  const { code, stdout, stderr } = await t.ctx(["import", "claude-code", ...flags], { env });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

async function status(t: TempStore): Promise<string> {
  return (await t.ctx(["status"])).stdout;
}

/** How many results a search has; it must have nothing to say beside them. */
async function search(t: TempStore, query: string, ...flags: string[]): Promise<number> {
  const { code, stdout, stderr } = await t.ctx(["search", query, "--json", ...flags]);
  assert.deepEqual([code, stderr], [0, ""]);
  const { results, notes = [] } = JSON.parse(stdout);
  assert.deepEqual(notes, []);
  return results.length;
}

const holder = { pid: Deno.pid, command: "test", since: "" };

/** Waits for whoever is at it, until nothing is left to do. */
async function untilDone(t: TempStore): Promise<void> {
  while (/pending/.test(await status(t))) await untilFree(t);
}

async function untilFree(t: TempStore): Promise<void> {
  using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 60_000 });
}

/** Kills the process that follows imports of a workspace; false while there is none. */
async function killFollower(t: TempStore): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-axo", "pid=,args="] }).output();
  const found = new TextDecoder().decode(stdout).split("\n").filter((line) =>
    line.includes(t.workspace) && line.includes("hook follow")
  );
  for (const line of found) Deno.kill(Number.parseInt(line), "SIGKILL");
  return found.length > 0;
}

const following =
  /\nYou can search now; vectors and records follow in the background \(ctx status\)\.\n/;

Deno.test({
  name: "an import is answered before its vectors and records; nobody waits for those",
  ignore: noStarter,
}, async () => {
  await using t = await tempStore();
  await writeHistory(t);
  const env = startingEnv(t);
  {
    // As if the process of an earlier import were still at it: the new one waits for its turn.
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
    const said = await importAll(t, env);
    assert.match(said, /Imported 3600 entries of 4 sessions\.\n/);
    assert.match(said, following);
    assert.ok(await search(t, "otter2 cache") > 0, "found by words");
    assert.match(
      await status(t),
      /pending +vectors: 0 of 3,600 rows; records: 4 sessions to go; a background process\s+is running\n/,
    );
    assert.doesNotMatch(t.read("history.ndjson"), /"record":/);
    await writeHistory(t, 4);
    assert.match(await importAll(t, env), /Imported 3600 entries of 4 sessions\.\n/);
    assert.ok(await search(t, "otter7 cache") > 0, "a second import does not wait either");
  }
  await untilDone(t);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.ok(await search(t, "redis session store", "--mode", "vector") > 0);
  assert.doesNotMatch(await status(t), /pending/);
  assert.deepEqual(await t.ailments(), []);
  assert.doesNotMatch(await importAll(t, env), /background/, "nothing is left, nothing is started");
});

Deno.test({
  name: "what a killed process left undone is done after the next import",
  ignore: noStarter,
}, async () => {
  await using t = await tempStore();
  await writeHistory(t);
  const env = startingEnv(t);
  {
    // It waits for its turn when it is killed.
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
    assert.match(await importAll(t, env), following);
    while (!await killFollower(t));
  }
  assert.match(
    await status(t),
    /pending +vectors: 0 of 3,600 rows; records: 4 sessions to go; to finish now: ctx\s+import --wait\n/,
  );
  assert.ok(await search(t, "otter3 cache") > 0);
  const again = await importAll(t, env);
  assert.match(again, /Imported 0 entries of 0 sessions\.\n/);
  assert.match(again, following);
  await untilDone(t);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("with --wait, or CTX_HOOK_WAIT where no process should be left behind, all is done before the answer", async () => {
  const ways: [flags: string[], env: (t: TempStore) => Record<string, string>][] = [
    [["--wait"], startingEnv],
    [[], () => ({ CTX_HOOK_WAIT: "1" })],
  ];
  for (const [flags, env] of ways) {
    await using t = await tempStore();
    await writeHistory(t);
    assert.match(await importAll(t, env(t), ...flags), /sessions; [\d,]+ records derived\.\n$/);
    assert.doesNotMatch(await status(t), /pending/);
    assert.ok(await search(t, "redis session store", "--mode", "vector") > 0);
  }
});

Deno.test({
  name: "records of a few sessions that were not derived are derived by the next import",
  ignore: noStarter,
}, async () => {
  await using t = await tempStore();
  await writeHistory(t, 0, 2);
  const env = startingEnv(t);
  const plain = await importAll(t, env, "--no-distil");
  assert.match(plain, /You can search now; vectors follow in the background/);
  await untilDone(t);
  assert.doesNotMatch(await importAll(t, env, "--no-distil"), /background/);
  const next = await importAll(t, env);
  assert.match(next, /You can search now; records follow in the background/);
  while (!/"record":\{"by":"rules"/.test(t.read("history.ndjson"))) await untilFree(t);
});

Deno.test({
  name: "an import says only what will follow, and starts nothing where that is nothing",
  ignore: noStarter,
}, async () => {
  await using t = await tempStore();
  await writeHistory(t);
  await t.ctx(["config", "set", "embedder.kind", "none"]);
  const env = startingEnv(t);
  // Whoever follows waits for its turn, so that what is left stays left.
  using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
  assert.doesNotMatch(await importAll(t, env, "--no-distil"), /background/);
  for (let i = 0; i < 2; i++) {
    assert.doesNotMatch(await importAll(t, env, "--no-distil"), /background/);
  }
  const { background, records } = JSON.parse(await importAll(t, env, "--json"));
  assert.deepEqual([background, records], [["records"], undefined]);
  while (!await killFollower(t));
});

Deno.test("ctx start shows what the imported sessions came to", async () => {
  await using t = await tempStore({ init: false });
  await writeHistory(t, 0, 1);
  const env = startingEnv(t);
  const { code, stdout } = await t.ctx(["start", "--yes", "--no-setup", "--json"], { env });
  assert.equal(code, 0);
  const { steps, pack } = JSON.parse(stdout);
  assert.match(steps[1].did, /^900 entries of 1 session, [1-9]\d* records derived$/);
  assert.match(pack, /redis/);
});
