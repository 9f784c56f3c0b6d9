#!/usr/bin/env node
// The `ctx` of the npm package: starts ctx's bundle with the Deno that npm installed beside it,
// with the permissions of the sub-command. Hands on standard streams, signals and the exit code.

import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const permissions = JSON.parse(readFileSync(join(root, "permissions.json"), "utf8"));
const words = process.argv.slice(2);
const command = permissions.other_words[words.slice(0, 2).join(" ")] ?? words[0];
const deno = findDeno();
const pager = findPager();
// Where ctx leaves what is longer than the screen; the directory is this user's alone.
const pages = pager && mkdtempSync(join(tmpdir(), "ctx-page-"));
if (pages) process.on("exit", () => rmSync(pages, { recursive: true, force: true }));
const [opener] = findOpener(command);
const child = spawn(deno, [
  "run",
  ...permissions.start,
  ...permissionsOf(command ?? permissions.bare_command),
  join(root, "app", "mod.js"),
  ...words,
], {
  stdio: "inherit",
  env: {
    ...process.env,
    CTX_EXECUTABLE: self,
    CTX_PARENT: String(process.ppid),
    ...(opener ? { CTX_OPENER: opener } : {}),
    CTX_PAGE: pages ? join(pages, "page") : "",
    DENO_NO_UPDATE_CHECK: "1",
    DENO_NO_PACKAGE_JSON: "1",
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  process.stderr.write(`ctx: Cannot start Deno: ${error.message}\nhint: npm install again\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (pages && signal === null) showPage(join(pages, "page"));
  process.exit(code ?? 128 + (constants.signals[signal] ?? 1));
});

/** The user's pager, where the words print for reading on a terminal; else nothing. */
function findPager() {
  const said = process.env.CTX_PAGER ?? process.env.PAGER ?? "less -FRX";
  if (!process.stdout.isTTY || process.platform === "win32") return;
  if (["", "dumb"].includes(process.env.TERM ?? "")) return;
  if (said.trim() === "" || said === "cat") return;
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  if (flags.some((word) => /^--(json(=.*)?|no-pager)$/.test(word))) return;
  const names = [words[0], words.slice(0, 2).join(" ")];
  const reads = names.some((name) => permissions.paged_commands.includes(name));
  return reads || flags.includes("--help") || flags.includes("-h") ? said : undefined;
}

/** The page is gone before the pager begins; printed as it is when that cannot start or fails. */
function showPage(path) {
  if (!existsSync(path)) return;
  const [first, second] = [openSync(path), openSync(path)];
  rmSync(path);
  const { status } = spawnSync("sh", ["-c", pager], {
    stdio: [first, "inherit", "inherit"],
    env: { LESS: "FRX", LESSCHARSET: "utf-8", LV: "-c", ...process.env },
  });
  if ([1, 126, 127].includes(status)) spawnSync("cat", { stdio: [second, "inherit", "inherit"] });
  closeSync(first);
  closeSync(second);
}

/** A server starts ctx again with less; no other program can be started, but what opens its page. */
function permissionsOf(command) {
  if (permissions.local_commands.includes(command)) return permissions.local;
  if (permissions.self_commands.includes(command)) return [...permissions.local, toRun(self)];
  if (permissions.editor_commands.includes(command)) {
    const editor = process.env.VISUAL?.trim() || process.env.EDITOR?.trim() || "vi";
    return [...permissions.local, toRun(editor.split(/\s+/)[0])];
  }
  if (permissions.net_commands.includes(command)) return permissions.net;
  return [...permissions.net, toRun(deno, ...findOpener(command))];
}

function toRun(...paths) {
  return `--allow-run=${paths.map((path) => path.replaceAll(",", ",,")).join()}`;
}

/** What opens the link of a server that has a page; ctx finds it in CTX_OPENER. */
function findOpener(command) {
  if (!permissions.page_servers.includes(command)) return [];
  const directories = (process.env.PATH ?? "").split(delimiter);
  const opener = (permissions.openers[process.platform] ?? [])
    .find((name) => directories.some((directory) => existsSync(join(directory, name))));
  return opener === undefined ? [] : [opener];
}

/** The executable itself: Deno's own shim would be one process more. */
function findDeno() {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const path = join(dirname(require.resolve("deno/package.json")), name);
  return existsSync(path) ? path : require("deno/install_api.cjs").runInstall();
}
