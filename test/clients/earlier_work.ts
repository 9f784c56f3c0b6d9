// What the project's memory holds before the first session: sixty short answers of an older agent, on
// other things. In an empty store no word is rare, and nothing could be told apart.

const parts = ["invoice", "login", "export", "search", "upload", "calendar"];
const facts = [
  "page reads its colours from the theme file",
  "form checks its fields before it sends them",
  "tests run against a copy of the staging data",
  "module was moved into a package of its own",
  "handler answers with 429 when it is called too often",
  "script needs the locale of the server to be set",
  "table has an index on the owner and the date",
  "view is drawn again when the window changes its size",
  "log is rotated every night and kept for a week",
  "cache is emptied when a release goes out",
];

/** The rows, as `ctx export` writes them. */
export function earlierWork(): string {
  const rows = parts.flatMap((part) => facts.map((fact) => `The ${part} ${fact}.`));
  return rows.map((text, i) => {
    const ts = new Date(Date.UTC(2026, 4, 1, 8, i)).toISOString();
    const source = { agent: "aider", conversation: "older" };
    const id = `H-older${i}`;
    return JSON.stringify({ id, ts, role: "assistant", type: "turn", text, source }) + "\n";
  }).join("");
}
