// Answers an agent's hook. Runs before every edit, so it skips the process table and its schemas,
// reads standard input synchronously (streams load half the fetch machinery) and loads only the
// readers. Never stops an agent: a bad input or a missing store is silence, a broken one exit 1.

import { findJson, isObject } from "../../core/json.ts";
import { openContext } from "../../app/app.ts";
import { readSuggestSettings } from "../../recall/edit/suggest_settings.ts";
import { CtxError, hookFailedExit, isReadOnly } from "../../core/errors.ts";
import { answerPreEdit, defaultHookTokens } from "../../recall/edit/pre_edit.ts";
import { writeOut } from "../line/terminal.ts";

/** What a hook is told beside its input. */
export interface HookOptions {
  workspace?: string;
  maxTokens: number;
}

/** Reads the words of `ctx hook pre-edit …`, or undefined when they are not plain: then the table reads them. */
export function parseHookWords(words: readonly string[]): HookOptions | undefined {
  if (words[0] !== "pre-edit") return undefined;
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
export async function runPreEdit(options: HookOptions): Promise<number> {
  const payload = findJson(readInput());
  if (payload === undefined) return 0;
  try {
    const cwd = cwdOf(payload);
    const context = openContext({ surface: "cli", workspace: options.workspace, cwd });
    const store = await context.openStore();
    const settings = readSuggestSettings(await context.readConfig());
    if (!settings.enabled) return 0;
    const { text } = await answerPreEdit(payload, {
      store,
      now: context.now,
      random: context.seed,
      cwd: context.cwd,
      settings,
      maxTokens: options.maxTokens,
      async cite(edited) {
        const { citeLines } = await import("../../code/why/cite_lines.ts");
        return await citeLines(store, { ...edited, nowMs: context.now() });
      },
    });
    if (text !== "") writeOut("stdout", toHookAnswer(payload, text));
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    if (error.code === "STORE_MISSING" || isReadOnly(error)) return 0;
    writeOut("stderr", `ctx hook: ${error.message}\n`);
    return hookFailedExit;
  }
  return 0;
}

/** Where the agent works, as it says; a hook may be started from anywhere. */
function cwdOf(payload: unknown): string | undefined {
  if (!isObject(payload) || typeof payload.cwd !== "string") return undefined;
  if (!payload.cwd.startsWith("/")) return undefined;
  try {
    return Deno.statSync(payload.cwd).isDirectory ? payload.cwd : undefined;
  } catch {
    return undefined;
  }
}

/** Agents that name their event take its context as JSON; others read plain text. */
function toHookAnswer(payload: unknown, text: string): string {
  const event = isObject(payload) ? payload.hook_event_name : undefined;
  if (event !== "PreToolUse" && event !== "AfterTool" && event !== "PostToolUse") return text;
  const hookSpecificOutput = { hookEventName: event, additionalContext: text };
  return JSON.stringify({ hookSpecificOutput }) + "\n";
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
