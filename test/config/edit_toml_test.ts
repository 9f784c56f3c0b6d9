// Editing one table of someone's TOML: everything else stays byte for byte.

import assert from "node:assert/strict";
import {
  findTomlKey,
  removeTomlTable,
  setTomlKey,
  setTomlTable,
} from "../../src/config/edit_toml.ts";

const sample = `# my settings
model = "gpt-5" # inline

[mcp_servers.other]
command = "x"
args = [
  "a", # [mcp_servers.ctx]
  "b",
]

# about the profile
[profiles.fast]
text = """
[mcp_servers.ctx]
not = "a table"
"""
`;

Deno.test("setTomlTable() adds a table at the end and removeTomlTable() takes it out again", () => {
  const added = setTomlTable(sample, "mcp_servers.ctx", ['command = "ctx"']);
  assert.equal(added, `${sample}\n[mcp_servers.ctx]\ncommand = "ctx"\n`);
  assert.equal(removeTomlTable(added, "mcp_servers.ctx"), sample);
  assert.equal(removeTomlTable(sample, "mcp_servers.ctx"), sample);
});

Deno.test("setTomlTable() replaces a table in its place, and comments of the next one stay", () => {
  const before =
    `[a]\nx = 1\n\n[mcp_servers.ctx]\ncommand = "old"\nmore = [\n 1,\n]\n\n# of b\n[b]\ny = 2\n`;
  const after = `[a]\nx = 1\n\n[mcp_servers.ctx]\ncommand = "new"\n\n# of b\n[b]\ny = 2\n`;
  assert.equal(setTomlTable(before, "mcp_servers.ctx", ['command = "new"']), after);
  assert.equal(setTomlTable(after, "mcp_servers.ctx", ['command = "new"']), after);
  assert.equal(removeTomlTable(after, "mcp_servers.ctx"), `[a]\nx = 1\n\n# of b\n[b]\ny = 2\n`);
});

Deno.test("setTomlTable() knows a table by any spelling of its header", () => {
  for (const header of ['[ mcp_servers . "ctx" ]', "[mcp_servers.'ctx'] # mine"]) {
    const text = setTomlTable(`${header}\ncommand = "old"\n`, "mcp_servers.ctx", ["x = 1"]);
    assert.equal(text, "[mcp_servers.ctx]\nx = 1\n");
  }
});

Deno.test("setTomlTable() works on an empty text and on one without a last newline", () => {
  assert.equal(setTomlTable("", "a", ["x = 1"]), "[a]\nx = 1\n");
  assert.equal(setTomlTable("y = 2", "a", ["x = 1"]), "y = 2\n\n[a]\nx = 1\n");
});

Deno.test("setTomlKey() puts a key before the tables, replaces it whole, and removes it", () => {
  const added = setTomlKey(sample, "notify", '["ctx"]');
  assert.equal(added, `notify = ["ctx"]\n${sample}`);
  assert.equal(findTomlKey(added, "notify"), '["ctx"]');
  assert.equal(setTomlKey(added, "notify", undefined), sample);
  const long = 'a = 1\nnotify = [\n  "x",\n  "y",\n]\nb = 2\n[t]\nnotify = 3\n';
  assert.equal(
    setTomlKey(long, "notify", '["z"]'),
    'a = 1\nnotify = ["z"]\nb = 2\n[t]\nnotify = 3\n',
  );
  assert.equal(findTomlKey("[t]\nnotify = 3\n", "notify"), undefined);
});
