// `deno task clients [NAME…]`: the memory loop with the real clients, a scripted model and the built
// file. Clients are installed outside the repository; then everything runs where only loopback
// exists. Too large for every build: run before a change of hooks, setup, capture or recall is done.

import { toMarkdown } from "../../bench/support/table.ts";
import { builtCtx } from "../support/processes/built_ctx.ts";
import { repository } from "../support/repository.ts";
import type { ClientCheck } from "./client_checks.ts";
import { driveClient } from "./drive_client.ts";
import {
  type ClientName,
  clientNames,
  installClient,
  type InstalledClient,
} from "./install_clients.ts";

const insideMark = "CTX_CLIENTS_INSIDE";
const results = `${repository}/bench/results/clients.md`;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(words: string[]): Promise<number> {
  const names = words.length === 0 ? clientNames : words.map(toName);
  const inside = Deno.env.get(insideMark);
  if (inside === undefined) {
    for (const name of names) {
      const { version, sizeMb } = await installClient(name);
      say(`${name} ${version}: ${sizeMb} MB`);
    }
    await builtCtx();
    const code = await runWithoutNetwork(names);
    if (code !== undefined) return code;
    say("not held to loopback: this machine gives no network namespace (unshare -n)");
  }
  const { path } = await builtCtx();
  const done: { client: InstalledClient; checks: ClientCheck[]; ms: number }[] = [];
  for (const name of names) {
    const client = await installClient(name);
    const begin = performance.now();
    const checks = await driveClient(client, path);
    const ms = performance.now() - begin;
    for (const { name: what, ok, seen } of checks) {
      say(`${ok ? "ok  " : "FAIL"} ${name}: ${what} (${seen})`);
    }
    done.push({ client, checks, ms });
  }
  const failed = done.flatMap(({ checks }) => checks).filter(({ ok }) => !ok).length;
  if (names.length === clientNames.length) {
    await Deno.writeTextFile(results, toReport(done, inside === "1"));
    say(`wrote ${results.slice(repository.length + 1)}`);
  }
  say(failed === 0 ? "all checks hold" : `${failed} checks do not hold`);
  return failed === 0 ? 0 : 1;
}

/** The same again in a network namespace of its own; undefined where there can be none. */
async function runWithoutNetwork(names: string[]): Promise<number | undefined> {
  const probe = ["-n", "sh", "-c", "ip link set lo up"];
  const { code } = await new Deno.Command("unshare", { args: probe, stderr: "null" }).output()
    .catch(() => ({ code: 1 }));
  if (code !== 0) return undefined;
  const self = [Deno.execPath(), "run", "-A", import.meta.url.slice("file://".length), ...names];
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
    title: "Three sessions of each client",
    head: ["check", ...done.map(({ client }) => `${client.name} ${client.version}`)],
    rows: [
      ...names.map((name) => [name, ...done.map(({ checks }) => cell(checks, name))]),
      ["whole run", ...done.map(({ ms }) => `${(ms / 1000).toFixed(0)} s`)],
      ["installed size", ...done.map(({ client }) => `${client.sizeMb} MB`)],
    ],
  });
  const date = new Date().toISOString().slice(0, 10);
  const net = isolated ? "only loopback exists" : "the network was not taken away";
  return `# The memory loop with real clients

\`deno task clients\`, ${date}, Deno ${Deno.version.deno}, ${Deno.build.os}-${Deno.build.arch}; a
scripted model on 127.0.0.1, the built file in a fresh home, ${net}. The first session decides
something; the second must know it without asking, then searches; the third starts untold and must
be told by its prompt.

${table}`;
}

function toCell(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "/");
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
