// The stores of the isolation test: one session that a caller may see, and canaries in every place
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
  const [title, pin, secret] = secrets.slice(9);
  write("sessions.ndjson", lines([...events, { event: "opened", session_id: other, ts, title }]));
  write("pins.md", `- [H-own-1] the beacon\n- [H-other-1] ${pin}\n- by hand ${pin}\n`);
  write("summary.md", `# Summary\n${secret}\n`);
  write("history.archive.ndjson", lines([{ ...rows[0], id: "H-other-4" }]));
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
