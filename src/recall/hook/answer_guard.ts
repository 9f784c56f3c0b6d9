// Answers a hook before a tool runs where the workspace has guards: whether the command or edit breaks a
// rule that the user made binding. What fails here, or takes long, never stops an agent.

import type { Context } from "../../command/command.ts";
import { toFields } from "../../core/json.ts";
import { diskFiles } from "../../disk/files.ts";
import { findWorkspace, type Layout, layoutOf } from "../../disk/layout.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import type { HookCall } from "./hook_call.ts";

/** What to print so that it does not happen or the user is asked; undefined where it may go on. */
export async function answerGuard(call: HookCall, context: Context): Promise<string | undefined> {
  const workspace = findWorkspace(context);
  if (workspace === undefined) return undefined;
  const layout = layoutOf(workspace);
  if (diskFiles.findSize(layout.guards) === undefined) return undefined;
  const { readGuards } = await import("../../guard/guard_file.ts");
  const { guards } = await readGuards(diskFiles, layout);
  const breaches = await findBreaches([...guards, ownGuard], { call, workspace, context });
  if (breaches.length === 0) return undefined;
  return await answerBreaches(breaches, { call, layout, context });
}

/** Agents do not change what binds them: not while there is something that does. */
const ownGuard: Guard = {
  id: "guards",
  rule: "agents do not change guards",
  since: "",
  mode: "deny",
  isOwn: true,
  check: { on: "edit", touches: [".contextfs/guards.jsonc", ".contextfs/guards.ndjson"] },
};

interface Place {
  call: HookCall;
  workspace: string;
  context: Context;
}

/** The guards that a tool call breaks. */
async function findBreaches(guards: readonly Guard[], place: Place): Promise<Breach[]> {
  const { call, workspace } = place;
  const command = findCommand(call.message);
  if (command !== undefined) {
    const { checkCommand } = await import("../../guard/check_command.ts");
    const { findBranch, findRepository } = await import("../../code/git/git_repository.ts");
    const branch = (): string | undefined => {
      const repository = findRepository(call.cwd ?? workspace);
      return repository && findBranch(repository);
    };
    const broken = [
      ...await checkCommand(guards, command, branch),
      ...await changesGuards(command),
    ];
    if (!guards.some(({ check }) => check.on === "end" && check.before)) return broken;
    const { undoneBefore } = await import("./answer_end.ts");
    return [...broken, ...await undoneBefore(guards, command, place)];
  }
  const { addedLines } = await import("../../guard/added_lines.ts");
  const edited = addedLines(call.message);
  if (edited.length === 0) return [];
  const { checkEdit } = await import("../../guard/check_edit.ts");
  return checkEdit(guards, edited.map((file) => toChange(file, place)));
}

/** Whether a command does more with the guards' files than to look at them. */
async function changesGuards(command: string): Promise<Breach[]> {
  if (!/\.contextfs[\\/]guards/.test(command)) return [];
  const { commandRuns } = await import("../../guard/command_runs.ts");
  const isLook = !/>\|?\s*\S*guards/.test(command) &&
    commandRuns(command).every(([program]) => lookers.has(program));
  return isLook ? [] : [{ guard: ownGuard, what: command }];
}

const lookers: ReadonlySet<string> = new Set(
  "cat less head tail grep rg jq ls stat wc cd echo bat diff".split(" "),
);

/** A file by its path in the workspace; of one that is there, only the lines that it does not have yet. */
function toChange(
  file: import("../../guard/added_lines.ts").EditedFile,
  { call, workspace, context }: Place,
): import("../../guard/check_edit.ts").FileChange {
  const from = call.cwd ?? context.cwd;
  const whole = file.path.startsWith("/") ? file.path : `${from}/${file.path}`;
  const path = whole.startsWith(`${workspace}/`) ? whole.slice(workspace.length + 1) : whole;
  return { ...file, path, exists: diskFiles.findSize(whole) !== undefined };
}

/** The command line of a call to a shell; undefined for other tools. */
function findCommand(message: unknown): string | undefined {
  const root = toFields(message);
  const input = toFields(root.tool_input ?? root.toolInput ?? root.args ?? root.input);
  const said = [
    input.command ?? input.cmd ?? (root.tool_input === undefined ? root.command : undefined),
  ]
    .flat();
  const isPatch = said.some((part) => typeof part === "string" && part.includes("*** Begin Patch"));
  const words = said.filter((part) => typeof part === "string");
  if (words.length === 0 || isPatch) return undefined;
  // Codex may give the words of a shell: bash, -lc, the line.
  return words.length > 1 && /^-\w*c$/.test(words[words.length - 2])
    ? words.at(-1)
    : words.join(" ");
}

async function answerBreaches(
  breaches: readonly Breach[],
  { call, layout, context }: { call: HookCall; layout: Layout; context: Context },
): Promise<string | undefined> {
  const [{ judgeBreaches }, words] = await Promise.all([
    import("./judge_breaches.ts"),
    import("../../guard/guard_words.ts"),
  ]);
  const binding = await judgeBreaches(breaches, { call, layout, context });
  if (binding.length === 0) return undefined;
  const mode = binding.some(({ guard }) => guard.mode === "deny") ? "deny" : "ask";
  const form = words.guardForm(call);
  return words.toGuardAnswer(form, { event: call.event, mode, words: words.guardWords(binding) });
}
