#!/usr/bin/env node
// The `ctx` of the npm package as it is packed. Where npm may run scripts, a launcher that needs no
// Node takes its place; otherwise this starts that launcher. On Windows, which has no shell for it,
// this starts Deno itself, with the permissions of the sub-command.

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const { join } = require("node:path");
const root = join(__dirname, "..");
const { findDeno, findLauncher, findShim } = require(join(root, "npm_parts.cjs"));

const words = process.argv.slice(2);
const launcher = findLauncher();
// What other programs start as ctx: Windows cannot start this file itself.
const self = findShim() ?? __filename;
// Becomes the launcher, in a Node that can.
if (launcher !== undefined && process.execve) process.execve(launcher, [launcher, ...words]);
const child = launcher === undefined
  ? startDeno(findDeno())
  : spawn(launcher, words, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  process.stderr.write(
    `ctx: Cannot start: ${error.message}\nhint: install it again: npm i -g @ctx/ctx\n`,
  );
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));

function startDeno(deno) {
  const permissions = require(join(root, "permissions.json"));
  const command = permissions.other_words[words.slice(0, 2).join(" ")] ?? words[0];
  return spawn(deno, [
    "run",
    ...permissions.start,
    ...permissionsOf(command ?? permissions.bare_command, { deno, permissions }),
    join(root, "app", "mod.js"),
    ...words,
  ], {
    stdio: "inherit",
    env: {
      ...process.env,
      CTX_EXECUTABLE: self,
      CTX_PARENT: String(process.ppid),
      CTX_PAGE: "",
      DENO_NO_UPDATE_CHECK: "1",
      DENO_NO_PACKAGE_JSON: "1",
    },
  });
}

/**
 * Servers restart ctx with fewer permissions. Besides ctx, only your editor may start; on Windows `cmd`
 * starts it if it is a script.
 */
function permissionsOf(command, { deno, permissions }) {
  if (permissions.local_commands.includes(command)) return permissions.local;
  if (permissions.self_commands.includes(command)) return [...permissions.local, toRun(self)];
  if (permissions.editor_commands.includes(command)) {
    const windows = process.platform === "win32";
    const words = process.env.VISUAL?.trim() || process.env.EDITOR?.trim() ||
      (windows ? "notepad" : "vi");
    const [editor] = words.split(/\s+/);
    return [...permissions.local, toRun(editor, ...(windows && isScript(editor) ? ["cmd"] : []))];
  }
  if (permissions.net_commands.includes(command)) return permissions.net;
  return [...permissions.net, toRun(deno)];
}

/** Whether the first program of a name on the PATH of Windows is a script, such as code.cmd. */
function isScript(name) {
  const directories = (process.env.PATH ?? "").replaceAll('"', "").split(";").filter(Boolean);
  const first = directories
    .flatMap((directory) => [".exe", ".cmd", ".bat"].map((end) => join(directory, name + end)))
    .find((path) => existsSync(path));
  return /\.(?:cmd|bat)$/.test(first ?? "");
}

function toRun(...paths) {
  return `--allow-run=${paths.map((path) => path.replaceAll(",", ",,")).join(",")}`;
}
