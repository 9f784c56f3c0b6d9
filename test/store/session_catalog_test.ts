// What a search reads of the catalog of sessions: its page's sessions alone, and never the whole log.

import assert from "node:assert/strict";
import { diskFiles, type Files } from "../../src/disk/files.ts";
import { describeSession } from "../../src/store/catalog_sessions.ts";
import { findSessions, readSessionCatalog, sessionTitle } from "../../src/store/session_catalog.ts";
import { writeHistory } from "../support/stores/import_rows.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

const filler = "lorem ipsum ".repeat(400);

/** About 3 MB: far more than is looked through for a few titles. */
const entries = Array.from({ length: 600 }, (_, i) => ({
  id: `H-${i}`,
  role: i % 2 === 0 ? "user" as const : "assistant" as const,
  session_id: `S-${Math.floor(i / 12)}`,
  text: i % 12 === 0 ? `Rotate the signing keys of tenant${i / 12}` : `row${i} ${filler}`,
}));

/** Files that count what is read of the log. */
function countingFiles(t: TempStore): { files: Files; read: () => number } {
  let bytes = 0;
  const files: Files = {
    ...diskFiles,
    openReader(path) {
      const reader = diskFiles.openReader(path);
      if (reader === undefined || path !== t.path("history.ndjson")) return reader;
      const readAt = reader.readAt.bind(reader);
      reader.readAt = (offset, into) => {
        const count = readAt(offset, into);
        bytes += count;
        return count;
      };
      return reader;
    },
  };
  return { files, read: () => bytes };
}

interface Found {
  results: { session_id: string; session_title: string }[];
}

async function searchTitles(
  t: TempStore,
  query: string,
): Promise<{ titles: string[]; bytes: number }> {
  const { files, read } = countingFiles(t);
  const { results } = await t.run<Found>("search", { query, k: 1 }, { files });
  return { titles: results.map(({ session_title }) => session_title), bytes: read() };
}

Deno.test("a search reads titles without walking the log, with a catalog and without one", async () => {
  await using t = await tempStore({ entries });
  await t.run("save", { text: "the state is counted" });
  await t.run("reindex");
  const size = t.bytes("history.ndjson").length;
  const title = "Rotate the signing keys of tenant5";
  const without = await searchTitles(t, "row63");
  assert.deepEqual(without.titles, [title]);
  assert.ok(without.bytes < size / 4, `${without.bytes} of ${size} bytes`);
  assert.equal(t.exists("index/sessions.json"), false);

  await t.run("sessions");
  const kept = await searchTitles(t, "row63");
  assert.deepEqual(kept.titles, [title]);
  assert.ok(kept.bytes < without.bytes, `${kept.bytes} of ${without.bytes} bytes`);

  // Where git merges the logs and they have grown, what is kept cannot be caught up.
  t.write(".gitattributes", "history.ndjson merge=union\nsessions.ndjson merge=union\n");
  await t.run("save", { text: "one more", session: "S-5" });
  const versioned = await searchTitles(t, "row63");
  assert.deepEqual(versioned.titles, [title]);
  assert.ok(versioned.bytes < size / 4, `${versioned.bytes} of ${size} bytes`);
});

Deno.test("an import keeps the catalog for the searches after it", async () => {
  await using t = await tempStore({ entries });
  const line = {
    type: "user",
    uuid: "u",
    sessionId: "a",
    cwd: t.workspace,
    timestamp: "2026-03-01T10:00:00Z",
  };
  const message = { role: "user", content: "Rotate the API tokens" };
  const root = writeHistory(t, {
    "projects/p/a.jsonl": `${JSON.stringify({ ...line, message })}\n`,
  });
  await t.ctx(["import", "claude-code", "--root", root, "--no-distil"]);
  assert.match(t.read("index/sessions.json"), /Rotate the API tokens/);
});

Deno.test("some sessions are what the whole catalog says of them, also after the logs have grown", async () => {
  await using t = await tempStore({ entries });
  const ids = ["S-3", "S-49", "S-new", "S-unknown"];
  const store = t.open();
  const same = (): void => {
    const found = findSessions(store, ids);
    const all = readSessionCatalog(store);
    assert.deepEqual(
      found && Object.fromEntries(found),
      Object.fromEntries(ids.flatMap((id) => all.has(id) ? [[id, all.get(id)]] : [])),
    );
  };
  assert.equal(findSessions(store, ids), undefined);
  readSessionCatalog(store);
  same();
  t.append(
    "history.ndjson",
    toLog([
      { id: "H-y", role: "user", text: "commit it", session_id: "S-3" },
      { id: "H-z", role: "user", text: "Add a flag to the exporter", session_id: "S-new" },
    ]),
  );
  t.append(
    "sessions.ndjson",
    `${
      JSON.stringify({
        event: "titled",
        session_id: "S-49",
        ts: "2026-03-01T10:00:00.000Z",
        title: "Mine",
      })
    }\n`,
  );
  same();
});

Deno.test("a title of what was forgotten is not read from the catalog", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  await t.run("sessions");
  await t.run("forget", { ids: ["H-60"] });
  const { titles } = await searchTitles(t, "row63");
  assert.equal(titles.length, 1);
  assert.doesNotMatch(titles[0], /Rotate/);
});

Deno.test("rows of others do not say what a session of one's own is called", async () => {
  await using t = await tempStore();
  const row = (text: string, pool: "hot" | "team") => ({
    entry: {
      id: `H-${text.length}`,
      ts: "2026-03-01T10:00:00.000Z",
      role: "user",
      type: "turn",
      text,
    },
    pool,
  } as const);
  const [own, others] = [row("fix it", "hot"), row("Push the release to the mirror", "team")];
  const titleOf = (...rows: (typeof own | typeof others)[]): string =>
    sessionTitle(describeSession(t.open(), "S-1", rows));
  assert.equal(titleOf(own, others), "fix it");
  assert.equal(titleOf(others), "Push the release to the mirror");
});
