// What an import has in hand while somebody else writes to the same store.

import assert from "node:assert/strict";
import { Intake } from "../../../src/intake/import/intake.ts";
import type { Source, SourceSession } from "../../../src/intake/sources/source.ts";
import { tempStore, testNow } from "../../support/stores/temp_store.ts";

Deno.test("a new revision of what was forgotten while the import ran is not written", async () => {
  await using t = await tempStore();
  const store = t.open();
  const take = async (revision: string): Promise<Intake> => {
    const source = { name: "made" } as Source;
    const intake = new Intake({ store, source, now: () => testNow, dryRun: false });
    const kind = { isUntitled: false, isCopy: false };
    const sink = intake.open({ id: "talk" } as SourceSession, "S-1", kind);
    const text = `The words of revision ${revision}.`;
    const ts = "2026-01-01T10:00:00.000Z";
    await sink.entry({ message: "m-1", revision, ts, role: "user", type: "turn", text });
    await sink.end();
    return intake;
  };
  await (await take("one")).flush();
  const [{ entry: { id } }] = store.entries();
  const late = await take("two");
  await t.run("forget", { ids: [id] });
  await late.flush();
  assert.equal(late.doubles, 1);
  assert.deepEqual([...store.entries()], []);
  assert.doesNotMatch(t.read("history.ndjson"), /revision two/);
});
