// `ctx hook pre-edit` on the command line: words and standard input in, the answer out. Runs before
// every edit, so it skips the process table and its schemas and reads standard input synchronously
// (streams load half the fetch machinery). Never stops an agent: a bad input or a missing store is
// silence, a broken one exit 1.

import { openContext } from "../../app/app.ts";
import { CtxError, hookFailedExit, isReadOnly } from "../../core/errors.ts";
import { isWholePath } from "../../core/platform_path.ts";
import { isDirectory } from "../../disk/outside_files.ts";
import { defaultHookTokens } from "../../recall/edit/pre_edit.ts";
import { answerEdit } from "../../recall/hook/answer_edit.ts";
import { answerGuard } from "../../recall/hook/answer_guard.ts";
import { editCaller, type HookCall, parseHookCall } from "../../recall/hook/hook_call.ts";
import { writeOut } from "../line/terminal.ts";

/** What a hook is told beside its input. */
export interface HookOptions {
  workspace?: string;
  /** For hints; with 0 there are none, and only guards are checked. */
  maxTokens: number;
}

/** The caller that wants no hints. */
export const guardCaller = "guard";

/** Reads the words of `ctx hook pre-edit …`, or undefined when they are not plain: then the table reads them. */
export function parseHookWords(words: readonly string[]): HookOptions | undefined {
  if (words[0] === guardCaller) return words.length === 1 ? { maxTokens: 0 } : undefined;
  if (words[0] !== editCaller) return undefined;
  const options: HookOptions = { maxTokens: defaultHookTokens };
  for (let i = 1; i < words.length; i += 2) {
    const value = words[i + 1];
    if (value === undefined) return undefined;
    if (words[i] === "--workspace") options.workspace = value;
    else if (words[i] === "--max-tokens" && /^\d{2,4}$/.test(value)) {
      options.maxTokens = Number(value);
    } else return undefined;
  }
  return options;
}

/** Answers the hook's JSON on standard input; returns the exit code. */
export async function runPreEdit({ workspace, maxTokens }: HookOptions): Promise<number> {
  const call = findCall(readInput());
  if (call === undefined) return 0;
  try {
    const context = openContext({ surface: "cli", workspace, cwd: findDirectory(call) });
    const answer = await answerGuard(call, context) ??
      (maxTokens === 0 ? undefined : await answerEdit(call, context, maxTokens));
    if (answer !== undefined) writeOut("stdout", answer);
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    if (error.code === "STORE_MISSING" || isReadOnly(error)) return 0;
    writeOut("stderr", `ctx hook: ${error.message}\n`);
    return hookFailedExit;
  }
  return 0;
}

function findCall(json: string): HookCall | undefined {
  try {
    return parseHookCall(editCaller, json);
  } catch {
    return undefined;
  }
}

/** Where the agent works, as it says; a hook may be started from anywhere. */
function findDirectory({ cwd = "" }: HookCall): string | undefined {
  return isWholePath(cwd) && isDirectory(cwd) ? cwd : undefined;
}

function readInput(): string {
  const parts: Uint8Array[] = [];
  const buffer = new Uint8Array(64 << 10);
  for (let count = Deno.stdin.readSync(buffer); count !== null;) {
    parts.push(buffer.slice(0, count));
    count = Deno.stdin.readSync(buffer);
  }
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
