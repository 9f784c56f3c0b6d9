// Search as one types, over HTTP: the last word may be a beginning, matches are marked, and nothing is
// left behind.

import assert from "node:assert/strict";
import { type StartedServer, startServer } from "../../support/processes/start_server.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Found {
  total: number;
  mode: string;
  searched?: string;
  results: {
    id: string;
    title?: string;
    snippet: string;
    marks?: { title?: [number, number][]; snippet: [number, number][] };
  }[];
  facets?: Record<string, { values: Record<string, number> }>;
  retrieval: { corrected?: Record<string, string> };
}

async function type(
  server: StartedServer,
  query: string,
  more: Record<string, string> = {},
): Promise<Found> {
  const words = new URLSearchParams({ query, typing: "true", ...more });
  const response = await server.get(`/api/search?${words}`);
  const found = await response.json();
  assert.equal(response.status, 200, JSON.stringify(found));
  return found;
}

Deno.test("over HTTP a word is found while it is typed, marked where it stands, and without a trace", async () => {
  await using t = await tempStore({
    entries: [
      {
        id: "H-a",
        type: "decision",
        title: "Rotation",
        text: "Refresh tokens are rotated on each use; the rotation is logged.",
      },
      { id: "H-b", text: "The queue drains before a deploy." },
    ],
  });
  await t.run("reindex");
  const traces = t.read("retrieval.traces.ndjson");
  await using server = await startServer(t.workspace);
  const found = await type(server, "token rotati", { facets: "type" });
  assert.deepEqual([found.total, found.mode, found.searched], [1, "lexical", "token rotat"]);
  const [{ id, title = "", snippet, marks }] = found.results;
  const cut = (text: string, places: [number, number][] = []): string[] =>
    places.map(([from, to]) => text.slice(from, to));
  assert.equal(id, "H-a");
  assert.deepEqual(cut(title, marks?.title), ["Rotation"]);
  assert.deepEqual(cut(snippet, marks?.snippet), ["tokens", "rotated", "rotation"]);
  assert.deepEqual(found.facets?.type.values, { decision: 1 });

  const wrong = await type(server, "rotatoin tokens");
  assert.equal(wrong.retrieval.corrected, undefined);
  assert.equal(t.read("retrieval.traces.ndjson"), traces, "typing leaves no trace");

  // What is saved meanwhile is there with the next key.
  await t.run("save", { text: "Rotating logs are compressed." });
  assert.equal((await type(server, "rotati")).total, 2);
  await t.run("forget", { ids: ["H-a"] }, { consent: true });
  assert.equal((await type(server, "rotati")).total, 1);

  const asked = await server.get("/api/search?query=logs&marks=true");
  const [row] = (await asked.json()).results;
  assert.deepEqual(cut(row.snippet, row.marks.snippet), ["logs"]);
  assert.notEqual(t.read("retrieval.traces.ndjson"), traces, "what was asked leaves one");
});
