// `ctx setup`: other people's settings are edited, not rewritten; twice is once; remove undoes it.

import assert from "node:assert/strict";
import { parse, type TomlTable } from "smol-toml";
import { isSameToml } from "../../../src/config/check_toml.ts";
import { setupClientNames, setupClients } from "../../../src/setup/setup_clients.ts";
import { toCtxError } from "../../../src/core/errors.ts";
import { hashHex } from "../../../src/core/hash.ts";
import { diffLines } from "../../../src/core/lines/line_diff.ts";
import { retrievalWorkflow } from "../../../src/setup/retrieval_agent.ts";
import { toHookLine } from "../../../src/setup/hook_line.ts";
import { assertMode, notOnWindows } from "../../support/not_on_windows.ts";
import { SetupHome as Home } from "../../support/processes/setup_home.ts";

const claudeSettings = `{
	// my hooks
	"hooks": {
		"Stop": [
			{ "hooks": [{ "type": "command", "command": "say done" }] }
		]
	},
	"model": "opus", // the best
}
`;
const files: Record<string, Record<string, string>> = {
  "claude-code": {
    ".claude.json":
      '{\n  "numStartups": 7,\n  "mcpServers": {\n    "x": {"command": "x"}\n  }\n}\n',
    ".claude/settings.json": claudeSettings,
  },
  "codex": { ".codex/config.toml": '# mine\nmodel = "gpt-5"\n\n[mcp_servers.x]\ncommand = "x"\n' },
  "opencode": { ".config/opencode/opencode.jsonc": '{\n  // mine\n  "theme": "dark"\n}\n' },
  "cursor": { ".cursor/mcp.json": '{"mcpServers":{"x":{"command":"x"}}}\n' },
  "gemini": { ".gemini/settings.json": '{\n  "theme": "GitHub" // mine\n}\n' },
  "vscode": {},
  "kiro": { ".kiro/settings/mcp.json": '{"mcpServers":{"x":{"command":"x"}}}\n' },
  "qwen": { ".qwen/settings.json": '{\n  "theme": "GitHub" // mine\n}\n' },
};

for (const client of setupClientNames) {
  Deno.test(`setup ${client} keeps what is there, is idempotent, and --remove undoes it`, async () => {
    await using home = new Home(files[client]);
    const dry = await home.setup(client, { dry_run: true });
    assert.ok(dry.changed);
    assert.deepEqual(home.read(), home.before, "a dry run writes nothing");
    const first = await home.setup(client);
    assert.deepEqual(first.changes.map(({ diff }) => diff), dry.changes.map(({ diff }) => diff));
    const after = home.read();
    for (const [path, text] of Object.entries(home.before)) {
      for (
        const word of ["mine", "say done", "the best", "my hooks", '"x"', "dark", "numStartups"]
      ) {
        if (text.includes(word)) assert.ok(after[path].includes(word), `${path} lost ${word}`);
      }
    }
    const written = JSON.stringify(after);
    assert.match(written, /\/opt\/ctx[^}]*mcp/, "the server is entered");
    const { isServerOnly = false } = setupClients[client];
    assert.equal(/\bhook\b/.test(written), !isServerOnly, "turns are captured");
    assert.equal((await home.setup(client)).changed, false);
    assert.deepEqual(home.read(), after, "twice is once");
    await home.setup(client, { remove: true });
    const rest = home.read();
    for (const [path, text] of Object.entries(home.before)) {
      assert.equal(normal(rest[path]), normal(text), path);
    }
    assert.deepEqual(Object.keys(rest).sort(), Object.keys(home.before).sort());
    assert.equal((await home.setup(client, { remove: true })).changed, false);
  });

  Deno.test(`setup ${client} starts from nothing and leaves nothing`, async () => {
    await using home = new Home({});
    await home.setup(client);
    assert.ok(Object.keys(home.read()).length > 0);
    await home.setup(client, { remove: true });
    const left = Object.values(home.read()).map((text) => text.trim()).filter((text) =>
      text !== ""
    );
    assert.deepEqual(left.filter((text) => !/^\{\s*("version": 1)?\s*\}$/.test(text)), []);
  });
}

for (const client of setupClientNames) {
  Deno.test(`setup ${client} --agent enters the server with one tool beside ctx, --remove takes it out`, async () => {
    await using home = new Home(files[client]);
    const alone = await home.setup(client, { agent: true });
    assert.deepEqual(alone.changes.length, 1, "an entry and nothing else");
    assert.match(JSON.stringify(home.read()), /ctx-agent[^}]*\/opt\/ctx[^}]*mcp[^}]*agent/);
    assert.doesNotMatch(JSON.stringify(home.read()), /hook (claude|codex|cursor|gemini|pre)/);
    assert.equal((await home.setup(client, { agent: true })).changed, false);
    await home.setup(client);
    const both = JSON.stringify(home.read());
    await home.setup(client, { remove: true, agent: true });
    const left = JSON.stringify(home.read());
    assert.match(left, /\/opt\/ctx[^}]*mcp/);
    assert.doesNotMatch(left, /ctx-agent/);
    await home.setup(client, { agent: true });
    assert.equal(JSON.stringify(home.read()).length, both.length);
    await home.setup(client, { remove: true });
    const rest = home.read();
    for (const [path, text] of Object.entries(home.before)) {
      assert.equal(normal(rest[path]), normal(text), path);
    }
    assert.doesNotMatch(JSON.stringify(rest), /opt\/ctx/);
  });
}

Deno.test("setup backs up what it edits, keeps the mode, and follows a link to the file", {
  ignore: notOnWindows("files have no modes, and links need a privilege"),
}, async () => {
  await using home = new Home({ "dotfiles/claude.json": '{\n  "a": 1\n}\n' });
  Deno.chmodSync(`${home.path}/dotfiles/claude.json`, 0o640);
  Deno.symlinkSync(`${home.path}/dotfiles/claude.json`, `${home.path}/.claude.json`);
  const { changes } = await home.setup("claude-code", { no_hooks: true });
  assert.ok(Deno.lstatSync(`${home.path}/.claude.json`).isSymlink);
  assertMode(`${home.path}/.claude.json`, 0o640);
  assert.equal(Deno.readTextFileSync(changes[0].backup!), '{\n  "a": 1\n}\n');
  assert.ok(!Object.keys(home.read()).some((path) => path.includes("settings.json")));
});

Deno.test("setup refuses to edit what it cannot read, and writes nothing at all", async () => {
  await using home = new Home({ ".claude.json": "{}", ".claude/settings.json": "{ broken" });
  await assert.rejects(home.setup("claude-code"), (thrown) => {
    assert.equal(toCtxError(thrown).code, "CONFIG_INVALID");
    return true;
  });
  assert.deepEqual(home.read(), home.before);
});

for (
  const [path, at, value] of [
    [".claude/settings.json", "hooks", []],
    [".claude/settings.json", "hooks", null],
    [".claude/settings.json", "hooks", "none"],
    [".claude/settings.json", "hooks.Stop", {}],
    [".claude.json", "mcpServers", [1]],
  ] as const
) {
  Deno.test(`setup refuses ${at}: ${JSON.stringify(value)} by name, and writes nothing`, async () => {
    const [, event] = at.split(".");
    const settings = event ? { hooks: { [event]: value } } : { [at]: value };
    await using home = new Home({ [path]: JSON.stringify(settings) });
    await assert.rejects(home.setup("claude-code"), (thrown) => {
      const { code, message } = toCtxError(thrown);
      const wanted = event ? "a list" : "an object";
      assert.equal(code, "CONFIG_INVALID");
      assert.equal(
        message,
        `Cannot edit "${home.path}/${path}": "${at}" is ${JSON.stringify(value)}, not ${wanted}`,
      );
      return true;
    });
    assert.deepEqual(home.read(), home.before);
  });
}

Deno.test("setup --remove keeps every comment, also in lists that it empties", async () => {
  const settings = `{
  "hooks": {
    // what runs at the end
    "Stop": [
      // nothing yet
    ],
    "SessionEnd": [
      { "hooks": [{ "type": "command", "command": "mine" }] }, // keep
      // last
    ],
  },
}
`;
  await using home = new Home({ ".claude/settings.json": settings });
  await home.setup("claude-code");
  await home.setup("claude-code", { remove: true });
  assert.equal(normal(home.read()[".claude/settings.json"]), normal(settings));
});

const preEditFiles: Record<string, [path: string, event: string, matches: string[]]> = {
  "claude-code": [".claude/settings.json", "PreToolUse", ["Read", "Edit", "MultiEdit", "Write"]],
  "codex": [".codex/hooks.json", "PreToolUse", ["Bash", "apply_patch"]],
  "gemini": [".gemini/settings.json", "AfterTool", ["read_file"]],
  "qwen": [".qwen/settings.json", "PostToolUse", ["read_file"]],
  "gemini edits": [".gemini/settings.json", "BeforeTool", ["replace", "write_file"]],
  "qwen edits": [".qwen/settings.json", "PreToolUse", ["edit", "write_file"]],
};

for (const [name, [path, event, tools]] of Object.entries(preEditFiles)) {
  const client = name.split(" ")[0];
  Deno.test(`setup ${name} installs the pre-edit hook, shows it, and takes it out again`, async () => {
    const mine = { matcher: "Bash", hooks: [{ type: "command", command: "audit hook pre-edits" }] };
    await using home = new Home({ [path]: JSON.stringify({ hooks: { [event]: [mine] } }) });
    const hooksOf = () => JSON.parse(home.read()[path]).hooks[event];
    const { changes } = await home.setup(client);
    assert.ok(changes.some(({ diff }) => /^\+.*\/opt\/ctx[\\"]* hook pre-edit/m.test(diff)));
    assert.deepEqual(hooksOf()[0], mine);
    assert.equal(
      hooksOf()[1].hooks[0].command,
      toHookLine(["/opt/ctx", "hook", "pre-edit"], { hasBash: client === "claude-code" }),
    );
    for (const tool of tools) assert.match(tool, new RegExp(hooksOf()[1].matcher));
    assert.equal((await home.setup(client)).changed, false);
    await home.setup(client, { no_pre_edit: true });
    assert.deepEqual(hooksOf(), [mine]);
    assert.equal((await home.setup(client, { no_pre_edit: true })).changed, false);
    await home.setup(client);
    await home.setup(client, { remove: true });
    assert.deepEqual(hooksOf(), [mine]);
  });
}

Deno.test("setup leaves another program's notify in Codex's settings alone", async () => {
  const notify = 'notify = ["my-notifier"]\n';
  await using home = new Home({ ".codex/config.toml": notify });
  const { changes: [{ remarks }] } = await home.setup("codex");
  assert.match(
    String(remarks),
    /^"notify" in .* belongs to another program; .* hook codex MESSAGE too$/,
  );
  assert.ok(home.read()[".codex/config.toml"].startsWith(notify));
  await home.setup("codex", { remove: true });
  assert.equal(home.read()[".codex/config.toml"], notify);
});

for (
  const [name, text] of Object.entries({
    "a byte order mark": '\ufeffmodel = "gpt-5"\n',
    "CRLF": 'model = "gpt-5"\r\n\r\n[a]\r\nb = 1\r\n',
    "no last newline": '[mcp_servers.x]\ncommand = "x"',
    "a list that looks like a table": 'a = [\n  ["b"],\n  ["c"]\n]\n',
    "an empty table of servers": "[mcp_servers]\n",
    "dates and big numbers": "a = 1979-05-27T07:32:00Z\nb = 9223372036854775807\n",
  })
) {
  Deno.test(`setup codex edits settings with ${name} and --remove undoes it`, async () => {
    await using home = new Home({ ".codex/config.toml": text });
    await home.setup("codex");
    const written = home.bytes(".codex/config.toml");
    const read = (toml: string) => parse(toml, { integersAsBigInt: true });
    const { mcp_servers: { ctx, ...others }, notify, ...rest } = read(written) as Servers;
    const { mcp_servers: known = {}, ...before } = read(text) as Servers;
    assert.ok(isSameToml(ctx, { command: "/opt/ctx", args: ["mcp"] }));
    assert.ok(isSameToml(notify, ["/opt/ctx", "hook", "codex"]));
    assert.ok(isSameToml([rest, others], [before, known]));
    assert.equal(written.startsWith("\ufeff"), text.startsWith("\ufeff"));
    assert.equal(/[^\r]\n/.test(written), !text.includes("\r\n"), "ends of lines stay");
    assert.equal((await home.setup("codex")).changed, false);
    await home.setup("codex", { remove: true });
    assert.equal(home.bytes(".codex/config.toml"), text);
  });
}

for (
  const [text, message, hint] of [
    ['mcp_servers = { a = { command = "y" } }\n', /"mcp_servers"/, /\[mcp_servers\.ctx\]\ncommand/],
    ['[mcp_servers]\nctx = { command = "old" }\n', /"mcp_servers"/, /command = "\/opt\/ctx"\nargs/],
    ['[mcp_servers]\nctx.command = "old"\n', /"mcp_servers"/, /by hand/],
    ['[[mcp_servers]]\ncommand = "y"\n', /"mcp_servers"/, /by hand/],
    ["model = \n", /config\.toml", line 1: /, /correct the file/],
    ["a = 1\n<<<<<<< HEAD\n", /config\.toml", line 2: /, /correct the file/],
    ["[a]\nb = 1\n[a]\n", /config\.toml", line 3: /, /correct the file/],
  ] as const
) {
  Deno.test(`setup codex refuses ${JSON.stringify(text)} and writes nothing`, async () => {
    await using home = new Home({ ".codex/config.toml": text });
    await assert.rejects(home.setup("codex"), (thrown) => {
      const error = toCtxError(thrown);
      assert.equal(error.code, "CONFIG_INVALID");
      assert.match(error.message, message);
      assert.match(error.hint ?? "", hint);
      return true;
    });
    assert.deepEqual(home.read(), home.before);
  });
}

Deno.test("setup codex takes its server as it is written, with what was added to it", async () => {
  const text =
    'mcp_servers = { ctx = { command = "/opt/ctx", args = ["mcp"], enabled = false } }\n';
  await using home = new Home({ ".codex/config.toml": text });
  await home.setup("codex", { no_hooks: true });
  assert.equal(home.bytes(".codex/config.toml"), text);
  await assert.rejects(home.setup("codex", { remove: true }), /CONFIG_INVALID|Cannot edit/);
  assert.equal(home.bytes(".codex/config.toml"), text);
});

for (
  const [client, path, text] of [
    ["claude-code", ".claude.json", '{ "name": "caf\u00e9" }'],
    ["claude-code", ".claude/settings.json", '{ "model": "caf\u00e9" }'],
    ["codex", ".codex/config.toml", 'model = "caf\u00e9"\n'],
  ] as const
) {
  Deno.test(`setup ${client} refuses a ${path} that is not UTF-8, and writes nothing`, async () => {
    await using home = new Home({});
    const latin1 = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    Deno.mkdirSync(`${home.path}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeFileSync(`${home.path}/${path}`, latin1);
    for (const remove of [false, true]) {
      await assert.rejects(home.setup(client, { remove }), (thrown) => {
        const { code, message } = toCtxError(thrown);
        assert.equal(code, "CONFIG_INVALID");
        assert.equal(message, `Cannot edit "${home.path}/${path}": it is not UTF-8`);
        return true;
      });
    }
    assert.deepEqual(Deno.readFileSync(`${home.path}/${path}`), latin1);
    assert.deepEqual(Object.keys(home.read()), [path]);
  });
}

for (const [client, path] of [["gemini", ".gemini"], ["qwen", ".qwen"]]) {
  Deno.test(`setup ${client} refuses a comma after the last item, which ${client} does not read`, async () => {
    const settings = `${path}/settings.json`;
    await using home = new Home({ [settings]: '{\n  // mine\n  "a": [1, 2,],\n  "b": {}\n}\n' });
    await assert.rejects(home.setup(client), (thrown) => {
      const { code, message } = toCtxError(thrown);
      assert.equal(code, "CONFIG_INVALID");
      assert.match(
        message,
        /settings\.json", line 3: .* does not read a comma after the last item$/,
      );
      return true;
    });
    assert.deepEqual(home.read(), home.before);
    assert.equal((await home.setup(client, { remove: true })).changed, false, "nothing to remove");
  });
}

Deno.test("setup claude-code says that Claude Code ignores settings with a comment", async () => {
  await using home = new Home({ ".claude/settings.json": '{\n  // mine\n  "model": "opus"\n}\n' });
  const { changes } = await home.setup("claude-code");
  const remarks = changes.flatMap(({ remarks = [] }) => remarks);
  assert.deepEqual(remarks, [
    `Claude Code ignores ${home.path}/.claude/settings.json because line 2 has a comment; remove it`,
  ]);
});

Deno.test("setup keeps the byte order mark of a JSON file first, and there only", async () => {
  for (const text of ['\ufeff{\n  "a": 1\n}\n', "\ufeff"]) {
    await using home = new Home({ ".claude.json": text });
    await home.setup("claude-code");
    const written = home.bytes(".claude.json");
    assert.equal(written.lastIndexOf("\ufeff"), 0);
    assert.equal(JSON.parse(written.slice(1)).mcpServers.ctx.command, "/opt/ctx");
    assert.equal((await home.setup("claude-code")).changed, false);
    await home.setup("claude-code", { remove: true });
    assert.equal(home.bytes(".claude.json"), text);
  }
});

for (
  const [text, line, name] of [
    ['{\n  "mcpServers": {},\n  "mcpServers": { "x": { "command": "x" } }\n}\n', 3, "mcpServers"],
    ['{ "mcpServers": { "ctx": {},\n "ctx": {} } }', 2, "ctx"],
    ['{ "a": [{ "b": 1, "b": 2 }] }', 1, "b"],
  ] as const
) {
  Deno.test(`setup refuses ${JSON.stringify(text)}, where a name is there twice`, async () => {
    await using home = new Home({ ".claude.json": text });
    for (const remove of [false, true]) {
      await assert.rejects(home.setup("claude-code", { remove }), (thrown) => {
        const { code, message } = toCtxError(thrown);
        assert.equal(code, "CONFIG_INVALID");
        const where = `"${home.path}/.claude.json", line ${line}`;
        assert.equal(message, `Cannot edit ${where}: "${name}" occurs twice`);
        return true;
      });
    }
    assert.deepEqual(home.read(), home.before);
  });
}

const theirs = { command: "/srv/other", args: ["mcp"] };
const foreign: Record<string, [path: string, text: string]> = {
  "claude-code": [".claude.json", JSON.stringify({ mcpServers: { ctx: theirs } })],
  "codex": [".codex/config.toml", '[mcp_servers.ctx]\ncommand = "/srv/other"\nargs = ["mcp"]\n'],
  "opencode": [
    ".config/opencode/opencode.json",
    JSON.stringify({ mcp: { ctx: { type: "local", command: ["/srv/other", "mcp"] } } }),
  ],
  "cursor": [".cursor/mcp.json", JSON.stringify({ mcpServers: { ctx: theirs } })],
  "gemini": [".gemini/settings.json", JSON.stringify({ mcpServers: { ctx: theirs } })],
  "vscode": ["project/.vscode/mcp.json", JSON.stringify({ servers: { ctx: theirs } })],
  "kiro": [".kiro/settings/mcp.json", JSON.stringify({ mcpServers: { ctx: theirs } })],
  "qwen": [".qwen/settings.json", JSON.stringify({ mcpServers: { ctx: theirs } })],
};

for (const [client, [path, text]] of Object.entries(foreign)) {
  Deno.test(`setup ${client} --remove leaves a server ctx of another program, and says so`, async () => {
    await using home = new Home({ [path]: text });
    const { changed, changes } = await home.setup(client, { remove: true });
    assert.equal(changed, false);
    assert.match(
      changes[0].remarks?.join() ?? "",
      /ctx in \S+ was kept: it runs a different program/,
    );
    assert.deepEqual(home.read(), home.before);
    await home.setup(client);
    assert.match(home.read()[path], /\/opt\/ctx/);
    await home.setup(client, { remove: true });
    assert.deepEqual(home.read(), home.before, "what setup replaced is back");
  });
}

for (
  const [line, isOurs] of [
    ["/opt/ctx mcp", true],
    ["ctx mcp --session s", true],
    ["/home/me/.local/bin/contextfs mcp", true],
    ["/usr/lib/node_modules/@ctx/ctx/bin/ctx.mjs mcp", true],
    ["npx -y @ctx/ctx@0.1.0 mcp", true],
    ["/usr/bin/deno run -A --quiet /home/me/ctx/mod.ts mcp", true],
    ["ctx serve", false],
    ["/opt/ctx-linux-x64 mcp", true],
    ["ctx7 mcp", false],
    ["ctx-other mcp", false],
    ["npx -y context-server mcp", false],
    ["npx -y other --name ctx mcp", false],
    ["node /srv/ctx/server.js mcp", false],
    ["deno run -A /srv/other/mod.ts mcp", false],
  ] as const
) {
  Deno.test(`setup --remove ${isOurs ? "removes" : "leaves"} ${line}`, async () => {
    const [command, ...args] = line.split(" ");
    const text = JSON.stringify({ mcpServers: { ctx: { command, args } } });
    await using home = new Home({ ".claude.json": text });
    const { changed } = await home.setup("claude-code", { remove: true });
    assert.equal(changed, isOurs);
    assert.equal(home.read()[".claude.json"], isOurs ? "{}" : text, "the file itself stays");
  });
}

for (
  const [client, path] of [["claude-code", ".claude/settings.json"], ["codex", ".codex/hooks.json"]]
) {
  Deno.test(`setup ${client} --guard --no-pre-edit checks guards and gives no hints`, async () => {
    await using home = new Home({});
    await home.setup(client, { guard: true, no_pre_edit: true });
    const commands = () =>
      JSON.parse(home.read()[path]).hooks.PreToolUse.flatMap((
        { hooks }: { hooks: { command: string }[] },
      ) => hooks.map(({ command }) => / hook (\S+)/.exec(command)?.[1]));
    assert.deepEqual(commands(), ["guard"]);
    assert.equal((await home.setup(client, { guard: true, no_pre_edit: true })).changed, false);
    await home.setup(client, { guard: true });
    assert.deepEqual(commands(), ["pre-edit"]);
    await home.setup(client, { remove: true });
    assert.deepEqual(home.read(), {});
  });
}

for (const client of setupClientNames) {
  Deno.test(`setup ${client} --remove deletes what setup created, and no file of the user`, async () => {
    await using fresh = new Home({});
    await fresh.setup(client, { no_pre_edit: true });
    await fresh.setup(client);
    const created = fresh.read();
    await fresh.setup(client, { remove: true });
    assert.deepEqual(fresh.read(), {});
    const isJson = (path: string): boolean => /\.jsonc?$/.test(path);
    for (const text of ["", "{}", "{}\n", "{ }\n"]) {
      const paths = Object.keys(created).filter((path) => text === "" || isJson(path));
      await using home = new Home(Object.fromEntries(paths.map((path) => [path, text])));
      assert.equal((await home.setup(client, { remove: true })).changed, false);
      assert.deepEqual(home.read(), home.before);
      await home.setup(client);
      assert.deepEqual(Object.keys(home.read()).sort(), Object.keys(created).sort());
      await home.setup(client, { remove: true });
      assert.deepEqual(home.read(), home.before);
    }
  });
}

Deno.test("setup opencode --remove leaves a plugin that it did not write", async () => {
  const path = ".config/opencode/plugin/ctx.js";
  await using home = new Home({ [path]: "export const Mine = async () => ({});\n" });
  const { changed, changes } = await home.setup("opencode", { remove: true });
  assert.equal(changed, false);
  assert.match(changes[1].remarks?.join() ?? "", /ctx\.js was kept/);
  await home.setup("opencode");
  await home.setup("opencode", { remove: true });
  assert.deepEqual(home.read(), home.before);
});

const agentPaths: Record<string, string> = {
  "claude-code": ".claude/agents/ctx-retrieval.md",
  "codex": ".codex/agents/ctx-retrieval.toml",
  "opencode": ".config/opencode/agent/ctx-retrieval.md",
  "cursor": ".cursor/agents/ctx-retrieval.md",
  "gemini": ".gemini/agents/ctx-retrieval.md",
  "qwen": ".qwen/agents/ctx-retrieval.md",
};

for (const [client, path] of Object.entries(agentPaths)) {
  Deno.test(`setup ${client} installs the retrieval agent, and leaves it alone once it is changed`, async () => {
    await using home = new Home({});
    await home.setup(client, { no_retrieval: true });
    assert.equal(home.read()[path], undefined);
    await home.setup(client);
    const text = home.read()[path];
    const workflow = retrievalWorkflow("/opt/ctx");
    assert.ok(text.includes(workflow), "it has the workflow");
    if (path.endsWith(".toml")) {
      const { name, description, developer_instructions } = parse(text);
      assert.deepEqual([name, developer_instructions], ["ctx-retrieval", workflow]);
      assert.match(String(description), /plan mode/);
    } else assert.match(text, /^---\nname: ctx-retrieval\ndescription: ".*plan mode.*"\n/);
    const mark = `ctx setup wrote this: ${hashHex("older words\n")}`;
    const isToml = path.endsWith(".toml");
    const older = `older words\n${isToml ? `# ${mark}` : `\n<!-- ${mark} -->`}\n`;
    await using old = new Home({ [path]: older });
    const { changes } = await old.setup(client);
    assert.equal(old.read()[path], text, "one of an earlier version is renewed");
    assert.equal(changes.find((change) => change.path.endsWith(path))?.backup, undefined);
    await old.setup(client, { remove: true });
    assert.deepEqual(old.read(), {});
    const directory = `${old.path}/${path.replace(/\/[^/]*$/, "")}`;
    assert.throws(() => Deno.lstatSync(directory), Deno.errors.NotFound, "nothing is in it");
    // Changed by the user: kept without an answer, with No, and by --remove.
    const mine = text.replace("change nothing", "change nothing, and be brief");
    Deno.writeTextFileSync(`${home.path}/${path}`, mine);
    const kept = await home.setup(client);
    assert.match(JSON.stringify(kept.changes), /was kept with your changes/);
    const asked: string[] = [];
    const answer = (yes: boolean) => (question: string): boolean => {
      asked.push(question);
      return yes;
    };
    await home.setup(client, { allow_reads: "no", ask_agent: "no" }, answer(false));
    assert.equal(home.read()[path], mine);
    const removed = await home.setup(client, { remove: true });
    assert.match(JSON.stringify(removed.changes), /it has changed since ctx setup wrote it/);
    assert.equal(home.read()[path], mine);
    await home.setup(client, { allow_reads: "no", ask_agent: "no" }, answer(true));
    assert.equal(home.read()[path], text);
    assert.deepEqual(
      asked.map((question) => /^You changed (.*)\. Overwrite it/.exec(question)?.[1]),
      [
        `${home.path}/${path}`,
        `${home.path}/${path}`,
      ],
    );
  });
}

Deno.test("setup --remove takes an older ctx out too, though the backup has it", async () => {
  const text = '{"mcpServers":{"x":{"command":"x"},"ctx":{"command":"/old/ctx","args":["mcp"]}}}';
  await using home = new Home({ ".claude.json": text });
  await home.setup("claude-code");
  await home.setup("claude-code", { remove: true });
  assert.deepEqual(JSON.parse(home.read()[".claude.json"]), {
    mcpServers: { x: { command: "x" } },
  });
});

Deno.test("setup changes no command but its own, not even in a hook they share", async () => {
  const mine = { type: "command", command: "my-linter" };
  const loose = { type: "command", command: "notify-send ctx hook claude-code done" };
  const settings = {
    model: "opus",
    hooks: {
      PreToolUse: [{
        matcher: "Edit",
        hooks: [mine, { type: "command", command: "ctx hook pre-edit" }],
      }],
      Stop: [{ hooks: [loose] }],
    },
  };
  await using home = new Home({ ".claude/settings.json": JSON.stringify(settings) });
  await home.setup("claude-code");
  await home.setup("claude-code", { remove: true });
  const { hooks, model } = JSON.parse(home.read()[".claude/settings.json"]);
  assert.equal(model, "opus");
  assert.deepEqual(hooks.PreToolUse, [{ matcher: "Edit", hooks: [mine] }]);
  assert.deepEqual(hooks.Stop, [{ hooks: [loose] }]);
  const backup = `${home.path}/.claude/settings.json.ctx-backup`;
  assert.equal(Deno.readTextFileSync(backup), JSON.stringify(settings));
});

for (const client of setupClientNames) {
  Deno.test(`setup ${client} --scope project writes into the project only, and no path of this machine`, async () => {
    await using home = new Home({});
    await home.setup(client, { scope: "project" });
    const written = home.read();
    assert.ok(Object.keys(written).length > 0);
    for (const [path, text] of Object.entries(written)) {
      assert.match(path, /^project\//);
      assert.ok(!text.includes(home.path) && !text.includes("/opt/ctx"), text);
    }
    assert.match(JSON.stringify(written), /"ctx\W/);
    await home.setup(client, { scope: "project", remove: true });
    assert.deepEqual(home.read(), {});
  });
}

const events: Record<string, [file: string, agent: string, events: string[]]> = {
  "claude-code": [".claude/settings.json", "claude-code", [
    "PreCompact",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
  ]],
  "codex": [".codex/hooks.json", "codex", [
    "PreCompact",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
  ]],
  "gemini": [".gemini/settings.json", "gemini", [
    "AfterAgent",
    "BeforeAgent",
    "SessionEnd",
    "SessionStart",
  ]],
  "qwen": [".qwen/settings.json", "qwen", [
    "PreCompact",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "UserPromptSubmit",
  ]],
  "cursor": [".cursor/hooks.json", "cursor", [
    "beforeSubmitPrompt",
    "sessionEnd",
    "sessionStart",
    "stop",
  ]],
};

for (const [client, [file, agent, expected]] of Object.entries(events)) {
  Deno.test(`setup ${client} calls one line for every event of a session`, async () => {
    await using home = new Home({});
    await home.setup(client);
    const { hooks } = JSON.parse(home.read()[file]);
    const line = new RegExp(`/opt/ctx[\\\\"]* hook ${agent}\\b`);
    const found = Object.keys(hooks).filter((event) => line.test(JSON.stringify(hooks[event])));
    assert.deepEqual(found.sort(), expected);
  });
}

for (
  const [name, text] of Object.entries({
    "no file": undefined,
    "an empty file": "",
    "a file": "# Mine\n\nText.\n",
    "a file with CRLF": "# Mine\r\n\r\nText.\r\n",
    "a file without a last newline": "# Mine",
  })
) {
  Deno.test(`setup --agents-md adds its section to ${name}, once, and --remove takes it out`, async () => {
    const path = "project/AGENTS.md";
    await using home = new Home(text === undefined ? {} : { [path]: text });
    await home.setup("vscode");
    assert.equal(home.read()[path], text, "not unless it is asked for");
    await home.setup("vscode", { agents_md: true });
    const written = home.read()[path];
    assert.ok(written.startsWith(text ?? "<!-- ctx") && written.includes("`ctx context pack`"));
    assert.equal(/[^\r]\n/.test(written), !text?.includes("\r"), "with the file's line ends");
    assert.equal((await home.setup("vscode", { agents_md: true })).changed, false);
    await home.setup("vscode", { remove: true });
    assert.deepEqual(home.read(), home.before);
  });
}

Deno.test("setup --remove takes the section out of an AGENTS.md that was edited since", async () => {
  await using home = new Home({ "project/AGENTS.md": "# Mine\n" });
  await home.setup("vscode", { agents_md: true });
  const path = `${home.path}/project/AGENTS.md`;
  Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}\n## Later\n`);
  await home.setup("vscode", { remove: true });
  assert.equal(Deno.readTextFileSync(path), "# Mine\n\n## Later\n");
});

const layouts: Record<string, string> = {
  "tabs and comments":
    '{\n\t// mine\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [ {"type":"command", "command":"x"} ] } // one\n\t\t]\n\t},\n\t"permissions": {"allow": ["Bash(ls)"],  "deny":[]},\n\t"mcpServers": {"x":{"command":"x"}} /* last */\n}\n',
  "CRLF":
    '{\r\n  "theme" : "dark",\r\n  "mcpServers": {\r\n    "x": { "command": "x" }\r\n  }\r\n}\r\n',
  "no last newline": '{\n    "theme": "dark"\n}',
  "one line": '{"theme":"dark","mcpServers":{"x":{"command":"x"}},"hooks":{"Stop":[]},"a":[1,2]}',
  "a last comma and a remark":
    '{\n  "a": {"b": 1, // one\n  },\n  "mcpServers": {"x": {}, // two\n  }, // three\n  // four\n}\n',
  "odd spacing": '{ "a":1 ,\n\n\n   "b" : [ 1,2 ,3 ]   ,"c":{ } }\n\n',
};
const jsonFiles: Record<string, string[]> = {
  "claude-code": [".claude.json", ".claude/settings.json"],
  "codex": [".codex/hooks.json"],
  "opencode": [".config/opencode/opencode.json"],
  "cursor": [".cursor/mcp.json", ".cursor/hooks.json"],
  "gemini": [".gemini/settings.json"],
  "kiro": [".kiro/settings/mcp.json"],
  "qwen": [".qwen/settings.json"],
};

for (const [client, paths] of Object.entries(jsonFiles)) {
  for (const [layout, text] of Object.entries(layouts)) {
    // These do not read such a file; that it is refused is tested above.
    if (/,\s*(?:\/\/.*)?\s*[}\]]/.test(text) && ["gemini", "qwen"].includes(client)) continue;
    Deno.test(`setup ${client} only adds to a file with ${layout}, and --remove restores its bytes`, async () => {
      await using home = new Home(Object.fromEntries(paths.map((path) => [path, text])));
      await home.setup(client, { allow_reads: "yes" });
      for (const path of paths) {
        const after = home.bytes(path);
        assert.notEqual(after, text);
        assert.ok(isSpread(text, after), `${path} was only added to: ${after}`);
        assert.equal(/[^\r]\n/.test(after), /[^\r]\n/.test(text), "with its own line ends");
      }
      assert.equal((await home.setup(client, { allow_reads: "yes" })).changed, false);
      await home.setup(client, { remove: true });
      for (const path of paths) {
        assert.equal(home.bytes(path), text, path);
        const backup = `${home.path}/${path}.ctx-backup`;
        assert.throws(() => Deno.statSync(backup), Deno.errors.NotFound, "it has done its work");
      }
    });
  }
}

/** Whether a text is another one with whole pieces put in, each of them at most at the end of a token. */
function isSpread(text: string, after: string): boolean {
  let at = 0;
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*.*?\*\/|\s+|[^\s"]/g) ?? []) {
    at = after.indexOf(token, at);
    if (at < 0) return false;
    at += token.length;
  }
  return true;
}

for (
  const [client, path, isAllowed] of [
    ["claude-code", ".claude/settings.json", /"mcp__ctx__search"[^]*"mcp__ctx__get"/],
    ["gemini", ".gemini/settings.json", /"trust": true/],
    ["qwen", ".qwen/settings.json", /"mcp__ctx__search"[^]*"mcp__ctx__get"/],
  ] as const
) {
  Deno.test(`setup ${client} asks a person once whether reading needs no approval`, async () => {
    await using home = new Home({});
    const asked: string[] = [];
    const answer = (yes: boolean) => (question: string): boolean => {
      if (!/read-only/.test(question)) return false;
      asked.push(question);
      return yes;
    };
    await home.setup(client);
    assert.doesNotMatch(home.read()[path], isAllowed, "nobody was there to ask");
    await home.setup(client, {}, answer(false));
    assert.doesNotMatch(home.read()[path], isAllowed);
    await home.setup(client, {}, answer(true));
    assert.match(home.read()[path], isAllowed);
    assert.doesNotMatch(home.read()[path], /save_memory/);
    assert.equal(asked.length, 2);
    assert.match(
      asked[0],
      /read-only tools \(search, timeline, get, list, context_suggest\) without/,
    );
    assert.equal((await home.setup(client, {}, answer(false))).changed, false);
    assert.equal((await home.setup(client)).changed, false, "and it stays so");
    await home.setup(client, { dry_run: true, allow_reads: "no" }, answer(true));
    assert.equal(asked.length, 2, "not when it is said or as it should be");
    await home.setup(client, { remove: true }, answer(true));
    assert.deepEqual(Object.keys(home.read()), [".config/ctx/config.jsonc"]);
  });
}

Deno.test("setup asks once whether the agent may be asked to save, and remembers the answer", async () => {
  await using home = new Home({});
  const asked: string[] = [];
  const answer = (yes: boolean) => (question: string): boolean => {
    if (/to save notes for next time/.test(question)) asked.push(question);
    return yes;
  };
  const isAsked = (): string | undefined =>
    /"ask_agent": (\w+)/.exec(home.read()[".config/ctx/config.jsonc"] ?? "")?.[1];
  await home.setup("claude-code");
  assert.deepEqual([asked.length, isAsked()], [0, undefined], "nobody was there to ask");
  await home.setup("opencode", {}, answer(true));
  assert.deepEqual([asked.length, isAsked()], [0, undefined], "its hooks could not ask it");
  await home.setup("claude-code", {}, answer(false));
  await home.setup("codex", {}, answer(true));
  assert.deepEqual([asked.length, isAsked()], [1, "false"]);
  assert.doesNotMatch(JSON.stringify(home.read()), /save_memory/);
  await home.setup("codex", { ask_agent: "yes" }, answer(false));
  assert.deepEqual([asked.length, isAsked()], [1, "true"]);
  assert.match(
    home.read()[".codex/config.toml"],
    /^tools = \{ save_memory = \{ approval_mode = "approve" \} \}$/m,
  );
  await home.setup("claude-code");
  assert.match(home.read()[".claude/settings.json"], /"mcp__ctx__save_memory"/);
  assert.equal((await home.setup("codex")).changed, false);
  for (const client of ["claude-code", "codex", "opencode"]) {
    await home.setup(client, { remove: true });
  }
  assert.deepEqual(Object.keys(home.read()), [".config/ctx/config.jsonc"]);
});

Deno.test("setup asks nothing of agents that call reading tools without approval", async () => {
  await using home = new Home({});
  const ask = (): boolean => assert.fail("asked");
  for (const client of ["codex", "opencode", "cursor", "vscode"]) {
    await home.setup(client, { ask_agent: "no" }, ask);
  }
});

Deno.test("setup keeps what the user added to ctx's entry", async () => {
  await using home = new Home({});
  await home.setup("gemini");
  const path = `${home.path}/.gemini/settings.json`;
  const settings = JSON.parse(Deno.readTextFileSync(path));
  settings.mcpServers.ctx.timeout = 5000;
  Deno.writeTextFileSync(path, JSON.stringify(settings));
  assert.equal((await home.setup("gemini")).changed, false);
  assert.equal(JSON.parse(Deno.readTextFileSync(path)).mcpServers.ctx.timeout, 5000);
});

Deno.test("the diff that setup shows holds no secrets", async () => {
  const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  await using home = new Home({ ".claude.json": `{\n  "token": "${key}"\n}\n` });
  const { changes } = await home.setup("claude-code", { dry_run: true });
  assert.ok(changes.length > 0);
  assert.ok(!JSON.stringify(changes).includes(key));
});

Deno.test("diffLines() shows what changed with one line around it", () => {
  assert.equal(diffLines("a\n", "a\n"), "");
  assert.equal(diffLines("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c\n");
  assert.equal(diffLines("", "a\nb\n"), "+a\n+b\n");
  assert.equal(diffLines("1\n2\n3\n4\n5\n", "1\nx\n3\ny\n5\n"), " 1\n-2\n+x\n 3\n-4\n+y\n 5\n");
});

type Servers = TomlTable & { mcp_servers: TomlTable };

/** Layout inside an edited list may change; words and their order may not. */
function normal(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, "");
}
