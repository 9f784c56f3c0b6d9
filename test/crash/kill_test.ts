// Writers killed with SIGKILL at random moments, in a loop (invariants 2, 3 and 10): every
// acknowledged row is there whole, nothing is torn after the next write, and doctor is clean.

import assert from "node:assert/strict";
import { runsOf } from "../support/full_length.ts";
import { repository } from "../support/repository.ts";
import { denoEnv, spawnCtx } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const rounds = runsOf(200);
const lanes = 4;

Deno.test(`${rounds} killed writers lose no acknowledged row and tear nothing`, async () => {
  // A kill leaves the system's own buffers alone, so waiting for the disk would only cost time.
  await using t = await tempStore({ files: { "config.jsonc": '{ "durability": "fast" }' } });
  const acknowledged = new Map<string, number>();
  await Promise.all(Array.from({ length: lanes }, async (_, lane) => {
    for (let round = 0; round < rounds / lanes; round++) {
      const acks = await killAfter(t, `w${lane}.${round}`, Math.floor(Math.random() * 6));
      for (const [id, chars] of acks) acknowledged.set(id, chars);
    }
  }));
  assert.ok(acknowledged.size > rounds, `only ${acknowledged.size} rows were acknowledged`);

  await t.run("save", { text: "after the last crash" });
  const rows = new Map([...t.open().rows()].map(({ entry }) => [entry.id, entry.text]));
  for (const [id, chars] of acknowledged) {
    assert.equal(rows.get(id)?.length, chars, `acknowledged row ${id}`);
  }
  const lines = t.read("history.ndjson").split("\n");
  assert.equal(lines.pop(), "");
  const ids = lines.map((line): string => JSON.parse(line).id);
  assert.equal(new Set(ids).size, ids.length, "an id is there twice");
  assert.deepEqual((await t.ailments()).filter((name) => name !== "drafts"), []);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("20 killed ctx save processes leave whole rows only", async () => {
  await using t = await tempStore();
  const text = "y".repeat(400_000);
  const acknowledged: string[] = [];
  for (let round = 0; round < 20; round++) {
    const child = spawnCtx(["save", "-"], { cwd: t.workspace });
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode(text));
    await input.close();
    await watchStore(t, round % 4, child);
    const { stdout } = await child.output();
    const id = new TextDecoder().decode(stdout).trim();
    if (id !== "") acknowledged.push(id);
  }
  await t.run("save", { text: "after the last crash" });
  for (const id of acknowledged) assert.equal(t.textOf(id), text);
  for (const line of t.read("history.ndjson").trimEnd().split("\n")) JSON.parse(line);
  assert.deepEqual((await t.ailments()).filter((name) => name !== "drafts"), []);
});

/** Starts a writer, reads that many acknowledgements, and kills it in what it does next. */
async function killAfter(t: TempStore, name: string, acks: number): Promise<[string, number][]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--cached-only",
      "--config",
      `${repository}/deno.json`,
      `${repository}/test/support/stores/crash_writer.ts`,
      t.workspace,
      name,
    ],
    clearEnv: true,
    env: denoEnv(t.workspace),
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let text = "";
  let killed = false;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (!killed && text.split("\n").length > acks) {
      child.kill("SIGKILL");
      killed = true;
    }
  }
  await child.status;
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Kills a saving process once the store shows a certain sign of its work, or lets it end. */
async function watchStore(t: TempStore, stage: number, child: Deno.ChildProcess): Promise<void> {
  const size = t.bytes("history.ndjson").length;
  const signs = [
    (): boolean => true,
    (): boolean => t.exists(".lock") && t.bytes(".lock").length > 0,
    (): boolean => t.bytes("history.ndjson").length > size,
    (): boolean => false,
  ];
  let ended = false;
  const end = child.status.then(() => ended = true);
  while (!ended && !signs[stage]()) await Promise.race([end, new Promise((go) => setTimeout(go))]);
  if (!ended) child.kill("SIGKILL");
}
