// `ctx isolation test`: plants canaries in other sessions and in another workspace, pins a server to
// one session, and tries every command, tool, resource, prompt and completion. Works in temporary
// directories; your own store is not touched.

import { openContext } from "../app.ts";
import { loadCommands } from "../commands/mod.ts";
import { type IsolatedStore, type IsolationReport, testIsolation } from "../mcp/isolation.ts";
import { parseArgv } from "./argv.ts";
import { defineProcess } from "./process.ts";
import { writeOut } from "./terminal.ts";
import { oneOf } from "../commands/param.ts";

const own = "S-own-session";
const other = "S-other-session";
const nowMs = Date.parse("2026-06-01T12:00:00.000Z");

/** Tests that a pin holds. */
export const isolation = defineProcess({
  name: "isolation",
  group: "Serving",
  summary: "Test that a server pinned to one session shows nothing else.",
  description:
    "Plants canaries in other sessions and another workspace, in temporary directories, and tries every command, tool, resource, prompt and completion with other sessions' ids, paths and patterns. Exit status 7 means that something came through.",
  input: {
    action: oneOf("What to do: test.", ["test"]),
  },
  positional: ["action"],
  examples: [{ argv: ["isolation", "test"], about: "Does the pin hold?" }],
  async run(_input, world) {
    const report = await runIsolationTest();
    const { attempts, leaks } = report;
    const lines = leaks.map((leak) => `${leak.kind}: ${leak.attempt}: ${leak.detail}\n`).join("");
    const verdict = `${attempts} attempts, ${leaks.length} leaks\n`;
    writeOut("stdout", world.json ? JSON.stringify(report) + "\n" : lines + verdict);
    return leaks.length === 0 ? 0 : 7;
  },
});

/** Plants, tries and cleans up. */
export async function runIsolationTest(): Promise<IsolationReport> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-isolation-" }));
  try {
    const secrets = Array.from({ length: 12 }, (_, i) => `canary${i}x${crypto.randomUUID()}`);
    plant(`${root}/crowd/project`, [...ownRows(), ...otherRows(secrets)], secrets);
    plant(`${root}/alone/project`, ownRows(), []);
    plant(`${root}/elsewhere/project`, otherRows(secrets), secrets);
    const commands = (await loadCommands()).filter((command) => !command.local);
    const report = await testIsolation({
      commands,
      crowded: openPinned(`${root}/crowd/project`, root),
      alone: openPinned(`${root}/alone/project`, root),
      secrets,
      bait: [
        other,
        "H-other-1",
        "all",
        "rotation OR beacon",
        "../../elsewhere/project/.contextfs/history.ndjson",
        `${root}/elsewhere/project`,
      ],
      inputs: commands.flatMap((command) =>
        command.examples.filter((example) => example.input === undefined).map((example) => ({
          command: command.name,
          input: parseArgv(example.argv.slice(command.name.split(" ").length), command).input,
        }))
      ),
    });
    checkUntouched(`${root}/crowd/project`, report, secrets);
    return report;
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

function openPinned(workspace: string, root: string): IsolatedStore {
  let count = 0;
  return {
    openContext(say) {
      const context = openContext({
        surface: "mcp",
        workspace,
        confined: true,
        pinnedSession: own,
        now: () => nowMs,
        random: () => `random-${count++}`,
        env: (name) => name === "HOME" ? root : undefined,
        warn: say,
        progress: say,
      });
      return { ...context, ticks: () => 0 };
    },
    normalise: (text) => text.replaceAll(workspace, "WORKSPACE").replaceAll(/#random\d*/g, "#"),
  };
}

/** What an attacker would like to change must be as it was: every planted row, and no new ones. */
function checkUntouched(workspace: string, report: IsolationReport, secrets: string[]): void {
  report.attempts++;
  const rows = Deno.readTextFileSync(`${workspace}/.contextfs/history.ndjson`).trim().split("\n")
    .map((line) => JSON.parse(line));
  const planted = otherRows(secrets).map((row) => JSON.stringify(row));
  const found = rows.filter((row) => row.session_id === other).map((row) => JSON.stringify(row));
  const buried = rows.flatMap((row) => row.type === "tombstone" ? row.refs : [])
    .filter((id: string) => id.startsWith("H-other"));
  if (found.join("\n") === planted.join("\n") && buried.length === 0) return;
  report.leaks.push({
    attempt: "write to another session",
    kind: "difference",
    detail: `${found.length} rows, ${buried.length} buried`,
  });
}

function ownRows(): object[] {
  return ["The beacon answers on port 7", "Rotation of tokens is done on every use"].map((
    text,
    i,
  ) => ({
    id: `H-own-${i + 1}`,
    ts: new Date(nowMs - 86_400_000 + i * 1000).toISOString(),
    role: i === 0 ? "user" : "assistant",
    type: "turn",
    text,
    session_id: own,
    project: "shared-project",
  }));
}

/** Rows whose every field holds a canary; their words are also words of the own session. */
function otherRows(secrets: string[]): object[] {
  return [1, 2, 3].map((n) => ({
    id: `H-other-${n}`,
    ts: new Date(nowMs - 3_600_000 + n * 1000).toISOString(),
    role: n === 1 ? "user" : "note",
    type: n === 3 ? "decision" : "note",
    text: `The rotation beacon secret is ${secrets[0]}`,
    session_id: other,
    title: `rotation ${secrets[1]}`,
    summary: `beacon ${secrets[2]}`,
    tags: [secrets[3]],
    files: [`src/${secrets[4]}.ts`],
    project: secrets[5],
    branch: secrets[6],
    source: { agent: secrets[7], conversation: secrets[8] },
    ...(n === 2 ? { supersedes: "H-own-1" } : {}),
  }));
}

function plant(workspace: string, rows: object[], secrets: string[]): void {
  const store = `${workspace}/.contextfs`;
  Deno.mkdirSync(store, { recursive: true });
  const write = (name: string, text: string): void =>
    Deno.writeTextFileSync(`${store}/${name}`, text);
  const lines = (items: object[]): string =>
    items.map((row) => JSON.stringify(row) + "\n").join("");
  const ts = new Date(nowMs - 86_400_000).toISOString();
  write("history.ndjson", lines(rows));
  write("config.jsonc", '{ "durability": "fast" }\n');
  const events = [{ event: "opened", session_id: own, ts, title: "own work" }];
  write("pins.md", "- [H-own-1] the beacon\n");
  write("sessions.ndjson", lines(events));
  if (secrets.length === 0) return;
  write(
    "sessions.ndjson",
    lines([...events, { event: "opened", session_id: other, ts, title: secrets[9] }]),
  );
  write(
    "pins.md",
    `- [H-own-1] the beacon\n- [H-other-1] ${secrets[10]}\n- by hand ${secrets[10]}\n`,
  );
  write("summary.md", `# Summary\n${secrets[11]}\n`);
  write("retrieval.traces.ndjson", lines([{ trace_id: "T-1", ts, query: secrets[11] }]));
  write("suggestions.ndjson", lines([{ id: "G-1", ts, title: secrets[11] }]));
  write("history.bad.ndjson", lines([{ text: secrets[11] }]));
}
