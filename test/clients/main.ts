// `deno task clients [--handoff|--plugins|--compaction] [NAME…]`: the memory loop with the real clients, a scripted model
// and the built file; or a session of another agent that they resume, or one of theirs that they compact. Clients are installed
// outside the repository; then everything runs where only loopback exists. Too large for every build: run
// before a change of hooks, setup, capture, recall or handoff is done.

import { toMarkdown } from "../../bench/support/table.ts";
import { builtCtx } from "../support/processes/built_ctx.ts";
import { repository } from "../support/repository.ts";
import type { ClientCheck } from "./client_checks.ts";
import { driveClient } from "./drive_client.ts";
import { driveCompaction } from "./drive_compaction.ts";
import { driveHandoff } from "./drive_handoff.ts";
import { drivePlugin } from "./drive_plugin.ts";
import {
  type ClientName,
  clientNames,
  installClient,
  type InstalledClient,
} from "./install_clients.ts";
import { findTool, toolNames } from "./package_tools.ts";

const insideMark = "CTX_CLIENTS_INSIDE";

/** What is driven: how, where the results go, and what they are about. */
const parts = {
  loop: {
    drive: driveClient,
    results: "bench/results/clients.md",
    title: "The memory loop with real clients",
    table: "Three sessions of each client",
    about:
      `The first session decides something; the second must know it without asking, then searches;
the third starts untold and must be told by its prompt.`,
  },
  handoff: {
    drive: driveHandoff,
    results: "bench/results/handoff.md",
    title: "A session of another agent, resumed by real clients",
    table: "One handoff to each client",
    about:
      `Claude Code resumes a session of Codex, the others one of Claude Code, written by \`ctx handoff\`
and opened with the command that it prints.`,
  },
  plugins: {
    drive: drivePlugin,
    results: "bench/results/plugins.md",
    title: "ctx as a plugin or extension of real clients",
    table: "Two sessions of each client, and one with both",
    about: `Installed by the client's own commands from what \`deno task packages\` writes; then
\`ctx setup\` as well.`,
  },
  compaction: {
    drive: driveCompaction,
    results: "bench/results/compaction_clients.md",
    title: "A session that is compacted by real clients",
    table: "One compaction of each client",
    about: `The session reads two files and runs a command; the summary names one of the files.`,
  },
};
type Part = typeof parts[keyof typeof parts];

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(words: string[]): Promise<number> {
  const flag = words.find((word) => word.startsWith("--"))?.slice(2) as keyof typeof parts;
  const part = parts[flag ?? "loop"];
  const named = words.filter((word) => !word.startsWith("--"));
  // Qwen Code has no plugin of ctx.
  const all = flag === "plugins" ? clientNames.filter((name) => name !== "qwen") : clientNames;
  const names = named.length === 0 ? all : named.map(toName);
  const inside = Deno.env.get(insideMark);
  if (inside === undefined) {
    for (const name of names) {
      const { version, sizeMb } = await installClient(name);
      say(`${name} ${version}: ${sizeMb} MB`);
    }
    if (flag === "plugins") {
      for (const name of toolNames) await findTool(name, { installs: true });
    }
    await builtCtx();
    const code = await runWithoutNetwork(words);
    if (code !== undefined) return code;
    say("not held to loopback: this machine gives no network namespace (unshare -n)");
  }
  const { path } = await builtCtx();
  const done: { client: InstalledClient; checks: ClientCheck[]; ms: number }[] = [];
  for (const name of names) {
    const client = await installClient(name);
    const begin = performance.now();
    const checks = await part.drive(client, path);
    const ms = performance.now() - begin;
    for (const { name: what, ok, seen } of checks) {
      say(`${ok ? "ok  " : "FAIL"} ${name}: ${what} (${seen})`);
    }
    done.push({ client, checks, ms });
  }
  const failed = done.flatMap(({ checks }) => checks).filter(({ ok }) => !ok).length;
  if (names.length === all.length) {
    await Deno.writeTextFile(`${repository}/${part.results}`, toReport(part, done, inside === "1"));
    say(`wrote ${part.results}`);
  }
  say(failed === 0 ? "all checks hold" : `${failed} checks do not hold`);
  return failed === 0 ? 0 : 1;
}

/** The same again in a network namespace of its own; undefined where there can be none. */
async function runWithoutNetwork(words: string[]): Promise<number | undefined> {
  const probe = ["-n", "sh", "-c", "ip link set lo up"];
  const { code } = await new Deno.Command("unshare", { args: probe, stderr: "null" }).output()
    .catch(() => ({ code: 1 }));
  if (code !== 0) return undefined;
  const self = [Deno.execPath(), "run", "-A", import.meta.url.slice("file://".length), ...words];
  const { code: exit } = await new Deno.Command("unshare", {
    args: ["-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", ...self],
    cwd: repository,
    env: { [insideMark]: "1" },
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  return exit;
}

function toReport(
  part: Part,
  done: { client: InstalledClient; checks: ClientCheck[]; ms: number }[],
  isolated: boolean,
): string {
  const names = [...new Set(done.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  const cell = (checks: ClientCheck[], name: string): string => {
    const found = checks.find((one) => one.name === name);
    if (found === undefined) return "–";
    return found.ok ? `yes (${toCell(found.seen)})` : `**no** (${toCell(found.seen)})`;
  };
  const table = toMarkdown({
    title: part.table,
    head: ["check", ...done.map(({ client }) => `${client.name} ${client.version}`)],
    rows: [
      ...names.map((name) => [name, ...done.map(({ checks }) => cell(checks, name))]),
      ["whole run", ...done.map(({ ms }) => `${(ms / 1000).toFixed(0)} s`)],
      ["installed size", ...done.map(({ client }) => `${client.sizeMb} MB`)],
    ],
  });
  const date = new Date().toISOString().slice(0, 10);
  const net = isolated ? "only loopback exists" : "the network was not taken away";
  const flag = Object.entries(parts).find(([, one]) => one === part)?.[0];
  const task = flag === "loop" ? "clients" : `clients --${flag}`;
  return `# ${part.title}

\`deno task ${task}\`, ${date}, Deno ${Deno.version.deno}, ${Deno.build.os}-${Deno.build.arch}; a
scripted model on 127.0.0.1, the built file in a fresh home, ${net}.
${part.about}

${table}`;
}

function toCell(text: string): string {
  const line = text.replaceAll(/\/[\w/]*\/client-[\da-f]+/g, "…").replaceAll(/\s+/g, " ")
    .replaceAll("|", "/");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function toName(word: string): ClientName {
  const name = clientNames.find((one) => one === word);
  if (name === undefined) throw new Error(`Unknown client "${word}": ${clientNames.join(", ")}`);
  return name;
}

function say(words: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${words}\n`));
}
