// `ctx isolation test`: plants canaries in other sessions and in another workspace, scopes a server to
// one session, and tries every command, tool, resource, prompt and completion. Works in temporary
// directories; your own store is not touched.

import { openContext } from "../../app/app.ts";
import { loadCommands } from "../../commands/mod.ts";
import {
  type IsolatedStore,
  type IsolationPlan,
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

/** What else is planted and tried, beside what every store and command has. */
export interface MoreCanaries {
  plant?(store: string, secrets: string[]): void;
  inputs?: IsolationPlan["inputs"];
}

/** Plants, tries and cleans up. */
export async function runIsolationTest(more: MoreCanaries = {}): Promise<IsolationReport> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-isolation-" }));
  try {
    const secrets = Array.from({ length: 12 }, (_, i) => `canary${i}x${crypto.randomUUID()}`);
    plantCanaries(`${root}/crowd/project`, secrets, [own, other]);
    plantCanaries(`${root}/alone/project`, secrets, [own]);
    plantCanaries(`${root}/elsewhere/project`, secrets, [other]);
    for (const name of ["crowd", "elsewhere"]) {
      more.plant?.(`${root}/${name}/project/.contextfs`, secrets);
    }
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
        ...more.inputs ?? [],
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
