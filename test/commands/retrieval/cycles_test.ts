// Rows and files that lead back to themselves: corrections of each other, sessions that are each
// other's parents, links to the directory they lie in. Every command that follows them ends.

import assert from "node:assert/strict";
import { tempStore, toLog } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

const rows = [
  { id: "H-A1", supersedes: "H-B1", type: "decision", text: "Tokens last an hour in token.ts." },
  { id: "H-B1", supersedes: "H-A1", type: "decision", text: "Tokens last a day in token.ts." },
  { id: "H-C1", supersedes: "H-C1", type: "decision", text: "Tokens rotate in token.ts." },
  { id: "H-D1", refs: ["H-E1"], type: "note", text: "Tokens are signed.", session_id: "S-1" },
  { id: "H-E1", refs: ["H-D1"], type: "note", text: "Tokens are opaque.", session_id: "S-2" },
];
const events = ["S-1", "S-2"].map((session_id, i) => ({
  event: "imported",
  session_id,
  ts: "2026-01-01T00:00:00.000Z",
  source: "made",
  parent: `S-${2 - i}`,
}));

Deno.test("commands end where corrections, sessions and links lead back to themselves", async () => {
  await using t = await tempStore();
  t.write("history.ndjson", toLog(rows));
  t.write("sessions.ndjson", events.map((event) => JSON.stringify(event) + "\n").join(""));
  Deno.mkdirSync(`${t.workspace}/docs`);
  Deno.writeTextFileSync(`${t.workspace}/docs/a.md`, "# Tokens\n\nThey rotate.\n");
  Deno.writeTextFileSync(`${t.workspace}/token.ts`, "export const token = 1;\n");
  if (hasLinks) {
    Deno.symlinkSync(".", `${t.workspace}/docs/again`);
    Deno.symlinkSync("..", `${t.workspace}/docs/up`);
  }
  const lines = [
    ["search", "tokens"],
    ["pack"],
    ["get", "H-A1", "H-B1", "H-C1"],
    ["timeline", "H-A1"],
    ["records"],
    ["rules"],
    ["sessions"],
    ["show", "S-1"],
    ["docs", "add", "handbook", "docs/**/*.md"],
    ["suggest", "token.ts"],
    ["reindex"],
    ["doctor"],
    ["save", "Tokens are signed twice.", "--supersedes", "H-D1"],
    ["forget", "H-E1", "--yes"],
    ["compact"],
    ["gc", "--yes"],
    ["export"],
  ];
  for (const line of lines) {
    const { code, stderr } = await t.ctx(line);
    assert.equal(code, 0, `${line.join(" ")}: ${stderr}`);
  }
});
