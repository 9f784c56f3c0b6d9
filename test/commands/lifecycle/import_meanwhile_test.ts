// While a long import goes on, another process finds what came in first, which is the newest session;
// the index follows in a second thread. Nobody reads what the import prints, so that it cannot end.

import assert from "node:assert/strict";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const sessions = 600;
const turns = 24;

Deno.test("the newest session is found while the import still runs; then the receipt adds up", async () => {
  await using t = await tempStore();
  writeHistory(t);
  const words = ["import", "claude-code", "--root", "history", "--all-projects", "--jsonl"];
  const child = spawnCtx(words, { cwd: t.workspace, stdin: "null" });
  let hasEnded = false;
  const status = child.status.finally(() => hasEnded = true);
  const find = async (word: string): Promise<string[]> => {
    const { stdout } = await t.ctx(["search", word, "--json"]);
    return JSON.parse(stdout).results.map(({ snippet }: { snippet: string }) => snippet);
  };
  let found: string[] = [];
  while (found.length === 0 && !hasEnded) found = await find("quokka");
  assert.equal(hasEnded, false);
  assert.match(found[0], /turn \d+ of the newest session: quokka/);
  assert.deepEqual(await find("numbat"), []);

  const [output, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal((await status).code, 0, stderr);
  const receipts = output.trim().split("\n").map((line) => JSON.parse(line));
  const taken = receipts.filter(({ conversation }) => conversation !== undefined);
  assert.equal(taken.length, sessions);
  assert.equal(taken[0].conversation, name(sessions - 1));
  assert.ok(taken.every(({ entries, messages }) => entries === turns && messages === turns));
  assert.match((await find("numbat"))[0], /turn \d+ of the oldest session: numbat/);

  // The index is whole, and answers as one that is built of the whole log at once.
  assert.ok(segments(t).length > 0);
  const answers = async (): Promise<string[][]> => [await find("quokka"), await find("numbat")];
  const built = await answers();
  const again = await t.ctx(["reindex", "--full"]);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(await answers(), built);
  const second = await t.ctx([...words.slice(0, -1), "--json"]);
  assert.equal(JSON.parse(second.stdout).entries, 0);
});

Deno.test("an import that is interrupted leaves a store that opens and an index that can go on", async () => {
  await using t = await tempStore();
  writeHistory(t);
  const words = ["import", "claude-code", "--root", "history", "--all-projects", "--no-distil"];
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const child = spawnCtx([...words, "--jsonl"], { cwd: t.workspace, stdin: "null" });
    const before = t.exists("history.ndjson") ? t.read("history.ndjson").length : 0;
    while (!t.exists("history.ndjson") || t.read("history.ndjson").length === before) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill(signal);
    await Promise.all([text(child.stdout), text(child.stderr), child.status]);
  }
  const { stdout, code } = await t.ctx([...words, "--json"]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).sources[0].problem_count, 0);
  const rows = t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(rows.length, sessions * turns);
  assert.equal(new Set(rows.map(({ id }) => id)).size, sessions * turns);
  const doctor = await t.ctx(["doctor"]);
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr);
});

/** One file a session; in the order of their names the oldest come first. */
function writeHistory(t: TempStore): void {
  const directory = `${t.workspace}/history/-work-app`;
  Deno.mkdirSync(directory, { recursive: true });
  for (let session = 0; session < sessions; session++) {
    const said = session === 0
      ? "oldest session: numbat"
      : session === sessions - 1
      ? "newest session: quokka"
      : `session ${session}`;
    const lines = Array.from({ length: turns }, (_, turn) =>
      JSON.stringify({
        type: "user",
        uuid: `${session}-${turn}`,
        sessionId: name(session),
        cwd: "/work/app",
        timestamp: new Date(1.75e12 + session * 600_000 + turn * 1000).toISOString(),
        message: { role: "user", content: `turn ${turn} of the ${said}, step${session}x${turn}` },
      }));
    const path = `${directory}/${name(session)}.jsonl`;
    Deno.writeTextFileSync(path, lines.join("\n") + "\n");
    const seconds = 1.75e9 + session * 600;
    Deno.utimeSync(path, seconds, seconds);
  }
}

function name(session: number): string {
  return `talk-${String(session).padStart(5, "0")}`;
}

function segments(t: TempStore): string[] {
  return [...Deno.readDirSync(`${t.workspace}/.contextfs/index`)].map(({ name }) => name)
    .filter((name) => /\.(?:seg|vec)$/.test(name)).sort();
}

function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}
