// What `ctx start` counts before there is a store: packed sessions are unpacked where nobody else can
// read them, and nothing stays behind.

import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { openContext } from "../../../src/app/app.ts";
import { findHistory } from "../../../src/intake/import/find_history.ts";
import { ScratchDirectory } from "../../../src/intake/sources/scratch_directory.ts";
import { Store } from "../../../src/store/store.ts";
import { assertMode } from "../../support/not_on_windows.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("packed sessions are counted before there is a store, and leave nothing behind", async () => {
  await using t = await tempStore({ init: false });
  const home = `${t.workspace}/home`;
  const day = `${home}/.codex/sessions/2026/09/01`;
  Deno.mkdirSync(day, { recursive: true });
  const at = "2026-09-01T10:00:00.000Z";
  const content = [{ type: "input_text", text: "Which queue do we use?" }];
  const rows = [
    { timestamp: at, type: "session_meta", payload: { id: "x-1", cwd: t.workspace } },
    { timestamp: at, type: "response_item", payload: { type: "message", role: "user", content } },
  ];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  Deno.writeFileSync(`${day}/rollout-x-1.jsonl.zst`, zstdCompressSync(text));
  const shared = `${t.workspace}/tmp`;
  const env: Record<string, string | undefined> = { HOME: home, TMPDIR: shared };
  const context = openContext({ workspace: t.workspace, env: (name) => env[name] });
  using store = new Store({ ...context, workspace: t.workspace });
  const found = await findHistory(context, store);
  assert.deepEqual(found, [{ source: "codex", sessions: 1, known: 0 }]);
  assert.throws(() => Deno.statSync(shared), Deno.errors.NotFound, "no place that others share");
  assert.throws(() => Deno.statSync(`${t.workspace}/.contextfs`), Deno.errors.NotFound);
});

Deno.test("a scratch directory is its user's alone, and goes with what is in it", () => {
  const path = ((): string => {
    using scratch = new ScratchDirectory();
    Deno.writeTextFileSync(`${scratch.path}/import.jsonl`, "{}");
    assertMode(scratch.path, 0o700);
    return scratch.path;
  })();
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
});
