// The stores of `ctx isolation test`: one session that a caller may see, and canaries in every place
// where another one leaves something. Writes only into the directory it is given.

/** The session that may be seen. */
export const own = "S-own-session";
/** The one that may not. */
export const other = "S-other-session";
/** The clock of the stores. */
export const nowMs = Date.parse("2026-06-01T12:00:00.000Z");

const ts = new Date(nowMs - 86_400_000).toISOString();

/** Makes a workspace with the own session, and with the other one where there are secrets. */
export function plantCanaries(workspace: string, secrets: string[], sessions: string[]): void {
  const store = `${workspace}/.contextfs`;
  Deno.mkdirSync(`${store}/chat`, { recursive: true });
  const write = (name: string, text: string): void =>
    Deno.writeTextFileSync(`${store}/${name}`, text);
  const lines = (items: object[]): string =>
    items.map((row) => JSON.stringify(row) + "\n").join("");
  const isCrowded = sessions.includes(other);
  const rows = isCrowded ? otherRows(secrets) : [];
  write("history.ndjson", lines([...(sessions.includes(own) ? ownRows() : []), ...rows]));
  write("config.jsonc", '{ "durability": "fast" }\n');
  const events = [{ event: "opened", session_id: own, ts, title: "own work" }];
  write("pins.md", "- [H-own-1] the beacon\n");
  write("sessions.ndjson", lines(events));
  writeSources(workspace);
  if (!isCrowded) return;
  const [, , , , , , , , , title, pin, secret] = secrets;
  write("sessions.ndjson", lines([...events, { event: "opened", session_id: other, ts, title }]));
  write("pins.md", `- [H-own-1] the beacon\n- [H-other-1] ${pin}\n- by hand ${pin}\n`);
  write("summary.md", `# Summary\n${secret}\n`);
  write("history.archive.ndjson", lines(archivedRows(secrets)));
  write("history.bad.ndjson", lines([{ text: secret }]));
  write("collections.ndjson", lines([{ event: "added", collection: secret, ts, sources: ["."] }]));
  write("retrieval.traces.ndjson", lines(traces(secret)));
  write("retrieval.traces.ndjson.1", lines(traces(secret)));
  write("suggestions.ndjson", lines(suggestions(secret)));
  write("subscriptions.ndjson", lines(subscriptions(secret)));
  write("usage.ndjson", lines([usage(secret)]));
  write("chat/H-chat.ndjson", lines([{ ...otherRows(secrets)[0], type: "chat" }]));
  write("watch.json", JSON.stringify({ files: { [`src/${secret}.ts`]: {} }, history: 1 }));
}

/** Source code belongs to the workspace, not to a session: it is the same in every store. */
function writeSources(workspace: string): void {
  Deno.mkdirSync(`${workspace}/src`, { recursive: true });
  const text = "export function beacon(): number {\n  return 7;\n}\n";
  Deno.writeTextFileSync(`${workspace}/src/beacon.ts`, text);
}

function ownRows(): object[] {
  return ["The beacon answers on port 7", "Rotation of tokens is done on every use"].map((
    text,
    i,
  ) => ({
    id: `H-own-${i + 1}`,
    ts: new Date(nowMs - 86_400_000 + i * 1000).toISOString(),
    role: i === 0 ? "user" : "assistant",
    type: "turn",
    text,
    session_id: own,
    project: "shared-project",
  }));
}

/** Rows whose every field holds a canary; their words are also words of the own session. */
export function otherRows(secrets: string[]): object[] {
  return [1, 2, 3].map((n) => ({
    id: `H-other-${n}`,
    ts: new Date(nowMs - 3_600_000 + n * 1000).toISOString(),
    role: n === 1 ? "user" : "note",
    type: n === 3 ? "decision" : "note",
    text: `The rotation beacon secret is ${secrets[0]}`,
    session_id: other,
    title: `rotation ${secrets[1]}`,
    summary: `beacon ${secrets[2]}`,
    tags: [secrets[3]],
    files: ["src/beacon.ts", `src/${secrets[4]}.ts`],
    project: secrets[5],
    branch: secrets[6],
    source: { agent: secrets[7], conversation: secrets[8] },
    ...(n === 2 ? { supersedes: "H-own-1" } : {}),
  }));
}

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
