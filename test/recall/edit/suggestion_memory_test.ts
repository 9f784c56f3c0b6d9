// How far back the memory of suggestions reads: a hook reads it before every edit.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { readMemory, triggerKey } from "../../../src/recall/edit/suggestion_memory.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("the memory of suggestions reads the last 256 KB of the log, and no more", async () => {
  await using t = await tempStore();
  const lines = Array.from({ length: 1000 }, (_, i) =>
    JSON.stringify({
      event: "suggested",
      id: `G-${i}`,
      ts: "2026-01-01T00:00:00.000Z",
      session_id: "s",
      trigger: { type: "file", source: `${i}.ts` },
      items: [],
      latency_ms: 1,
      filler: "x".repeat(900),
    }) + "\n");
  t.append("suggestions.ndjson", lines.join(""));
  const { triggers, offset } = readMemory(diskFiles, layoutOf(t.workspace));
  const read = lines.slice(-Object.keys(triggers).length);
  const bytes = read.join("").length;
  assert.ok(bytes <= 256 << 10, `${bytes} bytes were read`);
  assert.ok(bytes > 250 << 10, `only ${bytes} bytes were read`);
  assert.ok(triggerKey("s", "999.ts") in triggers);
  assert.equal(offset, lines.join("").length);
});
