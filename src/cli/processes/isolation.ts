// `ctx isolation test`: plants canaries in other sessions and in another workspace, scopes a server to
// one session, and tries every command, tool, resource, prompt and completion. Works in temporary
// directories; your own store is not touched.

import { openContext } from "../../app/app.ts";
import { loadCommands } from "../../commands/mod.ts";
import {
  type IsolatedStore,
  type IsolationReport,
  testIsolation,
} from "../../serve/mcp/try_isolation.ts";
import { exampleWords } from "../line/doors.ts";
import { parseArgv } from "../line/argv.ts";
import { nowMs, other, otherRows, own, plantCanaries } from "./plant_canaries.ts";
import { defineProcess } from "../line/process.ts";
import { showProgress, writeOut } from "../line/terminal.ts";
import { oneOf } from "../../command/shape.ts";

/** Tests that a scope holds. */
export const isolation = defineProcess({
  name: "isolation",
  summary: "Test that a server scoped to one session shows nothing else.",
  description:
    "Plants canaries in other sessions and another workspace, in temporary directories, and tries every command, tool, resource, prompt and completion with other sessions' ids, paths and patterns. Exit status 7 means that something came through.",
  input: {
    action: oneOf(["test"], "What to do: test."),
  },
  positional: ["action"],
  examples: [{ argv: ["isolation", "test"], about: "Does the scope hold?" }],
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
    plantCanaries(`${root}/crowd/project`, secrets, [own, other]);
    plantCanaries(`${root}/alone/project`, secrets, [own]);
    plantCanaries(`${root}/elsewhere/project`, secrets, [other]);
    const commands = (await loadCommands()).filter((command) => !command.local);
    const report = await testIsolation({
      commands,
      crowded: openScoped(`${root}/crowd/project`, root),
      alone: openScoped(`${root}/alone/project`, root),
      secrets,
      onAttempt: (name, done, total) => showProgress(`trying ${name}`, done, total),
      bait: [
        other,
        "H-other-1",
        "all",
        "rotation OR beacon",
        "../../elsewhere/project/.contextfs/history.ndjson",
        `${root}/elsewhere/project`,
      ],
      inputs: [
        ...aimed,
        ...commands.flatMap((command) =>
          command.examples.filter((example) => example.input === undefined).map((example) => ({
            command: command.name,
            input: parseArgv(exampleWords(command, example), command).input,
          }))
        ),
      ],
    });
    checkUntouched(`${root}/crowd/project`, report, secrets);
    return report;
  } finally {
    showProgress("");
    Deno.removeSync(root, { recursive: true });
  }
}

/** The store's own files, which are in the workspace, by every command that is given a path. */
const ownFiles = [
  ".contextfs",
  ".",
  ...["history", "history.archive", "history.bad", "sessions", "suggestions", "subscriptions"]
    .map((name) => `.contextfs/${name}.ndjson`),
];

/** What an attacker who knows the other session's ids would ask, with no more than the schema says. */
const aimed: { command: string; input: object }[] = [
  { command: "poll", input: { subscription: "B-other-1" } },
  { command: "poll", input: { subscription: "B-other-2", cursor: 0, limit: 200 } },
  { command: "unsubscribe", input: { subscription: "B-other-1" } },
  { command: "unsubscribe", input: { subscription: "B-other-2" } },
  { command: "feedback", input: { suggestion: "G-other-1", verdict: "used", item: 1 } },
  { command: "feedback", input: { suggestion: "G-other-1", verdict: "used", item: 9 } },
  { command: "trace", input: { id: "T-other-1", replay: true } },
  { command: "trace", input: { id: "T-other-1", explain: true } },
  { command: "docs list", input: { collection: "handbook" } },
  { command: "docs outline", input: { document: "docs/handbook.md" } },
  { command: "docs section", input: { document: "docs/handbook.md", heading: "" } },
  { command: "get", input: { ids: ["H-other-4", "H-other-5", "H-other-6", "H-own-1"] } },
  { command: "search", input: { query: "collection:handbook beacon", scope: "docs" } },
  { command: "search", input: { query: `session:${other} beacon`, explain: true } },
  { command: "suggest", input: { file: "src/beacon.ts", repeat: true, min_score: 0, limit: 50 } },
  { command: "suggest", input: { symbol: "beacon", session: other, repeat: true, min_score: 0 } },
  ...ownFiles.flatMap((path) => [
    { command: "suggest", input: { file: path } },
    { command: "suggest", input: { file: "src/beacon.ts", repeat: true, reports: [path] } },
    { command: "import", input: { sources: ["contextfs"], root: path, dry_run: true } },
    { command: "import", input: { sources: ["ndjson"], root: path, dry_run: true } },
    { command: "import", input: { sources: ["contextfs"], root: path, session: other } },
  ]),
  ...["poll", "sse", "webhook"].flatMap((via) =>
    ["entity:H-other-3", "topic:beacon", "file:**"].map((pattern) => ({
      command: "subscribe",
      input: {
        patterns: [pattern],
        via,
        session: other,
        ...(via === "webhook" ? { url: "http://127.0.0.1:9/" } : {}),
      },
    }))
  ),
];

function openScoped(workspace: string, root: string): IsolatedStore {
  let count = 0;
  return {
    openContext(say) {
      const context = openContext({
        surface: "mcp",
        workspace,
        cwd: workspace,
        confined: true,
        scopedSession: own,
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
