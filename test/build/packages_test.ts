// What `deno task packages` writes: the hooks are setup's own, versions agree, and the tools that check
// such packages accept them, where they are installed (`deno task clients` installs the clients).

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { writePackages } from "../../build/packages/write_packages.ts";
import { lookingWish } from "../../src/setup/connections.ts";
import { toHookWords } from "../../src/setup/hook_line.ts";
import { findPlugin, isSetUp } from "../../src/setup/plugin_presence.ts";
import { type SetupClientName, setupClients } from "../../src/setup/setup_clients.ts";
import { findTool } from "../clients/package_tools.ts";
import { fileNameOf, targets } from "../../build/target.ts";
import { toFileUrl, toOwnPath } from "../../src/core/platform_path.ts";

interface Group {
  matcher?: string;
  hooks: { command: string; timeout?: number }[];
}

const checksums = targets.map((target, i) => `${`${i}`.repeat(64)}  ${fileNameOf(target)}\n`).join(
  "",
);

Deno.test("packages have setup's own hooks, one version, and the checksums of the release", async () => {
  const directory = await Deno.makeTempDir({ prefix: "ctx-packages-" });
  try {
    await writePackages(directory, checksums);
    const read = (path: string): string => Deno.readTextFileSync(`${directory}/${path}`);
    const json = (path: string): Record<string, unknown> => JSON.parse(read(path));
    for (
      const [client, path] of [
        ["claude-code", "plugins/claude-code/hooks/hooks.json"],
        ["codex", "plugins/codex/hooks/hooks.json"],
        ["gemini", "plugins/hooks/hooks.json"],
      ] as const
    ) {
      const made = json(path).hooks as Record<string, Group[]>;
      const own = await hooksOfSetup(client);
      assert.deepEqual(
        shapeOf(made, ([program, , , , caller]) => caller ? [program, caller] : [program]),
        own,
      );
      const lines = Object.values(made).flat().flatMap(({ hooks }) => hooks);
      assert.ok(lines.length > 4);
      for (const { command } of lines) {
        assert.deepEqual(toHookWords(command).slice(0, 4), ["ctx", "hook", "plugin", client]);
        // Without ctx on the machine a hook succeeds and prints nothing.
        if (Deno.build.os === "windows") continue;
        const { code, stdout } = await new Deno.Command("/bin/sh", {
          args: ["-c", command],
          clearEnv: true,
          env: { PATH: directory },
        }).output();
        assert.deepEqual([code, stdout.length], [0, 0], command);
      }
    }
    for (
      const path of [
        "plugins/claude-code/.claude-plugin/plugin.json",
        "plugins/codex/.codex-plugin/plugin.json",
        "plugins/gemini-extension.json",
        "mcpb/manifest.json",
        "opencode/package.json",
        "vscode/package.json",
        "server.json",
        "scoop/ctx.json",
      ]
    ) assert.equal(json(path).version, manifest.version, path);
    for (const [i, target] of targets.entries()) {
      const text = target.os === "windows" ? read("scoop/ctx.json") : read("homebrew/ctx.rb");
      assert.ok(text.includes(`/v${manifest.version}/${fileNameOf(target)}"`), target.name);
      assert.ok(text.includes(`"${`${i}`.repeat(64)}"`), target.name);
    }
    const { CtxPackage } = await import(`${toFileUrl(toOwnPath(directory))}/opencode/ctx.js`);
    const plugin = await CtxPackage({ directory });
    const config: Record<string, unknown> = {};
    await plugin.config(config);
    assert.deepEqual(config.mcp, {
      ctx: { type: "local", command: ["ctx", "mcp"], enabled: true },
    });
    await assert.rejects(writePackages(directory, "nothing"), /has no "ctx-/);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

for (
  const [tool, directory, words] of [
    ["mcpb", "mcpb", ["validate", "manifest.json"]],
    ["mcpb", "mcpb", ["pack", ".", "../ctx.mcpb"]],
    ["vsce", "vscode", ["package", "--no-dependencies", "--out", "../ctx.vsix"]],
  ] as const
) {
  const found = await findTool(tool, { installs: false });
  // `deno task clients --plugins` installs it.
  Deno.test({ name: `${tool} ${words[0]} takes the package`, ignore: !found }, async () => {
    const root = await Deno.makeTempDir({ prefix: "ctx-packages-" });
    try {
      await writePackages(root);
      const [program, ...rest] = found ?? [];
      const { code, stdout, stderr } = await new Deno.Command(program, {
        args: [...rest, ...words],
        cwd: `${root}/${directory}`,
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

Deno.test("a plugin is noticed where its client names it, and setup's hooks where setup wrote them", async () => {
  const root = await Deno.makeTempDir({ prefix: "ctx-plugin-" });
  try {
    const place = { home: `${root}/home`, workspace: `${root}/work` };
    const cases: [string, string, string, string][] = [
      [
        "claude-code",
        ".claude/settings.json",
        '{"enabledPlugins": {"ctx@ctx": true}}',
        '{"enabledPlugins": {"ctx@ctx": false}}',
      ],
      [
        "codex",
        ".codex/config.toml",
        '[plugins."ctx@ctx"]\nenabled = true\n',
        '# [plugins."ctx@ctx"]\n[plugins."other@ctx"]\nenabled = true\n',
      ],
      ["gemini", ".gemini/extensions/ctx/gemini-extension.json", '{"name": "ctx"}', "{}"],
      [
        "opencode",
        ".config/opencode/opencode.json",
        '{"plugin": ["@ctx/opencode@0.1.0"]}',
        '{\n  // "plugin": ["@ctx/opencode"]\n}',
      ],
    ];
    for (const [agent, path, with_, without] of cases) {
      const file = `${place.home}/${path}`;
      assert.equal(findPlugin(agent, place), undefined);
      await Deno.mkdir(file.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(file, without);
      assert.equal(findPlugin(agent, place), undefined, agent);
      await Deno.writeTextFile(file, with_);
      assert.match(findPlugin(agent, place) ?? "", /ctx/, agent);
      assert.equal(isSetUp(agent, place), false, agent);
      const wish = lookingWish({ ...place, scope: "user", remove: false });
      for (const { path, edit } of setupClients[agent as SetupClientName].plan(wish)) {
        const before = await Deno.readTextFile(path).catch(() => undefined);
        await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(path, await edit(before, () => {}) ?? "");
      }
      assert.equal(isSetUp(agent, place), true, agent);
      assert.match(findPlugin(agent, place) ?? "", /ctx/, `${agent} has both`);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

async function hooksOfSetup(client: SetupClientName): Promise<unknown> {
  const wish = { ...lookingWish({ home: "", workspace: "", scope: "user", remove: false }) };
  for (const { path, edit } of setupClients[client].plan({ ...wish, guards: false })) {
    const text = path.endsWith(".json") ? await edit(undefined, () => {}) : undefined;
    const { hooks } = JSON.parse(text ?? "{}");
    if (hooks !== undefined) {
      return shapeOf(
        hooks,
        (words) => words.at(-1) === client ? [words[0]] : [words[0], words[2]],
      );
    }
  }
}

/** Events, matchers, limits and the words of the hooks. */
function shapeOf(
  hooks: Record<string, Group[]>,
  toWords: (words: string[]) => string[],
): unknown {
  return Object.entries(hooks).map(([event, groups]) => [
    event,
    groups.map(({ matcher, hooks }) => [
      matcher,
      hooks.map(({ command, timeout }) => [toWords(toHookWords(command)), timeout]),
    ]),
  ]);
}
