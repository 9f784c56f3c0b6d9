// The lines that agents run at their events, run as agents run them: without ctx on the machine each
// succeeds and prints nothing, and the lines of a ctx that was elsewhere are replaced.

import assert from "node:assert/strict";
import { setupClientNames, setupClients } from "../../src/setup/setup_clients.ts";
import { toHookLine, toHookWords } from "../../src/setup/hook_line.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { SetupHome } from "../support/processes/setup_home.ts";

const settings: Record<string, Record<string, string>> = {
  "claude-code": { ".claude/settings.json": '{\n\t"model": "opus", "hooks": {"Stop": []}\n}' },
  "codex": { ".codex/hooks.json": '{"hooks":{}}', ".codex/config.toml": "# mine\n" },
  "cursor": { ".cursor/hooks.json": '{\r\n  "version": 1\r\n}\r\n' },
  "gemini": { ".gemini/settings.json": '{\n  "theme": "GitHub" // mine\n}\n' },
  "qwen": { ".qwen/settings.json": '{\n  "theme": "GitHub" // mine\n}\n' },
};
const withShell = setupClientNames.filter((name) =>
  !setupClients[name].isServerOnly && name !== "opencode"
);
const shells = ["sh", "bash", "zsh", "fish"].filter(isInstalled);

const isWindows = notOnWindows("cmd lines have their own test");

for (const client of withShell) {
  for (const scope of ["user", "project"]) {
    Deno.test(`hooks of ${client} (${scope}) succeed in silence once ctx is removed`, {
      ignore: isWindows,
    }, async () => {
      await using home = new SetupHome(settings[client] ?? {});
      const bin = `${home.path}/a person's\nbin`;
      Deno.mkdirSync(bin);
      home.executable = `${bin}/ctx`;
      await home.setup(client, { scope });
      const lines = hookLines(home.read());
      assert.ok(lines.length >= 1);
      for (const shell of shells) {
        for (const line of lines) {
          assert.deepEqual(await run(shell, line, bin), { code: 0, stdout: "", stderr: "" }, line);
        }
        write(`${bin}/ctx`, 'cat; echo "$1" "$2"');
        const [first] = lines;
        const agent = toHookWords(first).at(-1);
        assert.equal((await run(shell, first, bin)).stdout, `{}\nhook ${agent}\n`);
        // 2 means "block" to agents; another program named ctx may return it for words it does not know.
        write(`${bin}/ctx`, "echo usage >&2; exit 2");
        assert.deepEqual(await run(shell, first, bin), { code: 1, stdout: "", stderr: "usage\n" });
        Deno.removeSync(`${bin}/ctx`);
      }
      await home.setup(client, { scope, remove: true });
      assert.deepEqual(home.read(), home.before);
    });

    Deno.test(`hooks of ${client} (${scope}) of a ctx that was elsewhere are replaced`, async () => {
      await using home = new SetupHome(settings[client] ?? {});
      home.executable = "/opt/before/ctx";
      await home.setup(client, { scope });
      const before = home.read();
      home.executable = "/opt/after/ctx";
      await home.setup(client, { scope });
      if (scope === "user") {
        const moved = Object.entries(before)
          .map(([path, text]) => [path, text.replaceAll("/opt/before/ctx", "/opt/after/ctx")]);
        const isText = ([path]: string[]): boolean => !path.includes("ctx-retrieval");
        const now = Object.entries(home.read()).filter(isText);
        assert.deepEqual(now, moved.filter(isText), "every line once, in its place");
      }
      await home.setup(client, { scope, remove: true });
      assert.deepEqual(hookLines(home.read()), []);
      for (const [path, text] of Object.entries(home.before)) {
        assert.equal(home.read()[path], text);
      }
    });
  }
}

Deno.test("an OpenCode plugin of an earlier build is replaced, and --remove leaves nothing of it", async () => {
  await using home = new SetupHome({});
  await home.setup("opencode");
  const [path] = Object.keys(home.read()).filter((name) => name.endsWith("plugin/ctx.js"));
  const now = home.read()[path];
  Deno.writeTextFileSync(
    `${home.path}/${path}`,
    now.replace("const endMs = 4000", "const endMs = 1"),
  );
  await home.setup("opencode");
  assert.equal(home.read()[path], now);
  await home.setup("opencode", { remove: true });
  const left = [...Deno.readDirSync(`${home.path}/${path}`.replace(/\/[^/]*$/, ""))];
  assert.deepEqual(left, []);
});

Deno.test("hooks on Windows run ctx in cmd, and succeed in silence once it is removed", {
  ignore: Deno.build.os !== "windows",
}, async () => {
  for (const client of withShell.filter((name) => name !== "claude-code")) {
    await using home = new SetupHome(settings[client] ?? {});
    const bin = `${home.path}/a person's bin`;
    Deno.mkdirSync(bin);
    home.executable = `${bin}/ctx.cmd`.replaceAll("/", "\\");
    await home.setup(client);
    const [line] = hookLines(home.read());
    assert.deepEqual(await runInCmd(line), { code: 0, stdout: "", stderr: "" }, line);
    Deno.writeTextFileSync(`${bin}/ctx.cmd`, "@echo %1 %2\r\n@exit /b 1\r\n");
    const { code, stdout } = await runInCmd(line);
    assert.equal(stdout.trim(), `hook ${toHookWords(line).at(-1)}`);
    assert.equal(code, 1);
  }
});

Deno.test("hooks on Windows: one line for cmd and PowerShell, bash for Claude Code", () => {
  const words = ["C:\\Program Files\\ctx.exe", "hook", "gemini"];
  const line = toHookLine(words, { os: "windows" });
  assert.equal(
    line,
    'cmd /d /c if exist "C:\\Program Files\\ctx.exe" "C:\\Program Files\\ctx.exe" hook gemini',
  );
  assert.deepEqual(toHookWords(line), words);
  assert.match(
    toHookLine(words, { os: "windows", hasBash: true }),
    /^command -v 'C:\/Program Files\/ctx.exe' /,
  );
});

Deno.test("hooks on Windows look for a bare ctx first, and end with 0 or 1", () => {
  const words = ["ctx", "hook", "codex"];
  const line = toHookLine(words, { os: "windows" });
  assert.equal(line, 'cmd /d /c "where /q ctx || exit 0 & call ctx hook codex || exit 1"');
  assert.deepEqual(toHookWords(line), words);
  assert.deepEqual(toHookWords("ctx hook codex"), words);
  for (const [shell, word] of [["cmd", /[%^!]/], ["PowerShell", /[$`]/]] as const) {
    assert.doesNotMatch(line, word, `${shell} would change it`);
  }
  assert.equal(line.match(/"/g)?.length, 2);
});

/** Every line that a shell would be given, out of settings of whatever form. */
function hookLines(files: Record<string, string>): string[] {
  const lines = Object.values(files).flatMap((text) =>
    [...text.matchAll(/"command": ?("(?:[^"\\]|\\.)*\bhook (?:[^"\\]|\\.)*")/g)]
      .map(([, line]): string => JSON.parse(line))
  );
  return [...new Set(lines)];
}

async function run(
  shell: string,
  line: string,
  bin: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = new Deno.Command(shell, {
    args: ["-c", line],
    clearEnv: true,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: bin },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // Whoever does not read it closes it.
  await writer.write(new TextEncoder().encode("{}\n")).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out, stderr: err };
}

/** Runs a line as the agents that have no bash do it on Windows. */
async function runInCmd(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command("cmd.exe", {
    args: ["/d", "/s", "/c", `"${line}"`],
    windowsRawArguments: true,
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out, stderr: err };
}

function write(path: string, script: string): void {
  Deno.writeTextFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
}

function isInstalled(shell: string): boolean {
  try {
    return Deno.statSync(`/bin/${shell}`).isFile;
  } catch {
    return false;
  }
}
