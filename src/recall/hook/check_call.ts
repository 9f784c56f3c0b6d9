// Which guards a tool call breaks: by the command that it runs, the files that this writes, or the lines
// that it adds.

import type { Context } from "../../command/command.ts";
import { toFields } from "../../core/json.ts";
import { homeOf, normalizePath, resolvePath } from "../../core/platform_path.ts";
import { diskFiles } from "../../disk/files.ts";
import { layoutOf } from "../../disk/layout.ts";
import type { EditedFile } from "../../guard/added_lines.ts";
import type { FileChange } from "../../guard/check_edit.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import { findCommand, toolInputOf } from "../edit/hook_edit.ts";
import type { HookCall } from "./hook_call.ts";

/** Agents do not change what binds them: not while there is something that does. */
const ownGuard: Guard = {
  id: "guards",
  rule: "agents do not change guards",
  since: "",
  mode: "deny",
  isOwn: true,
  // By the paths of the files, not by patterns: see `checkFiles`.
  check: { on: "edit", touches: [".contextfs/guards.*"] },
};

/** A call, and where it is made. */
export interface CallPlace {
  call: HookCall;
  workspace: string;
  context: Context;
}

export async function findBreaches(guards: readonly Guard[], place: CallPlace): Promise<Breach[]> {
  const command = findCommand(place.call.message);
  if (command !== undefined) return await checkLine(guards, command, place);
  const read = findRead(place.call.message);
  if (read !== undefined) return await checkReads(guards, [read], place);
  const { addedLines } = await import("../../guard/added_lines.ts");
  return await checkFiles(guards, addedLines(toolInputOf(place.call.message)), place);
}

async function checkLine(
  guards: readonly Guard[],
  command: string,
  place: CallPlace,
): Promise<Breach[]> {
  const broken = await checkRuns(guards, command, place);
  const isRead = guards.some(({ check }) => check.on === "read");
  if (isRead || mayWrite.test(command)) {
    const { readShell } = await import("../../guard/command_runs.ts");
    const { runs, writes, reads } = readShell(command);
    const seen = await checkReads(guards, reads, place);
    broken.push(...seen.map((breach) => ({ ...breach, what: command, found: breach.what })));
    const files = writes.map((write) => ({ ...write, text: write.added }));
    const written = await checkFiles(guards, files, place);
    broken.push(...written.map((breach) => ({ ...breach, what: command, found: breach.what })));
    const isOwn = written.some(({ guard }) => guard.isOwn);
    if (!isOwn && changesGuards(command, runs)) broken.push({ guard: ownGuard, what: command });
  }
  if (!guards.some(({ check }) => check.on === "end" && check.before)) return broken;
  const { undoneBefore } = await import("./answer_end.ts");
  return [...broken, ...await undoneBefore(guards, command, place)];
}

/** Most lines name no program of a guard's, and need no reader of shells; git only where a branch matters. */
async function checkRuns(
  guards: readonly Guard[],
  command: string,
  place: CallPlace,
): Promise<Breach[]> {
  const { checkCommand } = await import("../../guard/check_command.ts");
  let isAsked = false;
  const broken = await checkCommand(guards, command, () => {
    isAsked = true;
    return undefined;
  });
  if (!isAsked) return broken;
  const { findBranchAt } = await import("../../code/git/git_repository.ts");
  return await checkCommand(
    guards,
    command,
    (directory = ".") => findBranchAt(toWhole(directory, place)),
  );
}

/** Whether a line may write or remove a file, or speak of guards: others are not read. */
const mayWrite =
  />|\b(?:tee|truncate|touch|sed|perl|cp|mv|ln|install|rm|unlink|find|clean|setup|release|quarantine)\b|guard/;

/** Whether a line does more with the guards than to look at them. */
function changesGuards(command: string, runs: readonly (readonly string[])[]): boolean {
  const isByName = /\.contextfs[\\/]guards/.test(command);
  return runs.some(([program, ...words]) => {
    if (program === "ctx") return loosens.test(words.join(" "));
    // What git ignores, it removes too: the whole store.
    if (program === "git" && words.includes("clean")) {
      return words.some((word) => /^-[a-z]*x/i.test(word)) && !words.some(isDryRun);
    }
    if (!isByName || lookers.has(program)) return false;
    return program !== "git" || !words.some((word) => gitLooks.has(word));
  });
}

/** Commands of ctx by which an agent would free itself. */
const loosens =
  /(?:^| )(?:guard (?:.* )?(?:set|pass)|setup (?:.* )?--(?:remove|no-hooks|no-pre-edit)|(?:forget (?:.* )?--(?:release|quarantine)|release|quarantine))(?: |=|$)/;

function isDryRun(word: string): boolean {
  return word === "--dry-run" || /^-[a-z]*n/.test(word);
}

/** Programs that change no file, or of which it is known which files they write. */
const lookers: ReadonlySet<string> = new Set(
  "cat less head tail grep egrep rg jq ls stat wc cd echo printf bat diff cmp file tree sort uniq cut tr test [ true pwd sed awk tee cp mv rm md5sum sha256sum"
    .split(" "),
);
const gitLooks: ReadonlySet<string> = new Set(
  "status diff log show add commit blame ls-files grep check-ignore".split(" "),
);

async function checkReads(
  guards: readonly Guard[],
  paths: readonly string[],
  place: CallPlace,
): Promise<Breach[]> {
  if (!guards.some(({ check }) => check.on === "read")) return [];
  const { checkRead } = await import("../../guard/check_read.ts");
  return checkRead(guards, paths.map((path) => toShort(toWhole(path, place), place)));
}

/** The file that a tool for reading asks for. */
function findRead(message: unknown): string | undefined {
  const { tool_name: tool } = toFields(message);
  if (typeof tool !== "string" || !/^read(?:_file|_many_files)?$/i.test(tool)) return undefined;
  const input = toolInputOf(message);
  return [input.file_path, input.filePath, input.absolute_path, input.path].flat()
    .find((path): path is string => typeof path === "string");
}

async function checkFiles(
  guards: readonly Guard[],
  files: readonly EditedFile[],
  place: CallPlace,
): Promise<Breach[]> {
  if (files.length === 0) return [];
  const { checkEdit } = await import("../../guard/check_edit.ts");
  const { editOf } = await import("../../guard/added_lines.ts");
  const changes = files.map((file) => toChange(file, place, editOf));
  const { configFiles } = await import("../../config/load_config.ts");
  const { guards: file, guardLog, root } = layoutOf(place.workspace);
  // What the user approved of is in their own file.
  const user = configFiles(undefined, place.context.env)[0]?.path;
  const { keptPath } = await import("../../guard/kept_guards.ts");
  const kept = keptPath(place.workspace, place.context.env);
  const own = changes.filter(({ whole, removes }) =>
    [file, guardLog, user, kept].includes(whole) ||
    (removes && [root, place.workspace].includes(whole.replace(/\/\*$/, "")))
  );
  return [
    ...checkEdit(guards, changes),
    ...own.slice(0, 1).map(({ path }) => ({ guard: ownGuard, what: path })),
  ];
}

/** A file by its path in the workspace; of one that is there, only the lines that it does not have yet. */
function toChange(
  file: EditedFile,
  place: CallPlace,
  editOf: (file: EditedFile, before: string) => EditedFile,
): FileChange & { whole: string } {
  const whole = toWhole(file.path, place);
  const path = toShort(whole, place);
  const size = diskFiles.findSize(whole);
  const isRead = size !== undefined && size < maxBytes && (file.isWhole || file.replaced);
  const bytes = isRead ? diskFiles.findBytes(whole) : undefined;
  const own = bytes === undefined ? file : editOf(file, new TextDecoder().decode(bytes));
  return { ...own, path, whole, exists: size !== undefined };
}

const maxBytes = 400_000;

/** A path as rules have it: in the workspace, below the home, or from the root. */
function toShort(whole: string, { workspace, context }: CallPlace): string {
  const home = homeOf(context.env) ?? "/";
  if (whole.startsWith(`${workspace}/`)) return whole.slice(workspace.length + 1);
  return whole.startsWith(`${home}/`) ? `~${whole.slice(home.length)}` : whole;
}

/** A path from the root, without `.` and `..`. */
function toWhole(path: string, { call, context }: CallPlace): string {
  const from = call.cwd ?? context.cwd;
  const isBelowHome = /^~(?:\/|$)/.test(path);
  return normalizePath(
    isBelowHome ? `${homeOf(context.env) ?? ""}${path.slice(1)}` : resolvePath(path, from),
  );
}
