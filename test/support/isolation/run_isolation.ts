// The thorough isolation test: plants canaries in other sessions and in another workspace, scopes a server to
// one session, and tries every command, tool, resource, prompt and completion. Works in temporary
// directories.

import { openContext } from "../../../src/app/app.ts";
import { realPath } from "../../../src/core/platform_path.ts";
import { parseArgv } from "../../../src/cli/line/argv.ts";
import { exampleWords } from "../../../src/cli/line/doors.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { isFullLength } from "../full_length.ts";
import { nowMs, other, otherRows, own, plantCanaries } from "./plant_canaries.ts";
import {
  type IsolatedStore,
  type IsolationPlan,
  type IsolationReport,
  testIsolation,
} from "./try_isolation.ts";

/** What else is planted and tried, beside what every store and command has. */
export interface MoreCanaries {
  plant?(store: string, secrets: string[]): void;
  inputs?: IsolationPlan["inputs"];
}

/** Plants, tries and cleans up. */
export async function runIsolationTest(more: MoreCanaries = {}): Promise<IsolationReport> {
  const root = realPath(Deno.makeTempDirSync({ prefix: "ctx-isolation-" }));
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
      every: isFullLength ? 1 : 4,
      crowded: openScoped(`${root}/crowd/project`, root),
      alone: openScoped(`${root}/alone/project`, root),
      secrets,
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
