// What follows an import: vectors first, then records in slices that are kept one by one, and nothing
// twice.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { takeLock } from "../../../src/disk/lock.ts";
import { catchUp } from "../../../src/index/catch_up.ts";
import { followUp } from "../../../src/recall/hook/follow_hook.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const talk = madeSession([
  { user: "Where should the sessions of the login service live?" },
  { agent: "Both redis and postgres would do. Which one do you want?" },
  { user: "let's use redis for the session store instead of postgres, it expires keys itself" },
  { agent: "The session store writes to redis now, every key with a TTL of 3600." },
]);

/** Sessions as an import leaves them: found by words only. */
async function imported(sessions: number): Promise<TempStore> {
  const entries = Array.from(
    { length: sessions },
    (_, i) => talk.map((entry) => ({ ...entry, id: `${entry.id}-${i}`, session_id: `S-${i}` })),
  ).flat();
  const t = await tempStore({ entries });
  await catchUp(t.open(), { sealBytes: 1 });
  return t;
}

async function follow(t: TempStore, now: () => number): Promise<void> {
  const { workspace } = t;
  using context = openContext({ workspace, cwd: workspace, now, env: () => undefined });
  const left = { workspace, agent: "", moment: "import" } as const;
  await followUp(context, left, { isOwnProcess: true });
}

function hasRecords(t: TempStore): boolean {
  return t.read("history.ndjson").includes('"record":{"by":"rules"');
}

Deno.test("vectors do not wait for records", async () => {
  await using t = await imported(1);
  const killed = new Error("killed");
  await assert.rejects(
    follow(t, () => {
      if (hasRecords(t)) throw killed;
      return Date.UTC(2026, 0, 1);
    }),
    killed,
  );
  const { segments } = JSON.parse(t.read("index/manifest.json")).manifest;
  assert.ok(segments.every(({ vectors }: { vectors?: object }) => vectors !== undefined));
});

Deno.test("records are derived in slices until none is due", async () => {
  await using t = await imported(12);
  // Every session takes longer than a slice may.
  let nowMs = Date.UTC(2026, 0, 1);
  await follow(t, () => nowMs += 130_000);
  const distilled = t.read("sessions.ndjson").match(/"distilled":/g) ?? [];
  assert.equal(new Set(distilled.keys()).size, 12);
});

Deno.test("an import leaves its work to that of another one that is at it", async () => {
  await using t = await imported(1);
  const holder = { pid: Deno.pid, command: "import follow", since: "" };
  using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
  await follow(t, () => Date.UTC(2026, 0, 1));
  assert.equal(hasRecords(t), false);
});
