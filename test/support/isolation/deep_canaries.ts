// The deep form of the isolation test: canaries in every log of a store, and what an attacker who knows
// the other session's ids would ask.

import { nowMs, other, otherRows } from "./plant_canaries.ts";
import type { MoreCanaries } from "./run_isolation.ts";

const ts = new Date(nowMs - 86_400_000).toISOString();

/** Canaries in the logs beside the history, and inputs that aim at them. */
export const deepCanaries: MoreCanaries = {
  plant(store, secrets) {
    const write = (name: string, text: string): void =>
      Deno.writeTextFileSync(`${store}/${name}`, text);
    const lines = (items: object[]): string =>
      items.map((row) => JSON.stringify(row) + "\n").join("");
    const secret = secrets[11];
    write("history.archive.ndjson", lines(archivedRows(secrets)));
    write("history.bad.ndjson", lines([{ text: secret }]));
    write(
      "collections.ndjson",
      lines([{ event: "added", collection: secret, ts, sources: ["."] }]),
    );
    write("retrieval.traces.ndjson", lines(traces(secret)));
    write("retrieval.traces.ndjson.1", lines(traces(secret)));
    write("suggestions.ndjson", lines(suggestions(secret)));
    write("subscriptions.ndjson", lines(subscriptions(secret)));
    write("usage.ndjson", lines([usage(secret)]));
    write("chat/H-chat.ndjson", lines([{ ...otherRows(secrets)[0], type: "chat" }]));
    write("watch.json", JSON.stringify({ files: { [`src/${secret}.ts`]: {} }, history: 1 }));
  },
  get inputs() {
    return aimed;
  },
};

/** The store's own files, which are in the workspace, by every command that is given a path. */
const ownFiles = [
  ".contextfs",
  ".",
  ...["history", "history.archive", "history.bad", "sessions", "suggestions", "subscriptions"]
    .map((name) => `.contextfs/${name}.ndjson`),
];

/** What an attacker who knows the other session's ids would ask, with no more than the schema says. */
const aimed: { command: string; input: object }[] = [
  { command: "poll", input: { subscription: "B-other-1" } },
  { command: "poll", input: { subscription: "B-other-2", cursor: 0, limit: 200 } },
  { command: "unsubscribe", input: { subscription: "B-other-1" } },
  { command: "unsubscribe", input: { subscription: "B-other-2" } },
  { command: "feedback", input: { suggestion: "G-other-1", verdict: "used", item: 1 } },
  { command: "feedback", input: { suggestion: "G-other-1", verdict: "used", item: 9 } },
  { command: "trace", input: { id: "T-other-1", replay: true } },
  { command: "trace", input: { id: "T-other-1", explain: true } },
  { command: "docs list", input: { collection: "handbook" } },
  { command: "docs outline", input: { document: "docs/handbook.md" } },
  { command: "docs section", input: { document: "docs/handbook.md", heading: "" } },
  { command: "get", input: { ids: ["H-other-4", "H-other-5", "H-other-6", "H-own-1"] } },
  { command: "search", input: { query: "collection:handbook beacon", scope: "docs" } },
  { command: "search", input: { query: `session:${other} beacon`, explain: true } },
  { command: "suggest", input: { file: "src/beacon.ts", repeat: true, min_score: 0, limit: 50 } },
  { command: "suggest", input: { symbol: "beacon", session: other, repeat: true, min_score: 0 } },
  ...ownFiles.flatMap((path) => [
    { command: "suggest", input: { file: path } },
    { command: "suggest", input: { file: "src/beacon.ts", repeat: true, reports: [path] } },
    { command: "import", input: { sources: ["contextfs"], root: path, dry_run: true } },
    { command: "import", input: { sources: ["ndjson"], root: path, dry_run: true } },
    { command: "import", input: { sources: ["contextfs"], root: path, session: other } },
  ]),
  ...["poll", "sse", "webhook"].flatMap((via) =>
    ["entity:H-other-3", "topic:beacon", "file:**"].map((pattern) => ({
      command: "subscribe",
      input: {
        patterns: [pattern],
        via,
        session: other,
        ...(via === "webhook" ? { url: "http://127.0.0.1:9/" } : {}),
      },
    }))
  ),
];

/** A turn, a section of a document, and a decision that belongs to no session. */
function archivedRows(secrets: string[]): object[] {
  const [secret] = secrets;
  const section = {
    type: "doc",
    collection: "handbook",
    document: "docs/handbook.md",
    section: secret,
    level: 1,
    line: 1,
    index: 0,
    document_hash: "x",
    content_hash: "x",
  };
  return [
    { ...otherRows(secrets)[0], id: "H-other-4" },
    { id: "H-other-5", ts, role: "note", text: `beacon ${secret}`, ...section },
    { id: "H-other-6", ts, role: "note", type: "decision", text: `beacon rotation ${secret}` },
  ];
}

function traces(secret: string): object[] {
  const ranking = [{ id: "H-other-1", score_final: 1 }];
  const facts = { state_revision: 1, duration_ms: 1, ok: true, surface: "cli", v: 1 };
  const args = { query: secret };
  return [{ trace_id: "T-other-1", ts, command: "search", args, query: secret, ranking, ...facts }];
}

function suggestions(secret: string): object[] {
  const item = { entity_id: "H-other-3", relevance_score: 0.9, kind: "decision_file", reason: "r" };
  const items = [{ ...item, type: "decision", fingerprint: secret, title: secret }];
  const trigger = { type: "file", source: "src/beacon.ts" };
  const facts = { id: "G-other-1", ts, items, latency_ms: 1 };
  return [
    { event: "suggested", ...facts, session_id: other, subscription_id: "B-other-1", trigger },
    { event: "feedback", ...facts, verdict: "dismissed", items: [{ ...items[0], item: 1 }] },
  ];
}

/** A subscription of the whole workspace, and one of the other session. */
function subscriptions(secret: string): object[] {
  const terms = {
    event: "subscribed",
    ts,
    patterns: [{ type: "topic", pattern: secret }],
    min_score: 0,
    max: 5,
    cooldown_ms: 0,
    session_id: other,
    from: 0,
  };
  return [
    { ...terms, id: "B-other-1", via: "webhook", url: `https://${secret}.example/` },
    { ...terms, id: "B-other-2", via: "poll", pinned_session: other },
    { event: "failed", id: "B-other-1", ts, cursor: 0, attempts: 1, error: secret },
  ];
}

function usage(secret: string): object {
  const tokens = { input_tokens: 1, output_tokens: 1, estimated: false };
  return { ts, command: "ask", workspace: secret, provider: secret, model: secret, ...tokens };
}
