// Editing one table of someone's TOML: everything else stays byte for byte.

import assert from "node:assert/strict";
import { isSameToml, parseToml } from "../../src/config/check_toml.ts";
import { removeTomlTable, setTomlKey, setTomlTable } from "../../src/config/edit_toml.ts";

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
  assert.equal(setTomlKey(added, "notify", undefined), sample);
  const long = 'a = 1\nnotify = [\n  "x",\n  "y",\n]\nb = 2\n[t]\nnotify = 3\n';
  assert.equal(
    setTomlKey(long, "notify", '["z"]'),
    'a = 1\nnotify = ["z"]\nb = 2\n[t]\nnotify = 3\n',
  );
  assert.equal(setTomlKey("[t]\nnotify = 3\n", "notify", undefined), "[t]\nnotify = 3\n");
  assert.equal(setTomlKey("\ufeffa = 1\r\n", "notify", "2"), "\ufeffnotify = 2\r\na = 1\r\n");
});

Deno.test("removeTomlTable() takes the tables below it too, and no table with a longer name", () => {
  const other = '[mcp_servers.ctx2]\ncommand = "x"\n';
  const text = `[mcp_servers.ctx]\na = 1\n\n[mcp_servers.ctx.env]\nB = "2"\n\n${other}`;
  assert.equal(removeTomlTable(text, "mcp_servers.ctx").trimStart(), other);
});

Deno.test("isSameToml() compares dates, big numbers, lists and tables in any order", async () => {
  const text = "a = 1979-05-27\nb = 9223372036854775807\nc = [1, nan]\n[d]\ne = 1.5\nf = true\n";
  const value = await parseToml(text, "x");
  const [a, b, ...rest] = text.split("\n");
  assert.ok(isSameToml(value, await parseToml([b, a, ...rest].join("\n"), "x")));
  for (
    const [from, to] of [["05-27", "05-28"], ["807", "806"], ["nan", "inf"], ["1.5", "1.25"]]
  ) {
    assert.ok(!isSameToml(value, await parseToml(text.replace(from, to), "x")), to);
  }
});
